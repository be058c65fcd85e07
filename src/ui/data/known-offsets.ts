/** What a page knows of the distance of world time from real time: now, and before the clock was turned. */
export class KnownOffsets {
  /** Oldest first. */
  #known: { readonly at: number; readonly offsetMs: number }[] = []

  /** @param at real time at which the distance was so, milliseconds */
  note(at: number, offsetMs: number): void {
    const before = this.#known.findLastIndex((known) => known.at <= at)
    if (Math.abs((this.#known[before]?.offsetMs ?? Number.NaN) - offsetMs) < NEARLY_MS) return
    this.#known.splice(before + 1, 0, { at, offsetMs })
  }

  /** World time of a moment of real time, milliseconds. */
  worldAt(realMs: number): number {
    const known = this.#known.findLast(({ at }) => at <= realMs) ?? this.#known[0]
    return realMs + (known?.offsetMs ?? 0)
  }
}

/** Distances that differ by less are the same: an attempt follows its event after a moment. */
const NEARLY_MS = 2_000
