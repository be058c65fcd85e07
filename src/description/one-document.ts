import { basename, dirname, extname, relative, resolve } from 'node:path'
import { invalidSpec } from '../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject, readField, readPath } from '../protocol/json.ts'
import { fromReference, percentDecoded, toPointer } from '../protocol/json-pointer.ts'
import { readText } from './read-text.ts'

/** Files of one description. The largest real one that we know has some hundreds. */
const MOST_FILES = 5_000
const MOST_DEPTH = 500

/** A reference to a file, as far as a look at the text can tell. */
const TO_FILE = /\$ref["']?\s*:\s*["']?(?!#)(?!\w+:\/\/)[^\s"'#]+\.(?:ya?ml|json)\b/

/** Keywords of a schema whose values are schemas, one or several; and those whose values are maps of them. */
const SCHEMAS = new Set(
  `items additionalProperties not allOf oneOf anyOf prefixItems contains if then else propertyNames additionalItems
  unevaluatedProperties unevaluatedItems`.split(/\s+/),
)
const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords whose values are data, and may look like references. */
const DATA = new Set(['example', 'default', 'enum', 'const', 'value', 'required'])

/** What an object is: a schema, a map of them by name, that of the components, or any other part. */
type Kind = 'schema' | 'schemas' | 'components' | 'part'

/** A place in a file. */
interface Target {
  readonly file: string
  readonly tokens: readonly string[]
}

/**
 * The text of a description that is split over files, as one document: schemas of other files become components of the name that
 * their file or their place has, everything else stands where it was referred to. A text that refers to no file stays as it is.
 *
 * Throws an {@link ApiError} `invalid_spec` for a file or a place in it that does not exist, naming who refers to it.
 *
 * @param file where the text is from: references are relative to it
 * @param read the text of another file
 */
export async function inOneDocument(
  text: string,
  file: string,
  read: (path: string) => Promise<string>,
): Promise<string> {
  if (!TO_FILE.test(text)) return text
  const root = resolve(file)
  const { value } = await readText(text)
  if (!isJsonObject(value)) return text
  const files = new Map<string, unknown>([[root, value]])
  const open: string[] = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const ref of referencesIn(files.get(next))) {
      const path = targetOf(ref, next)?.file
      if (path === undefined || files.has(path)) continue
      if (files.size === MOST_FILES)
        throw invalidSpec(`Failed to read the description: it has more than ${MOST_FILES} files.`)
      files.set(path, await readFile(path, ref, next, read))
      open.push(path)
    }
  }
  const isAlone =
    files.size === 1 && ![...referencesIn(value)].some((ref) => !ref.startsWith('#') && targetOf(ref, root))
  return isAlone ? text : JSON.stringify(new Bundle(root, value as JsonObject, files).document())
}

/** What a file says, or why it says nothing: that counts where the description needs it. */
async function readFile(path: string, ref: string, from: string, read: (path: string) => Promise<string>) {
  let text: string
  try {
    text = await read(path)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const fact = code === 'ENOENT' ? 'there is no such file' : message
    return invalidSpec(
      `Failed to read the description: ${basename(from)} refers to \`${ref}\`: ${fact}. Put it at ${path}, or correct the reference.`,
      cause,
    )
  }
  return readText(text).then(
    ({ value }) => value,
    (cause: Error) => invalidSpec(`${cause.message} The file is ${path}.`, cause),
  )
}

/** The references in a file, at any depth, those in examples too. */
function referencesIn(document: unknown): Set<string> {
  const found = new Set<string>()
  const seen = new Set<object>()
  const open: unknown[] = [document]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null || seen.has(at)) continue
    seen.add(at)
    if (isJsonObject(at) && typeof at.$ref === 'string') found.add(at.$ref)
    for (const ref of mappedFiles(at)) found.add(ref)
    for (const inner of Object.values(at)) open.push(inner)
  }
  return found
}

