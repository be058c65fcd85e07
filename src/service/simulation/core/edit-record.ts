import { badRequest, invalidRequest } from '../../../protocol/errors.ts'
import { type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import type { CompiledApi } from '../../simulated-api/compiled/compiled-api.ts'
import { allNames } from '../../simulated-api/facts/intake.ts'
import { mergeFields } from '../../simulated-api/records/client-fields.ts'
import { completeRecord, withScope } from '../../simulated-api/records/make-record.ts'
import { findParent } from '../../simulated-api/records/scope.ts'
import { Refusal } from '../../simulated-api/refusal.ts'
import { explainGiven } from '../../simulated-api/validation/given-record.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { keyIn } from '../../world/field.ts'
import { NewKeys } from '../../world/new-keys.ts'
import type { World } from '../../world/world.ts'
import { getCollection, getLive } from './world-reads.ts'

/** A change requested by a simulation's owner. */
export type RecordEdit =
  | { readonly kind: 'create'; readonly collection: string; readonly fields: JsonObject }
  | {
      readonly kind: 'replace' | 'update'
      readonly collection: string
      readonly id: string
      readonly fields: JsonObject
    }
  | { readonly kind: 'remove'; readonly collection: string; readonly id: string }
  | { readonly kind: 'revert'; readonly collection: string; readonly id: string }

/** The context for planning edits. */
export interface Editing {
  readonly api: CompiledApi
  readonly world: World
  /** World time, milliseconds. */
  readonly at: number
}

export type RecordChange = Extract<Change, { readonly collection: string }>

/** JSON merge patch (RFC 7396): objects merge, and null empties or removes a field. */
const MERGE_PATCH = { body: { mediaType: 'application/merge-patch+json' } }

/**
 * Plans the change of an edit; nothing is written. Throws `not_found` for missing records, `invalid_request` for fields
 * that do not fit the description, `bad_request` for an id in use.
 */
export function planEdit(editing: Editing, edit: RecordEdit): RecordChange {
  const view = getCollection(editing.world, edit.collection)
  if (edit.kind === 'create') return planCreation(editing, view, edit.fields)
  const live = getLive(view, edit.id)
  const { key, record } = live
  if (edit.kind === 'remove') return { type: 'deleted', collection: view.model.name, key }
  if (edit.kind === 'revert') return planRevert(view, live, edit.id)
  if (edit.kind === 'update') return planUpdate(editing, view, { key, record }, edit.fields)
  const kept = serverFields(view.model, record)
  checkFields(editing, view, { ...kept, ...edit.fields }, true)
  const replaced = { ...kept, ...keepId(view.model, record, edit.fields) }
  return updated(view, key, touch(editing, view, record, replaced))
}

/** A record with the given fields, and generated others; below the parent in the fields, else below any. */
export function planCreation(editing: Editing, view: CollectionView, fields: JsonObject): RecordChange {
  const { model } = view
  const keys = new NewKeys(view)
  const { matches, rest } = findParent(editing.world, model, fields, keys.ordinal)
  checkFields(editing, view, rest)
  const given = { ...withScope(model, {}, matches), ...rest }
  try {
    const { change } = completeRecord(editing.world, { collection: model.name, given, matches, at: editing.at, keys })
    return change as RecordChange
  } catch (error) {
    if (error instanceof Refusal) throw badRequest(error.message, error)
    throw error
  }
}

/** A record with changed fields. A new status sets its time. */
export function planUpdate(
  editing: Editing,
  view: CollectionView,
  { key, record }: { readonly key: string; readonly record: JsonObject },
  fields: JsonObject,
): RecordChange {
  const { model, writer } = view
  const { schema } = editing.api.collection(model.name).givenFields
  const names = allNames(schema)
  const isTakenOut = ([name, value]: [string, unknown]) =>
    value === null && names.has(name) && !schema?.required.has(name)
  checkFields(editing, view, Object.fromEntries(Object.entries(fields).filter((field) => !isTakenOut(field))))
  const merged = mergeFields(record, keepId(model, record, fields), { schema, call: MERGE_PATCH })
  const { statusField } = model
  const status = statusField === null ? undefined : readField(merged, statusField)
  const isMoved = statusField !== null && status !== undefined && status !== readField(record, statusField)
  const changed = isMoved ? writer.setStatus(merged, statusField, status, editing.at) : merged
  return updated(view, key, touch(editing, view, record, changed, merged))
}

/** The record as generated or given. Throws `bad_request` for a created one. */
function planRevert(view: CollectionView, { key, changed, asMade }: LiveRecord, id: string): RecordChange {
  if (asMade === undefined) throw noRevert(id, 'it was created later. Delete it instead.')
  if (changed === undefined) throw noRevert(id, 'it was not changed.')
  return { ...updated(view, key, asMade), isReverted: true }
}

const noRevert = (id: string, why: string): Error =>
  badRequest(`Failed to revert the record "${id.slice(0, 100)}": ${why}`)

/** Throws `invalid_request` for fields or values that the description does not allow. */
function checkFields({ api }: Editing, { model }: CollectionView, fields: JsonObject, isWhole = false): void {
  const fault = explainGiven(fields, api.collection(model.name).givenFields, { isWhole })
  if (fault !== undefined) throw invalidRequest(fault)
}

/** The fields without an id; throws `invalid_request` for an id other than the record's. */
function keepId({ id: { field } }: CollectionModel, record: JsonObject, fields: JsonObject): JsonObject {
  const given = field && readField(fields, field)
  if (field === undefined || given === undefined) return fields
  const current = readField(record, field)
  if (given === null || keyIn(given) === keyIn(current))
    return current === undefined ? fields : writeField(fields, field, current)
  const name = field.join('.')
  throw invalidRequest(
    `Expected \`${name}\` to be ${JSON.stringify(current)}, which the record has, got ${JSON.stringify(given)}. Create a record with the other id instead.`,
  )
}

/** The fields that a replacement keeps: the id, the times, and all fields that only the server sets. */
function serverFields({ id, timestamps, schema }: CollectionModel, record: JsonObject): JsonObject {
  const own = [id.field, timestamps.created, timestamps.updated].flatMap((field) => field?.[0] ?? [])
  const names = allNames(schema)
  return Object.fromEntries(Object.entries(record).filter(([name]) => own.includes(name) || names.get(name)?.readOnly))
}

/** Sets the time of a change, unless the change itself sets it. */
function touch(
  { at }: Editing,
  { model: { timestamps }, writer }: CollectionView,
  before: JsonObject,
  after: JsonObject,
  given: JsonObject = after,
): JsonObject {
  const field = timestamps.updated
  const moment = field && readField(given, field)
  if (field === undefined || moment === undefined || moment === readField(before, field)) return writer.touch(after, at)
  return writeField(after, field, moment)
}

const updated = ({ model }: CollectionView, key: string, record: JsonObject) => ({
  type: 'updated' as const,
  collection: model.name,
  key,
  record,
})
