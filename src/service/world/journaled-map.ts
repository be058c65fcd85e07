/** An entry with its order, so that an undo restores the order too. */
interface OrderedEntry<Value> {
  readonly value: Value
  readonly order: number
}

/** The former entries of names changed since `begin`; undefined for a new name. */
type MapJournal<Value> = Map<string, OrderedEntry<Value> | undefined>

/** The entries of a map, in order. */
export type MapEntries<Value> = readonly (readonly [name: string, value: Value])[]

/** The changed entries, in order of their last change; null for a removed one. */
export type MapDelta<Value> = readonly (readonly [name: string, value: Value | null])[]

const NOTHING: MapDelta<never> = []

/**
 * A map with a journal of its changes, like a {@link World}: changes since `begin` can be drafted, kept and undone, at
 * a cost of their number. Values are plain JSON, never null, and are not mutated once they were set.
 */
export class JournaledMap<Value> {
  #entries = new Map<string, OrderedEntry<Value>>()
  #order = 0
  #revision = 0
  /** Open journals, the innermost last; undefined before the first change. */
  readonly #journals: (MapJournal<Value> | undefined)[] = []

  /** Increases with every change, including undo. */
  get revision(): number {
    return this.#revision
  }

  get size(): number {
    return this.#entries.size
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name)?.value
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Sets an entry, which becomes the last one. */
  set(name: string, value: Value): void {
    this.#note(name)
    this.#entries.delete(name)
    this.#entries.set(name, { value, order: this.#order++ })
  }

  /** False for an unknown entry. */
  delete(name: string): boolean {
    if (!this.#entries.has(name)) return false
    this.#note(name)
    return this.#entries.delete(name)
  }

  clear(): void {
    for (const name of this.#entries.keys()) this.delete(name)
  }

  /** Names in order of their last change. */
  names(): IterableIterator<string> {
    return this.#entries.keys()
  }

  *values(): Generator<Value> {
    for (const { value } of this.#entries.values()) yield value
  }

  dump(): MapEntries<Value> {
    return [...this.#entries].map(([name, { value }]) => [name, value])
  }

  /** Replaces everything with entries from `dump`. */
  load(entries: MapEntries<Value>): void {
    this.clear()
    for (const [name, value] of entries) this.set(name, value)
  }

  /** Applies changes from `draft` of this or another map. */
  apply(delta: MapDelta<Value>): void {
    for (const [name, value] of delta) {
      if (value === null) this.delete(name)
      else this.set(name, value)
    }
  }

  /** Starts a journal. May be nested: changes kept by an inner journal become part of the outer one. */
  begin(): void {
    this.#journals.push(undefined)
  }

  /** The changes since the last `begin`. The journal stays open. */
  draft(): MapDelta<Value> {
    const journal = this.#journals.at(-1)
    if (journal === undefined) return NOTHING
    const removed: [string, null][] = []
    const set: [string, OrderedEntry<Value>][] = []
    for (const [name, before] of journal) {
      const entry = this.#entries.get(name)
      if (entry !== undefined) set.push([name, entry])
      else if (before !== undefined) removed.push([name, null])
    }
    set.sort(([, left], [, right]) => left.order - right.order)
    return [...removed, ...set.map(([name, { value }]): [string, Value] => [name, value])]
  }

  /** Keeps every change since the last `begin`. */
  keep(): void {
    const journal = this.#journals.pop()
    const outer = this.#journals.length - 1
    if (journal === undefined || outer < 0) return
    const merged = this.#journals[outer] ?? new Map()
    for (const [name, before] of journal) if (!merged.has(name)) merged.set(name, before)
    this.#journals[outer] = merged
  }

  /** Reverts every change since the last `begin`. */
  undo(): void {
    const journal = this.#journals.pop()
    if (journal === undefined) return
    this.#revision++
    let isMoved = false
    for (const [name, before] of journal) {
      if (before === undefined) this.#entries.delete(name)
      else {
        this.#entries.set(name, before)
        isMoved = true
      }
    }
    if (isMoved) this.#entries = new Map([...this.#entries].sort(([, left], [, right]) => left.order - right.order))
  }

  /** Notes the value of a name before its change. */
  #note(name: string): void {
    this.#revision++
    const depth = this.#journals.length - 1
    if (depth < 0) return
    const journal = this.#journals[depth] ?? new Map<string, OrderedEntry<Value> | undefined>()
    if (!journal.has(name)) journal.set(name, this.#entries.get(name))
    this.#journals[depth] = journal
  }
}
