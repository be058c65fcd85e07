/** The secrets of a store, which no flag has: arguments of processes are seen by all. Undefined where there are none. */
export function readSecrets(text = ''): string[] | undefined {
  return text === '' ? undefined : text.split(',').map((secret) => secret.trim())
}
