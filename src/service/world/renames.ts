/** Records whose id is different from their key, by position: the id was changed, or another record had the key. */
export class Renames {
  readonly #names = new Map<number, string>()
  readonly #positions = new Map<string, Set<number>>()

  get size(): number {
    return this.#names.size
  }

  has(position: number): boolean {
    return this.#names.has(position)
  }

  /** Positions of records with this name now. */
  positionsOf(name: string): Iterable<number> {
    return this.#positions.get(name) ?? []
  }

  /** Notes the id at a position; undefined where it equals the key, or the record is deleted. */
  set(position: number, name: string | undefined): void {
    const before = this.#names.get(position)
    if (before === name) return
    if (before !== undefined) this.#forget(position, before)
    if (name === undefined) return
    this.#names.set(position, name)
    this.#positions.set(name, (this.#positions.get(name) ?? new Set()).add(position))
  }

  #forget(position: number, name: string): void {
    const positions = this.#positions.get(name)
    positions?.delete(position)
    if (positions?.size === 0) this.#positions.delete(name)
    this.#names.delete(position)
  }
}
