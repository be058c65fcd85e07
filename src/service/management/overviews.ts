import type { OverviewRevision, SimulationOverview } from '../../protocol/simulation-overview.ts'
import type { Account } from '../account/account.ts'

/** Number of deleted simulations to remember. Older readers of the list get the whole list again. */
const MOST_GONE = 10_000

/** Changes for an earlier reader of a list of simulations. */
export interface NewOverviews extends OverviewRevision {
  readonly data: SimulationOverview[]
}

/** A history of listed simulations, so that a repeated read gets only changes. */
export class Overviews {
  /** Distinguishes this process's revisions from another one's. */
  readonly #token: string
  readonly #histories = new WeakMap<Account, OverviewHistory>()

  constructor(token: string) {
    this.#token = token
  }

  /** Changes since a revision; everything for an unknown revision. @param all the account's current simulations */
  newSince(revision: string, account: Account, all: readonly SimulationOverview[]): NewOverviews {
    const history = this.#histories.get(account) ?? new OverviewHistory()
    this.#histories.set(account, history)
    history.note(all)
    const [token, number] = revision.split('.')
    const known = token === this.#token ? Number(number) : Number.NaN
    return { revision: `${this.#token}.${history.revision}`, ...history.after(known, all) }
  }
}

/** The revision at which each simulation of an account last changed; revisions increase with every changed list. */
class OverviewHistory {
  revision = 0
  /** The revision from which on deletions are known. */
  #first = 0
  readonly #shown = new Map<string, { stamp: string; revision: number }>()
  readonly #gone = new Map<string, number>()

  /** Notes a list. */
  note(all: readonly SimulationOverview[]): void {
    const next = this.revision + 1
    const ids = new Set(all.map(({ id }) => id))
    for (const one of all) {
      const stamp = stampOf(one)
      // An earlier list was read before it was created.
      this.#gone.delete(one.id)
      if (this.#shown.get(one.id)?.stamp === stamp) continue
      this.#shown.set(one.id, { stamp, revision: next })
      this.revision = next
    }
    for (const id of this.#shown.keys()) {
      if (ids.has(id)) continue
      this.#shown.delete(id)
      this.#gone.set(id, next)
      this.revision = next
    }
    this.#forget()
  }

  /** Changes after a revision. */
  after(known: number, all: readonly SimulationOverview[]): { data: SimulationOverview[]; gone?: string[] } {
    if (!(known >= this.#first && known <= this.revision)) return { data: [...all] }
    const isNew = ({ id }: SimulationOverview) => (this.#shown.get(id)?.revision ?? 0) > known
    return {
      data: all.filter(isNew),
      gone: [...this.#gone].filter(([, revision]) => revision > known).map(([id]) => id),
    }
  }

  #forget(): void {
    for (const [id, revision] of this.#gone) {
      if (this.#gone.size <= MOST_GONE) return
      this.#gone.delete(id)
      this.#first = revision
    }
  }
}

/** The changing values of a list entry. */
function stampOf({ status, records, offsetMs, requests, webhooks, webhooksOff }: SimulationOverview): string {
  return [status, records, offsetMs, requests, webhooks, webhooksOff].join()
}
