import type { Json } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { LiveRecord } from '../../world/collection-view.ts'

/** Records that are counted to see whether all have to be. */
const COUNTED_FIRST = 8

/** How many of the records, from the first on, a page has room for; at least one. */
export function countFitting(records: readonly LiveRecord[]): number {
  const step = Math.max(1, Math.floor(records.length / COUNTED_FIRST))
  let largest = 0
  for (let at = 0; at < records.length; at += step) {
    largest = Math.max(largest, countValues((records[at] as LiveRecord).record))
    if (largest * records.length > LIMITS.listedValues) return countOneByOne(records)
  }
  return records.length
}

function countOneByOne(records: readonly LiveRecord[]): number {
  let values = 0
  for (const [at, { record }] of records.entries()) {
    values += countValues(record)
    if (values > LIMITS.listedValues) return Math.max(1, at)
  }
  return records.length
}

function countValues(value: Json): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / LIMITS.charactersOfValue)
  if (typeof value !== 'object' || value === null) return 1
  let values = 1
  for (const key in value)
    if (Object.hasOwn(value, key)) values += countValues((value as Record<string, Json>)[key] as Json)
  return values
}
