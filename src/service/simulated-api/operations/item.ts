import { endsInId } from '../../../names/id-names.ts'
import { foldName } from '../../../names/words.ts'
import { getOwn, isJsonObject, type Json, type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Change } from '../../world/change.ts'
import { keyIn, refersTo } from '../../world/field.ts'
import { toTimestamp } from '../../world/timestamp.ts'
import { applyJsonPatch, toJsonPatch } from '../body/json-patch.ts'
import {
  type Answered,
  type ApiCall,
  type Found,
  type ItemEffect,
  NO_CHANGES,
  type Setting,
  withUpload,
} from '../calls/call.ts'
import type { ApiResponse } from '../exchange.ts'
import { allNames } from '../facts/intake.ts'
import { HIDDEN_DELETED_AT } from '../facts/upkeep.ts'
import { firstFields, mergeFields, sentFields, toRecordFields } from '../records/client-fields.ts'
import { makeRecord, withNames } from '../records/make-record.ts'
import { toScopeMatches } from '../records/scope.ts'
import { withSums } from '../records/with-sums.ts'
import { Refusal } from '../refusal.ts'
import { updateMaskOf } from '../validation/read-query.ts'
import { answerJson, answerRecord, answerRecords, changedTo, showIn } from './answer.ts'
import { composeAround } from './compose-around.ts'
import { findRecord, getReadRecord, getRecord, getSeveral } from './find-record.ts'
import { requireState } from './require-state.ts'

/** Shows one record. Answers 304 to a caller with the current version. */
export function read(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  if (effect.asks) return answerExistence(setting, call, effect)
  const founds = getSeveral(setting, call, effect)
  if (founds) return { response: answerRecords(setting, call, { envelope: effect.envelope, founds }), changes: [] }
  const found = getReadRecord(setting, call, effect)
  const { envelope } = effect
  const shown = showIn(setting, envelope, found)
  const headers = { ETag: shown.tag }
  const known = call.request.headers['if-none-match']
  if (known !== undefined && isCurrent(known, shown.tag)) {
    return { response: { status: 304, headers, body: null }, changes: NO_CHANGES }
  }
  return { response: answerRecord(setting, call, { envelope, found, shown, headers }), changes: NO_CHANGES }
}

/** `/collections/{name}/exists`: `{ exists: false }` instead of 404. */
function answerExistence(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const found = findRecord(setting, call, effect)
  const isThere = found !== undefined
  const known = { record: { exists: isThere, exist: isThere, found: isThere }, key: found?.key ?? 'none' }
  const { schema } = call.representation
  return { response: answerJson(call, composeAround(setting, schema, known, call.operation)), changes: NO_CHANGES }
}

/** Changes one record, or creates a missing one where the operation allows it. */
export function update(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const found = effect.upsert ? findRecord(setting, call, effect) : getRecord(setting, call, effect)
  const sent = maskedFields(call, sentFields(call, effect.body))
  requireCurrent(setting, call, found)
  if (found === undefined) {
    const made = insert(setting, call, effect, firstFields(sent))
    return { ...made, response: withStatus(call, made.response, [201]) }
  }
  requireState(setting, { ...effect, verb: 'change' }, found)
  requireVersion(setting, call, found, firstFields(sent))
  const steps = toJsonPatch(call.body.value)
  const record = steps
    ? patchRecord(setting, call, found, steps)
    : updateRecord(setting, call, found, {
        sent: keepParents(setting, call, effect, found, wholeFields(setting, call, effect, firstFields(sent))),
        isReplace: effect.kind === 'replace',
      })
  const { change, found: after } = changedTo(found, record)
  const response = answerRecord(setting, call, { envelope: effect.envelope, found: after })
  const isForNew = call.operation.success.status === 201
  return { response: isForNew ? withStatus(call, response, [200, 204]) : response, changes: [withUpload(call, change)] }
}

/** The fields that the update mask of the query names; all without one, and for `*`. */
function maskedFields({ query }: ApiCall, sent: Json | undefined): Json | undefined {
  const mask = updateMaskOf(query)
  if (mask === undefined || mask === '*' || !isJsonObject(sent)) return sent
  const named = new Set(mask.split(',').map((path) => foldName(path.split('.')[0] ?? '')))
  return Object.fromEntries(Object.entries(sent).filter(([name]) => named.has(foldName(name))))
}

/**
 * The client's fields and, of a replacement, the optional ones that it leaves out: their default, else null. A body that
 * requires nothing is partial: it replaces nothing.
 */
function wholeFields({ world }: Setting, call: ApiCall, effect: ItemEffect, sent: JsonObject): JsonObject {
  const { schema, statusField, id } = world.collection(effect.collection).model
  const whole = effect.body?.schema ?? call.body.schema
  if (effect.kind !== 'replace' || whole === undefined || whole.required.size === 0) return sent
  const kept = new Set([...whole.required, statusField?.[0], id.field?.[0]])
  const leftOut = [...whole.properties].filter(([name, { readOnly, default: usual }]) => {
    if (kept.has(name) || readOnly || getOwn(sent, name) !== undefined) return false
    const field = schema?.properties.get(name)
    return field !== undefined && (usual !== undefined || !schema?.required.has(name) || fits(field, null))
  })
  return { ...Object.fromEntries(leftOut.map(([name, field]) => [name, field.default ?? null])), ...sent }
}

