import { type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import type { Change } from '../../world/change.ts'
import { keyIn } from '../../world/field.ts'
import { touch } from '../../world/touch.ts'
import { applyJsonPatch, toJsonPatch } from '../body/json-patch.ts'
import { Refusal } from '../refusal.ts'
import { answerRecord } from './answer.ts'
import type { Answered, ApiCall, Found, ItemEffect, Setting } from './call.ts'
import { firstFields, mergeFields, sentFields, toRecordFields } from './client-fields.ts'
import { findRecord, getRecord } from './find-record.ts'
import { makeRecord } from './make-record.ts'
import { isCurrent } from './read.ts'

/** Changes one record, or makes it where the operation does that for a missing one. */
export function update(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const found = effect.upsert ? findRecord(setting, call, effect) : getRecord(setting, call, effect)
  const sent = sentFields(call, effect.body)
  if (found === undefined) return insert(setting, call, effect, firstFields(sent))
  requireCurrent(setting, call, found)
  const steps = toJsonPatch(call.body.value)
  const record = steps
    ? patchRecord(setting, call, found, steps)
    : updateRecord(setting, call, found, { sent: firstFields(sent), isReplace: effect.kind === 'replace' })
  const change: Change = { type: 'updated', collection: found.collection, key: found.key, record }
  const response = answerRecord(setting, call, { envelope: effect.envelope, found: { ...found, record } })
  return { response, changes: [change] }
}

/** The record with what a client sent, touched. Its id stays. */
export function updateRecord(
  setting: Setting,
  call: ApiCall,
  found: Found,
  { sent, isReplace = false }: { sent: JsonObject; isReplace?: boolean },
): JsonObject {
  const { collection, key, record } = found
  const { model } = setting.world.collection(collection)
  const fields = toRecordFields(setting, model, sent, { call, key })
  const merged = mergeFields(record, fields, { schema: model.schema, isReplace, call })
  return touch(model, keepId(setting, found, merged), call.at)
}

/** Refuses with 412 a change to a record that is not any more what the caller saw. */
export function requireCurrent(setting: Setting, call: ApiCall, { record }: Found): void {
  const wanted = call.request.headers['if-match']
  if (wanted === undefined || isCurrent(wanted, setting.presenter.tagOf(record))) return
  throw new Refusal(
    412,
    'precondition_failed',
    `Expected \`if-match\` to be ${setting.presenter.tagOf(record)}, got ${wanted}.`,
  )
}

function patchRecord(
  setting: Setting,
  call: ApiCall,
  found: Found,
  steps: Parameters<typeof applyJsonPatch>[1],
): JsonObject {
  const { model } = setting.world.collection(found.collection)
  const patched = applyJsonPatch(found.record, steps)
  return touch(model, keepId(setting, found, patched), call.at)
}

/**
 * The record with the id that it had, or with a free one that its client chose. The path says which record is meant:
 * the id of another one in the body (clients repeat samples there) does not count.
 */
function keepId(setting: Setting, { collection, key, record }: Found, after: JsonObject): JsonObject {
  const view = setting.world.collection(collection)
  const { field, clientChosen } = view.model.id
  const held = field && readField(record, field)
  if (field === undefined || held === undefined) return after
  const given = readField(after, field)
  if (given === held) return after
  const id = keyIn(given)
  const parents = Object.entries(view.scopeOf(key)).map(([name, value]) => ({ name, value }))
  const owner = clientChosen && id !== undefined ? view.findOwner(id, parents) : undefined
  const isFree = clientChosen && id !== undefined && (owner === undefined || owner === key)
  return isFree ? after : writeField(after, field, held)
}

function insert(setting: Setting, call: ApiCall, effect: ItemEffect, sent: JsonObject): Answered {
  const { collection, scope } = effect
  const only = effect.keys.length === 1 ? effect.keys[0] : undefined
  const id = only?.in === 'path' && only.field === undefined ? call.params[only.param] : undefined
  const named = { ...sent, ...keyFields(call, effect) }
  const { found, change } = makeRecord(setting, call, {
    collection,
    scope,
    sent: named,
    ...(id !== undefined && { id }),
  })
  return { response: answerRecord(setting, call, { envelope: effect.envelope, found }), changes: [change] }
}

/** Fields by which a path names a record, for the one that is about to be made under that name. */
function keyFields(call: ApiCall, { keys }: ItemEffect): JsonObject {
  let fields: JsonObject = {}
  for (const { param, in: place, field } of keys) {
    const value = place === 'path' && field ? call.params[param] : undefined
    if (value !== undefined && field) fields = writeField(fields, field, value)
  }
  return fields
}
