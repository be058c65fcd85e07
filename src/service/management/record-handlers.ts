import { notFound } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { CollectionDescription, CollectionField } from '../../protocol/record-edit.ts'
import type { ApiModel, CollectionModel } from '../openapi/model.ts'
import { readInSlices } from '../simulation/running/request-reads.ts'
import type { AtOnce, Handlers } from './handlers.ts'

/** Endpoints that may read many records or operations: in slices, so that other requests are answered meanwhile. */
export const RECORD_LIST_HANDLERS = {
  listOperations: async ({ simulation }, { slices }) => {
    const { summarising } = await import('../simulated-api/inspect-model.ts')
    return { data: await slices.finish(summarising(simulation.api)) }
  },

  readRecords: ({ simulation, left, parameters: { collection }, query }) =>
    readInSlices({ simulation, left }, (read) => simulation.records.page(collection, query, read)),

  countValues: ({ simulation, left, parameters: { collection }, query: { field } }) =>
    readInSlices({ simulation, left }, (read) => simulation.records.countValues(collection, field, read)),
} satisfies Partial<Handlers>

/** Endpoints of a simulation's records, without the simulated API. */
export const RECORD_HANDLERS = {
  readRecord: ({ simulation, parameters }) => simulation.records.read(parameters.collection, parameters.recordId),

  describeCollection: ({ simulation, parameters }) => describeCollection(simulation.model, parameters.collection),

  createRecord: ({ simulation, parameters: { collection }, body, query }) =>
    simulation.records.write({ kind: 'create', collection, fields: body as JsonObject }, query.quiet === 'true'),

  replaceRecord: ({ simulation, parameters: { collection, recordId }, body, query }) => {
    const edit = { kind: 'replace', collection, id: recordId, fields: body as JsonObject } as const
    return simulation.records.write(edit, query.quiet === 'true')
  },

  updateRecord: ({ simulation, parameters: { collection, recordId }, body, query }) => {
    const edit = { kind: 'update', collection, id: recordId, fields: body as JsonObject } as const
    return simulation.records.write(edit, query.quiet === 'true')
  },

  revertRecord: ({ simulation, parameters: { collection, recordId }, query }) =>
    simulation.records.write({ kind: 'revert', collection, id: recordId }, query.quiet === 'true'),

  removeRecord: ({ simulation, parameters: { collection, recordId }, query }) =>
    simulation.records.remove(collection, recordId, query.quiet === 'true'),

  triggerEvent: ({ simulation, body: { type, fields = {} }, query }) =>
    simulation.records.trigger({ type, fields: fields as JsonObject }, query.quiet === 'true'),
} satisfies Partial<AtOnce>

/** The description of a collection: its fields, and the references from and to it. Throws `not_found` for an unknown one. */
function describeCollection({ collections }: ApiModel, name: string): CollectionDescription {
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
