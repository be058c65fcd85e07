import { notFound } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { CollectionDescription, CollectionField, KeptRecord } from '../../protocol/record-edit.ts'
import type { ApiModel, CollectionModel } from '../openapi/model.ts'
import type { RecordEdit } from '../simulation/core/edit-record.ts'
import { readInSlices } from '../simulation/running/request-reads.ts'
import type { AtOnce, EndpointCall, Handlers } from './handlers.ts'

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

  createRecord: (call) => {
    const { collection } = call.parameters
    return edit(call, { kind: 'create', collection, fields: call.body as JsonObject })
  },
  replaceRecord: (call) => edit(call, { kind: 'replace', ...placeOf(call), fields: call.body as JsonObject }),
  updateRecord: (call) => edit(call, { kind: 'update', ...placeOf(call), fields: call.body as JsonObject }),
  revertRecord: (call) => edit(call, { kind: 'revert', ...placeOf(call) }),
  removeRecord: (call) => edit(call, { kind: 'remove', ...placeOf(call) }),
  triggerEvent: ({ simulation, body: { type, fields = {} }, query }) => {
    const trigger = { type, fields: fields as JsonObject }
    return simulation.execute({ kind: 'trigger-event', trigger, isQuiet: query.quiet === 'true' })
  },
} satisfies Partial<AtOnce>

const placeOf = ({ parameters }: Pick<EndpointCall<'removeRecord'>, 'parameters'>) => ({
  collection: parameters.collection,
  id: parameters.recordId,
})

/** Changes a record. Returns it; a deletion has no answer. */
const edit = ({ simulation, query }: Pick<EndpointCall<'removeRecord'>, 'simulation' | 'query'>, asked: RecordEdit) =>
  simulation.execute({ kind: 'edit-record', edit: asked, isQuiet: query.quiet === 'true' }) as KeptRecord

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
