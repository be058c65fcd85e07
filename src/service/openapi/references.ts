import { nearestName } from '../../names/nearest-name.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { fromReference, fromReferencePart, toPointer } from '../../protocol/json-pointer.ts'

/** Most references in a chain before it counts as a cycle. */
const MAX_CHAIN = 50

/** The target of a reference. */
interface Resolved {
  readonly value: JsonObject
  /** Name of the component: the last word of the last reference. Undefined without one. */
  readonly name: string | undefined
}

/** A component schema that extends another. */
interface Child {
  readonly name: string
  readonly schema: JsonObject
}

/**
 * Follows `$ref`s inside one document; other documents are never read. A reference that is broken, external or cyclic
 * gives an empty object, which as a schema allows anything, and is noted once.
 */
export class LocalReferences {
  readonly document: JsonObject
  readonly #found = new Map<string, Resolved>()
  readonly #notes: string[] = []
  #children: ReadonlyMap<JsonObject, readonly Child[]> | undefined

  constructor(document: JsonObject) {
    this.document = document
  }

  /** One sentence for each broken reference. */
  get notes(): readonly string[] {
    return this.#notes
  }

  /** The component schemas that include `parent` by their `allOf`, with their names. */
  childrenOf(parent: JsonObject): readonly Child[] {
    this.#children ??= this.#findChildren()
    return this.#children.get(parent) ?? []
  }

  /** The reference to a component schema that extends another. */
  placeOf(child: JsonObject): string {
    const { components, definitions } = this.document
    const isOld = !isJsonObject(components) && isJsonObject(definitions)
    const name = [...(this.#children?.values() ?? [])].flat().find(({ schema }) => schema === child)?.name ?? ''
    return `#${toPointer([...(isOld ? ['definitions'] : ['components', 'schemas']), name])}`
  }

  #findChildren(): ReadonlyMap<JsonObject, readonly Child[]> {
    const { components, definitions } = this.document
    const schemas = isJsonObject(components) ? components.schemas : definitions
    const children = new Map<JsonObject, Child[]>()
    for (const [name, schema] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
      if (!isJsonObject(schema) || !Array.isArray(schema.allOf)) continue
      for (const part of schema.allOf) {
        if (!isJsonObject(part) || part.$ref === undefined) continue
        const parent = this.resolve(part).value
        const known = children.get(parent)
        if (known === undefined) children.set(parent, [{ name, schema }])
        else known.push({ name, schema })
      }
    }
    return children
  }

  /** `value` itself, or the target of its chain of references. */
  resolve(value: unknown): Resolved {
    if (!isJsonObject(value)) return { value: {}, name: undefined }
    return typeof value.$ref === 'string' ? this.follow(value.$ref) : { value, name: undefined }
  }

  /** The target of `ref`. */
  follow(ref: string): Resolved {
    const known = this.#found.get(ref)
    if (known) return known
    // A reference through itself (`#/a/b` where `/a` is a reference to `#/a/b`) finds this entry meanwhile.
    this.#found.set(ref, { value: {}, name: nameOf(ref) })
    const resolved = this.#walk(ref)
    this.#found.set(ref, resolved)
    return resolved
  }

  #walk(ref: string): Resolved {
    let target = ref
    for (let length = 0; length < MAX_CHAIN; length++) {
      const value = this.#lookUp(target)
      if (typeof value === 'boolean') return { value: booleanSchema(value), name: nameOf(target) }
      if (value === undefined) return this.#miss(ref, `leads nowhere${this.#nearest(target)}`)
      if (!isJsonObject(value)) return this.#miss(ref, 'leads to no object')
      // A target with keywords besides its reference is a separate schema: the reader merges both.
      if (typeof value.$ref !== 'string' || hasOwnContent(value)) return { value, name: nameOf(target) }
      target = value.$ref
    }
    return this.#miss(ref, 'leads round in a circle')
  }

  #lookUp(ref: string): unknown {
    if (!ref.startsWith('#')) return undefined
    if (ref === '#') return this.document
    if (!ref.startsWith('#/')) return undefined
    let value: unknown = this.document
    const tokens = fromReference(ref)
    for (const [at, token] of tokens.entries()) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
      value = (value as Record<string, unknown>)[token]
      const next = tokens[at + 1]
      if (next === undefined || !isJsonObject(value) || Object.hasOwn(value, next)) continue
      if (typeof value.$ref === 'string') value = this.resolve(value).value
    }
    return value
  }

  /** ` (did you mean "Task"?)`, among what is beside the target. */
  #nearest(ref: string): string {
    const [, place = '', name = ''] = /^(#.*)\/([^/]*)$/.exec(ref) ?? []
    const beside = this.#lookUp(place)
    const nearest = isJsonObject(beside) ? nearestName(fromReferencePart(name), Object.keys(beside)) : undefined
    return nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  }

  #miss(ref: string, fact: string): Resolved {
    this.#notes.push(`The reference \`${ref}\` ${fact}; anything is allowed in its place.`)
    return { value: {}, name: nameOf(ref) }
  }
}

/** The schema that `true` or `false` stands for. */
export const booleanSchema = (isAny: boolean): JsonObject => (isAny ? ANYTHING : NOTHING)

const ANYTHING: JsonObject = {}
const NOTHING: JsonObject = { not: {} }

/** Keywords without effect on validation. */
const ANNOTATIONS = new Set([
  '$ref',
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'deprecated',
  'xml',
  'externalDocs',
  '$comment',
])

/** Whether an object has keywords that restrict values, besides its `$ref`. */
export function hasOwnContent(value: JsonObject): boolean {
  for (const key of Object.keys(value)) if (!ANNOTATIONS.has(key) && !key.startsWith('x-')) return true
  return false
}

/** The name of a schema component: `Task` of `#/components/schemas/Task` and `#/definitions/Task`. */
function nameOf(ref: string): string | undefined {
  const [kind, name] = ref.split('/').slice(-2)
  const isSchema = kind === 'schemas' || kind === 'definitions' || kind === '$defs'
  return isSchema && name !== undefined ? fromReferencePart(name) : undefined
}
