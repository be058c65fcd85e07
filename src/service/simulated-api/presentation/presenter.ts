import { isIdName } from '../../../names/id-names.ts'
import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { onceFor } from '../../../runtime/once.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, CollectionModel, Envelope, Operation } from '../../openapi/model.ts'
import { allNames } from '../facts/intake.ts'
import { EnvelopeWriter, type Fill } from './envelope-writer.ts'
import type { Projector } from './project.ts'
import { CollectionTexts, hashesOf, RecordTexts, toTag } from './record-texts.ts'

/** A record and its key. */
export interface Keyed {
  readonly key: string
  readonly record: JsonObject
}

/** Writes records and envelopes. The texts of live records are cached until they change. */
export class Presenter {
  readonly projector: Projector
  readonly #itemSchemas = new Map<string, Schema | undefined>()
  readonly texts = new RecordTexts()
  readonly #collections = new Map<string, Map<Schema | undefined, CollectionTexts>>()
  readonly #writers = new Map<Operation, Map<Schema | undefined, EnvelopeWriter>>()

  readonly #api: ApiModel
  readonly #models: ReadonlyMap<string, CollectionModel>

  constructor(model: ApiModel, projector: Projector) {
    this.#models = new Map(model.collections.map((collection) => [collection.name, collection]))
    this.#api = model
    this.projector = projector
  }

  /** Schema of a record in its item read. */
  itemSchema(collection: string): Schema | undefined {
    return onceFor(this.#itemSchemas, collection, () => this.#findItemSchema(collection))
  }

  #findItemSchema(collection: string): Schema | undefined {
    for (const { effect } of this.#api.operations) {
      if (effect.kind !== 'read' || effect.collection !== collection) continue
      // A stream of events below a record is no form of it.
      if (isObject(effect.envelope.schema)) return effect.envelope.schema
    }
    return this.#models.get(collection)?.schema
  }

  /** The texts of a collection's live records in `schema`, by default that of item reads. */
  textsOf(collection: string, shown?: Schema): CollectionTexts {
    const ofCollection = this.#collections.get(collection) ?? new Map<Schema | undefined, CollectionTexts>()
    const known = ofCollection.get(shown)
    if (known !== undefined) return known
    const schema = this.#formOf(collection, shown)
    const texts = ofCollection.get(schema) ?? new CollectionTexts(this.#toJson(collection, schema), this.texts)
    this.#collections.set(collection, ofCollection.set(schema, texts).set(shown, texts))
    return texts
  }

  /** A new or deleted record in `schema`, without caching. */
  showOnce(collection: string, keyed: Keyed, shown: Schema | undefined): Json {
    return this.textsOf(collection, shown).toJson(keyed)
  }

  /** Shows records of a collection in `schema`. */
  #toJson(collection: string, schema: Schema | undefined): (keyed: Keyed) => Json {
    const { projector } = this
    const other = schema && this.#otherId(collection, schema)
    const more = schema && this.#isForm(collection, schema) ? requestedFields(this.#api, collection) : []
    const others = (record: JsonObject) =>
      Object.keys(record).filter((name) => !schema?.fields.has(name) && !SECRET.test(name))
    return ({ key, record }) => {
      const source = other === undefined ? record : { ...record, [other]: key }
      const json = projector.project(source, schema, `${collection}/${key}`)
      const requested = (more ?? others(record)).filter((name) => record[name] !== undefined)
      // The projector may give the kept record itself.
      return requested.length === 0 || !isJsonObject(json)
        ? json
        : { ...json, ...Object.fromEntries(requested.map((name) => [name, record[name] as Json])) }
    }
  }

  /** Whether a schema is that of the collection's records, and takes more fields. */
  #isForm(collection: string, schema: Schema): boolean {
    const isSame = (one: Schema | undefined) =>
      one === schema || (schema.name !== undefined && one?.name === schema.name)
    const isKnown = isSame(this.#models.get(collection)?.schema) || isSame(this.itemSchema(collection))
    return isKnown && schema.additionalProperties !== false
  }

  /** The form of records in answers of a schema: that of item reads where the schema says nothing of its fields. */
  #formOf(collection: string, schema: Schema | undefined): Schema | undefined {
    return schema === undefined || isUndescribed(schema) ? this.itemSchema(collection) : schema
  }

  /** The name of the key in an answer that calls `id` or `uid` what the record calls `message_id` or `id`. */
  #otherId(collection: string, schema: Schema): string | undefined {
    const own = this.#models.get(collection)
    const [name, ...deeper] = own?.id.field ?? []
    if (name === undefined || deeper.length > 0 || schema.fields.has(name)) return undefined
    return [...schema.fields.keys()].find(
      (other) => isIdName(other) && other !== name && own?.schema?.fields.has(other) !== true,
    )
  }

  /** Entity tag of a record: constant until it changes, in every schema. */
  tagOf(record: JsonObject): string {
    return toTag(hashesOf(JSON.stringify(record)))
  }

  /** The text before and after the records of a body, by `envelope`. */
  around(
    operation: Operation,
    { schema, envelope, fill }: { schema: Schema | undefined; envelope: Envelope; fill?: Fill | undefined },
  ): readonly [front: string, back: string] {
    return envelope.path.length === 0 ? NOTHING : this.#writer(operation, schema, envelope).around(fill)
  }

  #writer(operation: Operation, schema: Schema | undefined, envelope: Envelope): EnvelopeWriter {
    const { projector } = this
    const writers = onceFor(this.#writers, operation, () => new Map<Schema | undefined, EnvelopeWriter>())
    return onceFor(
      writers,
      schema,
      () => new EnvelopeWriter({ schema, path: envelope.path, projector, key: operation.id }),
    )
  }
}

const NOTHING = ['', ''] as const

const isObject = (schema: Schema | undefined): boolean =>
  schema !== undefined && (schema.types.length === 0 || schema.types.includes('object'))

const isUndescribed = (schema: Schema): boolean =>
  isObject(schema) &&
  schema.properties.size === 0 &&
  schema.additionalProperties === true &&
  schema.variants === undefined &&
  schema.assertions === undefined

/** Names of values that an API takes and never shows. */
const SECRET = /secret|passw|passphrase|private_?key|api_?key|token|credential|otp$/i

/**
 * Fields that creations and changes of records both take, and their schema lacks, such as the `branch_filter` of a hook:
 * records show them once they were sent. What creations alone take is often an argument: `auto_init`, `password`. Undefined
 * where no answer describes records.
 */
function requestedFields({ operations, collections }: ApiModel, collection: string): string[] | undefined {
  const model = collections.find(({ name }) => name === collection)
  if (model === undefined) return []
  const own = operations.filter(({ effect }) => 'collection' in effect && effect.collection === collection)
  const answers = own.flatMap(({ success }) => [...success.content.values()])
  if (!answers.some(({ schema }) => (schema?.items ?? schema)?.fields.size)) return undefined
  const taken = { create: new Set<string>(), update: new Set<string>() }
  const known = new Set([...allNames(model.schema).keys()].map(foldName))
  for (const { effect } of own) {
    const isChange = effect.kind === 'update' || effect.kind === 'replace'
    if (effect.kind !== 'create' && !isChange) continue
    for (const [name, { writeOnly, format }] of allNames(effect.body?.schema))
      if (!writeOnly && format !== 'binary' && !SECRET.test(name) && !known.has(foldName(name)))
        taken[isChange ? 'update' : 'create'].add(name)
  }
  return [...taken.create].filter((name) => taken.update.has(name))
}
