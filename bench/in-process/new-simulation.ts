import { loadEntry } from '../../src/library/built-in-entries.ts'
import type { NewBehaviourRule } from '../../src/protocol/behaviour.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { type EntryParts, toEntryParts } from '../../src/service/management/entry-parts.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { type ApiRequest, toText } from '../../src/service/simulated-api/exchange.ts'
import { Blueprint } from '../../src/service/simulation/origin/blueprint.ts'
import type { LoggedAnswer } from '../../src/service/simulation/requests/request-log.ts'
import { Simulation } from '../../src/service/simulation/simulation.ts'
import { Slices } from '../../src/service/simulation/slices.ts'
import { ReachableAddresses } from '../../src/service/webhooks/reachable-addresses.ts'
import { LongRead, runToEnd } from '../../src/service/world/long-reads.ts'

/** The key of every simulation of the benches. */
export const KEY = 'svc_sim_0123456789abcdef'

const reachable = new ReachableAddresses()

/** Parsed data that simulations share. */
export interface Source extends Partial<EntryParts> {
  readonly blueprint: Blueprint
  readonly plan: NewBehaviourRule[]
  readonly volume: Record<string, number>
  readonly seedRecords?: Readonly<Record<string, readonly JsonObject[]>>
}

/** The library entry `task-tracker`, read. */
export const readTaskTracker = (): Promise<Source> => readEntry('task-tracker')

/** A library entry, read. */
export async function readEntry(slug: string): Promise<Source> {
  const entry = await loadEntry(slug)
  if (entry === undefined) throw new Error(`Failed to find library entry "${slug}".`)
  const { openapi, behaviour: plan, volume, seed: seedRecords } = entry
  const blueprint = new Blueprint(readDescription(openapi))
  return { blueprint, plan, volume, ...(await toEntryParts(entry)), ...(seedRecords && { seedRecords }) }
}

/** A simulation as the service makes it, without its port. */
export function newSimulation(source: { blueprint: Blueprint } & Partial<Source>, seed?: string): Simulation {
  const simulation = new Simulation({
    id: systemRuntime.uuid(),
    name: 'bench',
    slug: 'bench',
    ...source,
    seed,
    runtime: systemRuntime,
    slices: new Slices(systemRuntime.clock),
    reachable,
    access: { ipRestrictionEnabled: true, ipAllowlist: ['127.0.0.1'] },
  })
  simulation.issueKey('bench', KEY)
  return simulation
}

/** A request as the listener hands it over. */
export function toRequest(method: string, path: string, body?: JsonObject): ApiRequest {
  const [bare = '', query = ''] = path.split('?')
  return {
    method,
    path: bare,
    query,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body)),
    ip: '127.0.0.1',
    origin: 'http://127.0.0.1:4010',
  }
}

/** The JSON response of the simulated API. Throws for an error response. */
export function answerTo(simulation: Simulation, method: string, path: string, body?: JsonObject): JsonObject {
  const { status, body: text } = answer(simulation, toRequest(method, path, body)).response
  if (status > 299) throw new Error(`Failed to ${method} ${path}: ${status} ${text}`)
  return (text === null ? {} : JSON.parse(toText(text))) as JsonObject
}

/** Answers a request, long reads included, at once. */
function answer(simulation: Simulation, request: ApiRequest, read?: LongRead): LoggedAnswer {
  try {
    return simulation.requests.handle(request, { read })
  } catch (error) {
    if (!(error instanceof LongRead)) throw error
    runToEnd(error.run)
    return answer(simulation, request, error)
  }
}
