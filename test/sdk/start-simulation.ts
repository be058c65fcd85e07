import { readFileSync } from 'node:fs'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import { startService } from '../../src/service/start.ts'
import { DESCRIPTIONS } from '../descriptions.ts'

/** A running simulation of one of the real descriptions. */
export interface RunningSimulation {
  readonly url: string
  readonly key: string
  close(): Promise<void>
}

/** Starts a service with one simulation of the description in `file`, for an SDK to be pointed at. */
export async function startSimulation(file: string): Promise<RunningSimulation> {
  const service = await startService()
  const response = await fetch(`${service.url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ spec: readFileSync(`${DESCRIPTIONS}${file}`, 'utf8'), seed: 'sdk' }),
  })
  const { url, apiKey } = (await response.json()) as CreatedSimulation
  return { url, key: apiKey, close: () => service.close() }
}
