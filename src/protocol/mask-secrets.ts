const KEY = /\b(svc_(?:sim|acc)_[\w-]{6})[\w-]+/g
const WEBHOOK_SECRET = /\bwhsec_\w+/g

/** `text` with keys cut to the prefix that may be shown, and without webhook secrets (specification, Access and keys). */
export function maskSecrets(text: string): string {
  return text.replace(KEY, '$1…').replace(WEBHOOK_SECRET, 'whsec_…')
}
