import { answerRecord } from './answer.ts'
import type { Call, Done, ItemEffect, Setting } from './call.ts'
import { getRecord } from './find-record.ts'
import { requireCurrent } from './update.ts'

/** Deletes one record. Answers as declared: nothing, the record as it was, or `{ id, deleted: true }`. */
export function remove(setting: Setting, call: Call, effect: ItemEffect): Done {
  const found = getRecord(setting, call, effect)
  requireCurrent(setting, call, found)
  const response = answerRecord(setting, call, { envelope: effect.envelope, found })
  return { response, changes: [{ type: 'deleted', collection: found.collection, key: found.key }] }
}
