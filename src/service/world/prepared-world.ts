import type { JsonObject } from '../../protocol/json.ts'
import { CollectionState, type PositionDelta } from './collection-state.ts'
import type { CollectionStates } from './collection-states.ts'
import type { WorldDelta } from './journal.ts'

/** Records read or written between two pauses. */
const AT_ONCE = 2_000

type Singletons = Map<string, JsonObject | null>

/** A prepared state of a world, not yet in use. */
export interface PreparedWorld {
  readonly collections: ReadonlyMap<string, CollectionState>
  readonly singletons: Singletons
}

/** All differences from the dataset, with pauses. The world must not change meanwhile. */
export function* dumpingWorld(states: CollectionStates, singletons: Singletons): Generator<undefined, WorldDelta> {
  const collections: WorldDelta['collections'][number][] = []
  for (const [name, state] of states.opened()) {
    const positions: PositionDelta[] = []
    for (const position of state.changed()) {
      positions.push(state.deltaOf(position))
      if (positions.length % AT_ONCE === 0) yield
    }
    if (state.created > 0 || positions.length > 0) collections.push({ name, created: state.created, positions })
  }
  return { fromStart: true, collections, singletons: [...singletons] }
}

/** Prepares the state of a dump, with pauses, without changing the world. */
export function* preparingWorld(delta: WorldDelta, states: CollectionStates): Generator<undefined, PreparedWorld> {
  const collections = new Map<string, CollectionState>()
  for (const { name, created, positions } of delta.collections) {
    const state = new CollectionState(states.state(name).table)
    let put = 0
    for (const position of positions) {
      state.restore(position)
      if (++put % AT_ONCE === 0) yield
    }
    state.created = created
    collections.set(name, state)
  }
  return { collections, singletons: new Map(delta.singletons) }
}
