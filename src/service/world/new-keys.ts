import type { TakenKeys } from '../dataset/dataset.ts'
import type { CollectionView } from './collection-view.ts'

/** The keys of a collection for a command that creates several records: those in use, and those that it has assigned. */
export class NewKeys implements TakenKeys {
  readonly #view: CollectionView
  #given: Set<string> | undefined
  #made = 0

  constructor(view: CollectionView) {
    this.#view = view
  }

  /** Number of the next record among all created ones. */
  get ordinal(): number {
    return this.#view.created + this.#made
  }

  has(key: string): boolean {
    return this.hasGiven(key) || this.#view.has(key)
  }

  hasCreated(key: string): boolean {
    return this.hasGiven(key) || this.#view.hasCreated(key)
  }

  /** Whether the command itself has assigned it. */
  hasGiven(key: string): boolean {
    return this.#given?.has(key) ?? false
  }

  /** Assigns a key to a new record, with the name of the key. */
  give(key: string, name = key): void {
    this.#made++
    this.#given ??= new Set()
    this.#given.add(key).add(name)
  }
}
