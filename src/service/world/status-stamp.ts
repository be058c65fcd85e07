import { snakeCase } from '../../names/words.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { readField, writeField } from '../../protocol/json-fields.ts'
import type { CollectionModel } from '../openapi/model.ts'
import type { FieldPath, Schema } from '../openapi/schema.ts'
import { change, schemaAt, toTimestamp } from './touch.ts'

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

/** Statuses of a collection whose stamps are remembered: clients may write any text into a status without an enum. */
const MOST_KNOWN_STATUSES = 200
/** Fields likewise: a plan may name any field of a record for its status. */
const MOST_KNOWN_FIELDS = 200

/**
 * A copy of `record` with `status` in `field`, touched, and with the moment noted where the API has a field for it:
 * `paid` sets an empty `paid_at` or `paidAt`, `done` an empty `completed_at`.
 */
export function withStatus(
  model: CollectionModel,
  record: JsonObject,
  field: readonly string[],
  status: Json,
  at: number,
): JsonObject {
  const changed = change(model, record, field, status, at)
  for (const { stamp, schema } of stampsOf(model, field, status)) {
    const held = readField(changed, stamp)
    if (held === undefined || held === null) {
      return writeField(changed, stamp, toTimestamp(at, otherMoment(model, changed, schema), schema))
    }
  }
  return changed
}

/** A timestamp that the record has already: the new one is written alike, where its schema lets it. */
function otherMoment({ timestamps }: CollectionModel, record: JsonObject, schema: Schema): Json | undefined {
  const field = timestamps.updated ?? timestamps.created
  const moment = field && readField(record, field)
  const isText = schema.types.includes('string') && schema.format !== 'date'
  return (typeof moment === 'string') === isText ? moment : undefined
}

/** A field of a record for the moment at which a status was reached. */
interface Stamp {
  readonly stamp: FieldPath
  readonly schema: Schema
}

/** Stamps by collection, name of the status field, and status. */
const stamps = new WeakMap<CollectionModel, Map<string, Map<string, readonly Stamp[]>>>()

/** The stamps that a collection has for a status; found once. */
function stampsOf(model: CollectionModel, field: FieldPath, status: Json): readonly Stamp[] {
  if (typeof status !== 'string') return []
  const name = field.length === 1 ? (field[0] as string) : field.join('.')
  const known = stamps.get(model)?.get(name)?.get(status)
  return known ?? learnStamps(model, field, name, status)
}

function learnStamps(model: CollectionModel, field: FieldPath, name: string, status: string): readonly Stamp[] {
  const found = findStamps(model, field.slice(0, -1), status)
  const byField = stamps.get(model) ?? new Map<string, Map<string, readonly Stamp[]>>()
  const byStatus = byField.get(name) ?? new Map<string, readonly Stamp[]>()
  if (byField.size < MOST_KNOWN_FIELDS && byStatus.size < MOST_KNOWN_STATUSES) {
    stamps.set(model, byField.set(name, byStatus.set(status, found)))
  }
  return found
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
