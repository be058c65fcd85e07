import type { Json, JsonObject } from '../../protocol/json.ts'
import { toPointer } from '../../protocol/json-pointer.ts'
import type { SignIn } from '../../protocol/sign-in.ts'
import type { Schema } from '../../schema/schema.ts'
import type { ApiModel, ModelSignIn, Operation } from './model.ts'
import {
  type GeneratedSchema,
  MODEL_FORMAT,
  type ModelDocument,
  nameOf,
  type OperationDocument,
  type SchemaPlace,
  type Written,
} from './model-document.ts'
import { LazySchema } from './schemas/lazy-schema.ts'
import type { SchemaReader } from './schemas/schema-reader.ts'

/** The document of a model: read back with its description, it gives the same model. */
export function toModelDocument(model: ApiModel): ModelDocument {
  const { reader } = model
  const places = new PlaceWriter(reader)
  const security = mostFrequent(model.operations)
  const document: Omit<ModelDocument, 'schemas'> = {
    format: MODEL_FORMAT,
    title: model.title,
    version: model.version,
    basePath: model.basePath,
    basePaths: model.basePaths,
    security,
    securitySchemes: Object.fromEntries(model.securitySchemes),
    collections: Object.fromEntries(model.collections.map(({ name, ...rest }) => [name, places.write(rest)])),
    singletons: Object.fromEntries(model.singletons.map(({ name, ...rest }) => [name, places.write(rest)])),
    operations: writeOperations(model.operations, security, places),
    declaredEvents: model.declaredEvents.map(({ body, ...event }) => ({
      ...event,
      ...(body && { body: { schema: places.placeOf(body.schema), places: body.places } }),
    })),
    ...(model.signIn && { signIn: settingsOf(model.signIn) }),
    bounds: {
      mostProperties: reader.mostProperties,
      mostWays: reader.mostWays,
      unmatched: [...reader.unmatched],
    },
    values: model.values,
    warnings: model.warnings,
    cuts: model.cuts,
    faults: model.faults,
  }
  return { ...document, schemas: places.finish(generatedBodies(document, model)) }
}

/** What a sign-in has besides follows from these settings. */
const settingsOf = ({ collectionNames: _, collections: __, seed: ___, ...settings }: ModelSignIn): SignIn => settings

/** The schemas of bodies that were generated for a form or from an example, by their places. */
function* generatedBodies({ operations: keys }: Pick<ModelDocument, 'operations'>, { operations }: ApiModel): Bodies {
  for (const [at, key] of Object.keys(keys).entries()) {
    const { requestBody, responses } = operations[at] as Operation
    for (const [type, schema] of requestBody?.content ?? []) if (schema) yield [['body', type], key, schema.raw]
    for (const [status, { content }] of responses)
      for (const [type, { schema }] of content) if (schema) yield [[status, type], key, schema.raw]
  }
}

type Bodies = Generator<readonly [place: readonly [string, string], key: string, raw: JsonObject]>

function writeOperations(operations: readonly Operation[], security: Operation['security'], places: PlaceWriter) {
  const written: Record<string, OperationDocument> = {}
  for (const operation of operations) {
    const name = `${operation.method} ${operation.path}`
    const key = Object.hasOwn(written, name) ? `${name} #${Object.keys(written).length}` : name
    written[key] = {
      ...(operation.id !== key && { id: operation.id }),
      effect: places.write(operation.effect),
      ...(operation.moved && { moved: operation.moved }),
      reason: operation.reason,
      ...(!isSame(operation.security, security) && { security: operation.security }),
      ...(operation.scopes && { scopes: operation.scopes }),
    }
  }
  return written
}

const isSame = (left: Operation['security'], right: Operation['security']): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right)

function mostFrequent(operations: readonly Operation[]): Operation['security'] {
  const groups = [...Map.groupBy(operations, ({ security }) => JSON.stringify(security)).values()]
  return groups.toSorted((left, right) => right.length - left.length)[0]?.[0]?.security ?? []
}

/** Writes parts of a model. The places of their schemas are filled in at the end, for all of them at once. */
class PlaceWriter {
  readonly #reader: SchemaReader
  readonly #places = new Map<Schema, SchemaPlace>()

  constructor(reader: SchemaReader) {
    this.#reader = reader
  }

  write<Part>(part: Part): Written<Part> {
    return this.#toWritten(part) as Written<Part>
  }

  placeOf(schema: Schema): SchemaPlace {
    const known = this.#places.get(schema)
    if (known !== undefined) return known
    const place: SchemaPlace = { $ref: '' }
    this.#places.set(schema, place)
    return place
  }

