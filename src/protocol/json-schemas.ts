import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject } from './json.ts'

/**
 * Schemas as JSON Schema (2020-12) for a description, by name and without references. `input`: what a client may send;
 * `output`: what the service answers, where fields with a default are always present.
 */
export function toJsonSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      tidy(z.toJSONSchema(schema, { io, reused: 'inline', override: anyForJson }) as Json) as JsonObject,
    ]),
  )
}

/** `z.json()` refers to itself, and means "any value". */
function anyForJson({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Record<string, unknown> }) {
  if (zodSchema._zod.def.type !== 'lazy') return
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
}

const NOISE = new Set(['$schema', '$defs', 'propertyNames'])

/** Takes out keywords that add nothing: the dialect, names that are strings, what a format implies, the bounds of a double. */
function tidy(value: Json): Json {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isJsonObject(value)) return value
  if (typeof value.$ref === 'string') return {}
  const kept = Object.entries(value).filter(([key, inner]) => {
    if (NOISE.has(key) || (key === 'additionalProperties' && inner === false)) return false
    if (key === 'pattern' && typeof value.format === 'string') return false
    return !((key === 'minimum' || key === 'maximum') && Math.abs(Number(inner)) === Number.MAX_SAFE_INTEGER)
  })
  return Object.fromEntries(kept.map(([key, inner]) => [key, tidy(inner)]))
}
