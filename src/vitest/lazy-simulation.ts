import type { ApiTypes } from '../fixture/api-types.ts'
import type { Simulation } from '../fixture/simulation.ts'
import { SimulationError } from '../fixture/simulation-error.ts'

/** Reads that runners and printers make on any value: they must not fail. */
const PROBES = new Set(['then', 'toJSON', 'asymmetricMatch', '$$typeof', 'nodeType', 'constructor'])

/** A simulation that can be passed around at once, and read as soon as a hook has created it. */
export class LazySimulation<A extends ApiTypes> {
  /** Behaves like the simulation once there is one. */
  readonly handle: Simulation<A>
  readonly #label: string
  #current: Simulation<A> | undefined
  #wasThere = false
  #bound = new Map<PropertyKey, unknown>()

  constructor(label: string) {
    this.#label = label
    this.handle = new Proxy(Object.create(null) as Simulation<A>, {
      get: (_, property) => this.#read(property),
      has: (_, property) => this.#current !== undefined && Reflect.has(this.#current, property),
      set: (_, property) => {
        throw new SimulationError(`Failed to set \`${String(property)}\` of simulation "${label}": it is read-only.`)
      },
      ownKeys: () => (this.#current === undefined ? [] : Reflect.ownKeys(this.#current)),
      getOwnPropertyDescriptor: (_, property) => {
        if (this.#current === undefined || !Object.hasOwn(this.#current, property)) return undefined
        return { value: this.#read(property), enumerable: true, configurable: true, writable: false }
      },
      getPrototypeOf: () => (this.#current === undefined ? Object.prototype : Object.getPrototypeOf(this.#current)),
    })
  }

  fill(simulation: Simulation<A>): void {
    this.#current = simulation
    this.#bound = new Map()
  }

  empty(): void {
    this.#wasThere ||= this.#current !== undefined
    this.#current = undefined
  }

  #read(property: PropertyKey): unknown {
    if (this.#current === undefined) {
      if (typeof property === 'symbol' || PROBES.has(String(property))) return undefined
      throw this.#notThere(property)
    }
    const value: unknown = Reflect.get(this.#current, property, this.#current)
    if (typeof value !== 'function') return value
    const method = this.#bound.get(property) ?? value.bind(this.#current)
    this.#bound.set(property, method)
    return method
  }

  #notThere(property: PropertyKey): SimulationError {
    const why = this.#wasThere
      ? 'it has been deleted. Register an `afterAll` that reads it after `useSimulation`, so that it runs first.'
      : 'it has not been created yet. Read it inside a test or hook.'
    return new SimulationError(`Failed to read \`${String(property)}\` of simulation "${this.#label}": ${why}`)
  }
}
