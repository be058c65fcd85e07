import { getOwn, isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { CheckEffort } from '../../../schema/check-effort.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'

/**
 * The alternatives of a schema, the likeliest for `value` first: by discriminator, then unchanged fit, then constants,
 * then common fields.
 */
export function rankVariants(value: Json, schema: Schema, checks: CheckEffort): readonly Schema[] {
  const variants = schema.variants ?? []
  const named = namedVariant(value, schema)
  const scored = variants.map((variant) => ({
    variant,
    score: variant === named ? Infinity : scoreOf(value, variant, checks),
  }))
  scored.sort((left, right) => right.score - left.score)
  const ranked = scored.map(({ variant }) => variant)
  return named === undefined || variants.includes(named) ? ranked : [named, ...ranked]
}

function namedVariant(value: Json, { discriminator }: Schema): Schema | undefined {
  if (discriminator === undefined || !isJsonObject(value)) return undefined
  const name = value[discriminator.property]
  return typeof name === 'string' ? discriminator.mapping.get(name) : undefined
}

function scoreOf(value: Json, variant: Schema, checks: CheckEffort): number {
  const score = isJsonObject(value) ? scoreObject(value, variant) : 0
  return fits(variant, value, checks) ? score + 1_000 : score
}

function scoreObject(value: JsonObject, variant: Schema): number {
  let score = 0
  for (const [name, field] of variant.properties) {
    const stored = getOwn(value, name)
    if (stored === undefined) score -= variant.required.has(name) ? 1 : 0
    else if (field.enum && (typeof stored !== 'object' || stored === null))
      score += field.enum.includes(stored) ? 20 : -20
    else score += 2
  }
  return score
}
