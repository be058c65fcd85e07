import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import { keyOfSteps, type PathShape, type Step, shapeOfSteps } from './path-shape.ts'

/** An operation with the shape of its path. */
interface Shaped {
  readonly draft: { readonly method: string }
  readonly shape: PathShape
}

/**
 * Operations that list things by another form of their word, as `GET /contact-lists` beside `POST /contact-list` and
 * `/contact-list/{id}` does, in the shape of the others: the list shows what the singular makes.
 */
export function withOneNoun<Operation extends Shaped>(placed: readonly Operation[]): readonly Operation[] {
  const paths = Map.groupBy(placed, ({ shape }) => keyOfSteps(shape.base))
  const alike = Map.groupBy(
    [...paths].flatMap(([key, [first]]) =>
      first?.shape.base.at(-1)?.kind === 'static' ? [{ key, steps: first.shape.base }] : [],
    ),
    ({ steps }) => `${keyOfSteps(steps.slice(0, -1))}/${foldNoun(textOf(steps))}`,
  )
  const renamed = new Map<string, readonly Step[]>()
  for (const [one, other, ...more] of alike.values()) {
    if (!one || !other || more.length > 0) continue
    const [single, plural] = isPlural(one.steps) ? [other, one] : [one, other]
    const lists = paths.get(plural.key) ?? []
    const others = paths.get(single.key) ?? []
    const isOnlyList = lists.every(({ draft, shape }) => draft.method === 'GET' && shape.trailing.length === 0)
    const isListed = others.some(({ draft, shape }) => draft.method === 'GET' && shape.trailing.length === 0)
    const isMade = others.some(({ draft, shape }) => draft.method === 'POST' && shape.trailing.length === 0)
    if (isPlural(plural.steps) && isOnlyList && isMade && !isListed) renamed.set(plural.key, single.steps)
  }
  if (renamed.size === 0) return placed
  return placed.map((operation) => {
    const { steps, base, verb } = operation.shape
    const other = steps.length === base.length && verb === undefined ? renamed.get(keyOfSteps(steps)) : undefined
    return other ? { ...operation, shape: shapeOfSteps(sameParams(other, steps)) } : operation
  })
}

/** Whether the word of a path is a plural: `/user` is whoever asks. */
const isPlural = (steps: readonly Step[]): boolean => foldNoun(textOf(steps)) !== foldName(textOf(steps))

const textOf = (steps: readonly Step[]): string => {
  const last = steps.at(-1)
  return last?.kind === 'static' ? last.text : ''
}

/** The steps of one path, with the names that the parameters of the operation have. */
const sameParams = (steps: readonly Step[], own: readonly Step[]): readonly Step[] =>
  steps.map((step, at) => (step.kind === 'param' ? (own[at] ?? step) : step))
