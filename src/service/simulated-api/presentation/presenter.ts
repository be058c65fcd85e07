import type { Json, JsonObject } from '../../../protocol/json.ts'
import { hashText } from '../../../runtime/random.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, Envelope, Operation } from '../../openapi/model.ts'
import type { LiveRecord } from '../../world/collection-view.ts'
import { EnvelopeWriter, type Fill } from './envelope-writer.ts'
import type { Projector } from './project.ts'
import { RecordTexts, type Shelf, type ShownRecord } from './record-texts.ts'

/** A record and the key that it has in its collection. */
export interface Keyed {
  readonly key: string
  readonly record: JsonObject
}

/** Shows records and envelopes. The texts of live records are kept until they change. */
export class Presenter {
  readonly projector: Projector
  readonly #itemSchemas: ReadonlyMap<string, Schema | undefined>
  readonly #texts = new RecordTexts()
  #made = 0
  readonly #shelves = new Map<string, Map<Schema | undefined, Shelf>>()
  readonly #writers = new Map<Operation, Map<Schema | undefined, EnvelopeWriter>>()

  constructor(model: ApiModel, projector: Projector) {
    this.projector = projector
    this.#itemSchemas = itemSchemasOf(model)
  }

  /** Schema of a record as its item read shows it. */
  itemSchema(collection: string): Schema | undefined {
    return this.#itemSchemas.get(collection)
  }

  /** How many texts were made, and not remembered. */
  get made(): number {
    return this.#made
  }

  /** The text and entity tag of a live record as `schema` shows it. */
  show(live: LiveRecord, schema: Schema | undefined): ShownRecord {
    const shelf = this.#shelfOf(live.collection, schema)
    const kept = this.#texts.recall(shelf, live)
    if (kept !== undefined) return kept
    this.#made++
    const { record } = live
    const json = this.showOnce(live.collection, live, schema)
    const text = JSON.stringify(json)
    const shown = { text, tag: toTag(json === record ? text : JSON.stringify(record)) }
    this.#texts.keep(shelf, live, shown)
    return shown
  }

  /** A record that is new, or gone, as `schema` shows it: nothing of it is kept. */
  showOnce(collection: string, { key, record }: Keyed, schema: Schema | undefined): Json {
    return this.projector.project(record, schema, `${collection}/${key}`)
  }

  /** Entity tag of a record: the same as long as it does not change, by whatever schema it is shown. */
  tagOf(record: JsonObject): string {
    return toTag(JSON.stringify(record))
  }

  /** The text of a body whose records stand where `envelope` says. */
  body(
    operation: Operation,
    { schema, envelope, inner, fill }: { schema: Schema | undefined; envelope: Envelope; inner: string; fill?: Fill },
  ): string {
    if (envelope.path.length === 0) return inner
    return this.#writer(operation, schema, envelope).write(inner, fill)
  }

  #shelfOf(collection: string, schema: Schema | undefined): Shelf {
    const shelves = this.#shelves.get(collection) ?? new Map<Schema | undefined, Shelf>()
    this.#shelves.set(collection, shelves)
    const shelf = shelves.get(schema) ?? new Map()
    shelves.set(schema, shelf)
    return shelf
  }

  #writer(operation: Operation, schema: Schema | undefined, envelope: Envelope): EnvelopeWriter {
    const known = this.#writers.get(operation)
    const found = known?.get(schema)
    if (found) return found
    const { projector } = this
    const writer = new EnvelopeWriter({ schema, path: envelope.path, projector, key: operation.id })
    if (known) known.set(schema, writer)
    else this.#writers.set(operation, new Map([[schema, writer]]))
    return writer
  }
}

const toTag = (text: string): string => `"${hashText(text).toString(36)}${hashText(text, 0x9e3779b9).toString(36)}"`

function itemSchemasOf({ collections, operations }: ApiModel): ReadonlyMap<string, Schema | undefined> {
  const shown = new Map<string, Schema>()
  for (const { effect } of operations) {
    if (effect.kind !== 'read' || effect.envelope.schema === undefined || shown.has(effect.collection)) continue
    shown.set(effect.collection, effect.envelope.schema)
  }
  return new Map(collections.map(({ name, schema }) => [name, shown.get(name) ?? schema]))
}
