import type { Json, JsonObject } from '../protocol/json.ts'

/** Calls `look` with each object in a value, once, however deep it is and however often YAML aliases repeat it. */
export function eachValue(value: Json | undefined, look: (object: JsonObject) => void): void {
  const seen = new Set<object>()
  const open: (Json | undefined)[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null || seen.has(next)) continue
    seen.add(next)
    if (!Array.isArray(next)) look(next as JsonObject)
    for (const inner of Object.values(next)) open.push(inner)
  }
}
