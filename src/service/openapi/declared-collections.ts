import { singularName } from '../../names/nouns.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Schema } from '../../schema/schema.ts'
import { findStatusField, findTimestamps } from './inference/collections/record-fields.ts'
import type { ApiModel, CollectionModel, Effect } from './model.ts'
import { type OperationDraft, toOperation } from './operation-draft.ts'
import type { SchemaReader } from './schemas/schema-reader.ts'

/** The extension with which a description declares its collections. */
const EXTENSION = 'x-backlot-collections'

/**
 * The declared collections of a description, in place of those inferred from its paths; undefined without any. Then
 * only handlers define its operations. Throws `invalid_spec`.
 */
export function readDeclaredCollections(
  document: JsonObject,
  reader: SchemaReader,
): Pick<ApiModel, 'collections' | 'singletons'> | undefined {
  const declared = document[EXTENSION]
  if (declared === undefined) return undefined
  if (!isJsonObject(declared))
    throw invalidSpec(fault('', 'an object with the schema `record` of each collection', declared))
  return { collections: Object.entries(declared).map(([name, raw]) => toCollection(name, raw, reader)), singletons: [] }
}

/** The extension with the own operations of a description below a library entry: `GET /v1/quotes`. */
export const DESCRIBED = 'x-backlot-described'

/** The own operations of a description below a library entry, by method and path. */
export function readDescribed(document: JsonObject): ReadonlySet<unknown> {
  const listed = document[DESCRIBED]
  return new Set(Array.isArray(listed) ? listed : [])
}

/**
 * A model of declared collections, of their operations, which have no effect of their own, and of the inferred rest.
 * Other operations on a declared collection answer with examples: only its own operations know its records.
 */
export function joinInferred(
  declared: Pick<ApiModel, 'collections' | 'singletons'>,
  own: readonly OperationDraft[],
  inferred: Pick<ApiModel, 'collections' | 'singletons' | 'operations'>,
): Pick<ApiModel, 'collections' | 'singletons' | 'operations'> {
  const taken = new Set(declared.collections.map(({ name }) => name))
  let apart = inferred.collections.filter(({ name }) => !taken.has(name))
  let names = new Set<string>()
  do {
    names = new Set(apart.map(({ name }) => name))
    apart = apart.filter(({ parent }) => parent === undefined || names.has(parent.collection))
  } while (apart.length < names.size)
  const collections = apart.map((collection) => ({
    ...collection,
    relations: collection.relations.filter(({ collection: to }) => names.has(to) || taken.has(to)),
    linked: collection.linked !== undefined && names.has(collection.linked) ? collection.linked : undefined,
  }))
  const singletons = inferred.singletons.filter(({ parent }) => parent === undefined || names.has(parent))
  const known = new Set([...names, ...singletons.map(({ name }) => name)])
  const others = inferred.operations.map((operation) =>
    namedIn(operation.effect).every((name) => known.has(name)) ? operation : { ...operation, ...UNKNOWN },
  )
  const operations = [...own.map((draft) => toOperation(draft, UNKNOWN)), ...others]
  return { collections: [...declared.collections, ...collections], singletons, operations }
}

/** The collections and singletons that an effect reads or changes. */
function namedIn(effect: Effect): string[] {
  const scope = 'scope' in effect ? effect.scope : []
  const makes = effect.kind === 'action' ? effect.makes : undefined
  const named = [
    'collection' in effect ? effect.collection : undefined,
    'singleton' in effect ? effect.singleton : undefined,
    makes?.collection,
    ...[...scope, ...(makes?.scope ?? [])].map(({ collection }) => collection),
  ]
  return named.filter((name) => name !== undefined)
}

/** An operation without own effect. */
const UNKNOWN = {
  effect: { kind: 'example' },
  reason: { rule: 'entry-without-effect', confidence: 'example' },
} as const

/** A collection whose records have this schema. */
export function toCollection(name: string, raw: unknown, reader: SchemaReader): CollectionModel {
  const written = isJsonObject(raw) ? raw : {}
  const schema = withAllRequired(reader.read(written.record), reader)
  const keyField = typeof written.key === 'string' ? written.key : 'id'
  const key = schema?.properties.get(keyField)
  if (schema === undefined || key === undefined)
    throw invalidSpec(
      fault(`/${name}/record`, `the schema of an object with the property \`${keyField}\``, written.record),
    )
  const shown = reader.read(written.shown)
  return {
    name,
    singular: singularName(name),
    schema,
    ...(shown !== undefined && { shownSchema: shown }),
    listSchema: undefined,
    id: { field: [keyField], schema: key, clientChosen: false },
    alternateKeys: [],
    statusField: findStatusField(schema),
    timestamps: findTimestamps(schema),
    parent: undefined,
    relations: [],
    linked: undefined,
    vocabulary: new Map(),
  }
}

/** A record whose schema requires no field has all its properties. */
function withAllRequired(schema: Schema | undefined, reader: SchemaReader): Schema | undefined {
  if (schema === undefined || schema.raw.required !== undefined) return schema
  return reader.make({ ...schema.raw, required: [...schema.properties.keys()] }, schema.name)
}

const fault = (place: string, wanted: string, got: unknown): string =>
  `Failed to read the description: Expected \`/${EXTENSION}${place}\` to be ${wanted}, got ${JSON.stringify(got)?.slice(0, 100)}.`
