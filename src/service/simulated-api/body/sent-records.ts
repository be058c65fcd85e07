import { grouped } from '../../../protocol/grouped.ts'
import { getOwn, isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { Envelope, Operation } from '../../openapi/model.ts'
import { Refusal } from '../refusal.ts'

/** The record's part of a request body: unwrapped where the client wrapped it. */
export function unwrapBody(body: Json | undefined, envelope: Envelope | undefined): Json | undefined {
  if (body === undefined || envelope === undefined) return body
  let at: Json | undefined = body
  for (const name of envelope.path) at = isJsonObject(at) ? getOwn(at, name) : undefined
  return at === undefined ? body : at
}

/** Refuses a body with more records than one request makes or changes, before it is held against the description. */
export function checkRecordCount({ effect }: Operation, body: Json | undefined): void {
  const { kind } = effect
  if (kind !== 'bulkCreate' && kind !== 'bulkUpdate' && kind !== 'create') return
  const sent = unwrapBody(body, effect.body)
  // One record may hold more values than one request may make records.
  const { length } = kind === 'create' && !Array.isArray(sent) ? [] : itemsOf(sent)
  if (length <= LIMITS.bulkRecords) return
  const [most, got] = [LIMITS.bulkRecords, length].map(grouped)
  throw new Refusal(
    400,
    'invalid_request',
    `Expected the body to hold at most ${most} records, got ${got}. Send them in several requests.`,
  )
}

/** The records in a body: an array, or an object with one list. */
export function itemsOf(body: Json | undefined): JsonObject[] {
  if (Array.isArray(body)) return body.filter((item) => isJsonObject(item))
  if (!isJsonObject(body)) return []
  const lists = Object.values(body).filter((value) => Array.isArray(value) && value.every((item) => isJsonObject(item)))
  return lists.length === 1 ? (lists[0] as JsonObject[]) : []
}