/** The client's fields with only the parents of the path: the record stays below them. */
function keepParents(
  setting: Setting,
  call: ApiCall,
  { scope }: ItemEffect,
  { record }: Found,
  sent: JsonObject,
): JsonObject {
  let kept = sent
  for (const { field, value } of toScopeMatches(setting, call, scope)) {
    const [name] = field ?? []
    if (field === undefined || name === undefined || getOwn(kept, name) === undefined) continue
    const stated = readField(kept, field)
    const stored = readField(record, field)
    if (stated === undefined || stored === undefined || !refersTo(stored, value) || refersTo(stated, value)) continue
    kept = writeField(kept, field, stored)
  }
  return kept
}

/** The record with the client's fields and a new time of change. Its id stays. */
export function updateRecord(
  setting: Setting,
  call: ApiCall,
  found: Found,
  { sent, isReplace = false }: { sent: JsonObject; isReplace?: boolean },
): JsonObject {
  const { collection, key, record } = found
  const { model, writer } = setting.world.collection(collection)
  const fields = withNames(setting.world, model, toRecordFields(setting, model, sent, { call, key }))
  // `PUT { name }` of a resource of JSON:API replaces fields of its `attributes`, not all.
  const isWhole = isReplace && call.compiled.intakeOf(call.body.schema).parts.size === 0
  const merged = mergeFields(record, fields, { schema: model.schema, isReplace: isWhole, call })
  const summed = withSums(setting.world, found, merged, call.at)
  const kept = withNextVersion(setting, found, keepId(setting, found, summed))
  const { statusField } = model
  const status = statusField === null ? undefined : readField(kept, statusField)
  const isMoved = statusField !== null && status !== undefined && status !== readField(record, statusField)
  return isMoved ? writer.setStatus(kept, statusField, status, call.at) : writer.touch(kept, call.at)
}

/** Deletes one record. Answers as declared: nothing, the former record, or `{ id, deleted: true }`. */
export function remove(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const founds = getSeveral(setting, call, effect)
  if (founds) {
    for (const found of founds) requireState(setting, { ...effect, verb: 'delete' }, found)
    const changes = founds.map((found) => deletion(setting, call, found))
    return { response: answerRecords(setting, call, { envelope: effect.envelope, founds }), changes }
  }
  const found = effect.upsert ? findRecord(setting, call, effect) : getRecord(setting, call, effect)
  if (found === undefined) return nothingToDelete(setting, call, effect)
  requireState(setting, { ...effect, verb: 'delete' }, found)
  requireCurrent(setting, call, found)
  const change = deletion(setting, call, found)
  const { [HIDDEN_DELETED_AT]: _, ...kept } = change.kept ?? found.record
  const record = { ...kept, ...deletedFields(effect.envelope.schema) }
  const response = answerRecord(setting, call, { envelope: effect.envelope, found: changedTo(found, record).found })
  return { response, changes: [change] }
}

/** A deletion; of a record that can be restored, a soft one. */
function deletion(
  { api }: Setting,
  { at }: ApiCall,
  { collection, key, record }: Found,
): Extract<Change, { type: 'deleted'; collection: string }> {
  const { upkeep, model } = api.collection(collection)
  const field = upkeep.deletedAt
  if (field === undefined) return { type: 'deleted', collection, key }
  const kept = { ...record, [field]: toTimestamp(at, undefined, allNames(model.schema).get(field)) }
  return { type: 'deleted', collection, key, kept }
}

/**
 * Refuses with 412 a change to a record that changed since the caller read it, or that the caller expects not to be, and
 * with 428, where that is declared, a change that says nothing of it.
 */
export function requireCurrent(setting: Setting, call: ApiCall, found: Found | undefined): void {
  const { 'if-match': wanted, 'if-none-match': unwanted } = call.request.headers
  if (wanted === undefined && unwanted === undefined && !call.operation.responses.has('428')) return
  const tag = found && setting.presenter.tagOf(found.record)
  const refuse = (header: string, expected: string, got: string) =>
    new Refusal(412, 'precondition_failed', `Expected \`${header}\` to be ${expected}, got ${got}.`)
  if (tag !== undefined && wanted === undefined && call.operation.responses.has('428'))
    throw new Refusal(428, 'precondition_required', `Expected \`if-match\` to be ${tag}, got nothing.`)
  if (wanted !== undefined && (tag === undefined || !isCurrent(wanted, tag)))
    throw refuse('if-match', tag ?? 'absent, as the record is', wanted)
  if (unwanted !== undefined && tag !== undefined && isCurrent(unwanted, tag))
    throw refuse('if-none-match', `another tag than ${tag}`, unwanted)
}

