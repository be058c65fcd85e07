import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { AnyApi, ApiTypes } from '../fixture/api-types.ts'
import { DEFAULT_TIMEOUT_MS, type SimulationOptions } from '../fixture/create/options.ts'
import { labelOf, type SimulationSource } from '../fixture/create/source.ts'
import { captureCallSite, runAt } from '../fixture/expect/call-site.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { LazySimulation } from './lazy-simulation.ts'
import { placeOf, VitestSuite } from './suite.ts'

/** Time that a hook has in addition to what creation and deletion may take, in milliseconds. */
const SPARE_MS = 5_000

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
  const atCallSite = captureCallSite(useSimulation)
  const lazy = new LazySimulation<A>(labelOf(source))
  const suite = new VitestSuite<A>(source, options)
  const timeoutMs = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) + SPARE_MS

  // Vitest reads the pattern of the first argument, so it must be destructured even where nothing is taken from it.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  beforeAll(async ({}, task) => lazy.fill(await runAt(atCallSite, () => suite.create(placeOf(task)))), timeoutMs)
  beforeEach(async ({ task, onTestFailed }) => {
    await runAt(atCallSite, () => suite.beginTest(task))
    onTestFailed(async ({ task: failed }) => suite.onTestFailed(failed))
  }, timeoutMs)
  afterAll(async () => {
    lazy.empty()
    await suite.end()
  }, timeoutMs)
  return lazy.handle
}
