import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { ApiOf, ApiTypes } from '../fixture/api-types.ts'
import { labelOf, type SimulationSource } from '../fixture/create/source.ts'
import { captureCallSite, errorsAt, runAt } from '../fixture/expect/call-site.ts'
import { DEFAULT_TIMEOUT_MS, type OptionsOf } from '../fixture/options.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { SimulationError } from '../fixture/simulation-error.ts'
import { placeOf, VitestSuite } from './suite.ts'
import { explainRunner } from './this-vitest.ts'

/** Time of a hook beyond the limits of creation and deletion, in milliseconds. */
const SPARE_MS = 5_000

/**
 * Gives a test file, or a `describe`, its own simulation: created before its first test, deleted after its last, even
 * when a test or a hook fails. Read the handle inside tests and hooks.
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
export function useSimulation<A extends ApiTypes = never, const S extends SimulationSource = SimulationSource>(
  source: S,
  options: NoInfer<OptionsOf<ApiOf<A, S>>> = {},
): Simulation<ApiOf<A, S>> {
  const atCallSite = captureCallSite(useSimulation)
  const label = errorsAt(atCallSite, () => labelOf(source))
  if (isInsideTest()) throw atCallSite(misplaced(label))
  const lazy = new LazySimulation<ApiOf<A, S>>(label)
  const suite = new VitestSuite<ApiOf<A, S>>(source, options)
  const timeoutMs = (options.timeoutMs ?? DEFAULT_TIMEOUT_MS) + SPARE_MS

  // Vitest reads the pattern of the first argument, so it must be destructured, even to nothing.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  const create = async ({}, task: Parameters<typeof placeOf>[0]) =>
    lazy.fill(await runAt(atCallSite, () => suite.create(placeOf(task))))
  try {
    beforeAll(create, timeoutMs)
  } catch (error) {
    throw atCallSite(explainRunner(error))
  }
  beforeEach(async ({ task, onTestFailed }) => {
    await runAt(atCallSite, () => suite.beginTest(task))
    onTestFailed(async ({ task: failed }) => suite.onTestFailed(failed), suite.reportTimeoutMs)
    return () => suite.endTest(task)
  }, timeoutMs)
  afterAll(async () => {
    lazy.empty()
    await suite.end()
  }, timeoutMs)
  return lazy.handle
}

/** Vitest accepts a test's hooks only inside tests, and has no other public way to find out. */
function isInsideTest(): boolean {
  try {
    onTestFinished(() => undefined)
    return true
  } catch {
    return false
  }
}

function misplaced(label: string): SimulationError {
  return new SimulationError(
    `Failed to use simulation "${label}": \`useSimulation\` was called inside a test. Call it at the top of the file or of a \`describe\`; inside a test write \`await using simulation = await createSimulation(...)\`, from "backlot".`,
  )
}

/** Properties that runners and printers read on any value: these reads must not fail. */
const PROBES = new Set(['then', 'toJSON', 'asymmetricMatch', '$$typeof', 'nodeType', 'constructor'])

/** A simulation that can be passed around at once, and read after a hook has created it. */
class LazySimulation<A extends ApiTypes> {
  /** Behaves like the simulation once it is created. */
  readonly handle: Simulation<A>
  readonly #label: string
  #current: Simulation<A> | undefined
  #wasThere = false

  constructor(label: string) {
    this.#label = label
    const get = (_: object, property: PropertyKey): unknown => this.#read(property, get)
    this.handle = new Proxy<Simulation<A>>(Object.create(null), {
      get,
      has: (_, property) => this.#current !== undefined && Reflect.has(this.#current, property),
      set: (_, property) => {
        throw new SimulationError(`Failed to set \`${String(property)}\` of simulation "${label}": it is read-only.`)
      },
      ownKeys: () => (this.#current === undefined ? [] : Reflect.ownKeys(this.#current)),
      getOwnPropertyDescriptor: (_, property) => {
        if (this.#current === undefined || !Object.hasOwn(this.#current, property)) return undefined
        return { value: this.#read(property, get), enumerable: true, configurable: true, writable: false }
      },
      getPrototypeOf: () => (this.#current === undefined ? Object.prototype : Object.getPrototypeOf(this.#current)),
    })
  }

  fill(simulation: Simulation<A>): void {
    this.#current = simulation
  }

  empty(): void {
    this.#wasThere ||= this.#current !== undefined
    this.#current = undefined
  }

  /** @param trap the function that a failure leaves out, with those below it */
  #read(property: PropertyKey, trap: (...args: never[]) => unknown): unknown {
    if (this.#current === undefined) {
      if (typeof property === 'symbol' || PROBES.has(String(property))) return undefined
      throw captureCallSite(trap)(this.#notThere(property))
    }
    return Reflect.get(this.#current, property, this.#current)
  }

  #notThere(property: PropertyKey): SimulationError {
    const why = this.#wasThere
      ? 'it has been deleted. Register an `afterAll` that reads it after `useSimulation`, so that it runs first.'
      : 'it has not been created yet. Read it inside a test or hook, and call `useSimulation` outside of them.'
    return new SimulationError(`Failed to read \`${String(property)}\` of simulation "${this.#label}": ${why}`)
  }
}