  #toWritten(part: unknown): unknown {
    if (part instanceof LazySchema) return this.placeOf(part)
    if (part instanceof Map) return this.#toWritten(Object.fromEntries(part))
    if (Array.isArray(part)) return part.map((item) => this.#toWritten(item))
    if (typeof part !== 'object' || part === null) return part
    const entries = Object.entries(part).filter(([, value]) => value !== undefined && typeof value !== 'function')
    return Object.fromEntries(entries.map(([name, value]) => [name, this.#toWritten(value)]))
  }

  /** Fills in the places, and returns the schemas that the description does not have. */
  finish(bodies: Bodies): ModelDocument['schemas'] {
    const { read, merged } = this.#reader.origins()
    const description = new ObjectPlaces([['', this.#reader.references.document]])
    const generated = new Map<Schema, JsonObject>()
    // Merged schemas add the places of their parts meanwhile.
    for (const [schema, place] of this.#places) {
      const raw = read.get(schema) ?? schema.raw
      const path = description.pathOf(raw)
      const parts = merged.get(schema)
      if (path !== undefined) Object.assign(place, inDescription(schema, path))
      else if (parts === undefined) generated.set(schema, raw)
      else fill(place, { allOf: [this.placeOf(parts[0]), this.placeOf(parts[1])] })
    }
    const ofBodies = new ObjectPlaces(
      generated.size === 0 ? [] : [...bodies].map(([place, key, raw]) => [toPointer([key, ...place]), raw] as const),
      (value) => description.pathOf(value) !== undefined,
    )
    const placeOf: PlaceOf = (value) => {
      const path = description.pathOf(value)
      if (path !== undefined) return `#${toPointer(path)}`
      const [top, ...names] = ofBodies.pathOf(value) ?? []
      return top === undefined ? undefined : `operation#${top}${toPointer(names)}`
    }
    for (const [schema, raw] of generated) {
      const $ref = placeOf(raw)
      if ($ref === undefined) continue
      fill(this.placeOf(schema), { $ref })
      generated.delete(schema)
    }
    return this.#writeGenerated(generated, placeOf)
  }

  #writeGenerated(generated: ReadonlyMap<Schema, JsonObject>, placeOf: PlaceOf): ModelDocument['schemas'] {
    const raws = [...generated.values()]
    const inner = new ObjectPlaces(
      raws.flatMap((raw, at) => Object.entries(raw).map(([name, value]) => [`${at} ${name}`, value] as const)),
      (value) => placeOf(value) !== undefined,
    )
    const pathOf = (value: object, otherThan?: number): string | undefined => {
      const [top = '', ...path] = inner.pathOf(value) ?? []
      const [, number = '', name = ''] = /^(\d+) (.*)$/s.exec(top) ?? []
      if (top === '' || number === String(otherThan)) return undefined
      return `model#${toPointer(['schemas', number, name, ...path])}`
    }
    const written: Record<string, GeneratedSchema> = {}
    for (const [at, [schema, raw]] of [...generated].entries()) {
      const outer = pathOf(raw)
      fill(this.placeOf(schema), { $ref: outer ?? `model#/schemas/${at}` })
      if (outer !== undefined) continue
      const parts = withPlaces(raw, (value) => placeOf(value) ?? pathOf(value, at))
      const ways = schema instanceof LazySchema ? schema.ways : 1
      written[at] = { schema: parts as JsonObject, ways, ...(schema.name !== undefined && { name: schema.name }) }
    }
    return written
  }
}

function fill(place: SchemaPlace, content: SchemaPlace): void {
  if ('allOf' in content) Reflect.deleteProperty(place, '$ref')
  Object.assign(place, content)
}

function inDescription({ name }: Schema, path: readonly string[]): SchemaPlace {
  return { $ref: `#${toPointer(path)}`, ...(name !== nameOf(path) && { name: name ?? null }) }
}

/** The place of an object that need not be written; undefined for others. */
type PlaceOf = (value: object) => string | undefined

/** A schema in which `{ $at }` stands for parts that are elsewhere. */
function withPlaces(value: Json, placeOf: PlaceOf): Json {
  if (typeof value !== 'object' || value === null) return value
  const $at = placeOf(value)
  if ($at !== undefined) return { $at }
  if (Array.isArray(value)) return value.map((item) => withPlaces(item, placeOf))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withPlaces(inner, placeOf)]))
}

/** The objects and arrays below some values, and where they are. */
class ObjectPlaces {
  /** The object around each, and its name in that. */
  readonly #around = new Map<object, readonly [object | undefined, string]>()

  constructor(tops: readonly (readonly [string, Json])[], isOutside: (value: object) => boolean = () => false) {
    const open: object[] = []
    const add = (value: Json, around: object | undefined, name: string): void => {
      if (typeof value !== 'object' || value === null || this.#around.has(value) || isOutside(value)) return
      this.#around.set(value, [around, name])
      open.push(value)
    }
    // What stands below several tops is found below the first.
    for (const [name, top] of tops) {
      add(top, undefined, name)
      for (let value = open.pop(); value !== undefined; value = open.pop())
        for (const [inside, inner] of Object.entries(value as JsonObject)) add(inner, value, inside)
    }
  }

  /** The names from a top to `value`; undefined for a value that is elsewhere. */
  pathOf(value: object): string[] | undefined {
    const path: string[] = []
    let found = this.#around.get(value)
    if (found === undefined) return undefined
    for (; found !== undefined; found = found[0] && this.#around.get(found[0])) path.push(found[1])
    return path.reverse().filter((name, at) => at > 0 || name !== '')
  }
}
