import type { AccountLedger } from './ledger.ts'
import type { RequestRows } from './request-rows.ts'
import type { DueWork, OutboxChange } from './work.ts'

/** Where a journal stands: the number of its last commit, and the id that the node gave to that commit. */
export interface JournalMark {
  readonly head: number
  /** Two databases may have the same number with other commits behind it: one that was put back, say. */
  readonly tip: string
}

/** What one batch of commands made of a simulation. */
export interface Commit extends JournalMark {
  /** Real time of its last command, milliseconds. */
  readonly at: number
  /** A {@link Delta} as JSON: a store does not look into it. */
  readonly delta: string
}

/** The whole state of a simulation at a mark. */
export interface StateAt extends JournalMark {
  readonly at: number
  /** A {@link CoreDump} as JSON. */
  readonly dump: string
}

/** A commit that is to follow on `from`. */
export interface Entry {
  /** Of the simulation. */
  readonly id: string
  readonly from: JournalMark
  /** Id of the commit: by it a node finds out whether an append without an answer was kept. */
  readonly next: string
  readonly at: number
  readonly delta: string
  /** The hold under which it is appended, which ends then. */
  readonly hold: string | null
  /** When a node runs the plan by itself, without a request, milliseconds by the store's clock; null for never. */
  readonly wakeAt: number | null
  readonly outbox: OutboxChange | null
}

/** `behind`: another commit was first. `held`: another node holds the simulation. `gone`: it was deleted. */
export type Appended = 'kept' | 'behind' | 'held' | 'gone'

/** What became of a creation. Where it is not `created`, nothing was done. */
export type Created = 'created' | 'slug taken' | 'plan limit' | 'no credit'

/** A simulation, apart from what commands make of it. */
export interface StoredSimulation {
  readonly id: string
  /** Name of the account. */
  readonly account: string
  readonly slug: string
  /** What it was made from, as JSON: see {@link Genesis}. */
  readonly genesis: string
  /** SHA-256 of the description's text. */
  readonly description: string
  /** The engine that its data is made by. */
  readonly engine: number
}

/** A simulation that is to be kept from now on. */
export interface NewSimulation extends StoredSimulation {
  readonly descriptionText: string
  readonly state: StateAt
}

/** What a node has to do to stand where a journal does: put the state in, where there is one, then make the commits. */
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
 * Where simulations are kept. Each method is one transaction, and leaves nothing behind that belongs to a connection. Rejects
 * with {@link StoreUnavailable} where it is not known whether it was done, with {@link StoreFull} where there is no room.
 */
export interface Store {
  /** Whether other nodes may write to it: reads then have to ask for the head. */
  readonly isShared: boolean
  /** Distance of the store's clock to this machine's, in milliseconds. */
  readonly offsetMs: number
  /** The latest time of the store's clock that this node has heard of, in milliseconds: who asks the store after that hears of a later one. */
  readonly clockMs: number
  /** Version of its tables, where it has any. */
  readonly schema?: number
  /** Statements that wait for a connection, where there are several. */
  readonly waiting?: number
  /** What is to be done for the simulations. */
  readonly work: DueWork
  /** What was asked of the simulations. */
  readonly requests: RequestRows
  readonly ledger: AccountLedger
  /** Keeps a simulation, where its account has fewer than `most`. Takes the price from the account's credit. */
  create(simulation: NewSimulation, most: number, priceUsd?: number): Promise<Created>
  /** How many simulations an account has. */
  count(account: string): Promise<number>
  find(by: SimulationName): Promise<StoredSimulation | undefined>
  /** The simulations of an account, oldest first. */
  list(account: string): Promise<readonly StoredSimulation[]>
  /** What follows `after`; with the whole state first where the journal does not reach back, or has another commit there. */
  load(id: string, after: JournalMark | undefined): Promise<Missed | undefined>
  heads(ids: readonly string[]): Promise<ReadonlyMap<string, JournalMark>>
  append(entries: readonly Entry[]): Promise<readonly Appended[]>
  /** Keeps others from appending for `ms`. Called again with the same `hold` it begins anew. */
  hold(id: string, from: JournalMark, hold: string, ms: number): Promise<Appended>
  /** Puts a state in place of the commits up to it, where the stored one is older. */
  compact(id: string, state: StateAt): Promise<void>
  remove(id: string): Promise<void>
  /** Notes that these simulations are used, at a time by the store's clock. */
  noteUses(ids: readonly string[], at: number): Promise<void>
  /** The names of the accounts that have simulations. */
  owners(): Promise<readonly string[]>
  /** Removes simulations of an account that were last used before then, so many at most. Returns their ids. */
  removeIdle(account: string, before: number, most: number): Promise<readonly string[]>
  /** Text of a description. */
  description(hash: string): Promise<string | undefined>
  /** Keeps a state that the owner asked to keep, and forgets all but the latest 100. Returns its number, from 1 on. */
  save(id: string, saved: SavedState): Promise<number>
  /** A state that was kept, or the range of those that are. */
  saved(id: string, number: number): Promise<{ readonly dump?: string; readonly first: number; readonly last: number }>
  /** What is known of the states that are kept, newest first. */
  listSaved(id: string): Promise<readonly { readonly number: number; readonly about: string }[]>
  close(): Promise<void>
}

/** A state that the owner asked to keep. */
export interface SavedState {
  readonly dump: string
  /** What a list shows of it, as JSON. */
  readonly about: string
}

/** What is found of a store before a service is started over it. */
export interface StoreFindings {
  /** What it is, and what a start would do to it. */
  readonly facts: readonly string[]
  /** Settings that lose answered changes when the power fails. */
  readonly warnings: readonly string[]
}

/** The store gave no answer: it is not known whether what was asked for was done. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The store has no room for more; nothing of what was asked for was done. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
}
