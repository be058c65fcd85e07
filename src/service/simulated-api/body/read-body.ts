import { isUtf8 } from 'node:buffer'
import { nestPairs } from '../../../protocol/form.ts'
import type { Json } from '../../../protocol/json.ts'
import { hasLinesOfJson, isFormType, isJsonType, isWithin, isXmlType, toEssence } from '../../../protocol/media-type.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation, Parameter, RequestBody } from '../../openapi/model.ts'
import type { ApiRequest } from '../exchange.ts'
import { Refusal } from '../refusal.ts'
import { coerce } from './coerce.ts'
import { parseMultipart, parsePairs } from './form.ts'
import { parseJson } from './json-text.ts'
import { readFields } from './parameter-styles.ts'
import { readXml } from './xml.ts'

/** A parsed request body. */
export interface Body {
  /** Undefined when there is none. */
  readonly value: Json | undefined
  readonly mediaType: string
  /** The description's schema for a body of this media type. */
  readonly schema: Schema | undefined
}

/** The body of a request without one. */
export const NO_BODY: Body = { value: undefined, mediaType: '', schema: undefined }
const NO_CONTENT: RequestBody['content'] = new Map()
const NO_STYLED: readonly Parameter[] = []
const BYTES = 'application/octet-stream'
const decoder = new TextDecoder()

/**
 * Reads the body of a request. Refuses malformed bodies with 400; with `isStrict`, media types that the operation does
 * not declare with 415.
 */
export function readBody(operation: Operation, request: ApiRequest, isStrict: boolean): Body {
  if (request.body.length === 0) return NO_BODY
  const content = operation.requestBody?.content ?? NO_CONTENT
  const contentType = statedType(content, request) ?? guessType(operation, request.body)
  const mediaType = toEssence(contentType)
  const declared = findDeclared(content, mediaType)
  if (declared === undefined && takesBytes(operation)) {
    return { value: decoder.decode(request.body), mediaType, schema: undefined }
  }
  if (declared === undefined && content.size > 0 && isStrict) {
    const allowed = [...content.keys()].join(', ')
    throw new Refusal(
      415,
      'unsupported_media_type',
      `Expected \`content-type\` to be one of ${allowed}, got ${mediaType}.`,
    )
  }
  const stated = declared === undefined ? undefined : content.get(declared)
  const schema = isRaw(mediaType) && stated?.format !== undefined && ENCODED.test(stated.format) ? undefined : stated
  const styled = operation.requestBody?.styled?.get(declared ?? '')
  const value = readValue(request.body, contentType, { mediaType, schema, styled })
  return { value: takesAnyType(operation) ? coerce(value, schema) : value, mediaType, schema }
}

/** Whether a body is bytes of any kind: clients give the file's type. */
export const takesBytes = ({ requestBody }: Operation): boolean =>
  requestBody?.content.size === 1 && requestBody.content.has(BYTES)

/** Whether a body may have any media type: its fields have the same meaning in a form and in JSON. */
export const takesAnyType = ({ requestBody }: Operation): boolean => requestBody?.content.has('*/*') === true

/** The fields of a remote procedure call, as a query: they may be in the query or in the body. */
export function formOf({ query, body, headers }: ApiRequest): string {
  if (body.length === 0) return query
  const text = decoder.decode(body)
  if (!isJsonType(toEssence(headers['content-type'] ?? ''))) return query === '' ? text : `${query}&${text}`
  const fields = Object.entries(Object(readJson(body)) as Record<string, Json>)
  const pairs = fields.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)])
  return new URLSearchParams([...new URLSearchParams(query), ...(pairs as [string, string][])]).toString()
}

/** The declared media type that includes a body's own; all JSON types are one family. */
function findDeclared(content: RequestBody['content'], mediaType: string): string | undefined {
  if (content.has(mediaType)) return mediaType
  for (const range of content.keys()) if (isWithin(mediaType, range)) return range
  if (isJsonType(mediaType)) for (const declared of content.keys()) if (isJsonType(declared)) return declared
  if (isFormType(mediaType)) for (const declared of content.keys()) if (isFormType(declared)) return declared
  return undefined
}

function readValue(
  bytes: Uint8Array,
  contentType: string,
  {
    mediaType,
    schema,
    styled = NO_STYLED,
  }: { mediaType: string; schema: Schema | undefined; styled: readonly Parameter[] | undefined },
): Json {
  if (isJsonType(mediaType)) return readJson(bytes)
  if (isXmlType(mediaType) && !isText(schema)) return readXml(decoder.decode(bytes), schema)
  if (hasLinesOfJson(mediaType))
    return decoder
      .decode(bytes)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parseJson)
  const isMultipart = mediaType.startsWith('multipart/') || (isFormType(mediaType) && contentType.includes('boundary='))
  if (isMultipart) return coerce(nestPairs(parseMultipart(bytes, contentType, { schema, styled })), schema)
  if (!isFormType(mediaType)) return readText(bytes, schema)
  // An unknown media type does not determine the notation.
  if (mediaType !== 'application/x-www-form-urlencoded' && bytes[0] === 0x7b) return readJson(bytes)
  return coerce(readFields(styled, parsePairs(decoder.decode(bytes))), schema)
}

/** A body of any other type: by its schema, which may describe a number, or JSON of a vendor. */
function readText(bytes: Uint8Array, schema: Schema | undefined): Json {
  const text = decoder.decode(bytes)
  if (schema === undefined || schema.types.length === 0 || schema.types.includes('string')) return text
  return /^\s*[[{]/.test(text) ? readJson(bytes) : coerce(text, schema)
}

/** Formats of bytes within JSON: a body that is nothing but bytes is not written so, whatever its description says. */
const ENCODED = /^(byte|base64|binary)$/
const isRaw = (mediaType: string): boolean => !isJsonType(mediaType) && !isFormType(mediaType) && !isXmlType(mediaType)

/** XML that is described as a text is kept as it came. */
const isText = (schema: Schema | undefined): boolean => schema?.types.length === 1 && schema.types[0] === 'string'

/** JSON must be UTF-8 (RFC 8259, 8.1): other bytes would be stored as replacement characters, which no search finds. */
function readJson(bytes: Uint8Array): Json {
  if (!isUtf8(bytes))
    throw new Refusal(400, 'invalid_request', 'Expected the body to be JSON in UTF-8, got other bytes.')
  return parseJson(decoder.decode(bytes))
}

/** The content type; none for JSON that is sent as a plain text, as clients do to spare a browser's preflight request. */
function statedType(content: RequestBody['content'], { headers, body }: ApiRequest): string | undefined {
  const stated = headers['content-type']
  if (stated === undefined || toEssence(stated) !== 'text/plain' || findDeclared(content, 'text/plain') !== undefined)
    return stated
  const first = body.find((byte) => byte > 0x20)
  const isJson = (first === 0x7b || first === 0x5b) && [...content.keys()].some(isJsonType)
  return isJson ? undefined : stated
}

/** A body without a content type: JSON if it looks like it, else the first declared type. */
function guessType(operation: Operation, bytes: Uint8Array): string {
  const first = bytes.find((byte) => byte > 0x20)
  const declared = [...(operation.requestBody?.content.keys() ?? [])]
  const json = declared.find(isJsonType) ?? 'application/json'
  if (first === 0x7b || first === 0x5b) return json
  return declared[0] ?? 'text/plain'
}
