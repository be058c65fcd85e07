import { countParts, splitMultipart } from '../../../protocol/form.ts'
import type { Json } from '../../../protocol/json.ts'
import { Refusal } from '../refusal.ts'
import { parseJson } from './json-text.ts'

const MAX_FIELDS = 10_000

/** The names and texts of a form or a query, in order and decoded. Refuses more than {@link checkFieldCount} allows. */
export function parsePairs(text: string): [name: string, value: string][] {
  if (text.length > MAX_FIELDS) checkFieldCount(countPairs(text))
  return [...new URLSearchParams(text.length > MAX_FIELDS ? withBlanks(text) : text)]
}

/** Replaces plus signs by blanks. The platform's reader makes a text for each, and 10 MB may hold millions. */
function withBlanks(text: string): string {
  const bytes = Buffer.from(text)
  for (let at = bytes.indexOf(PLUS); at !== -1; at = bytes.indexOf(PLUS, at + 1)) bytes[at] = BLANK
  return bytes.toString()
}

const PLUS = 0x2b
const BLANK = 0x20

/** Counts without making them: 10 MB may hold millions. */
function countPairs(text: string): number {
  let count = 0
  let isBetween = true
  for (let at = 0; at < text.length; at++) {
    const isMark = text.charCodeAt(at) === AMPERSAND
    if (isBetween && !isMark) count++
    isBetween = isMark
  }
  return count
}

const AMPERSAND = 0x26

/** Refuses forms and queries of more than 10,000 fields with 400. */
function checkFieldCount(count: number): void {
  if (count <= MAX_FIELDS) return
  throw new Refusal(400, 'invalid_request', `Expected at most ${MAX_FIELDS} fields in a form or a query, got ${count}.`)
}

/**
 * The parts of a `multipart/form-data` body: texts, JSON by content type, and the name of a file.
 *
 * @param onlyFile the field of an only file: some clients give the part the name of the file instead
 */
export function parseMultipart(
  body: Uint8Array,
  contentType: string,
  onlyFile?: string,
): [name: string, value: Json][] {
  checkFieldCount(countParts(body, contentType))
  const parts = splitMultipart(body, contentType)
  if (parts === undefined)
    throw new Refusal(400, 'invalid_request', `Expected \`content-type\` to name a boundary, got "${contentType}".`)
  const isNamed = onlyFile === undefined || parts.some(({ name }) => name === onlyFile)
  return parts.map(({ name, text, file, isJson }) => {
    const isOwnName = !isNamed && file !== undefined && file === name
    return [isOwnName ? onlyFile : name, file ?? (isJson ? parseJson(text) : text)]
  })
}