/** Refuses as declared a change that names another version than the record's: it changed since the caller read it. */
function requireVersion({ api }: Setting, { operation }: ApiCall, found: Found, sent: JsonObject): void {
  const { upkeep, model } = api.collection(found.collection)
  const name = upkeep.version
  const status = [412, 409].find((code) => operation.responses.has(`${code}`))
  const [given, stored] = name === undefined ? [] : [keyIn(sent[name]), keyIn(found.record[name])]
  if (status === undefined || given === undefined || stored === undefined || given === stored) return
  const message = `Expected \`${name}\` to be ${stored}, got ${given}: the ${model.singular} has changed since. Read it again.`
  throw new Refusal(status, 'conflict', message, name)
}

export function withNextVersion(
  { api }: Setting,
  { collection, record: before }: Found,
  after: JsonObject,
): JsonObject {
  const { version: name } = api.collection(collection).upkeep
  const version = name === undefined ? undefined : before[name]
  return name !== undefined && typeof version === 'number' && after[name] === version
    ? { ...after, [name]: version + 1 }
    : after
}

/** The answer with the first declared status of `wanted`, for what the operation has done. */
function withStatus({ operation }: ApiCall, response: ApiResponse, wanted: readonly number[]): ApiResponse {
  const status = wanted.find((one) => operation.responses.has(String(one))) ?? response.status
  if (status !== 204) return { ...response, status }
  const { 'Content-Type': _, ...headers } = response.headers
  return { ...response, status, headers, body: null }
}

/** Whether one of the tags of an `If-None-Match` or `If-Match` header is `tag`. */
export function isCurrent(header: string, tag: string): boolean {
  const isSame = (item: string) => withoutWeakness(item) === withoutWeakness(tag)
  return header.trim() === '*' || header.split(',').some(isSame)
}

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '')

function patchRecord(
  setting: Setting,
  call: ApiCall,
  found: Found,
  steps: Parameters<typeof applyJsonPatch>[1],
): JsonObject {
  const { writer } = setting.world.collection(found.collection)
  const patched = applyJsonPatch(found.record, steps)
  return writer.touch(keepId(setting, found, patched), call.at)
}

/**
 * The record with its id, or with a free name that its client chose. The path identifies the record: an id in the body
 * (clients repeat samples there) does not count.
 */
function keepId(setting: Setting, { collection, key, record }: Found, after: JsonObject): JsonObject {
  const view = setting.world.collection(collection)
  const { field, clientChosen } = view.model.id
  const stored = field && readField(record, field)
  if (field === undefined || stored === undefined) return after
  const given = readField(after, field)
  if (given === stored) return after
  const id = keyIn(given)
  const parents = Object.entries(view.scopeOf(key)).map(([name, value]) => ({ name, value }))
  const owner = clientChosen && id !== undefined ? view.findOwner(id, parents) : undefined
  const isName = clientChosen && !endsInId(field.at(-1) ?? '')
  const isFree = isName && id !== undefined && (owner === undefined || owner === key)
  return isFree ? after : writeField(after, field, stored)
}

function insert(setting: Setting, call: ApiCall, effect: ItemEffect, sent: JsonObject): Answered {
  const { collection, scope } = effect
  const only = effect.keys.length === 1 ? effect.keys[0] : undefined
  const id = only?.in === 'path' && only.field === undefined ? call.params[only.param] : undefined
  const { model } = setting.world.collection(collection)
  const { linked } = model
  const isDeclared = call.operation.responses.has('404') && setting.lenientParents !== true
  if (linked !== undefined && id !== undefined && isDeclared && setting.api.isShown(linked)) {
    const known = setting.world.collection(linked)
    const { singular } = known.model
    if (known.findIn(id, []) === undefined)
      throw new Refusal(404, 'not_found', `Failed to find ${singular} "${id}": there is none with that key.`)
  }
  const hasName = allNames(model.schema).has('name')
  const named = { ...sent, ...keyFields(call, effect, hasName) }
  const { found, change } = makeRecord(setting, call, {
    collection,
    scope,
    sent: named,
    ...(id !== undefined && { id }),
  })
  return {
    response: answerRecord(setting, call, { envelope: effect.envelope, found }),
    changes: [withUpload(call, change)],
  }
}

/** Fields that identify a record in a path, for the new record with that name. */
function keyFields(call: ApiCall, { keys }: ItemEffect, hasName: boolean): JsonObject {
  let fields: JsonObject = {}
  for (const { param, in: place, field: own } of keys) {
    // `PUT /starred/{owner}/{repo}`: the repository is called so.
    const field = own ?? (keys.length > 1 && hasName ? ['name'] : undefined)
    const value = place === 'path' && field ? call.params[param] : undefined
    if (value !== undefined && field) fields = writeField(fields, field, value)
  }
  return fields
}

/** Deleting a record of a collection that no operation shows succeeds for any key. */
function nothingToDelete(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const found = { collection: effect.collection, key: '', record: {} }
  return { response: answerRecord(setting, call, { envelope: effect.envelope, found }), changes: [] }
}

/** The answer's fields that confirm the deletion. */
function deletedFields(schema: Schema | undefined): JsonObject {
  const names = [...allNames(schema)].filter(([name, field]) => /^(is_?)?deleted$/i.test(name) && fits(field, true))
  return Object.fromEntries(names.map(([name]) => [name, true]))
}
