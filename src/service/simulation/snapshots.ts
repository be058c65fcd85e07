import { notFound } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Store } from '../store/store.ts'
import { toAnswer } from './command-lane-errors.ts'
import type { CoreDump } from './core-state.ts'

/** The snapshots of one simulation, the latest 100. */
export class Snapshots {
  readonly #kept = new Map<string, CoreDump>()
  #taken = 0

  /** Keeps a state; returns the id of the snapshot. */
  add(state: CoreDump): string {
    const id = `${PREFIX}${++this.#taken}`
    this.#kept.set(id, state)
    if (this.#kept.size > LIMITS.snapshots) this.#kept.delete(`${PREFIX}${this.#taken - LIMITS.snapshots}`)
    return id
  }

  /** Throws `not_found`. */
  get(id: string): CoreDump {
    const state = this.#kept.get(id)
    if (state !== undefined) return state
    const [first = ''] = this.#kept.keys()
    throw noSnapshot(id, { first: Number(first.slice(PREFIX.length)), last: this.#taken })
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** The snapshots of one simulation in a store. */
export class StoredSnapshots {
  readonly #simulation: string
  readonly #store: Store

  constructor(simulation: string, store: Store) {
    this.#simulation = simulation
    this.#store = store
  }

  /** Keeps a state; resolves with the id of the snapshot when it is kept. */
  async add(state: CoreDump): Promise<string> {
    const dump = JSON.stringify(state)
    return `${PREFIX}${await this.#store.save(this.#simulation, dump).catch(rethrow)}`
  }

  /** Rejects with `not_found`. */
  async get(id: string): Promise<CoreDump> {
    const number = ID.test(id) ? Number(id.slice(PREFIX.length)) : 0
    const { dump, ...range } = await this.#store.saved(this.#simulation, number).catch(rethrow)
    if (dump === undefined) throw noSnapshot(id, range)
    return JSON.parse(dump) as CoreDump
  }
}

function rethrow(error: unknown): never {
  throw toAnswer(error)
}

const PREFIX = 'snap_'
const ID = /^snap_[1-9]\d{0,14}$/

function noSnapshot(id: string, { first, last }: { first: number; last: number }): Error {
  const range = last === 0 ? 'none was taken' : `${PREFIX}${first} to ${PREFIX}${last} are kept`
  return notFound(`No snapshot "${id.slice(0, 100)}" of this simulation: ${range}.`)
}
