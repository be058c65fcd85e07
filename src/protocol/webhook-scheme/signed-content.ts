import { createHash } from 'node:crypto'
import { parseJson, readPath, valueText } from '../json.ts'
import { fromPointer } from '../json-pointer.ts'
import type { TemplatePart } from '../template.ts'

/** Parts of a request that both sides know before signing and verifying. */
export interface SignedParts {
  readonly rawBody: Uint8Array
  /** The called address, as registered, including its query. */
  readonly url: string
  /** @default 'POST' */
  readonly method?: string | undefined
  /** The value of `{t}`, `{t_ms}`, `{t_iso}`, `{id}` or `{type}` in the headers. */
  readonly carried: (name: string) => string
}

/** The bytes to sign. Texts are UTF-8. */
export function signedContent(template: readonly TemplatePart[], parts: SignedParts): Uint8Array[] {
  return template.map((part) => (typeof part === 'string' ? Buffer.from(part) : valueFor(part.name, parts)))
}

/** SHA-256 of a body, with a secret before it or without, lowercase hexadecimal. */
export function bodySha256(rawBody: Uint8Array, secret = ''): string {
  return createHash('sha256').update(secret).update(rawBody).digest('hex')
}

function valueFor(name: string, { rawBody, url, method = 'POST', carried }: SignedParts): Uint8Array {
  if (name === 'body') return rawBody
  if (name === 'url') return Buffer.from(url)
  if (name === 'method') return Buffer.from(method)
  if (name === 'body_sha256') return Buffer.from(bodySha256(rawBody))
  if (name === 'form') return Buffer.from(formText(rawBody))
  return Buffer.from(
    name.startsWith('/')
      ? valueText(readPath(parseJson(Buffer.from(rawBody).toString()), fromPointer(name)))
      : carried(name),
  )
}

/** Each name and value of a form, sorted by name, without duplicate values of a name (Twilio, Validating Signatures). */
function formText(rawBody: Uint8Array): string {
  const form = new URLSearchParams(Buffer.from(rawBody).toString())
  return [...new Set(form.keys())]
    .sort()
    .flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
    .join('')
}
