import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import type { Schema } from '../../src/schema/schema.ts'

/**
 * A JSON Patch that puts `text` into one text of the record; what is there already where nothing is given. Where the
 * description takes no text for a value, and for records without such a text, one optional field is removed, or put back
 * as it is where nothing is given.
 */
export function patchOf(record: JsonObject, schema: Schema | undefined, { of, text }: PatchOptions = {}): Json {
  const value = schema?.items?.properties.get('value')
  const takesText = value === undefined || fits(value, 'text')
  const name = Object.keys(record).find(
    (key) => /name|description|title|note|text|label|comment/i.test(key) && typeof record[key] === 'string',
  )
  if (takesText && name !== undefined)
    return [{ op: 'replace', path: `/${name}`, value: text ?? (record[name] as string) }]
  const optional = Object.keys(record).find(
    (key) => !of?.required.has(key) && !of?.properties.get(key)?.readOnly && isOwn(key),
  )
  return optional === undefined || text === undefined ? [] : [{ op: 'remove', path: `/${optional}` }]
}

interface PatchOptions {
  /** Schema of the record. */
  readonly of?: Schema | undefined
  readonly text?: string
}

/** Whether a field is no key, link or time, which the server sets. */
const isOwn = (name: string): boolean => !/^_|(^|_)(id|key|type)$|Id$|[aA]t$|date|time|version|links?$/i.test(name)
