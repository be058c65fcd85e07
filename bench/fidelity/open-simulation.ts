import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import type { Service } from '../../src/service/start.ts'
import type { World } from '../../src/service/world/world.ts'
import { type Answer, parseJson, request } from './http.ts'
import { SampleRequests } from './sample-requests.ts'
import { SimulationClient } from './simulation-client.ts'

/** What every simulation of one description is made from. */
export interface Subject {
  /** The description as it is uploaded. */
  readonly text: string
  readonly model: ApiModel
  /** The data that a new simulation begins with. */
  readonly world: World
  readonly seed: string
  readonly epoch: number
  readonly volume: Readonly<Record<string, number>>
}

/** Runs `use` with a client of a new simulation, which is deleted afterwards. */
export async function withSimulation<T>(
  service: Service,
  { text, model, world, seed, epoch, volume }: Subject,
  use: (client: SimulationClient) => Promise<T>,
): Promise<T> {
  const created = await manage(service, 'POST', '/v1/simulations', {
    spec: text,
    seed,
    epoch: new Date(epoch).toISOString(),
    volume: { ...volume },
    lenientParents: true,
  })
  if (created.status !== 201 || !isJsonObject(created.json)) {
    throw new Error(`creation answered ${created.status} ${JSON.stringify(created.json).slice(0, 300)}`)
  }
  const { id, url, apiKey } = created.json as { id: string; url: string; apiKey: string }
  try {
    return await use(new SimulationClient({ model, url, key: apiKey, requests: new SampleRequests(world) }))
  } finally {
    await manage(service, 'DELETE', `/v1/simulations/${id}`)
  }
}

async function manage(service: Service, method: string, path: string, body?: Json): Promise<Answer> {
  const response = await request(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, json: parseJson(await response.text()) }
}
