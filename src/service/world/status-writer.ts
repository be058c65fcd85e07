import { snakeCase } from '../../names/words.ts'
import { type Json, type JsonObject, readField, writeField } from '../../protocol/json.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { CollectionModel } from '../openapi/model.ts'
import { schemaAt } from './field.ts'
import { change, toTimestamp } from './touch.ts'

/** Words that APIs use for the moment of a status whose own name they do not use. */
const STAMP_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    done: ['completed', 'finished'],
    complete: ['completed'],
    completed: ['finished'],
    succeeded: ['completed', 'finished'],
    cancelled: ['canceled'],
    canceled: ['cancelled'],
    won: ['closed'],
    lost: ['closed'],
    active: ['activated', 'started'],
    in_progress: ['started'],
    inactive: ['deactivated', 'disabled'],
  }),
)

/** Stamps of a collection that are remembered: clients may write any text into a status without an enum. */
const MOST_KNOWN = 1_000

/** A field of a record for the moment at which a status was reached. */
interface Stamp {
  readonly stamp: FieldPath
  readonly schema: Schema
}

/** Writes statuses into the records of one collection. */
export class StatusWriter {
  readonly #model: CollectionModel
  /** Stamps by the name of the status field and the status. */
  readonly #stamps = new Map<string, readonly Stamp[]>()

  constructor(model: CollectionModel) {
    this.#model = model
  }

  /**
   * A copy of `record` with `status` in `field`, touched, and with the moment noted where the API has a field for it:
   * `paid` sets an empty `paid_at` or `paidAt`, `done` an empty `completed_at`.
   */
  write(record: JsonObject, field: FieldPath, status: Json, at: number): JsonObject {
    const changed = change(this.#model, record, field, status, at)
    for (const { stamp, schema } of this.#stampsOf(field, status)) {
      const held = readField(changed, stamp)
      if (held === undefined || held === null) {
        return writeField(changed, stamp, toTimestamp(at, otherMoment(this.#model, changed, schema), schema))
      }
    }
    return changed
  }

  /** The stamps that the collection has for a status; found once. */
  #stampsOf(field: FieldPath, status: Json): readonly Stamp[] {
    if (typeof status !== 'string') return []
    const name = `${field.join('.')}\u0000${status}`
    const known = this.#stamps.get(name) ?? findStamps(this.#model, field.slice(0, -1), status)
    if (this.#stamps.size < MOST_KNOWN) this.#stamps.set(name, known)
    return known
  }
}

/** A timestamp that the record has already: the new one is written alike, where its schema lets it. */
function otherMoment({ timestamps }: CollectionModel, record: JsonObject, schema: Schema): Json | undefined {
  const field = timestamps.updated ?? timestamps.created
  const moment = field && readField(record, field)
  const isText = schema.types.includes('string') && schema.format !== 'date'
  return (typeof moment === 'string') === isText ? moment : undefined
}

function findStamps(model: CollectionModel, around: FieldPath, status: string): readonly Stamp[] {
  const fields = schemaAt(model.schema, around)?.properties
  return stampNames(status).flatMap((name) => {
    const schema = fields?.get(name)
    const isMoment = schema !== undefined && !schema.types.includes('boolean') && !schema.types.includes('object')
    return isMoment ? [{ stamp: [...around, name], schema }] : []
  })
}

function stampNames(status: string): string[] {
  const word = snakeCase(status)
  return [word, ...(STAMP_WORDS.get(word) ?? [])].flatMap((name) => {
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    return [`${name}_at`, `${camel}At`, `${name}_on`, `${camel}On`, `${name}_date`, `${camel}Date`]
  })
}
