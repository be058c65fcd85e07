import type { z } from 'zod'
import { notFound } from '../../protocol/errors.ts'
import type { ManagementAnswer } from '../../protocol/management-exchange.ts'
import type { Scope } from '../account/account-options.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { type Call, param, parseBody } from './call.ts'
import { type HostedSimulation, whenReady } from './hosted-simulation.ts'
import type { ServiceParts } from './service-parts.ts'

/** What answers a call. */
export type Answer = (parts: ServiceParts, call: Call) => ManagementAnswer | Promise<ManagementAnswer>

/** One endpoint of the management API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:name` for parameters. */
  readonly path: string
  readonly answer: Answer
}

/** A call to one simulation, found by the `id` of its path. */
export interface SimulationCall extends Call {
  readonly hosted: HostedSimulation
  readonly simulation: Simulation
}

/** The scope that a method needs: reading for GET, writing for everything else. */
export function scopeOf(method: string): Scope {
  return method === 'GET' || method === 'HEAD' ? 'simulations:read' : 'simulations:write'
}

/**
 * An endpoint below one simulation. It waits for the simulation to be ready, unless `waits` is false.
 *
 * Answers 404 `not_found` when the account has no simulation of that id or slug.
 */
export function simulationRoute(
  method: Route['method'],
  path: string,
  answer: (call: SimulationCall, parts: ServiceParts) => ManagementAnswer | Promise<ManagementAnswer>,
  { waits = true }: { waits?: boolean } = {},
): Route {
  return {
    method,
    path: `/v1/simulations/:id${path}`,
    answer: async (parts, call) => {
      const hosted = getSimulation(parts, call)
      if (waits) await whenReady(hosted.simulation, parts.runtime)
      return answer({ ...call, hosted, simulation: hosted.simulation }, parts)
    },
  }
}

/**
 * An endpoint below one simulation that takes a JSON body. The body is read first: once the simulation is ready nothing
 * may come between, or a fast-forward could begin that takes back what `answer` does.
 */
export function simulationBodyRoute<Schema extends z.ZodType>(
  method: 'POST' | 'PUT',
  path: string,
  schema: Schema,
  answer: (call: SimulationCall, body: z.output<Schema>) => ManagementAnswer | Promise<ManagementAnswer>,
): Route {
  const readThenWait = async (call: SimulationCall, { runtime }: ServiceParts): Promise<ManagementAnswer> => {
    const body = await parseBody(call, schema)
    await whenReady(call.simulation, runtime)
    return answer(call, body)
  }
  return simulationRoute(method, path, readThenWait, { waits: false })
}

function getSimulation(parts: ServiceParts, call: Call): HostedSimulation {
  const id = param(call, 'id')
  const hosted = parts.simulations.find(call.account, id)
  if (hosted === undefined) throw notFound(`No simulation "${id.slice(0, 100)}" in this account.`)
  return hosted
}
