import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { onceFor } from '../../../runtime/once.ts'
import type { CheckEffort } from '../../../schema/check-effort.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt, type Maker } from '../cell.ts'
import type { Site } from '../site.ts'

/** Most variants tried for a value, by its depth: nested variants multiply. */
const TRIES = [12, 12, 6, 4, 3]
const FEWEST_TRIES = 2
/** Cost of a failed try in values, besides its own: it was made and checked for nothing. */
const COST_OF_FAILURE = 20
/** Deepest nesting of variants; deeper ones count as a cycle. */
const MAX_NESTING = 6

/**
 * Values of a schema with variants: those of one variant with the common properties, so that exactly one (oneOf) or at
 * least one (anyOf) matches. Where no try fits, the first one is used.
 */
export function makeVariant(site: Site, compilePlain: (site: Site) => Maker, nesting = 0): Maker {
  const { schema } = site
  const variants = schema.variants as readonly Schema[]
  const makers = new Map<Schema, Maker>()
  const nested = (variant: Schema): Maker =>
    nesting < MAX_NESTING ? makeVariant({ ...site, schema: variant }, compilePlain, nesting + 1) : () => undefined
  const compile = (variant: Schema): Maker => {
    site.stock.add()
    if (variant.enum) return () => variant.enum?.[0] ?? null
    return variant.variants ? nested(variant) : compilePlain({ ...site, schema: variant })
  }
  const makerOf = (variant: Schema): Maker => onceFor(makers, variant, compile)
  const common = schema.properties.size > 0 ? compilePlain(site) : undefined
  /** Few fields may be all that a variant allows: then the common ones are left out. */
  const madeOf = (variant: Schema, cell: Cell): Json =>
    merge(variant.maxProperties === undefined ? common?.(cell) : undefined, makerOf(variant)(cell))
  const named = new Set(schema.discriminator?.mapping.values())
  const children = variants.filter((variant) => named.has(variant))
  const order = orderOf(site, children.length > 0 ? children : variants)
  return (cell) => {
    const draw = drawAt(cell, site.key)
    const given = site.name === '' ? cell.given : cell.given?.[site.name]
    if (isJsonObject(given)) {
      const variant = nearestVariant(schema, variants, given, cell.frame.work.checks)
      const value = withDiscriminator(schema, variant, madeOf(variant, cell))
      if (schema.variantRule !== 'oneOf' || fits(schema, value, cell.frame.work.checks)) return value
      return withoutRivals(schema, variant, value, (name) => Object.hasOwn(given, name))
    }
    const { work } = cell.frame
    const tries = Math.min(TRIES[cell.depth] ?? FEWEST_TRIES, order.length)
    let first: Json | undefined
    for (let attempt = 0; attempt < tries; attempt++) {
      const variant = order[
        order.length > 1 && isPlain(order[0] as Schema) ? attempt : (draw + attempt) % order.length
      ] as Schema
      if (attempt < order.length - 1 && cell.isWithin(variant)) continue
      const value = withDiscriminator(schema, variant, madeOf(variant, cell))
      if (fits(schema, value, work.checks)) return value
      const lean = withoutRivals(schema, variant, value)
      if (lean !== value && fits(schema, lean, work.checks)) return lean
      work.take(COST_OF_FAILURE + variants.length)
      first ??= value
      if (work.isSpent) break
    }
    return first ?? null
  }
}

/** The client's most likely variant: by discriminator, else the one with most of the sent fields. */
function nearestVariant(schema: Schema, variants: readonly Schema[], given: JsonObject, checks: CheckEffort): Schema {
  const tag = schema.discriminator && given[schema.discriminator.property]
  const tagged = typeof tag === 'string' ? schema.discriminator?.mapping.get(tag) : undefined
  if (tagged) return tagged
  let nearest = variants[0] as Schema
  let most = Number.NEGATIVE_INFINITY
  for (const variant of variants) {
    // Of variants without own fields, the one that requires the sent fields.
    let score = [...variant.required].filter((name) => Object.hasOwn(given, name)).length / 1_000
    for (const [name, value] of Object.entries(given)) {
      const property = variant.properties.get(name)
      if (property) score += fits(property, value, checks) ? 1 : -2
    }
    if (score > most) {
      most = score
      nearest = variant
    }
  }
  return nearest
}

/** The variants with plain values before objects, so that an expandable field holds the id. */
function orderOf({ snake }: Site, variants: readonly Schema[]): readonly Schema[] {
  const plain = variants.filter((variant) => isPlain(variant))
  if (plain.length === 0 || plain.length === variants.length || snake === '') return variants
  return [...plain, ...variants.filter((variant) => !isPlain(variant))]
}

function isPlain(schema: Schema): boolean {
  return schema.types.length > 0 && !schema.types.includes('object') && !schema.types.includes('array')
}

function merge(common: Json | undefined, own: Json | undefined): Json {
  if (own === undefined) return common ?? null
  return isJsonObject(common) && isJsonObject(own) ? { ...common, ...own } : own
}

function withDiscriminator(schema: Schema, variant: Schema, value: Json): Json {
  const { discriminator } = schema
  if (!discriminator || !isJsonObject(value)) return value
  const named = [...discriminator.mapping].find(([, mapped]) => mapped === variant)?.[0] ?? variant.name
  const property = variant.properties.get(discriminator.property) ?? schema.properties.get(discriminator.property)
  if (named === undefined || (property && !fits(property, named))) return value
  return { ...value, [discriminator.property]: named }
}

/**
 * Removes from a value of one `oneOf` alternative the fields that only other alternatives require, so that no other
 * alternative fits: `oneOf: [{ required: [org] }, { required: [orgID] }]`. Names in `kept` stay.
 */
function withoutRivals(
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
