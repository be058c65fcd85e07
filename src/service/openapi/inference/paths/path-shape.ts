import { wordsOf } from '../../../../names/words.ts'
import type { PathSegment } from '../../model.ts'

/** A segment for inference: without suffixes such as `.json`; `name('{id}')` is two steps. */
export type Step =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }

/** The parsed path of an operation. */
export interface PathShape {
  readonly steps: readonly Step[]
  /** Steps without the last parameters: for an item path, the collection's path. */
  readonly base: readonly Step[]
  /** The last parameters. */
  readonly trailing: readonly string[]
  /** The word after a colon at the end: `cancel` of `/orders/{id}:cancel`. */
  readonly verb: string | undefined
}

export function shapeOf(segments: readonly PathSegment[], method = ''): PathShape {
  let verb: string | undefined
  const all = segments.flatMap((segment, at): Step[] => {
    const isLast = at === segments.length - 1
    if (segment.kind === 'mixed') return [{ kind: 'param', name: segment.names.at(-1) ?? '' }]
    if (segment.kind === 'param') {
      if (isLast && segment.suffix.startsWith(':')) verb = segment.suffix.slice(1)
      const called = /^([\w-]+)\(['"]?(?:\w+=['"]?)?$/.exec(segment.prefix)
      const param: Step = { kind: 'param', name: segment.name }
      return called ? [{ kind: 'static', text: called[1] ?? '' }, param] : [param]
    }
    const [text = '', after] = segment.text.replace(/\.(json|xml|\{format\})$/, '').split(':', 2)
    if (isLast && after) verb = after
    return text === '' ? [] : [{ kind: 'static', text }]
  })
  const steps = withoutVerb(all, method)
  const base = withoutTrailing(steps)
  return { steps, base, trailing: paramsOf(steps.slice(base.length)), verb }
}

/** `/books/{id}` of `PUT /books/{id}/update` and `DELETE /books/delete/{id}`, whose verb says what the method does. */
function withoutVerb(steps: readonly Step[], method: string): readonly Step[] {
  const at = steps.findLastIndex(({ kind }) => kind === 'static')
  const isByRecord = at > 0 && steps.length - at === (steps[at - 1]?.kind === 'param' ? 1 : 2)
  return isByRecord && SAID.test(`${method} ${lastStatic(steps)}`) ? steps.toSpliced(at, 1) : steps
}

const SAID = /^((GET|PUT|PATCH) (update|edit|modify)|(GET|DELETE) (delete|remove|destroy)|GET (detail|retrieve))$/i

/** Paths that differ only in the names of their parameters have the same key. */
export const keyOfSteps = (steps: readonly Step[]): string =>
  steps.map((step) => (step.kind === 'static' ? `/${step.text}` : '/{}')).join('')

/** Text of the last static step, or ''. */
export function lastStatic(steps: readonly Step[]): string {
  const step = steps.findLast((candidate) => candidate.kind === 'static')
  return step?.kind === 'static' ? step.text : ''
}

/** `steps` up to the last parameter; none without one. */
export const untilParam = (steps: readonly Step[]): readonly Step[] =>
  steps.slice(0, steps.findLastIndex((step) => step.kind === 'param') + 1)

/** `steps` up to the last static one. */
export const withoutTrailing = (steps: readonly Step[]): readonly Step[] =>
  steps.slice(0, steps.findLastIndex((step) => step.kind === 'static') + 1)

/** Names of the parameters among `steps`. */
export const paramsOf = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) => (step.kind === 'param' ? [step.name] : []))

/** Whether a path has no parameter for a record. */
export const isTopLevel = (steps: readonly Step[]): boolean => steps.every((step) => step.kind === 'static')

const SEARCH_WORDS = new Set('search query filter find lookup scroll searches autocomplete typeahead'.split(' '))
const BULK_WORDS = new Set(['batch', 'bulk', 'multi', 'multiple', 'mass', 'many'])

/** Whether a path ends in a word for searching. */
export function isSearchSegment(text: string): boolean {
  const words = wordsOf(text)
  if (words.length > 2 || words.includes('history') || words[0] === 'by') return false
  // `saved_searches` are records.
  return words.some((word) => SEARCH_WORDS.has(word)) && (words.length === 1 || words[1] !== 'searches')
}

/** Whether a path ends in a word for a bulk operation: `batch`, `by-ids`. */
export function isBulkSegment(text: string): boolean {
  const words = wordsOf(text)
  return (
    /^by (ids|keys|query)$/.test(words.join(' ')) ||
    BULK_WORDS.has(words[0] ?? '') ||
    (words.length > 1 && BULK_WORDS.has(words.at(-1) ?? ''))
  )
}
