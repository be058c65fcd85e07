import type { Schema } from '../../schema/schema.ts'
import type { Site } from './site.ts'

/** The schema of the objects that hang below a value; undefined where none do. */
export function nestedSchema(schema: Schema): Schema | undefined {
  if (schema.items) return nestedSchema(schema.items)
  const isObject =
    schema.properties.size > 0 ||
    typeof schema.additionalProperties === 'object' ||
    schema.variants?.some((variant) => variant.properties.size > 0)
  return isObject ? schema : undefined
}

/** Whether a type is written beside a reference to something of another type: nothing fits both. */
export function isContradictory({ raw, types }: Schema): boolean {
  return (
    raw.$ref !== undefined &&
    typeof raw.type === 'string' &&
    types.length > 0 &&
    !types.some((type) => type === raw.type)
  )
}

const UNIQUE_IN_RECORD =
  /line|item|entry|entries|position|product|transaction|payment|event|attachment|file|comment|message|activity|history|log/

/** Whether the object looks like a record of something that the API keeps nowhere: a category, a status, a language. */
export function isPoolable({ schema, snake }: Site): boolean {
  const { properties } = schema
  const hasName = properties.has('name') || properties.has('title') || properties.has('label')
  return properties.has('id') && hasName && !UNIQUE_IN_RECORD.test(snake)
}
