import type { FieldPath, Schema } from '../../../schema/schema.ts'

/** The first `most` fields of a schema and of its variants, from a bounded number of schemas. */
export function collectFields(schema: Schema, most: number): ReadonlyMap<string, Schema> {
  const fields = new Map<string, Schema>()
  let open = MOST_SCHEMAS
  const add = ({ properties, variants }: Schema, depth: number): void => {
    if (open-- <= 0) return
    for (const [name, field] of properties) {
      if (fields.size >= most) return
      if (!fields.has(name)) fields.set(name, field)
    }
    if (variants === undefined || depth > MAX_VARIANT_DEPTH) return
    for (const variant of variants) add(variant, depth + 1)
  }
  add(schema, 0)
  return fields
}

/** Most schemas from which the fields of one schema are collected. */
const MOST_SCHEMAS = 2_000

/** The schema at `path` below `schema`, or below its first variant with such a path. */
export function schemaBelow(schema: Schema | undefined, path: FieldPath, depth = 0): Schema | undefined {
  const [name, ...rest] = path
  if (!schema || name === undefined) return schema
  const own = schemaBelow(schema.properties.get(name), rest, depth)
  const isRestricted = own && (own.pattern ?? own.format ?? own.enum ?? own.minLength) !== undefined
  if (isRestricted || !schema.variants || depth === MAX_VARIANT_DEPTH) return own
  const inner = schema.variants
    .map((variant) => schemaBelow(variant, path, depth + 1))
    .find((found) => found !== undefined)
  return inner ?? own
}

/** Variants may have variants, possibly in a cycle. */
const MAX_VARIANT_DEPTH = 3
