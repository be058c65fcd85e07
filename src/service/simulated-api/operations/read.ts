import { answerRecord, tagOf } from './answer.ts'
import type { Answered, ApiCall, ItemEffect, Setting } from './call.ts'
import { getAnyRecord, getRecord, namesRecord } from './find-record.ts'

/** Shows one record. Answers 304 to a caller who has it as it is. */
export function read(setting: Setting, call: ApiCall, effect: ItemEffect): Answered {
  const found = namesRecord(call, effect) ? getRecord(setting, call, effect) : getAnyRecord(setting, call, effect)
  const tag = tagOf(setting, effect.envelope, found)
  if (isCurrent(call.request.headers['if-none-match'], tag)) {
    return { response: { status: 304, headers: { ETag: tag }, body: null }, changes: [] }
  }
  const response = answerRecord(setting, call, { envelope: effect.envelope, found, headers: { ETag: tag } })
  return { response, changes: [] }
}

/** Whether one of the tags of an `If-None-Match` or `If-Match` header is `tag`. */
export function isCurrent(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const isSame = (item: string) => withoutWeakness(item) === withoutWeakness(tag)
  return header.trim() === '*' || header.split(',').some(isSame)
}

const withoutWeakness = (tag: string): string => tag.trim().replace(/^W\//, '')
