import { fieldsOf } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { draftCollection } from './collection-draft.ts'
import { componentOf } from './components.ts'
import { keyOfSteps, type Step } from './path-shape.ts'
import type { Site, SiteMap } from './sites.ts'
import { foldNoun } from './words.ts'

/** Which collection each path shows. */
export class Catalogue {
  readonly sites: ReadonlyMap<string, Site>
  /** By the key of their site; several sites may show one collection. */
  readonly #shown = new Map<string, CollectionDraft>()
  readonly #collections: CollectionDraft[]

  constructor(map: SiteMap) {
    this.sites = map.sites
    const drafts = [...map.sites.values()].flatMap((site) => draftCollection(site) ?? [])
    this.#collections = []
    const views = findViews(drafts)
    for (const draft of drafts) {
      const shown = views.get(draft) ?? draft
      this.#shown.set(draft.site.key, shown)
      if (shown === draft) this.#collections.push(draft)
    }
  }

  /** Every collection once, in the order of the description. */
  get collections(): readonly CollectionDraft[] {
    return this.#collections
  }

  /** The collection whose records a path without trailing parameters shows. */
  shownAt(steps: readonly Step[]): CollectionDraft | undefined {
    return this.#shown.get(keyOfSteps(steps))
  }

  /** The collection of which a path that ends in a parameter names one record. */
  itemAt(steps: readonly Step[]): CollectionDraft | undefined {
    if (steps.at(-1)?.kind !== 'param') return undefined
    return this.shownAt(withoutTrailing(steps))
  }

  /** The collection that the nearest parameter before the last word of the path belongs to, with that parameter. */
  parentOf(collection: CollectionDraft): { collection: CollectionDraft; param: string } | undefined {
    const end = collection.steps.findLastIndex((step) => step.kind === 'param')
    const step = collection.steps[end]
    if (step?.kind !== 'param') return undefined
    const parent = this.itemAt(collection.steps.slice(0, end + 1))
    return parent && parent !== collection ? { collection: parent, param: step.name } : undefined
  }

  /** Whether the records of `collection` live, at any depth, below those of `ancestor`. */
  isBelow(collection: CollectionDraft, ancestor: CollectionDraft): boolean {
    const seen = new Set<CollectionDraft>()
    for (let at = this.parentOf(collection)?.collection; at && !seen.has(at); at = this.parentOf(at)?.collection) {
      if (at === ancestor) return true
      seen.add(at)
    }
    return false
  }
}

/** `steps` up to its last static one. */
export function withoutTrailing(steps: readonly Step[]): readonly Step[] {
  return steps.slice(0, steps.findLastIndex((step) => step.kind === 'static') + 1)
}

/** Collections that only show records of another one, with that one. */
function findViews(drafts: readonly CollectionDraft[]): Map<CollectionDraft, CollectionDraft> {
  const byComponent = new Map<string, CollectionDraft[]>()
  const byNoun = new Map<string, CollectionDraft[]>()
  for (const draft of drafts) {
    const component = componentOf(draft.schema)
    if (component !== undefined) group(byComponent, component, draft)
    group(byNoun, foldNoun(draft.noun), draft)
  }
  const views = new Map<CollectionDraft, CollectionDraft>()
  for (const alike of byComponent.values()) addViews(views, alike, isViewByComponent)
  for (const alike of byNoun.values()) addViews(views, alike, isViewByFields)
  return views
}

function group(groups: Map<string, CollectionDraft[]>, key: string, draft: CollectionDraft): void {
  groups.set(key, [...(groups.get(key) ?? []), draft])
}

function addViews(
  views: Map<CollectionDraft, CollectionDraft>,
  alike: readonly CollectionDraft[],
  isView: (view: CollectionDraft, main: CollectionDraft) => boolean,
): void {
  const free = alike.filter((draft) => !views.has(draft))
  const main = free.reduce<CollectionDraft | undefined>(
    (best, draft) => (best && rank(best) >= rank(draft) ? best : draft),
    undefined,
  )
  if (!main) return
  for (const draft of free) if (draft !== main && isView(draft, main)) views.set(draft, main)
  for (const [view, target] of views) views.set(view, views.get(target) ?? target)
}

/** How much a path says about its collection: the highest of several is the collection, the others are views of it. */
function rank({ item, site, steps }: CollectionDraft): number {
  const params = steps.filter((step) => step.kind === 'param').length
  const reads = item?.operations.has('GET') ? 1000 : 0
  return (
    reads +
    (item ? 500 : 0) +
    (site.own.has('POST') ? 100 : 0) -
    params * 20 -
    (item?.params.length ?? 0) * 30 -
    steps.length
  )
}

function isViewByComponent(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!view.item) return main.item !== undefined || main.steps.every((step) => step.kind === 'static')
  return foldNoun(view.noun) === foldNoun(main.noun) || /^(by|find)_?/.test(view.noun)
}

/** Without component names: the same word, and at least 60 % of the fields in common. */
function isViewByFields(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!main.item) return false
  const [left, right] = [fieldsOf(view.schema), fieldsOf(main.schema)]
  const smaller = Math.min(left.size, right.size)
  if (smaller < 3) return false
  const shared = [...left.keys()].filter((name) => right.has(name)).length
  return shared / smaller >= 0.6
}
