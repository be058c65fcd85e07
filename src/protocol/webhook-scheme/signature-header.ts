import { type Json, parseJson, readPath, valueText } from '../json.ts'
import { fromPointer } from '../json-pointer.ts'
import { parseTemplate, placeholdersOf, readTemplate } from '../template.ts'
import { WebhookVerificationError } from '../webhook-verification-error.ts'
import type { WebhookScheme } from './scheme.ts'

/** The lines of a header, by its name in lower case. */
export type HeaderLines = (name: string) => readonly string[]

/** Parts of a request's signature. */
export interface SignatureParts {
  readonly signatures: readonly string[]
  /** Values of placeholders in headers. */
  readonly carried: Map<string, string>
  /** Where the signature stands, for messages. */
  readonly where: string
}

const MAX_HEADER_CHARACTERS = 1_024
/** A token holds claims besides its signature, so it may be longer. */
const MAX_TOKEN_CHARACTERS = 4_096
const MAX_SIGNATURES = 16
const ITEM = /^([\w.-]+)=([\x21-\x7e]*)$/
/** One item of a template: `t={t}`. */
const ITEM_TEMPLATE = /^([\w.-]+)=\{(\w+)\}$/

/** The form of a value, as a pattern and in words. */
interface ValueForm {
  readonly pattern: RegExp
  readonly words: string
}

const TEXT: ValueForm = { pattern: /^[\x21-\x7e\x80-\xff]+$/, words: 'printable text' }
const CARRIED: Readonly<Record<string, ValueForm>> = {
  t: { pattern: /^[1-9]\d{0,11}$/, words: 'unix seconds of 1 to 12 digits' },
  t_ms: { pattern: /^[1-9]\d{0,14}$/, words: 'unix milliseconds of 1 to 15 digits' },
  t_iso: { pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/, words: 'an ISO 8601 time' },
  id: TEXT,
  type: TEXT,
}
/** Length of a signature in bytes, for algorithms of fixed length. */
const BYTES: Readonly<Record<string, number>> = { 'hmac-sha1': 20, 'hmac-sha256': 32, 'hmac-sha512': 64, ed25519: 64 }

/** Reads the headers, or the field of the body, with the signature. Throws `signature_missing` or `signature_malformed`. */
export function readSignature(scheme: WebhookScheme, headers: HeaderLines, rawBody: Uint8Array): SignatureParts {
  const parts = { signatures: [] as string[], carried: new Map<string, string>(), where: '' }
  if (scheme.place !== undefined) {
    parts.where = `\`${scheme.place}\` of the body`
    parts.signatures.push(signatureAt(scheme.place, rawBody))
  }
  const needed = new Set(['signature', 't', 't_ms', 't_iso', ...placeholdersOf(scheme.content ?? '')])
  for (const [name, template] of Object.entries(scheme.headers)) {
    const names = placeholdersOf(template)
    if (!names.some((placeholder) => needed.has(placeholder))) continue
    if (names.includes('signature')) parts.where = `\`${name}\``
    for (const [placeholder, value] of readHeader(scheme, { name, template }, headers(name.toLowerCase()))) {
      if (placeholder === 'signature') parts.signatures.push(value)
      else parts.carried.set(placeholder, Buffer.from(value, 'latin1').toString())
    }
  }
  for (const [pointer, template] of Object.entries(scheme.stamp ?? {})) {
    const name = template.slice(1, -1)
    const value = valueText(valueIn(rawBody, pointer))
    if (!formOf(scheme, name).pattern.test(value))
      throw malformedBody(`\`${pointer}\` to be ${formOf(scheme, name).words}`)
    parts.carried.set(name, value)
  }
  return parts
}

interface Header {
  readonly name: string
  readonly template: string
}

function readHeader(scheme: WebhookScheme, header: Header, lines: readonly string[]): [name: string, value: string][] {
  const [line] = lines
  const { name, template } = header
  if (line === undefined || line === '') {
    throw new WebhookVerificationError(
      'signature_missing',
      `Failed to verify webhook: it carries no \`${name}\` header. Is \`scheme\` the one that has signed it?`,
    )
  }
  if (lines.length > 1) throw malformed(name, `exactly one line, got ${lines.length}`)
  const most = scheme.algorithm === 'jwt-es256' ? MAX_TOKEN_CHARACTERS : MAX_HEADER_CHARACTERS
  if (line.length > most) throw malformed(name, `at most ${most} characters, got ${line.length}`)
  const separator = /^[^,;]*([,;] ?)/.exec(template)?.[1]
  const items = separator === undefined ? [] : template.split(separator)
  if (separator !== undefined && items.every((item) => ITEM_TEMPLATE.test(item)))
    return readItems(scheme, name, line.split(separator), { items, separator })
  return readWhole(scheme, header, line)
}

