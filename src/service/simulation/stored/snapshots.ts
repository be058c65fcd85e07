import { notFound } from '../../../protocol/errors.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { parsingJson } from '../../../protocol/parsing-json.ts'
import type { KeptSnapshot } from '../../../protocol/simulation.ts'
import { writingJson } from '../../../protocol/writing-json.ts'
import { toIso } from '../../../runtime/date-text.ts'
import type { Store } from '../../store/store.ts'
import type { CommandInput } from '../core/command.ts'
import type { CoreDump } from '../core/core-state.ts'
import { deleted, toAnswer } from '../running/command-lane-errors.ts'
import type { RunningCore } from '../running/running-core.ts'
import type { Slices } from '../slices.ts'

/** The latest 100 snapshots of one simulation; fewer where they have too many records. */
export class Snapshots {
  readonly #mostRecords: number
  readonly #kept = new Map<
    string,
    { readonly state: CoreDump; readonly about: SnapshotFacts; readonly records: number }
  >()
  #taken = 0
  #records = 0

  /** @param mostRecords most changed records of all snapshots together */
  constructor(mostRecords: number = LIMITS.snapshotRecords) {
    this.#mostRecords = mostRecords
  }

  /** Adds a state; returns the id of the snapshot. */
  add(state: CoreDump, name: string | null): string {
    const id = `${PREFIX}${++this.#taken}`
    const records = state.world.collections.reduce((sum, { positions }) => sum + positions.length, 0)
    this.#kept.set(id, { state, about: factsOf(state, name), records })
    this.#records += records
    for (const [oldest, snapshot] of this.#kept) {
      if (this.#kept.size <= LIMITS.snapshots && (this.#records <= this.#mostRecords || oldest === id)) break
      this.#kept.delete(oldest)
      this.#records -= snapshot.records
    }
    return id
  }

  /** Throws `not_found`. */
  get(id: string): CoreDump {
    const kept = this.#kept.get(id)
    if (kept !== undefined) return kept.state
    const [first = ''] = this.#kept.keys()
    throw noSnapshot(id, { first: Number(first.slice(PREFIX.length)), last: this.#taken })
  }

  /** Newest first. */
  list(): KeptSnapshot[] {
    return [...this.#kept].map(([id, { about }]) => ({ id, ...about })).toReversed()
  }

  clear(): void {
    this.#kept.clear()
    this.#records = 0
  }
}

/** The stored snapshots of one simulation. Their texts are written and read in slices. */
export class StoredSnapshots {
  readonly #simulation: string
  readonly #store: Store
  readonly #slices: Slices

  constructor(simulation: string, store: Store, slices: Slices) {
    this.#simulation = simulation
    this.#store = store
    this.#slices = slices
  }

  /** Saves a state; resolves with the id of the snapshot. */
  async add(state: CoreDump, name: string | null): Promise<string> {
    const dump = await this.#slices.finish(writingJson(state))
    const saved = { dump, about: JSON.stringify(factsOf(state, name)) }
    return `${PREFIX}${await this.#store.save(this.#simulation, saved).catch(rethrow)}`
  }

  /** Newest first. */
  async list(): Promise<KeptSnapshot[]> {
    const saved = await this.#store.listSaved(this.#simulation).catch(rethrow)
    return saved.map(({ number, about }) => ({ id: `${PREFIX}${number}`, ...(JSON.parse(about) as SnapshotFacts) }))
  }

  /** Rejects with `not_found`. */
  async get(id: string): Promise<CoreDump> {
    const number = ID.test(id) ? Number(id.slice(PREFIX.length)) : 0
    const { dump, ...range } = await this.#store.saved(this.#simulation, number).catch(rethrow)
    if (dump === undefined) throw noSnapshot(id, range)
    const state = await this.#slices.finish(parsingJson(dump, Number.POSITIVE_INFINITY))
    return (state ?? JSON.parse(dump)) as unknown as CoreDump
  }
}

/** A snapshot in lists. */
type SnapshotFacts = Omit<KeptSnapshot, 'id'>

function factsOf({ at, events }: CoreDump, name: string | null): SnapshotFacts {
  return { at: toIso(at), name, changes: events.sequence }
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

/**
 * Restores a state. Its data is prepared in slices: meanwhile requests are answered, and the plan runs. Then it is
 * taken over in one step, as soon as no other activity runs. Rejects when the simulation is deleted before.
 */
export async function restoreInSlices(running: RunningCore, state: CoreDump, slices: Slices): Promise<void> {
  const prepared = await slices.finish(running.core.world.preparing(state.world))
  while (running.phase !== 'running') {
    if (running.phase === 'closed') throw deleted()
    await running.ready
  }
  restore(running, { state, prepared })
}

/** Restores a state now. */
export function restore(running: RunningCore, putBack: Omit<CommandInput<'restore'>, 'kind'>): void {
  running.holds.end()
  running.execute({ ...putBack, kind: 'restore' })
}
