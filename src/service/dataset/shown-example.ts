import { isJsonObject, type Json, type JsonObject, readField, removeField, writeField } from '../../protocol/json.ts'
import { onceFor } from '../../runtime/once.ts'
import { CheckEffort } from '../../schema/check-effort.ts'
import { fits } from '../../schema/checker.ts'
import type { Schema } from '../../schema/schema.ts'
import type { ApiModel, CollectionModel, Effect, Envelope, ItemKey, Operation } from '../openapi/model.ts'

/**
 * What the description shows of a document: the example of its answer or its schema, else those of its fields. A whole
 * example is the document; examples of fields replace generated values.
 */
export function shownDocument(
  { operations }: ApiModel,
  name: string,
  schema: Schema,
): { readonly whole?: JsonObject; readonly fields: JsonObject } {
  const answers = operations.flatMap(({ effect, success }) =>
    effect.kind === 'singletonRead' && effect.singleton === name
      ? [...success.content.values()].map(({ example }) => inPath(example as Json | undefined, effect.envelope.path))
      : [],
  )
  const whole = [...answers, schema.example].filter((example) => example !== undefined).find((one) => fits(schema, one))
  return isJsonObject(whole) ? { whole, fields: {} } : { fields: shownFields(schema) }
}

const inPath = (example: Json | undefined, path: readonly string[]): Json | undefined =>
  path.length === 0 ? example : isJsonObject(example) ? readField(example, path) : undefined

/** Most fields of one schema whose examples are looked for. */
const MOST_FIELDS = 2_000

/** Deepest objects whose fields' examples are looked for. */
const MAX_DEPTH = 4

function shownFields(schema: Schema, depth = 0, effort = new CheckEffort(MOST_FIELDS)): JsonObject {
  const fields = [...schema.properties].flatMap(([name, field]): [string, Json][] => {
    if (!effort.take()) return []
    const { example } = field
    if (example !== undefined) return fits(field, example) ? [[name, example]] : []
    const inner = depth < MAX_DEPTH && field.variants === undefined ? shownFields(field, depth + 1, effort) : {}
    return Object.keys(inner).length > 0 && fits(field, inner) ? [[name, inner]] : []
  })
  return Object.fromEntries(fields)
}

type Read = Pick<Operation, 'success' | 'parameters'> & {
  readonly effect: Extract<Effect, { readonly kind: 'list' | 'search' } | { readonly keys: readonly ItemKey[] }>
}

/** Most records of one collection that its examples show. */
const MOST_SHOWN = 20

/**
 * The records that the description shows of its collections: the examples of answers with lists, of those with one
 * record and of the schema, else one record of the examples of fields; each with the fields that fit.
 */
export class ShownRecords {
  readonly #collections: ReadonlyMap<string, CollectionModel>
  /** The lists and reads of each collection. */
  readonly #reads: ReadonlyMap<string, readonly Read[]>
  readonly #of = new Map<string, readonly JsonObject[]>()

  constructor({ collections, operations }: ApiModel) {
    this.#collections = new Map(collections.map((collection) => [collection.name, collection]))
    const reads = operations.flatMap(({ effect, success, parameters }): Read[] =>
      effect.kind === 'list' || effect.kind === 'read' ? [{ effect, success, parameters }] : [],
    )
    this.#reads = Map.groupBy(reads, ({ effect }) => effect.collection)
  }