/** `t=1,v1=ab,v1=cd`: in any order, one or more signatures; unknown keys are ignored. */
function readItems(
  scheme: WebhookScheme,
  header: string,
  given: readonly string[],
  { items, separator }: { items: readonly string[]; separator: string },
): [string, string][] {
  const keys = new Map(items.map((item) => ITEM_TEMPLATE.exec(item)?.slice(1) as [string, string]))
  const found: [string, string][] = []
  for (const item of given) {
    const [, key, value = ''] = ITEM.exec(item) ?? []
    if (key === undefined) {
      const spaces = separator.endsWith(' ') ? '' : ' without spaces'
      throw malformed(header, `items \`key=value\` divided by \`${separator}\`${spaces}`)
    }
    const placeholder = keys.get(key)
    if (placeholder === undefined) continue
    const isSignature = placeholder === 'signature'
    if (!isSignature && found.some(([name]) => name === placeholder)) throw malformed(header, `one \`${key}\`, got two`)
    const { pattern, words } = formOf(scheme, placeholder)
    if (!pattern.test(value)) throw malformed(header, `${isSignature ? 'each ' : ''}\`${key}\` to be ${words}`)
    found.push([placeholder, value])
  }
  for (const [key, placeholder] of keys) {
    const count = found.filter(([name]) => name === placeholder).length
    if (count === 0) throw malformed(header, `a \`${key}\`, got none`)
    if (count > MAX_SIGNATURES) throw malformed(header, `at most ${MAX_SIGNATURES} \`${key}\`, got ${count}`)
  }
  return found
}

/** `sha256=ab`, or several separated by spaces, `v1,ab v1a,cd`; those of another form are ignored. */
function readWhole(scheme: WebhookScheme, { name, template }: Header, line: string): [string, string][] {
  const parts = parseTemplate(template)
  const names = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))
  const pieces = template.includes(' ') || !names.includes('signature') ? [line] : line.split(' ')
  if (pieces.length > MAX_SIGNATURES)
    throw malformed(name, `at most ${MAX_SIGNATURES} signatures, got ${pieces.length}`)
  const found = pieces.flatMap((piece) => {
    const values = readTemplate(parts, piece)
    const isFit = values?.every((value, at) => formOf(scheme, names[at] ?? '').pattern.test(value))
    return isFit ? [(values ?? []).map((value, at): [string, string] => [names[at] ?? '', value])] : []
  })
  if (found.length === 0) {
    const forms = names.map((placeholder) => `${placeholder} ${formOf(scheme, placeholder).words}`).join(' and ')
    throw malformed(name, `the form \`${template}\`, with ${forms}`)
  }
  return found.flat()
}

function formOf({ algorithm, encoding }: WebhookScheme, placeholder: string): ValueForm {
  if (placeholder !== 'signature') return CARRIED[placeholder] ?? TEXT
  const bytes = BYTES[algorithm]
  if (algorithm === 'jwt-es256') return { pattern: /^[\w-]+\.[\w-]+\.[\w-]+$/, words: 'a JSON Web Token' }
  if (encoding === 'hex') {
    const count = bytes === undefined ? '' : `${2 * bytes} `
    const length = bytes === undefined ? '+' : `{${2 * bytes}}`
    return { pattern: new RegExp(`^[0-9a-f]${length}$`), words: `${count}lowercase hexadecimal digits` }
  }
  const characters = encoding === 'base64' ? 'A-Za-z0-9+/' : '\\w-'
  const length = bytes === undefined ? '+' : `{${Math.ceil((bytes * 4) / 3)}}`
  return {
    pattern: new RegExp(`^[${characters}]${length}={0,2}$`),
    words: `${encoding}${bytes ? ` of ${bytes} bytes` : ''}`,
  }
}

const malformedBody = (expected: string): WebhookVerificationError =>
  new WebhookVerificationError(
    'signature_malformed',
    `Failed to verify webhook: expected its body to have ${expected}.`,
  )

const valueIn = (rawBody: Uint8Array, pointer: string): Json | undefined =>
  readPath(parseJson(Buffer.from(rawBody).toString()), fromPointer(pointer))

function signatureAt(pointer: string, rawBody: Uint8Array): string {
  const signature = valueIn(rawBody, pointer)
  if (typeof signature === 'string' && signature !== '') return signature
  throw new WebhookVerificationError('signature_missing', `Failed to verify webhook: its body has no \`${pointer}\`.`)
}

function malformed(header: string, expected: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'signature_malformed',
    `Failed to verify webhook: expected \`${header}\` to have ${expected}.`,
  )
}
