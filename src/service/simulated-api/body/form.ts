import { countParts, type FormPart, splitMultipart } from '../../../protocol/form.ts'
import type { Json } from '../../../protocol/json.ts'
import { isJsonType, isWithin, isXmlType } from '../../../protocol/media-type.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Parameter } from '../../openapi/model.ts'
import { Refusal } from '../refusal.ts'
import { parseJson } from './json-text.ts'
import { readXml } from './xml.ts'

const MAX_FIELDS = 10_000

/** The names and texts of a form or a query, in order and decoded. Refuses more than {@link checkFieldCount} allows. */
export function parsePairs(text: string): [name: string, value: string][] {
  if (text.length > MAX_FIELDS) checkFieldCount(countPairs(text))
  return [...new URLSearchParams(text.length > MAX_FIELDS ? withBlanks(text) : text)]
}

/** The fields of a form; of one that is sent twice, the first. */
export const fieldsOfForm = (body: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    parsePairs(Buffer.from(body).toString())
      .toReversed()
      .filter(([name]) => name !== '__proto__'),
  )

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
 * The parts of a `multipart` body: JSON by the part's type or the field's schema, the name of a file, else a text. Parts
 * without a name stand for the fields in their order.
 */
export function parseMultipart(
  body: Uint8Array,
  contentType: string,
  { schema, styled = [] }: { schema?: Schema | undefined; styled?: readonly Parameter[] | undefined } = {},
): [name: string, value: Json][] {
  checkFieldCount(countParts(body, contentType))
  const parts = splitMultipart(body, contentType)
  if (parts === undefined)
    throw new Refusal(400, 'invalid_request', `Expected \`content-type\` to name a boundary, got "${contentType}".`)
  const fields = [...(schema?.properties ?? [])]
  // The field of an only file: some clients give the part the name of the file instead.
  const [only, ...more] = fields.filter(([, { format }]) => format === 'binary').map(([name]) => name)
  const onlyFile = more.length > 0 || parts.some(({ name }) => name === only) ? undefined : only
  return parts.flatMap((part, at): [string, Json][] => {
    const { name: given, text, file, mediaType } = part
    const name = (file === given ? onlyFile : undefined) ?? (given || (fields[at]?.[0] ?? ''))
    if (name === '') return []
    const types = styled.find((field) => field.name === name)?.mediaTypes
    checkType(name, mediaType, types)
    if (isFile(part, schema)) return [[name, file as string]]
    const field = schema?.properties.get(name)
    const isText = field?.types.includes('string')
    const type = isGeneric(mediaType) ? (types?.length === 1 ? types[0] : undefined) : mediaType
    if (type !== undefined && isXmlType(type) && !isText) return [[name, readXml(text, field)]]
    const isJson = part.isJson || (type !== undefined && isJsonType(type))
    return [[name, isJson && (!isText || types?.every(isJsonType)) ? parseJson(text) : text]]
  })
}

/** Clients give these types to parts of any kind. */
const isGeneric = (mediaType = 'text/plain'): boolean => /^(text\/plain|application\/octet-stream)$/.test(mediaType)

/** Refuses a part of a type that its `encoding` does not name with 415. */
function checkType(name: string, mediaType: string | undefined, types: readonly string[] | undefined): void {
  if (mediaType === undefined || types === undefined || isGeneric(mediaType)) return
  if (types.some((type) => isWithin(mediaType, type) || (isJsonType(type) && isJsonType(mediaType)))) return
  const fact = `Expected the part \`${name}\` to be of type ${types.join(' or ')}, got ${mediaType}.`
  throw new Refusal(415, 'unsupported_media_type', fact)
}

/** Whether a part is a file. A client may also give a name to the part of a field. */
export function isFile({ name, file, isJson }: FormPart, schema: Schema | undefined): boolean {
  if (file === undefined) return false
  const field = schema?.properties.get(name)
  const isList = field?.types.includes('array') && !field.items?.types.includes('string')
  if (isList || field?.types.includes('object')) return false
  return !(isJson && field === undefined && file === 'blob')
}
