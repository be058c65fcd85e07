import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'

const rows = (list: Json | undefined): JsonObject[] => (Array.isArray(list) ? list.filter(isJsonObject) : [])

/** The phase of a plan in which a period is, the first being 0. */
export function phaseAt(given: Json): Json {
  const { of, at } = given as JsonObject
  const phases = rows(of).toSorted((a, b) => Number(a.ordinal ?? 0) - Number(b.ordinal ?? 0))
  let end = 0
  for (const phase of phases) {
    end += Number(phase.periods ?? Number.POSITIVE_INFINITY)
    if (Number(at) < end) return phase
  }
  return phases.at(-1) ?? null
}
