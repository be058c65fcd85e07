import { snakeCase } from '../../names/words.ts'
import { type Json, type JsonObject, readField, writeField } from '../../protocol/json.ts'
import { toIso, toIsoSeconds } from '../../runtime/date-text.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { CollectionModel } from '../openapi/model.ts'
import { schemaAt } from './field.ts'
import { toTimestamp } from './timestamp.ts'

/** Other words in APIs for the time of a status. */
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

/** Most cached stamps of a field: clients may write any text into a status without an enum. */
const MOST_KNOWN = 1_000

/** Lengths of `2026-11-21T08:00:00Z` and `2026-11-21T08:00:00.000Z`, the most frequent formats. */
const ISO_SECONDS = 20
const ISO_MILLIS = 24

/** A field for the time at which a status was reached. */
interface Stamp {
  readonly stamp: FieldPath
  readonly schema: Schema
}

/**
 * Writes changes into copies of the records of one collection, with the time of the change (`at`, in milliseconds of
 * world time) in the collection's field for it.
 */
export class RecordWriter {
  readonly #model: CollectionModel
  /** Stamps by the name of the status field, then by the status. */
  readonly #stamps = new Map<string, Map<string, readonly Stamp[]>>()
  /** The latest time as text: one run of a plan writes the same time into thousands of records. */
  #moment = { at: 0, seconds: toIsoSeconds(0), millis: toIso(0) }

  constructor(model: CollectionModel) {
    this.#model = model
  }

  /** A copy of `record` with the time of the last change set to `at`, if the collection has such a field. */
  touch(record: JsonObject, at: number): JsonObject {
    const field = this.#model.timestamps.updated
    return field === undefined ? record : writeField(record, field, this.#touchedAt(record, field, at))
  }

  /** A copy of `record` with `value` at `field` and a new time of change. */
  set(record: JsonObject, field: FieldPath, value: Json, at: number): JsonObject {
    const updated = this.#model.timestamps.updated
    const [name] = field
    if (updated?.length !== 1 || field.length !== 1 || name === '__proto__' || name === undefined) {
      return this.touch(writeField(record, field, value), at)
    }
    const changed = { ...record }
    changed[name] = value
    changed[updated[0] as string] = this.#touchedAt(changed, updated, at)
    return changed
  }

  /**
   * A copy of `record` with `status` in `field`, a new time of change, and the time of the status where the API has a
   * field for it: `paid` sets an empty `paid_at` or `paidAt`, `done` an empty `completed_at`.
   */
  setStatus(record: JsonObject, field: FieldPath, status: Json, at: number): JsonObject {
    const changed = this.set(record, field, status, at)
    for (const { stamp, schema } of this.#stampsOf(field, status)) {
      const current = readField(changed, stamp)
      if (current === undefined || current === null) {
        return writeField(changed, stamp, toTimestamp(at, otherMoment(this.#model, changed, schema), schema))
      }
    }
    return changed
  }

  #touchedAt(record: JsonObject, field: FieldPath, at: number): Json {
    const previous = readField(record, field)
    if (typeof previous === 'string' && previous[10] === 'T') {
      if (previous.length === ISO_SECONDS && previous[19] === 'Z') return this.#momentOf(at).seconds
      if (previous.length === ISO_MILLIS && previous[19] === '.' && previous[23] === 'Z')
        return this.#momentOf(at).millis
    }
    return toTimestamp(at, previous, schemaAt(this.#model.schema, field))
  }

  #momentOf(at: number): { readonly seconds: string; readonly millis: string } {
    if (this.#moment.at !== at) this.#moment = { at, seconds: toIsoSeconds(at), millis: toIso(at) }
    return this.#moment
  }

  /** The fields for the time of a status; found once. */
  #stampsOf(field: FieldPath, status: Json): readonly Stamp[] {
    if (typeof status !== 'string') return []
    const name = field.length === 1 ? (field[0] as string) : field.join('.')
    const ofField = this.#stamps.get(name) ?? new Map<string, readonly Stamp[]>()
    this.#stamps.set(name, ofField)
    const known = ofField.get(status) ?? findStamps(this.#model, field.slice(0, -1), status)
    if (ofField.size < MOST_KNOWN) ofField.set(status, known)
    return known
  }
}

/** Another timestamp of the record: the new one gets its format, if the schema allows it. */
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
