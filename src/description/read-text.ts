import { invalidSpec } from '../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject, readPath } from '../protocol/json.ts'
import { fromReference, toPointer } from '../protocol/json-pointer.ts'

/** What is known of a document beforehand. */
export interface DocumentOrigin {
  /** Whether no value stands in two places, or in itself, as one with a YAML alias may. */
  readonly isTree?: boolean
}

/** What a text says. */
interface ReadText extends Required<DocumentOrigin> {
  readonly value: unknown
}

/**
 * Reads JSON, also with comments, or YAML 1.2 (whose parser is loaded at first use). The last of duplicate keys counts.
 *
 * Throws an {@link ApiError} `invalid_spec` with the line, for text that is neither.
 */
export async function readText(text: string): Promise<ReadText> {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (source.trim() === '') {
    throw invalidSpec('Failed to read the description: the text is empty. Send an OpenAPI description as JSON or YAML.')
  }
  for (const [kind, what] of OTHERS)
    if (kind.test(source)) throw invalidSpec(`Failed to read the description: it is ${what}`)
  const read = /^\s*(\{|\/\/|\/\*)/.test(source) ? await parseJson(source) : await parseYaml(source)
  const isIdentified = source.includes('$id') || source.includes('$anchor')
  if (isIdentified && isJsonObject(read.value)) resolveIdentifiers(read.value)
  return read
}

/** Texts that are often saved in place of a description. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype\s+html|html)/i, 'an HTML page. Download the description itself.'],
  [/^\s*<[?!a-z]/i, 'XML. Pass an OpenAPI description as JSON or YAML.'],
  [/^#%RAML/, 'RAML. Export or convert it to OpenAPI 3.'],
  [
    /^(?:\s|#[^\n]*\n){0,1000}(?:"""|(?:extend )?(?:schema|(?:type|input|interface|enum) \w+)\b[^:\n]*\{)/,
    'a GraphQL schema. GraphQL is not simulated.',
  ],
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS. Run `git lfs pull`.'],
]

/** A text of JSON with blanks in place of its comments and of commas before a closing bracket: the places of all else stay. */
const toPlainJson = (source: string): string =>
  [STRING_OR_COMMENT, STRING_OR_LAST_COMMA].reduce(
    (text, mark) => text.replaceAll(mark, (found) => (found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' '))),
    source,
  )

/** A text or comment without an end reaches to the end of the source: otherwise each further mark would read all of it again. */
const STRING_OR_COMMENT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
const STRING_OR_LAST_COMMA = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|,(?=\s*[}\]])/g

/** A text that begins with `{` may also be YAML in flow style, where `//` is no comment, so YAML is tried after JSON. */
async function parseJson(source: string): Promise<ReadText> {
  const json = attempt(() => jsonOf(source))
  if (!(json instanceof Error)) return json
  try {
    return jsonOf(toPlainJson(source))
  } catch (cause) {
    if (cause instanceof RangeError)
      throw invalidSpec('Failed to read the description: it is nested too deeply.', cause)
    const message = (cause as Error).message
    const place = /\(line (\d+) column (\d+)\)/.exec(message)
    const yaml = await parseYaml(source).catch((error: Error) => error)
    if (!(yaml instanceof Error)) return yaml
    const where = place ? `line ${place[1]}, column ${place[2]}` : lineOf(yaml.cause)
    const fact = message
      .replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '')
      .replace(/ in JSON at position .*$/s, '')
    throw invalidSpec(
      `Failed to read the description as JSON${where ? ` at ${where}` : ''}: ${fact}. Correct the text there.`,
      cause,
    )
  }
}

const jsonOf = (source: string): ReadText => ({ value: JSON.parse(source), isTree: true })

/** Without an anchor nothing has a second place. */
const ANCHOR = /&[^\s,[\]{}]/

async function parseYaml(source: string): Promise<ReadText> {
  const { CORE_SCHEMA, load, mergeTag } = await import('js-yaml')
  checkOneDocument(source)
  const isTree = !ANCHOR.test(source)
  const read = (text: string): ReadText => {
    const schema = CORE_SCHEMA.withTags(mergeTag)
    return { value: load(text, { json: true, maxDepth: 200, schema }), isTree }
  }
  try {
    return read(source)
  } catch (cause) {
    const mended = withDeepLines(source, cause)
    const reread = mended === undefined ? (cause as Error) : attempt(() => read(mended))
    if (!(reread instanceof Error)) return reread
    const where = lineOf(cause)
    const fact = (cause as { reason?: string }).reason ?? (cause as Error).message
    throw invalidSpec(
      `Failed to read the description as YAML${where ? ` at ${where}` : ''}: ${fact}. Correct the text there.`,
      cause,
    )
  }
}

