import { findField } from '../../../names/find-field.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { CollectionModel, Effect } from '../../openapi/model.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { touch } from '../../world/touch.ts'
import { allNames } from '../compiled/intake.ts'
import { answerRecord } from './answer.ts'
import type { Answered, ApiCall, Found, Setting } from './call.ts'
import { firstFields, mergeFields, sentFields, toRecordFields } from './client-fields.ts'
import { actOnCollection } from './collection-action.ts'
import { findRecord, missing, namesRecord } from './find-record.ts'

/** Does something to one record: sets the status that the verb leads to, and what the body names of the record. */
export function act(setting: Setting, call: ApiCall, effect: Effect & { kind: 'action' }): Answered {
  const found = findRecord(setting, call, effect)
  if (found === undefined && !namesRecord(call, effect)) return actOnCollection(setting, call, effect)
  if (found === undefined) throw missing(setting, call, effect)
  const record = actOn(setting, call, setting.world.collection(found.collection), found, effect)
  const isChanged = JSON.stringify(record) !== JSON.stringify(found.record)
  const response = answerRecord(setting, call, {
    envelope: effect.envelope,
    found: isChanged ? { ...found, record } : found,
  })
  return {
    response,
    changes: isChanged ? [{ type: 'updated', collection: found.collection, key: found.key, record }] : [],
  }
}

function actOn(
  setting: Setting,
  call: ApiCall,
  { model, statuses }: CollectionView,
  { key, record }: Found,
  { toStatus, body }: Effect & { kind: 'action' },
): JsonObject {
  const known = knownFields(model, firstFields(sentFields(call, body)))
  const merged = mergeFields(record, toRecordFields(setting, model, known, { call, key }), {
    schema: model.schema,
    call,
  })
  if (toStatus === undefined || model.statusField === null) return touch(model, merged, call.at)
  return statuses.write(merged, model.statusField, toStatus, call.at)
}

/** Fields of an action's body that the record has too. */
function knownFields(model: CollectionModel, sent: JsonObject): Record<string, Json> {
  const names = allNames(model.schema)
  return Object.fromEntries(Object.entries(sent).filter(([name]) => findField(names.keys(), name) !== undefined))
}
