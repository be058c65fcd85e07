import { type Json, type JsonObject, setOwn } from '../../protocol/json.ts'

/** Keeps what a client sent beyond the schema. */
export function addMissing(object: JsonObject, given: JsonObject): void {
  for (const name in given) if (!Object.hasOwn(object, name)) setOwn(object, name, given[name] as Json)
}
