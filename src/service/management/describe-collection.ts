import type { CollectionDescription, CollectionField } from '../../protocol/collection-description.ts'
import { notFound } from '../../protocol/errors.ts'
import type { ApiModel, CollectionModel } from '../openapi/model.ts'

/** What the description says of a collection: its fields, and what refers to what. Throws `not_found` for an unknown one. */
export function describeCollection({ collections }: ApiModel, name: string): CollectionDescription {
  const found = collections.find((collection) => collection.name === name)
  if (found === undefined) throw notFound(`No collection "${name.slice(0, 100)}" in this simulation.`)
  return { name, singular: found.singular, fields: fieldsOf(found), referredBy: referrersOf(name, collections) }
}

function fieldsOf({ schema, relations }: CollectionModel): CollectionField[] {
  const targets = new Map(relations.map(({ field, collection }) => [field.join('.'), collection]))
  return [...(schema?.fields ?? [])].map(([name, field]) => {
    const refersTo = targets.get(name)
    return {
      name,
      types: [...field.types],
      ...(field.enum !== undefined && { values: [...field.enum] }),
      ...(field.format !== undefined && { format: field.format }),
      nullable: field.nullable,
      required: schema?.required.has(name) ?? false,
      readOnly: field.readOnly,
      ...(refersTo !== undefined && { refersTo }),
    }
  })
}

function referrersOf(name: string, collections: readonly CollectionModel[]): CollectionDescription['referredBy'] {
  return collections.flatMap((other) =>
    other.relations
      .filter(({ collection }) => collection === name)
      .map(({ field }) => ({ collection: other.name, field: field.join('.') })),
  )
}
