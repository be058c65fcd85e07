import type { ApiModel, CollectionModel } from '../openapi/model.ts'
import type { Schema } from '../openapi/schema.ts'

const MOST_COLLECTIONS = 40
const MOST_FIELDS = 30

/** What a language model is told of an API: its collections, their fields, and the values of enums. */
export function briefOf(model: ApiModel): string {
  const collections = model.collections.slice(0, MOST_COLLECTIONS).map(collectionBrief)
  return [`API: ${model.title} ${model.version}`, ...collections].join('\n')
}

function collectionBrief({ name, schema, statusField, parent }: CollectionModel): string {
  const fields = [...(schema?.properties ?? [])]
    .slice(0, MOST_FIELDS)
    .map(([field, value]) => `${field}: ${typeText(value)}`)
  const facts = [parent && `below ${parent.collection}`, statusField && `status in ${statusField.join('.')}`].filter(
    Boolean,
  )
  return `- ${name}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}: ${fields.join('; ')}`
}

function typeText({ enum: values, types, format }: Schema): string {
  if (values !== undefined) return values.slice(0, 20).map(String).join('|')
  return format ?? (types.join('|') || 'any')
}
