import type { Json } from '../../../protocol/json.ts'
import { Refusal } from '../refusal.ts'
import { checkFieldCount } from './form.ts'
import { parseJson } from './json-text.ts'

/** The parts of a `multipart/form-data` body: texts, JSON where a part says so, and the file name for a file. */
export function parseMultipart(body: Uint8Array, contentType: string): [name: string, value: Json][] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const mark = boundary?.[1] ?? boundary?.[2]
  if (mark === undefined)
    throw new Refusal(400, 'invalid_request', `Expected \`content-type\` to name a boundary, got "${contentType}".`)
  const parts: [string, Json][] = []
  const texts = Buffer.from(body).toString('latin1').split(`--${mark}`).slice(1)
  checkFieldCount(texts.length - 1)
  for (const part of texts) {
    if (part.startsWith('--')) break
    const split = part.indexOf('\r\n\r\n')
    if (split === -1) continue
    const parsed = toPart(part.slice(0, split), part.slice(split + 4).replace(/\r\n$/, ''))
    if (parsed) parts.push(parsed)
  }
  return parts
}

function toPart(head: string, latin1: string): [string, Json] | undefined {
  const disposition = /content-disposition:[^\r\n]*/i.exec(head)?.[0] ?? ''
  const name = /[;\s]name="([^"]*)"|[;\s]name=([^;\s]+)/i.exec(disposition)
  if (name === null) return undefined
  const field = fromLatin1(name[1] ?? name[2] ?? '')
  const file = /filename="([^"]*)"/i.exec(disposition)?.[1]
  if (file !== undefined) return [field, fromLatin1(file)]
  const text = fromLatin1(latin1)
  return [field, /content-type:\s*application\/([\w.-]+\+)?json/i.test(head) ? parseJson(text) : text]
}

const fromLatin1 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')
