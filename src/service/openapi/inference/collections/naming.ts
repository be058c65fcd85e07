import { singularName } from '../../../../names/nouns.ts'
import { snakeCase } from '../../../../names/words.ts'
import { paramsOf, type Step } from '../paths/path-shape.ts'
import type { CollectionDraft } from './collection-draft.ts'

/**
 * Names every collection without a name: by the last word of its path; for several with that name, with the parent's singular before
 * it; if that is not enough, by the whole path. Pauses after each.
 */
export function* nameCollections(collections: readonly CollectionDraft[]): Generator<undefined, void> {
  let open = collections.filter(({ name }) => name === '')
  const taken = new Set(collections.map(({ name }) => name))
  for (const choice of [0, 1, 2] as const) {
    for (const [name, drafts] of Map.groupBy(open, ({ site, noun }) => namesFor(site.steps, noun)[choice])) {
      yield
      // The collection nearest to the top keeps the name; among several of those, one with a create operation.
      const winner = drafts.length === 1 ? drafts[0] : topmost(drafts)
      if (winner && !taken.has(name)) give(winner, name, taken)
    }
    open = open.filter((draft) => draft.name === '')
  }
  const counts = new Map<string, number>()
  for (const draft of open) {
    yield
    const [, , name] = namesFor(draft.site.steps, draft.noun)
    let count = counts.get(name) ?? 2
    while (taken.has(`${name}_${count}`)) count++
    counts.set(name, count + 1)
    give(draft, `${name}_${count}`, taken)
  }
}

function give(draft: CollectionDraft, name: string, taken: Set<string>): void {
  draft.name = name
  draft.singular = singularName(name)
  taken.add(name)
}

function topmost(drafts: readonly CollectionDraft[]): CollectionDraft | undefined {
  const depth = (draft: CollectionDraft) => paramsOf(draft.site.steps).length
  const least = Math.min(...drafts.map(depth))
  const highest = drafts.filter((draft) => depth(draft) === least)
  const made = highest.filter(({ site }) => site.own.has('POST'))
  const [only, ...more] = made.length > 0 ? made : highest
  return more.length === 0 ? only : undefined
}

/** Names for the collection of a path: `noun` itself, with the parent's singular before it, with the whole path before it. */
export function namesFor(steps: readonly Step[], noun: string): readonly [plain: string, below: string, whole: string] {
  const words = steps.flatMap((step) =>
    step.kind === 'static' && !/^v\d+$/.test(step.text) ? snakeCase(step.text) : [],
  )
  const outer = words.slice(0, -1).map(singularName)
  return [noun, [...outer.slice(-1), noun].join('_'), [...outer, noun].join('_')]
}
