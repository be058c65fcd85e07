import { notFound } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { CoreDump } from './core-state.ts'

/** The snapshots of one simulation, the latest 100. */
export class Snapshots {
  readonly #kept = new Map<string, CoreDump>()
  #taken = 0

  /** Keeps a state; returns the id of the snapshot. */
  add(state: CoreDump): string {
    const id = `snap_${++this.#taken}`
    this.#kept.set(id, state)
    if (this.#kept.size > LIMITS.snapshots) this.#kept.delete(`snap_${this.#taken - LIMITS.snapshots}`)
    return id
  }

  /** Throws `not_found`. */
  get(id: string): CoreDump {
    const state = this.#kept.get(id)
    if (state !== undefined) return state
    const [first] = this.#kept.keys()
    const range = first === undefined ? 'none was taken' : `${first} to snap_${this.#taken} are kept`
    throw notFound(`No snapshot "${id.slice(0, 100)}" of this simulation: ${range}.`)
  }

  clear(): void {
    this.#kept.clear()
  }
}
