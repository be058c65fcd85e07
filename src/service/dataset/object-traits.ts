import type { Schema } from '../../schema/schema.ts'
import type { Site } from './site.ts'

/** The schema of the objects inside a value; undefined where the value contains none. */
export function nestedSchema(schema: Schema): Schema | undefined {
  if (schema.items) return nestedSchema(schema.items)
  const isObject =
    schema.properties.size > 0 ||
    typeof schema.additionalProperties === 'object' ||
    schema.variants?.some((variant) => variant.properties.size > 0)
  return isObject ? schema : undefined
}

/** Whether a schema has both a type and a reference to a schema of another type: no value fits both. */
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
