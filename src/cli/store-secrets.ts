/** The secrets of a store. They have no flag, because all users see the arguments of processes. Undefined without secrets. */
export function readSecrets(text = ''): string[] | undefined {
  return text === '' ? undefined : text.split(',').map((secret) => secret.trim())
}
