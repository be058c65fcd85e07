import type { ModelReply } from '../../src/handlers.ts'
import { parseJson } from '../../src/protocol/json.ts'
import { type Fields, fieldsOf, type Json, toSnake } from './values.ts'

export type Call = ModelReply['calls'][number]

/** The calls of tools that the provider runs, and those that are left to the application. A text without calls has one of each tool. */
export function splitCalls(
  { calls, refusal }: ModelReply,
  kinds: readonly string[],
  isAsked: boolean,
): { hosted: Call[]; left: Call[] } {
  const isHosted = ({ name }: Call): boolean => kinds.includes(toSnake(name))
  const usual = calls.length === 0 && refusal === undefined && isAsked ? kinds.map(toUsual) : []
  const named = calls.filter(isHosted).map((call) => ({ ...call, name: toSnake(call.name) }))
  return { hosted: [...usual, ...named], left: calls.filter((call) => !isHosted(call)) }
}

/** A call that no script has. */
export const toUsual = (name: string): Call => ({ id: undefined, name, arguments: '', pieces: [], result: undefined })

/** The pages that a search finds: a list of addresses, or of `{ url, title }`. */
export function pagesOf({ result }: Pick<Call, 'result'>): { url: Json; title: Json }[] {
  const pages = [result ?? { url: 'https://example.com/', title: 'Simulated search result' }].flat()
  return pages.map((page) => {
    const { url = page, title = url } = fieldsOf(page)
    return { url, title }
  })
}

export const textOfResult = (result: Json | undefined): string =>
  typeof result === 'string' ? result : result === undefined ? '' : JSON.stringify(result)

/** The arguments of a call: an empty object where they are no JSON, as of a model that breaks off. */
export const argumentsOf = (given: string): Fields => fieldsOf(parseJson(given))

/** What tools do that OpenAI runs: items of their calls, the pages that an answer cites, and the calls that are left. */
export interface HostedCalls {
  readonly items: Fields[]
  readonly cited: Fields[]
  readonly left: readonly Call[]
}
