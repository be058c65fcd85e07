import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import type { Schema } from '../../src/schema/schema.ts'

/** A JSON Patch that puts `text` into one text of the record; what is there already where nothing is given. */
export function patchOf(record: JsonObject, schema: Schema | undefined, text?: string): Json {
  const value = schema?.items?.properties.get('value')
  if (value && !fits(value, 'text')) return []
  const name = Object.keys(record).find(
    (key) => /name|description|title|note/.test(key) && typeof record[key] === 'string',
  )
  return name === undefined ? [] : [{ op: 'replace', path: `/${name}`, value: text ?? (record[name] as string) }]
}