  /** The records of a collection, without references to records that no example shows. */
  of(collection: CollectionModel): readonly JsonObject[] {
    const { parent, relations, linked } = collection
    if (linked !== undefined) return []
    const references = [
      ...relations,
      ...(parent?.field ? [{ field: parent.field, collection: parent.collection, form: 'id', many: false }] : []),
    ]
    return this.#shown(collection).map((record) =>
      references.reduce((kept, { field, collection: of, form, many }) => {
        const target = this.#collections.get(of)
        const idName = target?.id.field?.at(-1)
        const isInside = form === 'object' && !many && field.length > 1 && field.at(-1) === idName
        const place = isInside ? field.slice(0, -1) : field
        const keys = [readField(kept, place) ?? []].flat().map((one) => String(keyOf(one, idName)))
        const known = target ? this.#shown(target).map((one) => String(readField(one, target.id.field ?? []))) : []
        return keys.every((key) => known.includes(key)) ? kept : removeField(kept, place)
      }, record),
    )
  }

  #shown(collection: CollectionModel): readonly JsonObject[] {
    const schema = collection.schema ?? collection.listSchema
    return onceFor(this.#of, collection.name, () =>
      schema ? withKeys(this.#candidates(collection, schema), collection, this.#keyOf(collection)) : [],
    )
  }

  #candidates({ name, listSchema }: CollectionModel, schema: Schema): JsonObject[] {
    const reads = this.#reads.get(name) ?? []
    const answers = (kind: 'list' | 'read') =>
      reads.flatMap(({ effect, success }) =>
        effect.kind === kind
          ? [...success.content.values()].flatMap(({ example }) =>
              recordsIn(example as Json | undefined, effect.envelope),
            )
          : [],
      )
    const whole = [...answers('list'), ...answers('read'), schema.example, listSchema?.example]
    const found = whole.flatMap((one) => (isJsonObject(one) ? fittingFields(schema, one) : []))
    if (found.length > 0) return found
    const fields = shownFields(schema)
    return Object.keys(fields).length > 0 ? [fields] : []
  }

  /** The example of the path parameter that identifies a record. */
  #keyOf({ name, id }: CollectionModel): Json | undefined {
    for (const { effect, parameters } of this.#reads.get(name) ?? []) {
      if (effect.kind !== 'read' || effect.keys.length !== 1) continue
      const [key] = effect.keys
      if (key?.in !== 'path' || (key.field && key.field.join() !== id.field?.join())) continue
      const parameter = parameters.find((one) => one.in === 'path' && one.name === key.param)
      const example = (parameter?.example ?? parameter?.schema?.example) as Json | undefined
      if (example !== undefined && (!id.schema || fits(id.schema, example))) return example
    }
    return undefined
  }
}

const keyOf = (reference: Json, idName: string | undefined): Json | undefined =>
  isJsonObject(reference) ? reference[idName ?? ''] : reference

function recordsIn(example: Json | undefined, { path, shape, wrapper }: Envelope): (Json | undefined)[] {
  const found = example === undefined ? undefined : inPath(example, path)
  if (shape === 'record') return [found]
  if ((shape !== 'list' && shape !== 'listOfOne') || !Array.isArray(found)) return []
  return wrapper ? found.map((item) => inPath(item, wrapper.path)) : found
}

/** What of an example fits, since examples are often older than their schemas. */
function fittingFields(schema: Schema, example: JsonObject): JsonObject[] {
  if (fits(schema, example)) return [example]
  const fields = Object.entries(example).filter(([name, value]) => {
    const field = schema.fields.get(name)
    return field ? fits(field, value) : schema.additionalProperties !== false
  })
  return fields.length > 0 ? [Object.fromEntries(fields)] : []
}

/** One record for each key, of all examples with it; the first has the parameter's key where no example has one. */
function withKeys(records: readonly JsonObject[], { id }: CollectionModel, shown: Json | undefined): JsonObject[] {
  const { field } = id
  if (field === undefined) return records.slice(0, 1)
  const byKey = new Map<string, JsonObject>()
  for (const record of records) {
    const key = readField(record, field) ?? shown
    const name = String(key)
    if (key !== undefined || !byKey.has(name))
      byKey.set(name, { ...byKey.get(name), ...(key === undefined ? record : writeField(record, field, key)) })
  }
  if (byKey.size === 0 && shown !== undefined) byKey.set(String(shown), writeField({}, field, shown))
  return [...byKey.values()].slice(0, MOST_SHOWN)
}
