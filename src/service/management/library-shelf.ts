import { listEntries, loadEntry } from '../../library/built-in-entries.ts'
import type { LibraryEntry } from '../../library/library-entry.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { LibraryEntrySummary, LibraryQuery } from '../../protocol/reads.ts'

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'])

/** The library entries of one service: the built-in ones, and those that it was started with. */
export class LibraryShelf {
  readonly #own: ReadonlyMap<string, LibraryEntry>

  /** An entry of `own` takes the place of a built-in one with the same slug. */
  constructor(own: readonly LibraryEntry[]) {
    this.#own = new Map(own.map((entry) => [entry.slug, entry]))
  }

  /** Entries that hold every word of `q`, by slug. */
  search({ q = '', vertical, limit }: LibraryQuery): LibraryEntrySummary[] {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    const builtIn = listEntries().filter(({ slug }) => !this.#own.has(slug))
    return [...[...this.#own.values()].map(summarise), ...builtIn]
      .filter((entry) => vertical === undefined || entry.vertical === vertical)
      .filter((entry) => words.every((word) => searchedText(entry).includes(word)))
      .sort((left, right) => (left.slug < right.slug ? -1 : 1))
      .slice(0, limit)
  }

  async find(slug: string): Promise<LibraryEntry | undefined> {
    return this.#own.get(slug) ?? (await loadEntry(slug))
  }
}

function searchedText({ slug, name, provider, vertical, description }: LibraryEntrySummary): string {
  return [slug, name, provider, vertical, description].join('\n').toLowerCase()
}

function summarise({ slug, name, provider, vertical, description, openapi }: LibraryEntry): LibraryEntrySummary {
  const items = isJsonObject(openapi.paths) ? Object.values(openapi.paths).filter(isJsonObject) : []
  const operations = items.flatMap((item) => Object.keys(item).filter((key) => METHODS.has(key))).length
  return { slug, name, provider, vertical, description, operations }
}
