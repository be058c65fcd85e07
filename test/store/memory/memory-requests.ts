import {
  FOLLOWED_MS,
  type LogRow,
  type NewRequestRow,
  type RequestRows,
} from '../../../src/service/store/request-rows.ts'

/** The requests of a {@link MemoryStore}. */
export class MemoryRequests implements RequestRows {
  readonly #now: () => number
  readonly #isThere: (simulation: string) => boolean
  #rows: NewRequestRow[] = []
  readonly #arrived = new Map<string, number>()
  readonly #followed = new Map<string, { readonly since: number; readonly until: number }>()

  constructor(now: () => number, isThere: (simulation: string) => boolean) {
    this.#now = now
    this.#isThere = isThere
  }

  async add(rows: readonly NewRequestRow[]): Promise<void> {
    const known = new Set(this.#rows.map(({ id }) => id))
    const added = rows.filter(({ id, simulation }) => !known.has(id) && this.#isThere(simulation))
    this.#rows.push(...added)
    for (const { simulation, arrived } of added)
      this.#arrived.set(simulation, (this.#arrived.get(simulation) ?? 0) + arrived)
  }

  async trim(simulation: string, most: { readonly requests: number; readonly characters: number }): Promise<void> {
    let requests = 0
    let characters = 0
    const old = new Set<NewRequestRow>()
    for (const row of this.#of(simulation).toSorted((left, right) => right.last - left.last)) {
      characters += row.entries.length + row.details.length
      if (requests >= most.requests || (requests > 0 && characters > most.characters)) old.add(row)
      requests += row.requests
    }
    this.#rows = this.#rows.filter((row) => !old.has(row))
  }

  async read(simulation: string, after: number, before: number): Promise<readonly LogRow[]> {
    return this.#of(simulation).filter(({ first, last }) => last > after && first < before)
  }

  async details(simulation: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = this.#of(simulation).filter(({ id }) => ids.includes(id))
    return new Map(found.map(({ id, details }) => [id, details]))
  }

  async arrived(simulations: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return new Map(simulations.map((id) => [id, this.#arrived.get(id) ?? 0]))
  }

  async follow(simulation: string): Promise<number> {
    const now = this.#now()
    const { since } = this.isFollowed(simulation) ? (this.#followed.get(simulation) ?? { since: now }) : { since: now }
    this.#followed.set(simulation, { since, until: now + FOLLOWED_MS })
    return now - since
  }

  isFollowed(simulation: string): boolean {
    return (this.#followed.get(simulation)?.until ?? 0) > this.#now()
  }

  forget(simulation: string): void {
    this.#rows = this.#rows.filter((row) => row.simulation !== simulation)
    this.#arrived.delete(simulation)
    this.#followed.delete(simulation)
  }

  #of(simulation: string): NewRequestRow[] {
    return this.#rows.filter((row) => row.simulation === simulation)
  }
}
