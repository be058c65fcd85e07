const KEY = /\b(svc_(?:sim|acc)_[\w-]{6})[\w-]+/g
const WEBHOOK_SECRET = /\bwhsec_\w+/g

/** `text` with what follows the shown prefix of each key, and each webhook secret, left out (contract, "Access and keys"). */
export function maskSecrets(text: string): string {
  return text.replace(KEY, '$1…').replace(WEBHOOK_SECRET, 'whsec_…')
}
