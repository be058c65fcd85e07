import type { SimulationDetail, SimulationSummary } from '../../protocol/simulation.ts'
import { toIso } from '../../runtime/date-text.ts'
import type { HostedSimulation } from './hosted-simulation.ts'

/** What the list shows of a simulation, to a caller that used `origin`. */
export function summariseSimulation({ simulation, address }: HostedSimulation, origin: string): SimulationSummary {
  return {
    id: simulation.id,
    name: simulation.name,
    slug: simulation.slug,
    status: simulation.status(),
    url: address.urlFor(origin),
    createdAt: toIso(simulation.createdAt),
  }
}

/** Everything about a simulation (specification, Simulation). */
export function describeSimulation(hosted: HostedSimulation, origin: string): SimulationDetail {
  const { simulation, address } = hosted
  const { title, version, basePath, operations, warnings } = simulation.model
  return {
    ...summariseSimulation(hosted, origin),
    api: { title, version, basePath, operations: operations.length, warnings: [...warnings] },
    collections: simulation.collections(),
    events: simulation.eventKinds(),
    behaviour: simulation.plan(),
    access: simulation.access(),
    keys: simulation.keyPrefixes(),
    rules: simulation.rules(),
    webhooks: simulation.webhooks.list(),
    instructions: simulation.instructions ?? null,
    seed: simulation.seed,
    epoch: toIso(simulation.epoch),
    ...(address.ca === undefined ? {} : { ca: address.ca }),
  }
}
