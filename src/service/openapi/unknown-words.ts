import { didYouMean } from '../../names/nearest-name.ts'
import { grouped } from '../../protocol/grouped.ts'
import { toPointer } from '../../protocol/json-pointer.ts'
import { type OpenNode, placeIn } from './document-walk.ts'
import { TYPE_NAMES } from './schemas/schema-types.ts'

/** Keywords whose values are words of OpenAPI, with these words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  type: [...TYPE_NAMES, 'null'],
  in: ['query', 'path', 'header', 'cookie', 'querystring', 'body', 'formData'],
}

/** Objects that have names of their user, not keywords. */
const NAMES = new Set(['mapping', 'scopes', 'variables'])
/** Most different words that are told. */
const MOST_TOLD = 20

/** The words of a description that OpenAPI does not have, each with its first place: the type `interger`. */
export class UnknownWords {
  readonly #found = new Map<string, { readonly first: string; count: number }>()

  /** Notes the value of a keyword, which is the last frame's. */
  add(keyword: 'type' | 'in', value: unknown, stack: readonly OpenNode[]): void {
    if (typeof value !== 'string' || WORDS[keyword]?.includes(value)) return
    const [holder, frame] = stack.slice(-2)
    const isOfSecurity = /^security(Schemes|Definitions)$/.test(holder?.key ?? '')
    if (isOfSecurity || NAMES.has(frame?.key ?? '')) return
    const key = `${keyword} ${value}`
    const known = this.#found.get(key)
    if (known) known.count++
    else if (this.#found.size < MOST_TOLD) {
      const shown = JSON.stringify(value.slice(0, 60))
      const place = toPointer([...placeIn(stack), keyword])
      const first = `${place} is ${shown}, which is not read.${didYouMean(value, WORDS[keyword] ?? [])}`
      this.#found.set(key, { first, count: 1 })
    }
  }

  /** A sentence for each word. */
  told(): string[] {
    return [...this.#found.values()].map(({ first, count }) =>
      count === 1 ? first : `${first} It stands at ${grouped(count)} places.`,
    )
  }
}
