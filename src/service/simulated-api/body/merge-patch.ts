import { getOwn, isJsonObject, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'

/** Applies a merge patch (RFC 7396): objects are merged at every depth, and null removes a field. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const merged: JsonObject = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else setOwn(merged, name, mergePatch(getOwn(merged, name) ?? null, value))
  }
  return merged
}
