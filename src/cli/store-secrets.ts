/** The secrets of a store, which no flag has: arguments of processes are seen by all. Undefined where there are none. */
export function readSecrets(text = ''): string[] | undefined {
  return text === '' ? undefined : text.split(',').map((secret) => secret.trim())
}

/** What is said of a store that is not sealed. */
export const NOT_SEALED =
  'the store is not sealed: it holds records and the secrets of webhooks in clear. Set BACKLOT_SECRET_KEY to encrypt it.'
