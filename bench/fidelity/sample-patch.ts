import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import type { Schema } from '../../src/schema/schema.ts'

/** A JSON Patch that changes one text of the record. */
export function patchOf(record: JsonObject, schema: Schema | undefined): Json {
  const value = schema?.items?.properties.get('value')
  if (value && !fits(value, 'text')) return []
  const name = Object.keys(record).find(
    (key) => /name|description|title|note/.test(key) && typeof record[key] === 'string',
  )
  return name === undefined ? [] : [{ op: 'replace', path: `/${name}`, value: record[name] as string }]
}
