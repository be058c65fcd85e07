import { listEntries, loadEntry } from '../../library/built-in-entries.ts'
import type { BuiltInEntry, LibraryEntry } from '../../library/library-entry.ts'
import { summariseEntry } from '../../library/library-entry.ts'
import type { LibraryEntrySummary, LibraryQuery } from '../../protocol/reads.ts'

/** The library entries of one service: built-in ones, and its own. */
export class ServiceLibrary {
  readonly #own: ReadonlyMap<string, LibraryEntry>

  /** An entry of `own` replaces a built-in one with the same slug. Throws where two of `own` have the same slug. */
  constructor(own: readonly LibraryEntry[]) {
    this.#own = new Map(own.map((entry) => [entry.slug, entry]))
    const twice = own.find((entry) => this.#own.get(entry.slug) !== entry)
    if (twice === undefined) return
    const { name, slug } = this.#own.get(twice.slug) ?? twice
    throw new Error(
      `Failed to read the library: "${twice.name}" and "${name}" both have the slug "${slug}". Give one of them another.`,
    )
  }

  /** Entries that contain every word of `q`, by slug. */
  async search({ q = '', vertical, limit }: LibraryQuery): Promise<LibraryEntrySummary[]> {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    const builtIn = (await listEntries()).filter(({ slug }) => !this.#own.has(slug))
    return [...[...this.#own.values()].map(summariseEntry), ...builtIn]
      .filter((entry) => vertical === undefined || entry.vertical === vertical)
      .filter((entry) => words.every((word) => searchedText(entry).includes(word)))
      .sort((left, right) => (left.slug < right.slug ? -1 : 1))
      .slice(0, limit)
  }

  async find(slug: string): Promise<BuiltInEntry | undefined> {
    return this.#own.get(slug) ?? (await loadEntry(slug))
  }
}

function searchedText({ slug, name, provider, vertical, description }: LibraryEntrySummary): string {
  return [slug, name, provider, vertical, description].join('\n').toLowerCase()
}
