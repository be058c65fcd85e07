import type { Json } from '../protocol/json.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { Schema } from './schema.ts'

/**
 * A value of one alternative of a `oneOf` without what only other alternatives require, so that no other fits too:
 * `oneOf: [{ required: [org] }, { required: [orgID] }]`. `kept` are names that stay.
 */
export function withoutRivals(
  { variants = [], variantRule, required }: Schema,
  chosen: Schema,
  value: Json,
  kept: (name: string) => boolean = () => false,
): Json {
  if (variantRule !== 'oneOf' || !isJsonObject(value)) return value
  const rivals = new Set(variants.flatMap((variant) => (variant === chosen ? [] : [...variant.required])))
  const names = Object.keys(value)
  const left = names.filter(
    (name) => !rivals.has(name) || chosen.required.has(name) || required.has(name) || kept(name),
  )
  return left.length === names.length ? value : Object.fromEntries(left.map((name) => [name, value[name] as Json]))
}
