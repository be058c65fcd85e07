import type { Json, JsonObject } from '../../../protocol/json.ts'
import { hashText } from '../../../runtime/random.ts'
import type { ApiModel, Envelope, Operation } from '../../openapi/model.ts'
import type { Schema } from '../../openapi/schema.ts'
import { EnvelopeWriter, type Fill } from './envelope-writer.ts'
import type { Projector } from './project.ts'

/** A record as an answer shows it; its text is written when it is first asked for. */
export class Presented {
  readonly json: Json
  #text: string | undefined

  constructor(json: Json) {
    this.json = json
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.json)
    return this.#text
  }
}

/** What a record was shown as, by one schema; `next` by another. */
interface Kept {
  readonly schema: Schema | undefined
  readonly presented: Presented
  readonly next: Kept | undefined
}

/** A record and the key that it has in its collection. */
export interface Keyed {
  readonly key: string
  readonly record: JsonObject
}

/** Shows records and envelopes; what was shown once is kept for as long as the record lives. */
export class Presenter {
  readonly projector: Projector
  readonly #itemSchemas: ReadonlyMap<string, Schema | undefined>
  readonly #presented = new WeakMap<JsonObject, Kept>()
  readonly #tags = new WeakMap<JsonObject, string>()
  readonly #writers = new Map<Operation, Map<Schema | undefined, EnvelopeWriter>>()

  constructor(model: ApiModel, projector: Projector) {
    this.projector = projector
    this.#itemSchemas = new Map(
      model.collections.map(({ name, schema }) => [name, itemSchemaOf(model, name) ?? schema]),
    )
  }

  /** Schema of a record as its item read shows it. */
  itemSchema(collection: string): Schema | undefined {
    return this.#itemSchemas.get(collection)
  }

  /** The record as `schema` declares it. */
  record(collection: string, { key, record }: Keyed, schema: Schema | undefined): Presented {
    const known = this.#presented.get(record)
    for (let kept = known; kept !== undefined; kept = kept.next) if (kept.schema === schema) return kept.presented
    const presented = this.showOnce(collection, { key, record }, schema)
    this.#presented.set(record, { schema, presented, next: known })
    return presented
  }

  /** {@link Presenter.record} of a record that is new, or gone: nothing of it is kept. */
  showOnce(collection: string, { key, record }: Keyed, schema: Schema | undefined): Presented {
    return new Presented(this.projector.project(record, schema, `${collection}/${key}`))
  }

  /** Entity tag of a record: the same as long as it does not change. */
  tagOf(record: JsonObject): string {
    const known = this.#tags.get(record)
    if (known) return known
    const text = JSON.stringify(record)
    const tag = `"${hashText(text).toString(36)}${hashText(text, 0x9e3779b9).toString(36)}"`
    this.#tags.set(record, tag)
    return tag
  }

  /** The text of a body whose records stand where `envelope` says. */
  body(
    operation: Operation,
    { schema, envelope, inner, fill }: { schema: Schema | undefined; envelope: Envelope; inner: string; fill?: Fill },
  ): string {
    if (envelope.path.length === 0) return inner
    return this.#writer(operation, schema, envelope).write(inner, fill)
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

function itemSchemaOf(model: ApiModel, collection: string): Schema | undefined {
  for (const { effect } of model.operations) {
    if (effect.kind === 'read' && effect.collection === collection && effect.envelope.schema)
      return effect.envelope.schema
  }
  return undefined
}
