import type { OverviewRevision, SimulationOverview } from '../../protocol/simulation-overview.ts'
import type { Account } from '../account/account.ts'

/** Deleted simulations that are remembered. Who has read the list before the oldest of them reads the whole again. */
const MOST_GONE = 10_000

/** What is new to whoever has read a list of simulations before. */
export interface NewOverviews extends OverviewRevision {
  readonly data: SimulationOverview[]
}

/** What lists have shown of simulations, so that whoever reads one again is told what has changed alone. */
export class Overviews {
  /** Sets the revisions of this process apart from those of another one. */
  readonly #token: string
  readonly #histories = new WeakMap<Account, OverviewHistory>()

  constructor(token: string) {
    this.#token = token
  }

  /** What is new since a revision; everything where that is not one of ours. @param all the account's simulations as they are now */
  newSince(revision: string, account: Account, all: readonly SimulationOverview[]): NewOverviews {
    const history = this.#histories.get(account) ?? new OverviewHistory()
    this.#histories.set(account, history)
    history.note(all)
    const [token, number] = revision.split('.')
    const known = token === this.#token ? Number(number) : Number.NaN
    return { revision: `${this.#token}.${history.revision}`, ...history.after(known, all) }
  }
}

/** When each simulation of an account became what it is, in numbers that grow with every list in which one was another. */
class OverviewHistory {
  revision = 0
  /** The revision before the oldest of which is known what was deleted. */
  #first = 0
  readonly #shown = new Map<string, { stamp: string; revision: number }>()
  readonly #gone = new Map<string, number>()

  /** Notes what a list shows. */
  note(all: readonly SimulationOverview[]): void {
    const next = this.revision + 1
    const ids = new Set(all.map(({ id }) => id))
    for (const one of all) {
      const stamp = stampOf(one)
      // A list that was read before it was made has passed it over.
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

  /** What came after a revision. */
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

/** What can be another from one list to the next. */
function stampOf({ status, records, offsetMs, requests, webhooks, webhooksOff }: SimulationOverview): string {
  return [status, records, offsetMs, requests, webhooks, webhooksOff].join()
}
