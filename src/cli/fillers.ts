import type { LibraryEntry } from '../library/library-entry.ts'
import { foldName } from '../names/words.ts'
import { isJsonObject, type Json } from '../protocol/json.ts'
import { subscribe } from '../runtime/diagnostics.ts'

/** An answer or a delivery. */
export interface Shown {
  /** The step that got it, or the type of the event. */
  readonly by: string
  readonly body: Json
}

/** Texts that are made for fields from now on, to be found in what a proof shows. */
export class Fillers {
  readonly #made = new Set<string>()
  readonly #end = subscribe('filler', ({ field, text }) => this.#made.add(`${foldName(field)} ${text}`))

  /**
   * Texts of word lists, unless the entry generates records, and addresses where nothing answers: a sentence for each
   * field. What was sent is the client's own.
   */
  find({ hosts = [], volume }: LibraryEntry, shown: readonly Shown[], sent: Json[]): string[] {
    const own = new Set([...textsIn(sent)].map(({ text }) => text))
    const volumes = Object.values(volume)
    const isEmpty = volumes.length > 0 && volumes.every((count) => count === 0)
    const answering = new Set(Array.isArray(hosts) ? hosts : Object.keys(hosts))
    const sentences = new Map<string, string>()
    for (const { by, body } of shown)
      for (const { field, path, text } of textsIn(body)) {
        if (own.has(text) || sentences.has(path)) continue
        const { hostname } =
          (/^https?:/.test(text) && !/(?:(?:doc|log)_url|more_?info)$/i.test(path) && URL.parse(text)) || {}
        const isMade = isEmpty && this.#made.has(`${foldName(field)} ${text}`)
        if (isMade || (hostname && !answering.has(hostname) && !ANSWERING.test(hostname)))
          sentences.set(
            path,
            `${by} shows ${isMade ? 'a text of the word lists' : 'an address where nothing answers'} in \`${path}\`: ${text.slice(0, 100)}`,
          )
      }
    return [...sentences.values()]
  }

  [Symbol.dispose](): void {
    this.#end()
  }
}

/** This machine, and names that are reserved for examples (RFC 2606): the pages and files of entries. */
const ANSWERING = /^(?:127\.0\.0\.1|localhost|(?:.+\.)?example(?:\.com)?)$/

function* textsIn(value: Json, path = '', field = ''): Generator<{ field: string; path: string; text: string }> {
  if (typeof value === 'string') yield { field, path, text: value }
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item, `${path}[]`, field)
  else if (isJsonObject(value))
    for (const [name, item] of Object.entries(value)) yield* textsIn(item, path === '' ? name : `${path}.${name}`, name)
}
