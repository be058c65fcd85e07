import { onTestFinished } from 'vitest'
import { createSimulationIn } from '../../src/fixture/create/create-simulation.ts'
import type { SimulationSource } from '../../src/fixture/create/source.ts'
import type { SimulationOptions } from '../../src/fixture/options.ts'
import { thisProcess } from '../../src/fixture/run/test-process.ts'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import { type Service, type ServiceOptions, startService } from '../../src/service.ts'

/** A service that is closed when the test is over, with short ways to its management API (no socket). */
export async function startForTest(options: ServiceOptions = {}) {
  const service = await startService(options)
  onTestFinished(() => service.close())
  const call = callerOf(service)
  const create = async (body: object = { library: 'task-tracker' }): Promise<CreatedSimulation> => {
    const answer = await call('POST', '/v1/simulations', body)
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  /** The service ends with this process: `shared` starts no other process that deletes what a killed one leaves. */
  const simulate = (source: SimulationSource, simulation: SimulationOptions = {}) => {
    const address = { baseUrl: service.url, accountKey: service.accountKey, shared: true }
    const environment = { ...thisProcess.environment, service: address }
    return createSimulationIn({ process: thisProcess, environment }, source, simulation)
  }
  return { service, call, create, simulate }
}

/** Calls the management API of a service with its first account's key. */
export function callerOf(service: Service) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await service.fetch(
      new Request(service.url + path, {
        method,
        headers: { authorization: `Bearer ${service.accountKey}`, ...json, ...headers },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    )
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
}
