import type { Json, JsonObject } from '../../protocol/json.ts'
import { isObject } from './json-value.ts'

/** The value at a dotted path. */
export function nestedValue(record: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, step) => (isObject(value) ? value[step] : undefined), record)
}
