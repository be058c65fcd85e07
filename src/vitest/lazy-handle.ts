import type { Simulation } from '../fixture/simulation.ts'
import { SimulationError } from '../fixture/simulation-error.ts'

/** A simulation that is named before it exists, and what fills it. */
export interface LazyHandle {
  /** Behaves like the simulation once there is one. */
  handle: Simulation
  set(simulation: Simulation | undefined): void
  get(): Simulation | undefined
}

/** Reads that runners and printers make on any value: they must not fail. */
const PROBES = new Set(['then', 'toJSON', 'asymmetricMatch', '$$typeof', 'nodeType', 'constructor'])

/** A handle for `label` that can be passed around at once, and read as soon as a hook has created the simulation. */
export function createLazyHandle(label: string): LazyHandle {
  let current: Simulation | undefined
  let wasThere = false
  let bound = new Map<PropertyKey, unknown>()
  const read = (property: PropertyKey): unknown => {
    if (current === undefined) {
      if (typeof property === 'symbol' || PROBES.has(String(property))) return undefined
      const why = wasThere
        ? 'it has been deleted. Register an `afterAll` that reads it after `useSimulation`, so that it runs first.'
        : 'it has not been created yet. Read it inside a test or hook.'
      throw new SimulationError(`Failed to read \`${String(property)}\` of simulation "${label}": ${why}`)
    }
    const value: unknown = Reflect.get(current, property, current)
    if (typeof value !== 'function') return value
    const method = bound.get(property) ?? value.bind(current)
    bound.set(property, method)
    return method
  }
  const handle = new Proxy(Object.create(null) as Simulation, {
    get: (_, property) => read(property),
    has: (_, property) => current !== undefined && Reflect.has(current, property),
    set: (_, property) => {
      throw new SimulationError(`Failed to set \`${String(property)}\` of simulation "${label}": it is read-only.`)
    },
    ownKeys: () => (current === undefined ? [] : Reflect.ownKeys(current)),
    getOwnPropertyDescriptor: (_, property) => {
      if (current === undefined || !Object.hasOwn(current, property)) return undefined
      return { value: read(property), enumerable: true, configurable: true, writable: false }
    },
    getPrototypeOf: () => (current === undefined ? Object.prototype : Object.getPrototypeOf(current)),
  })
  return {
    handle,
    set: (simulation) => {
      wasThere ||= current !== undefined
      current = simulation
      bound = new Map()
    },
    get: () => current,
  }
}
