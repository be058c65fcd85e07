import { type Json, type JsonObject, readField, writeField } from '../../protocol/json.ts'
import { toIso, toIsoSeconds } from '../../runtime/date-text.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { CollectionModel } from '../openapi/model.ts'
import { schemaAt } from './field.ts'

/** Numbers above this are milliseconds: as seconds it would be the year 5138. */
export const LARGEST_SECONDS = 100_000_000_000
/** Lengths of `2026-11-21T08:00:00Z` and `2026-11-21T08:00:00.000Z`, which most moments are told by. */
const ISO_SECONDS = 20
const ISO_MILLIS = 24

/**
 * A copy of `record` whose field of the last change, where the collection has one, says `at` (milliseconds, world
 * time).
 */
export function touch(model: CollectionModel, record: JsonObject, at: number): JsonObject {
  const field = model.timestamps.updated
  return field === undefined ? record : writeField(record, field, touchedAt(model, record, field, at))
}

/** A touched copy of `record` with `value` at `field`. */
export function change(
  model: CollectionModel,
  record: JsonObject,
  field: FieldPath,
  value: Json,
  at: number,
): JsonObject {
  const updated = model.timestamps.updated
  const [name] = field
  if (updated?.length !== 1 || field.length !== 1 || name === '__proto__' || name === undefined) {
    return touch(model, writeField(record, field, value), at)
  }
  const changed = { ...record }
  changed[name] = value
  changed[updated[0] as string] = touchedAt(model, changed, updated, at)
  return changed
}

function touchedAt(model: CollectionModel, record: JsonObject, field: FieldPath, at: number): Json {
  const previous = readField(record, field)
  if (typeof previous === 'string' && previous[10] === 'T') {
    if (previous.length === ISO_SECONDS && previous[19] === 'Z') return toIsoSeconds(at)
    if (previous.length === ISO_MILLIS && previous[19] === '.' && previous[23] === 'Z') return toIso(at)
  }
  return toTimestamp(at, previous, schemaAt(model.schema, field))
}

/**
 * A moment as the API writes it: like `previous` where there is one (seconds, milliseconds, text with or without a
 * fraction), else as `schema` says, else ISO 8601 with milliseconds.
 */
export function toTimestamp(at: number, previous: Json | undefined, schema: Schema | undefined): Json {
  if (typeof previous === 'number') return previous > LARGEST_SECONDS ? at : Math.floor(at / 1000)
  const isNumber =
    schema?.types.some((type) => type === 'integer' || type === 'number') && !schema.types.includes('string')
  if (typeof previous !== 'string' && isNumber) return Math.floor(at / 1000)
  const text = toIso(at)
  if (schema?.format === 'date') return text.slice(0, 10)
  if (typeof previous === 'string' && /^\d{4}-\d\d-\d\d$/.test(previous)) return text.slice(0, 10)
  if (typeof previous === 'string' && /:\d\dZ$/.test(previous)) return toIsoSeconds(at)
  if (typeof previous === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(previous))
    return text.slice(0, 19).replace('T', ' ')
  if (typeof previous === 'string' && /^\/Date\(\d+/.test(previous)) return `/Date(${at}+0000)/`
  if (typeof previous === 'string' && /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /.test(previous)) return toRfc2822(at)
  if (typeof previous === 'string' && /\d[+-]\d\d:?\d\d$/.test(previous)) return `${text.slice(0, 19)}+00:00`
  return text
}

/** `Fri, 24 May 2019 17:44:46 +0000` */
const toRfc2822 = (at: number): string => new Date(at).toUTCString().replace('GMT', '+0000')
