import type { JsonObject } from '../../src/protocol/json.ts'
import type { Runtime } from '../../src/runtime/runtime.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import type { ApiRequest } from '../../src/service/simulated-api/exchange.ts'
import { Blueprint } from '../../src/service/simulation/origin/blueprint.ts'
import { Simulation } from '../../src/service/simulation/simulation.ts'
import { Slices } from '../../src/service/simulation/slices.ts'
import type { Store } from '../../src/service/store/store.ts'
import type { StoreOptions } from '../../src/service/store/store-options.ts'
import { openStoreParts } from '../../src/service/store/store-parts.ts'
import { ReachableAddresses } from '../../src/service/webhooks/reachable-addresses.ts'
import { describeThings } from '../simulation/resource.ts'

const KEY = 'svc_sim_nodes_key_0000'
const ID = '11111111-1111-4111-8111-111111111111'

const blueprint = new Blueprint(
  readDescription(
    describeThings({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', readOnly: true },
        name: { type: 'string' },
        value: { type: 'integer' },
      },
    }),
  ),
)

const PLAN = [
  { name: 'new', everySeconds: 3_600, steps: [{ kind: 'create' as const, collection: 'things', count: 1 }] },
]

function build(runtime: Runtime): Simulation {
  return new Simulation({
    id: ID,
    name: 'things',
    slug: 'things',
    blueprint,
    plan: PLAN,
    volume: { things: 3 },
    runtime,
    slices: new Slices(runtime.clock),
    reachable: new ReachableAddresses(),
    access: { ipRestrictionEnabled: false, ipAllowlist: [] },
    createdAt: Date.UTC(2026, 0, 5),
    isStored: true,
  })
}

/** One node's simulation, with the simulated API as calls. */
export interface NodeUnderTest {
  readonly simulation: Simulation
  call(method: string, path: string, body?: JsonObject): Promise<{ status: number; body: JsonObject }>
}

/** Puts a simulation of `things` into a store. */
export async function createIn(store: Store, runtime: Runtime): Promise<void> {
  const simulation = build(runtime)
  simulation.issueKey('test', KEY)
  const state = { head: 0, tip: 'start', at: simulation.createdAt, dump: JSON.stringify(simulation.dump()) }
  const made = { id: ID, account: 'first', slug: 'things', genesis: '{}', description: 'hash', engine: 1 }
  await store.create({ ...made, descriptionText: '', state }, 1)
  await simulation.close()
}

/** Loads it as a node does. */
export async function openNode(store: Store, runtime: Runtime, options?: StoreOptions): Promise<NodeUnderTest> {
  const simulation = build(runtime)
  const missed = await store.load(ID, undefined)
  const mark = missed && simulation.takeOver(missed)
  if (mark === undefined) throw new Error('Failed to load the simulation: the store has none.')
  simulation.keepIn(openStoreParts(store, runtime, options), mark, missed?.state?.dump.length ?? 0)
  return {
    simulation,
    call: async (method, path, body) => {
      const request = toRequest(method, path, body)
      const { response } = await simulation.run(() => simulation.requests.handle(request))
      return { status: response.status, body: JSON.parse(String(response.body ?? '{}')) as JsonObject }
    },
  }
}

function toRequest(method: string, target: string, body: JsonObject | undefined): ApiRequest {
  const [path = '', query = ''] = target.split('?')
  return {
    method,
    path,
    query,
    headers: { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(body)),
    ip: '127.0.0.1',
    origin: 'http://127.0.0.1',
  }
}
