/** An entry as it is held: `order` says when it was set, so that an undone map has its old order again. */
interface HeldEntry<Value> {
  readonly value: Value
  readonly order: number
}

/** What stood under each name before the changes since a `begin`; undefined where nothing did. */
type MapJournal<Value> = Map<string, HeldEntry<Value> | undefined>

/** The entries of a map, in order. */
export type MapEntries<Value> = readonly (readonly [name: string, value: Value])[]

/** The entries that changed, in the order in which they were last set; null where one was removed. */
export type MapDelta<Value> = readonly (readonly [name: string, value: Value | null])[]

const NOTHING: MapDelta<never> = []

/**
 * Values by name that remember their changes, as a {@link World} does: what changed since `begin` can be drafted, kept and
 * undone, and costs as much as changed. Values are plain JSON, never null, and are not mutated once they were set.
 */
export class JournaledMap<Value> {
  #held = new Map<string, HeldEntry<Value>>()
  #order = 0
  #revision = 0
  /** Open journals, the innermost last; undefined where nothing has changed yet. */
  readonly #journals: (MapJournal<Value> | undefined)[] = []

  /** Moves with every change, undoing included. */
  get revision(): number {
    return this.#revision
  }

  get size(): number {
    return this.#held.size
  }

  get(name: string): Value | undefined {
    return this.#held.get(name)?.value
  }

  has(name: string): boolean {
    return this.#held.has(name)
  }

  /** Sets an entry, which becomes the last one. */
  set(name: string, value: Value): void {
    this.#note(name)
    this.#held.delete(name)
    this.#held.set(name, { value, order: this.#order++ })
  }

  /** False where there is no such entry. */
  delete(name: string): boolean {
    if (!this.#held.has(name)) return false
    this.#note(name)
    return this.#held.delete(name)
  }

  clear(): void {
    for (const name of this.#held.keys()) this.delete(name)
  }

  /** Names in the order in which they were set. */
  names(): IterableIterator<string> {
    return this.#held.keys()
  }

  *values(): Generator<Value> {
    for (const { value } of this.#held.values()) yield value
  }

  dump(): MapEntries<Value> {
    return [...this.#held].map(([name, { value }]) => [name, value])
  }

  /** Puts what `dump` gave in place of everything. */
  load(entries: MapEntries<Value>): void {
    this.clear()
    for (const [name, value] of entries) this.set(name, value)
  }

  /** Makes the changes that `draft` gave, here or elsewhere. */
  apply(delta: MapDelta<Value>): void {
    for (const [name, value] of delta) {
      if (value === null) this.delete(name)
      else this.set(name, value)
    }
  }

  /** Begins to remember changes. May be nested: what an inner journal keeps becomes part of the outer one. */
  begin(): void {
    this.#journals.push(undefined)
  }

  /** What the changes since the last `begin` came to. The journal stays open. */
  draft(): MapDelta<Value> {
    const journal = this.#journals.at(-1)
    if (journal === undefined) return NOTHING
    const removed: [string, null][] = []
    const set: [string, HeldEntry<Value>][] = []
    for (const [name, before] of journal) {
      const held = this.#held.get(name)
      if (held !== undefined) set.push([name, held])
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

  /** Takes back every change since the last `begin`. */
  undo(): void {
    const journal = this.#journals.pop()
    if (journal === undefined) return
    this.#revision++
    let isMoved = false
    for (const [name, before] of journal) {
      if (before === undefined) this.#held.delete(name)
      else {
        this.#held.set(name, before)
        isMoved = true
      }
    }
    if (isMoved) this.#held = new Map([...this.#held].sort(([, left], [, right]) => left.order - right.order))
  }

  /** Notes what stands under a name that is about to change. */
  #note(name: string): void {
    this.#revision++
    const depth = this.#journals.length - 1
    if (depth < 0) return
    const journal = this.#journals[depth] ?? new Map<string, HeldEntry<Value> | undefined>()
    if (!journal.has(name)) journal.set(name, this.#held.get(name))
    this.#journals[depth] = journal
  }
}
