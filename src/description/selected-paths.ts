import { nearestName } from '../names/nearest-name.ts'
import { invalidRequest } from '../protocol/errors.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../protocol/json.ts'
import { fromReference, toPointer } from '../protocol/json-pointer.ts'
import type { DocumentOrigin } from './read-text.ts'

/** Places in a description for referenced parts, by name. */
const SECTIONS: readonly (readonly string[])[] = [
  ...'schemas responses parameters examples requestBodies headers links callbacks pathItems'
    .split(' ')
    .map((kind) => ['components', kind]),
  ['definitions'],
  ['parameters'],
  ['responses'],
]

/**
 * The description with only the paths that fit a pattern, the components that they need, and the webhooks about these.
 * In a pattern `*` stands for any text, and `{id}` for any parameter: `/repos/{owner}/{repo}/issues*`.
 *
 * Throws an {@link ApiError} `invalid_request` for a pattern that no path fits.
 */
export function selectPaths(document: JsonObject, include: readonly string[], origin: DocumentOrigin = {}): JsonObject {
  return cut(document, include, { origin, webhooks: true })
}

/** The description without webhooks, and without components that no path needs. */
export function withoutUnused(document: JsonObject, origin: DocumentOrigin): JsonObject {
  return cut(document, ['*'], { origin, webhooks: false })
}

interface Cut {
  readonly origin: DocumentOrigin
  readonly webhooks: boolean
}

function cut(document: JsonObject, include: readonly string[], { origin, webhooks }: Cut): JsonObject {
  const paths = isJsonObject(document.paths) ? document.paths : {}
  const kept = new Set(include.flatMap((pattern) => fittingPaths(Object.keys(paths), pattern)))
  const needed = new Needed(document, origin)
  for (const path of kept) needed.look(paths[path])
  const selected: JsonObject = { ...document, ...webhooksOf(document, webhooks ? needed : undefined) }
  const isKept = (path: string) => kept.has(path) || needed.has(['paths'], path)
  selected.paths = Object.fromEntries(Object.entries(paths).filter(([path]) => isKept(path)))
  const components = isJsonObject(document.components) ? { ...document.components } : undefined
  for (const section of SECTIONS) {
    const [top = '', kind] = section
    const content = kind === undefined ? document[top] : components?.[kind]
    if (!isJsonObject(content)) continue
    const left = Object.fromEntries(Object.entries(content).filter(([name]) => needed.has(section, name)))
    if (kind === undefined) selected[top] = left
    else if (components) components[kind] = left
  }
  return components ? { ...selected, components } : selected
}

/** The webhooks that refer to a needed schema, also through others, and what they need in turn; none for undefined. */
function webhooksOf(document: JsonObject, needed: Needed | undefined): JsonObject {
  const kept: JsonObject = {}
  for (const section of ['webhooks', 'x-webhooks']) {
    const webhooks = document[section]
    if (isJsonObject(webhooks)) kept[section] = needed?.about(webhooks) ?? {}
  }
  for (const webhooks of Object.values(kept)) needed?.look(webhooks)
  return kept
}

function fittingPaths(paths: readonly string[], pattern: string): string[] {
  const bare = (path: string) => path.replaceAll(/\{[^{}]*\}/g, '{}')
  const pieces = bare(pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`).split('*')
  const fitting = paths.filter((path) => fitsPieces(bare(path), pieces))
  if (fitting.length > 0) return fitting
  const near = nearestName(
    pattern,
    paths.filter((path) => path.length > 2),
  )
  const hint = near === undefined ? '' : ` The nearest is "${near}".`
  throw invalidRequest(
    `Expected \`include\` to name paths of the description, got "${pattern}", which fits none of its ${paths.length} paths.${hint} \`*\` stands for any text.`,
  )
}

