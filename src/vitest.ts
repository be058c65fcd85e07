/**
 * Simulations in Vitest suites.
 *
 * @module
 */
import type { AnyApi, ApiTypes } from './fixture/api-types.ts'
import type { SimulationOptions } from './fixture/create/options.ts'
import type { SimulationSource } from './fixture/create/source.ts'
import { captureCallSite } from './fixture/expect/call-site.ts'
import type { Simulation } from './fixture/simulation.ts'
import { useSimulationHooks } from './vitest/use-simulation.ts'

export { simulation, simulationTest } from './vitest/simulation-fixture.ts'

/**
 * Gives a test file, or a `describe`, a simulation of its own: created before its first test, deleted after its last,
 * also when a test or a hook fails. Read the handle inside tests and hooks.
 *
 * @example
 * const crm = useSimulation('crm')
 *
 * it('says when a contact is deleted', async () => {
 *   const [contact] = await crm.records<{ id: string }>('contacts')
 *   await crm.fetch(`/contacts/${contact?.id}`, { method: 'DELETE' })
 *   await crm.expectWebhook('contact.deleted')
 * })
 */
export function useSimulation<A extends ApiTypes = AnyApi>(
  source: SimulationSource,
  options: SimulationOptions = {},
): Simulation<A> {
  return useSimulationHooks<A>(source, options, captureCallSite(useSimulation))
}

/** {@link useSimulation} by a name that linters for React hooks let stand at the top level of a file. */
export const setupSimulation: typeof useSimulation = useSimulation

export type { AnyApi, ApiTypes } from './fixture/api-types.ts'
export type { SimulationOptions } from './fixture/create/options.ts'
export type { SimulationSource } from './fixture/create/source.ts'
export type { Simulation } from './fixture/simulation.ts'
export type { Snapshot } from './fixture/simulation-parts.ts'
export type { ReceivedWebhook } from './sink/received-webhook.ts'
