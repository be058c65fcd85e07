import type { JsonObject } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import { allNames } from '../compiled/intake.ts'
import { answerRecord } from './answer.ts'
import type { Answered, ApiCall, ItemEffect, Setting } from './call.ts'
import { findRecord, getRecord } from './find-record.ts'
import { requireCurrent } from './update.ts'

/** Deletes one record. Answers as declared: nothing, the record as it was, or `{ id, deleted: true }`. */
export function remove(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const found = effect.upsert ? findRecord(setting, call, effect) : getRecord(setting, call, effect)
  if (found === undefined) return nothingToDelete(setting, call, effect)
  requireCurrent(setting, call, found)
  const record = { ...found.record, ...sayDeleted(effect.envelope.schema) }
  const response = answerRecord(setting, call, { envelope: effect.envelope, found: { ...found, record } })
  return { response, changes: [{ type: 'deleted', collection: found.collection, key: found.key }] }
}

/** Records that nothing in the API ever shows count as deleted whatever their key. */
function nothingToDelete(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const found = { collection: effect.collection, key: '', record: {} }
  return { response: answerRecord(setting, call, { envelope: effect.envelope, found }), changes: [] }
}

/** The fields of an answer that say so. */
function sayDeleted(schema: Schema | undefined): JsonObject {
  const names = [...allNames(schema)].filter(([name, field]) => /^(is_?)?deleted$/i.test(name) && fits(field, true))
  return Object.fromEntries(names.map(([name]) => [name, true]))
}