/** Whether a text consists of these pieces, in this order, with anything between them. Linear: no regular expression is compiled. */
function fitsPieces(text: string, [first = '', ...rest]: readonly string[]): boolean {
  if (!text.startsWith(first)) return false
  const last = rest.pop()
  if (last === undefined) return text === first
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** Collects the references of parts of a description, transitively. */
class Needed {
  readonly #document: JsonObject
  readonly #found = new Set<string>()
  readonly #children: ReadonlyMap<string, readonly string[]>
  readonly #origin: DocumentOrigin

  constructor(document: JsonObject, origin: DocumentOrigin) {
    this.#document = document
    this.#origin = origin
    this.#children = childrenOf(document)
  }

  has(section: readonly string[], name: string): boolean {
    return this.#found.has([...section, name].join('\n'))
  }

  /** Takes the references in `value`, at any depth. */
  look(value: Json | undefined): void {
    const open: (Json | undefined)[] = [value]
    while (open.length > 0) {
      for (const text of referencesIn(open.pop(), this.#origin)) open.push(...this.#take(text))
    }
  }

  /** Those parts that refer to a schema that was needed before, directly or through others. */
  about(parts: JsonObject): JsonObject {
    const leading = this.#leadingToNeeded()
    const leads = (part: Json) => referencesIn(part, this.#origin).some((ref) => leading.has(placeOf(ref).join('\n')))
    return Object.fromEntries(Object.entries(parts).filter(([, part]) => leads(part as Json)))
  }

  /** The places of needed schemas, and of all components that refer to them. */
  #leadingToNeeded(): ReadonlySet<string> {
    const users = new Map<string, string[]>()
    for (const section of SECTIONS) {
      const content = readField(this.#document, section)
      for (const [name, component] of Object.entries(isJsonObject(content) ? content : {})) {
        for (const ref of referencesIn(component as Json, this.#origin)) {
          const place = placeOf(ref).join('\n')
          const known = users.get(place) ?? []
          users.set(place, known)
          known.push([...section, name].join('\n'))
        }
      }
    }
    const leading = new Set([...this.#found].filter((place) => /^(?:components\nschemas|definitions)\n/.test(place)))
    for (const place of leading) for (const user of users.get(place) ?? []) leading.add(user)
    return leading
  }

  /** The target of a reference, if new; with a parent schema also the schemas that extend it. */
  #take(ref: string): Json[] {
    const tokens = placeOf(ref)
    const size = tokens[0] === 'components' || tokens[0] === 'paths' ? 3 : 2
    const place = tokens.slice(0, tokens[0] === 'paths' ? 2 : size)
    const id = place.join('\n')
    if (this.#found.has(id)) return []
    this.#found.add(id)
    const value = readField(this.#document, place)
    const children = (this.#children.get(id) ?? []).flatMap((child) => this.#take(child))
    return value === undefined ? children : [value, ...children]
  }
}

/** Schemas that extend one with a discriminator, by its place: records may be any of them. */
function childrenOf(document: JsonObject): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  const components = isJsonObject(document.components) ? document.components : {}
  for (const [place, content] of [
    ['#/components/schemas', components.schemas],
    ['#/definitions', document.definitions],
  ] as const) {
    for (const [name, schema] of Object.entries(isJsonObject(content) ? content : {})) {
      for (const part of isJsonObject(schema) && Array.isArray(schema.allOf) ? schema.allOf : []) {
        if (!isJsonObject(part) || typeof part.$ref !== 'string') continue
        const tokens = placeOf(part.$ref)
        const parent = readField(document, tokens)
        if (!isJsonObject(parent) || parent.discriminator === undefined) continue
        const id = tokens.join('\n')
        children.set(id, [...(children.get(id) ?? []), place + toPointer([name])])
      }
    }
  }
  return children
}

/** References in a part of a description, including those of discriminators. */
function referencesIn(value: Json | undefined, origin: DocumentOrigin): string[] {
  const found: string[] = []
  const look = (inner: JsonObject): void => {
    if (typeof inner.$ref === 'string') found.push(inner.$ref)
    const mapping = isJsonObject(inner.discriminator) ? inner.discriminator.mapping : undefined
    for (const target of Object.values(isJsonObject(mapping) ? mapping : {})) {
      if (typeof target === 'string') found.push(target.includes('/') ? target : `#/components/schemas/${target}`)
    }
  }
  eachValue(value, look, origin)
  return found
}

/** The place of a reference within the document; empty for other documents. */
const placeOf = (ref: string): string[] => (ref.startsWith('#/') ? fromReference(ref) : [])

/** Calls `look` once with each object in a value, at any depth, even where YAML aliases repeat it. */
function eachValue(
  value: Json | undefined,
  look: (object: JsonObject) => void,
  { isTree = false }: DocumentOrigin,
): void {
  const seen = isTree ? undefined : new Set<object>()
  const open: object[] = []
  const add = (inner: Json | undefined): void => {
    if (typeof inner !== 'object' || inner === null || seen?.has(inner)) return
    seen?.add(inner)
    open.push(inner)
  }
  add(value)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) for (const inner of next) add(inner as Json)
    else {
      look(next as JsonObject)
      for (const inner of Object.values(next)) add(inner)
    }
  }
}