/**
 * The text with more indentation for the lines that a parser refused: lines that only close a flow map or a quoted
 * text, and lines of a quoted text at the margin, such as a certificate. YAML requires them deeper than their parent,
 * but most parsers do not, and so neither do descriptions. Undefined without such lines.
 */
function withDeepLines(source: string, cause: unknown): string | undefined {
  if ((cause as { reason?: string } | undefined)?.reason !== 'deficient indentation') return undefined
  const deep = ' '.repeat(DEEPEST_PARENT)
  const mended = source
    .replaceAll(CLOSING_LINE, ' $1')
    .replaceAll(CLOSING_QUOTE, `${deep}$1`)
    // Blanks at the start of a line do not count in a quoted text.
    .replaceAll(QUOTED_LINES, (quoted) => (KEY_LINE.test(quoted) ? quoted : quoted.replaceAll('\n', `\n${deep}`)))
  return mended === source ? undefined : mended
}

const CLOSING_LINE = /^([ ]*[}\]][}\], ]*\r?)$/gm

const CLOSING_QUOTE = /^[ ]*(['"][ ]*\r?)$/gm
/** A quoted value of at most 201 lines. */
const QUOTED_LINES = /[:-] +(?:"[^"\n]*(?:\n[^"\n]*){1,200}"|'[^'\n]*(?:\n[^'\n]*){1,200}')/g
/** A quote in an unquoted text may reach into the lines of other keys. */
const KEY_LINE = /\n *(?:- +)*[^\s:]+:(?:\s|$)/
const DEEPEST_PARENT = 200

/** The parser reads all documents of a text before it reports that there is more than one. */
function checkOneDocument(source: string): void {
  const mark = /^---(?=\s|$)/gm
  if (!mark.test(source)) return
  // What stands before the first mark is a document too, unless it only comments or gives directives.
  const isSecond = /^[^#%\s]/m.test(source.slice(0, mark.lastIndex - 3))
  if (!isSecond && !mark.test(source)) return
  const line = source.slice(0, mark.lastIndex).split('\n').length
  throw invalidSpec(
    `Failed to read the description as YAML at line ${line}: expected one document, got another. Send one of them.`,
  )
}

function attempt(read: () => ReadText): ReadText | Error {
  try {
    return read()
  } catch (error) {
    return error as Error
  }
}

function lineOf(error: unknown): string | undefined {
  const mark = (error as { mark?: { line: number; column: number } } | undefined)?.mark
  return mark && `line ${mark.line + 1}, column ${mark.column + 1}`
}

/** Keywords whose values are data: an `$id` in them is that of a record. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])

/** Base of the addresses in a document without an `$id`. */
const NOWHERE = 'https://description.invalid/'

/** Deeper documents are refused. */
const MOST_DEPTH = 200

/** A reference, and the address of the schema around it. */
interface Reference {
  readonly schema: JsonObject
  readonly base: string
}

/**
 * Writes references by `$id` and `$anchor` (OpenAPI 3.1) as pointers, in place. A reference that no `$id` and no
 * `$anchor` of the document answers stays, as does a pointer that is one of the document, not of the schema with an `$id`.
 */
function resolveIdentifiers(document: JsonObject): void {
  if (/^[23]\.0/.test(String(document.openapi ?? document.swagger))) return
  const places = new Map<string, readonly string[]>([[NOWHERE, []]])
  const references: Reference[] = []
  const seen = new Set<object>()
  const open: { value: Json; around: string; path: readonly string[] }[] = [
    { value: document, around: NOWHERE, path: [] },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, around, path } = next
    if (typeof value !== 'object' || value === null || seen.has(value) || path.length > MOST_DEPTH) continue
    seen.add(value)
    let base = around
    if (isJsonObject(value)) {
      if (typeof value.$id === 'string') base = addressOf(value.$id, base)
      if (base !== around) places.set(base, path)
      if (typeof value.$anchor === 'string') places.set(`${base}#${value.$anchor}`, path)
      if (typeof value.$ref === 'string') references.push({ schema: value, base })
    }
    for (const [name, inner] of Object.entries(value)) {
      if (!DATA.has(name) && !name.startsWith('x-')) open.push({ value: inner, around: base, path: [...path, name] })
    }
  }
  for (const { schema, base } of references) {
    const [address = '', fragment = ''] = String(schema.$ref).split('#')
    const target = address === '' ? base : addressOf(address, base)
    const isPointer = fragment === '' || fragment.startsWith('/')
    const place = places.get(isPointer ? target : `${target}#${fragment}`)
    const path = place && isPointer ? [...place, ...fromReference(`#${fragment}`)] : place
    if (path && readPath(document, path) !== undefined) schema.$ref = `#${toPointer(path).replaceAll('%', '%25')}`
  }
}

function addressOf(written: string, base: string): string {
  return (URL.parse(written, base)?.href ?? written).replace(/#$/, '')
}
