import type { Json, JsonObject } from '../../protocol/json.ts'

/** The value at a dotted path. */
export function nestedValue(record: JsonObject, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((value, step) => {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[step] : undefined
  }, record)
}
