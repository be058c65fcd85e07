import type { JsonObject } from '../../protocol/json.ts'
import { summariseOperations } from '../openapi/summarise-operations.ts'
import { readInSlices } from '../simulation/read-in-slices.ts'
import { describeCollection } from './describe-collection.ts'
import type { AtOnce, Handlers } from './handlers.ts'

/** Endpoints that may look at many records: in slices, so that other requests are answered meanwhile. */
export const RECORD_LIST_HANDLERS = {
  readRecords: ({ simulation, left, parameters: { collection }, query }) =>
    readInSlices({ simulation, left }, (read) => simulation.records.page(collection, query, read)),

  countValues: ({ simulation, left, parameters: { collection }, query: { field } }) =>
    readInSlices({ simulation, left }, (read) => simulation.records.countValues(collection, field, read)),
} satisfies Partial<Handlers>

/** Endpoints of the records of a simulation, past the simulated API. */
export const RECORD_HANDLERS = {
  readRecord: ({ simulation, parameters }) => simulation.records.read(parameters.collection, parameters.recordId),

  listOperations: ({ simulation }) => ({ data: summariseOperations(simulation.model) }),

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