/** The files that the mapping of a discriminator names. */
function mappedFiles(at: object): string[] {
  const { discriminator } = at as { discriminator?: { mapping?: unknown } }
  const refs = Object.values(Object(Object(discriminator).mapping)) as unknown[]
  return refs.filter((ref) => typeof ref === 'string').filter((ref) => /\.(ya?ml|json)(#|$)/i.test(ref))
}

const isData = (key: string): boolean => DATA.has(key) || key.startsWith('x-')

/** The file that a reference names; undefined without a file, for a URL, and for a file that is not part of a description. */
function targetOf(ref: string, from: string): Target | undefined {
  if (ref === '') return undefined
  const [path = '', ...fragment] = ref.split('#')
  const tokens = fromReference(`#${fragment.join('#')}`)
  if (path === '') return { file: from, tokens }
  if (/^[\w+.-]+:/.test(path) || !/^\.(ya?ml|json)$/i.test(extname(path))) return undefined
  return { file: resolve(dirname(from), percentDecoded(path)), tokens }
}

/** A description whose files have all been read. */
class Bundle {
  readonly #root: string
  readonly #document: JsonObject
  readonly #files: ReadonlyMap<string, unknown>
  /** Where the schemas of a document stand. */
  readonly #section: readonly string[]
  /** Names of components, by the place of their schemas in another file. */
  readonly #names = new Map<string, string>()
  readonly #taken: Set<string>
  /** Components that are yet to be written. */
  readonly #open: { readonly name: string; readonly target: Target; readonly ref: string }[] = []
  readonly #inlined = new Map<string, Json>()
  readonly #within = new Set<string>()

  constructor(root: string, document: JsonObject, files: ReadonlyMap<string, unknown>) {
    this.#root = root
    this.#document = document
    this.#files = files
    this.#section = document.swagger === undefined ? ['components', 'schemas'] : ['definitions']
    this.#taken = new Set(Object.keys(this.#ownSchemas()))
  }

  document(): JsonObject {
    const document = this.#inside(this.#document, this.#root, 'part', 0)
    const added: [string, Json][] = []
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) {
      const { name, target, ref } = next
      added.push([name, this.#part(this.#valueAt(target, ref), target.file, 'schema', 0)])
    }
    if (added.length === 0) return document
    const [top = '', kind] = this.#section
    const section = isJsonObject(document[top]) ? document[top] : {}
    const own = kind === undefined ? section : isJsonObject(section[kind]) ? section[kind] : {}
    const all = { ...own, ...Object.fromEntries(added) }
    return { ...document, [top]: kind === undefined ? all : { ...section, [kind]: all } }
  }

  /** The components by name. What stands in other files goes by the name that it has here. */
  #ownSchemas(): JsonObject {
    const written = readField(this.#document, this.#section)
    const ref = refOf(written)
    const index = ref === undefined ? undefined : targetOf(ref, this.#root)
    const schemas = index === undefined ? written : this.#valueAt(index, String(ref))
    if (!isJsonObject(schemas)) return {}
    for (const [name, schema] of Object.entries(schemas)) {
      if (index !== undefined) this.#names.set(idOf({ ...index, tokens: [...index.tokens, name] }), name)
      const place = targetOf(refOf(schema) ?? '', index?.file ?? this.#root)
      if (place !== undefined && place.file !== this.#root) this.#names.set(idOf(place), name)
    }
    return schemas
  }

  #part(value: Json, file: string, kind: Kind, depth: number): Json {
    if (depth > MOST_DEPTH) {
      throw invalidSpec(`Failed to read the description: ${file} is nested more than ${MOST_DEPTH} levels deep.`)
    }
    if (Array.isArray(value)) return value.map((item) => this.#part(item, file, kind, depth + 1))
    if (!isJsonObject(value)) return value
    const ref = refOf(value)
    const target = ref === undefined ? undefined : targetOf(ref, file)
    if (ref === undefined || target === undefined) return this.#inside(value, file, kind, depth)
    const { $ref: _, ...beside } = value
    const rest = this.#inside(beside, file, kind, depth)
    if (target.file === this.#root) return { $ref: `#${toPointer(target.tokens)}`, ...rest }
    if (kind === 'schema') return { $ref: this.#componentAt(target, ref), ...rest }
    const inlined = this.#inline(target, { ref, file, kind, depth })
    return isJsonObject(inlined) ? { ...inlined, ...rest } : inlined
  }

  #inside(value: JsonObject, file: string, kind: Kind, depth: number): JsonObject {
    const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
      const below = kindBelow(key, kind)
      if (kind === 'schema' && key === 'discriminator') return [key, this.#discriminator(inner, file)]
      if (below === undefined) return [key, inner]
      const target = kind === 'components' ? targetOf(refOf(inner) ?? '', file) : undefined
      // A component of this name is what it refers to.
      if (target === undefined || this.#names.get(idOf(target)) !== key)
        return [key, this.#part(inner, file, below, depth + 1)]
      return [key, this.#part(this.#valueAt(target, String(refOf(inner))), target.file, below, depth + 1)]
    })
    return Object.fromEntries(entries)
  }

  #inline(
    target: Target,
    {
      ref,
      file,
      kind,
      depth,
    }: { readonly ref: string; readonly file: string; readonly kind: Kind; readonly depth: number },
  ): Json {
    const id = `${kind} ${idOf(target)}`
    const known = this.#inlined.get(id)
    if (known !== undefined) return known
    if (this.#within.has(id)) {
      throw invalidSpec(
        `Failed to read the description: ${basename(file)} refers to \`${ref}\`, which holds itself. Only schemas may do so.`,
      )
    }
    this.#within.add(id)
    const inlined = this.#part(this.#valueAt(target, ref), target.file, kind, depth + 1)
    this.#within.delete(id)
    this.#inlined.set(id, inlined)
    return inlined
  }

  #discriminator(written: Json, file: string): Json {
    if (!isJsonObject(written) || !isJsonObject(written.mapping)) return written
    const mapping = Object.entries(written.mapping).map(([value, ref]): [string, Json] => {
      const target = typeof ref === 'string' ? this.#mapped(ref, file) : undefined
      return [value, target === undefined || target.file === this.#root ? ref : this.#componentAt(target, String(ref))]
    })
    return { ...written, mapping: Object.fromEntries(mapping) }
  }

  /** A reference of a mapping, or the name of a schema in the same file. */
  #mapped(ref: string, file: string): Target | undefined {
    if (/[.#/]/.test(ref)) return targetOf(ref, file)
    const places = [['components', 'schemas', ref], ['definitions', ref], ['$defs', ref], [ref]]
    const tokens = places.find((place) => readPath(this.#files.get(file) as Json, place) !== undefined)
    return tokens && { file, tokens }
  }

  /** Adds the schemas of the same file that extend one whose discriminator names no children. */
  #addChildren({ file, tokens }: Target): void {
    const document = this.#files.get(file) as Json
    const parent = readPath(document, tokens)
    const discriminator = isJsonObject(parent) ? parent.discriminator : undefined
    if (discriminator === undefined || (isJsonObject(discriminator) && discriminator.mapping !== undefined)) return
    const around = tokens.slice(0, -1)
    const siblings = tokens.length === 0 ? undefined : readPath(document, around)
    for (const [name, schema] of Object.entries(isJsonObject(siblings) ? siblings : {})) {
      const parents = isJsonObject(schema) && Array.isArray(schema.allOf) ? schema.allOf.map(refOf) : []
      const ids = parents.flatMap((ref) => (ref === undefined ? [] : (targetOf(ref, file) ?? [])))
      if (ids.some((one) => idOf(one) === idOf({ file, tokens })))
        this.#componentAt({ file, tokens: [...around, name] }, `#${toPointer([...around, name])}`)
    }
  }

  /** The reference to the component that a schema of another file becomes. */
  #componentAt(target: Target, ref: string): string {
    const id = idOf(target)
    let name = this.#names.get(id)
    if (name === undefined) {
      const own = target.tokens.at(-1) ?? basename(target.file, extname(target.file))
      name = own
      for (let number = 2; this.#taken.has(name); number++) name = `${own}_${number}`
      this.#names.set(id, name)
      this.#taken.add(name)
      this.#open.push({ name, target, ref })
      this.#addChildren(target)
    }
    return `#${toPointer([...this.#section, name])}`
  }

  #valueAt({ file, tokens }: Target, ref: string): Json {
    const document = this.#files.get(file)
    if (document instanceof Error) throw document
    const value = readPath(document as Json | undefined, tokens)
    if (value !== undefined) return value
    throw invalidSpec(
      `Failed to read the description: there is nothing at \`${ref}\`, which another file refers to. Correct the reference, or ${relative(dirname(this.#root), file)}.`,
    )
  }
}

function kindBelow(key: string, kind: Kind): Kind | undefined {
  if (kind === 'schemas' || kind === 'components') return 'schema'
  if (isData(key)) return undefined
  if (kind === 'schema') return MAPS_OF_SCHEMAS.has(key) ? 'schemas' : SCHEMAS.has(key) ? 'schema' : undefined
  if (key === 'schema' || key === 'itemSchema') return 'schema'
  return key === 'schemas' || key === 'definitions' ? 'components' : 'part'
}

const refOf = (value: Json | undefined): string | undefined =>
  isJsonObject(value) && typeof value.$ref === 'string' ? value.$ref : undefined

const idOf = ({ file, tokens }: Target): string => `${file}#${toPointer(tokens)}`
