import type { Runtime } from '../../runtime/runtime.ts'
import type { AccountLedger } from './ledger.ts'
import type { RequestRows } from './request-rows.ts'
import type { DueWork, OutboxChange } from './work.ts'

/** A position in a journal: the number of the last commit, and the id from the node that made it. */
export interface JournalMark {
  readonly head: number
  /** Two databases may have the same number with different commits, for example after a restore. */
  readonly tip: string
}

/** The changes of one batch of commands to a simulation. */
export interface Commit extends JournalMark {
  /** Real time of its last command, milliseconds. */
  readonly at: number
  /** A {@link Delta} as JSON, opaque to the store. */
  readonly delta: string
}

/** The whole state of a simulation at a mark. */
export interface StateAt extends JournalMark {
  readonly at: number
  /** A {@link CoreDump} as JSON. */
  readonly dump: string
}

/** A commit that must follow `from`. */
export interface Entry {
  /** Id of the simulation. */
  readonly id: string
  readonly from: JournalMark
  /** Id of the commit, with which a node finds out whether an unanswered append was saved. */
  readonly next: string
  readonly at: number
  readonly delta: string
  /** The hold for this append, which it ends. */
  readonly hold: string | null
  /** When a node runs the plan without a request, milliseconds by the store's clock; null for never. */
  readonly wakeAt: number | null
  readonly outbox: OutboxChange | null
}

/** `behind`: another commit came first. `held`: another node holds the simulation. `gone`: it was deleted. */
export type Appended = 'kept' | 'behind' | 'held' | 'gone'

/** Result of a creation. Except for `created`, nothing was changed. */
export type Created = 'created' | 'slug taken' | 'plan limit' | 'no credit'

/** A simulation, without the changes of commands. */
export interface StoredSimulation {
  readonly id: string
  /** Name of the account. */
  readonly account: string
  readonly slug: string
  /** Its input as JSON: see {@link Genesis}. */
  readonly genesis: string
  /** SHA-256 of the description's text. */
  readonly description: string
  /** The engine that generates its data. */
  readonly engine: number
}

export interface NewSimulation extends StoredSimulation {
  readonly descriptionText: string
  readonly state: StateAt
}

/** What a node lacks of a journal: the state to load, if any, then the commits to apply. */
export interface Missed {
  readonly state?: StateAt
  readonly commits: readonly Commit[]
}

/** A simulation by its id, by its slug, or one of an account by either. */
export type SimulationName =
  | { readonly id: string }
  | { readonly slug: string }
  | { readonly account: string; readonly idOrSlug: string }

/**
 * The store of simulations. Each method is one transaction, without state in a connection. Rejects with {@link
 * StoreUnavailable} where the result is unknown, with {@link StoreFull} where there is no room.
 */
export interface Store {
  /** Whether other nodes may write to it: reads must then check the head. */
  readonly isShared: boolean
  /** Offset of the store's clock from this machine's, in milliseconds. */
  readonly offsetMs: number
  /** The latest time of the store's clock that this node has read, in milliseconds: later calls return a later one. */
  readonly clockMs: number
  /** Version of its tables, if any. */
  readonly schema?: number
  /** Statements that wait for a connection, if there are several. */
  readonly waiting?: number
  readonly work: DueWork
  /** Requests to the simulations. */
  readonly requests: RequestRows
  readonly ledger: AccountLedger
  /** Saves a simulation, if its account has fewer than `most`. Subtracts the price from the account's credit. */
  create(simulation: NewSimulation, most: number, priceUsd?: number): Promise<Created>
  /** Number of an account's simulations. */
  count(account: string): Promise<number>
  find(by: SimulationName): Promise<StoredSimulation | undefined>
  /** The simulations of an account, oldest first. */
  list(account: string): Promise<readonly StoredSimulation[]>
  /** Changes after `after`; with the whole state first where the journal does not reach back, or has another commit there. */
  load(id: string, after: JournalMark | undefined): Promise<Missed | undefined>
  heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>>
  append(entries: readonly Entry[]): Promise<readonly Appended[]>
  /** Prevents others from appending for `ms`. A further call with the same `hold` restarts the time. */
  hold(id: string, from: JournalMark, hold: string, ms: number): Promise<Appended>
  /** Replaces the commits up to a state by the state, where the stored one is older. */
  compact(id: string, state: StateAt): Promise<void>
  remove(id: string): Promise<void>
  /** Notes the time of use of these simulations, by the store's clock. */
  noteUses(ids: readonly string[], at: number): Promise<void>
  /** The names of accounts with simulations. */
  owners(): Promise<readonly string[]>
  /** Removes at most `most` simulations of an account last used before then. Returns their ids. */
  removeIdle(account: string, before: number, most: number): Promise<readonly string[]>
  description(hash: string): Promise<string | undefined>
  /** Saves a state for the owner, and deletes all but the latest 100. Returns its number, from 1 on. */
  save(id: string, saved: SavedState): Promise<number>
  /** A saved state, or the range of existing numbers. */
  saved(id: string, number: number): Promise<{ readonly dump?: string; readonly first: number; readonly last: number }>
  /** Summaries of saved states, newest first. */
  listSaved(id: string): Promise<readonly { readonly number: number; readonly about: string }[]>
  close(): Promise<void>
}

export interface SavedState {
  readonly dump: string
  /** Its summary for lists, as JSON. */
  readonly about: string
}

/** Findings about a store before a service starts. */
export interface StoreFindings {
  /** Facts about it, and the changes that a start would make. */
  readonly facts: readonly string[]
  /** Settings that lose answered changes in a power failure. */
  readonly warnings: readonly string[]
}

/** Data is generated again from descriptions, so changes are only valid with the engine that generated it. */
export function checkEngines(found: { count: number; other: number } | undefined, engine: number, place: string): void {
  if (found === undefined || found.count === 0) return
  throw new Error(
    `${found.count} of its simulations are made by engine ${found.other}, and this release has engine ${engine}, which makes other data. ` +
      `Start the release that made them, or choose another ${place}.`,
  )
}

/** Throws for tables of a later release. */
export function checkVersion(version: number, known: number): void {
  if (version <= known) return
  throw new Error(
    `its tables have version ${version}, and this release reads version ${known}. Start the release that made them.`,
  )
}

/** The store did not answer: the call may have been executed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The store has no room; the call changed nothing. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
}

/** A runtime whose clock is the store's: for times that several nodes compare, whose machines may be set wrong. */
export function withClockOf(store: Store | undefined, runtime: Runtime): Runtime {
  if (store === undefined) return runtime
  const { clock } = runtime
  return { ...runtime, clock: { now: () => clock.now() + store.offsetMs, monotonic: () => clock.monotonic() } }
}
