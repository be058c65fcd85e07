import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Schema } from '../../openapi/schema.ts'
import { checkOf, type Direction } from './check.ts'
import type { Problem } from './problem.ts'

/**
 * Holds a value against the alternatives of a schema. A request may fit several alternatives of a `oneOf`: descriptions
 * overlap more than their authors know. The problem told is that of the nearest alternative.
 */
export function checkVariants(
  schema: Schema,
  direction: Direction,
): ((value: Json) => Problem | undefined) | undefined {
  const { variants, discriminator } = schema
  if (variants === undefined) return undefined
  const checks = variants.map((variant) => checkOf(variant, direction))
  const isExclusive = schema.variantRule === 'oneOf' && direction === 'response'
  return (value) => {
    const named = discriminator && isJsonObject(value) ? value[discriminator.property] : undefined
    const chosen = typeof named === 'string' ? discriminator?.mapping.get(named) : undefined
    if (chosen && !isExclusive) return checkOf(chosen, direction).find(value)
    let matches = 0
    let nearest: Problem | undefined
    for (const check of checks) {
      const problem = check.find(value)
      if (problem === undefined) matches++
      else if (isNearer(problem, nearest)) nearest = problem
      if (matches > 0 && !isExclusive) return undefined
    }
    if (matches === 1) return undefined
    if (matches > 1) return { path: [], expected: 'of one kind only', got: value }
    return (chosen && checkOf(chosen, direction).find(value)) ?? nearest ?? noVariant(value)
  }
}

/** A problem deep inside tells more than one at the top. */
function isNearer(problem: Problem, than: Problem | undefined): boolean {
  return than === undefined || problem.path.length > than.path.length
}

const noVariant = (value: Json): Problem => ({ path: [], expected: 'one of the declared kinds', got: value })
