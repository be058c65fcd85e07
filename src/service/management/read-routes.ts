import { recordsQuery } from '../../protocol/reads.ts'
import { param, parseQuery } from './call.ts'
import { streamEvents } from './event-stream.ts'
import { json } from './respond.ts'
import { type Route, simulationRoute } from './route.ts'

/** What a simulation holds and has done: records, events, requests. */
export const READ_ROUTES: readonly Route[] = [
  simulationRoute('GET', '/records/:collection', (call) =>
    json(call.simulation.records(param(call, 'collection'), parseQuery(call, recordsQuery))),
  ),
  simulationRoute('GET', '/events', ({ simulation }) => json({ data: simulation.events() })),
  simulationRoute('GET', '/logs', ({ simulation }) => json({ data: simulation.logs() })),
  simulationRoute('GET', '/events/stream', (call, { runtime }) => streamEvents(call, runtime)),
]
