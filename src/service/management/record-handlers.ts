import type { JsonObject } from '../../protocol/json.ts'
import { describeCollection } from './describe-collection.ts'
import type { AtOnce } from './handlers.ts'

/** Endpoints of the records of a simulation, past the simulated API. */
export const RECORD_HANDLERS = {
  readRecords: ({ simulation, parameters, query }) => simulation.records.page(parameters.collection, query),

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

  removeRecord: ({ simulation, parameters: { collection, recordId }, query }) =>
    simulation.records.remove(collection, recordId, query.quiet === 'true'),

  triggerEvent: ({ simulation, body: { type, fields = {} }, query }) =>
    simulation.records.trigger({ type, fields: fields as JsonObject }, query.quiet === 'true'),
} satisfies Partial<AtOnce>
