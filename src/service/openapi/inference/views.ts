import { foldNoun } from '../../../names/nouns.ts'
import { fieldsOf } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'
import { componentOf } from './components.ts'
import { lastStatic } from './path-shape.ts'

/** Collections that only show records of another one, with that one. */
export function findViews(drafts: readonly CollectionDraft[]): Map<CollectionDraft, CollectionDraft> {
  const views = new Map<CollectionDraft, CollectionDraft>()
  const byComponent = groupBy(drafts, (draft) => componentOf(draft.schema))
  for (const alike of byComponent.values()) addViews(views, alike, isViewByComponent)
  const byNoun = groupBy(drafts, (draft) => foldNoun(draft.noun))
  for (const alike of byNoun.values()) addViews(views, alike, isViewByFields)
  for (const [view, target] of views) views.set(view, views.get(target) ?? target)
  return views
}

function groupBy(
  drafts: readonly CollectionDraft[],
  keyOf: (draft: CollectionDraft) => string | undefined,
): Map<string, CollectionDraft[]> {
  const groups = new Map<string, CollectionDraft[]>()
  for (const draft of drafts) {
    const key = keyOf(draft)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(draft)
    else groups.set(key, [draft])
  }
  return groups
}

function addViews(
  views: Map<CollectionDraft, CollectionDraft>,
  alike: readonly CollectionDraft[],
  isView: (view: CollectionDraft, main: CollectionDraft) => boolean,
): void {
  const free = alike.filter((draft) => !views.has(draft))
  const [main, ...others] = free.toSorted((left, right) => rank(right) - rank(left))
  if (!main) return
  for (const draft of others) if (isView(draft, main)) views.set(draft, main)
}

/** How much a path says about its collection: the highest of several is the collection, the others are views of it. */
function rank({ item, site, isFilter }: CollectionDraft): number {
  const params = site.steps.filter((step) => step.kind === 'param').length
  const weight = (item?.operations.has('GET') ? 1000 : 0) + (item ? 500 : 0) + (site.own.has('POST') ? 100 : 0)
  return weight - params * 20 - (item?.params.length ?? 0) * 30 - site.steps.length - (isFilter ? 50 : 0)
}

function isViewByComponent(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!view.item) return !isLink(view, main) && (main.item !== undefined || isTop(main))
  if (isLink(view, main) || hasOtherParent(view, main)) return false
  return foldNoun(view.noun) === foldNoun(main.noun) || /^(by|find)(_|$)/.test(view.noun)
}

/** Alerts of subscriptions and alerts of wallets, each made and read below their own parents, are two kinds of records. */
function hasOtherParent(view: CollectionDraft, main: CollectionDraft): boolean {
  const isWhole = ({ item, site }: CollectionDraft) => site.own.has('POST') && item?.operations.has('GET') === true
  if (isTop(main) || isTop(view) || !isWhole(main) || !isWhole(view)) return false
  const parentOf = ({ site }: CollectionDraft) => lastStatic(site.steps.slice(0, -1))
  return foldNoun(parentOf(view)) !== foldNoun(parentOf(main))
}

const isTop = (draft: CollectionDraft): boolean => draft.site.steps.every((step) => step.kind === 'static')

/**
 * Whether the nested paths tie records of `main` to a parent instead of making and removing them:
 * `DELETE /teams/{id}/members/{user_id}` must not delete the user.
 */
function isLink(view: CollectionDraft, main: CollectionDraft): boolean {
  if (isTop(view) || view.site.steps.length <= main.site.steps.length) return false
  const removes = view.item?.operations.has('DELETE') && !view.item.operations.has('GET')
  if (removes && (main.item?.operations.has('DELETE') || main.site.own.has('POST'))) return true
  return view.item !== undefined && !view.item.operations.has('GET') && main.site.own.has('POST')
}

/** Without component names: the same word, and at least 60 % of the fields in common. */
function isViewByFields(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!main.item || isLink(view, main) || hasOtherParent(view, main)) return false
  const [left, right] = [fieldsOf(view.schema), fieldsOf(main.schema)]
  const smaller = Math.min(left.size, right.size)
  if (smaller < 3) return false
  const shared = [...left.keys()].filter((name) => right.has(name)).length
  return shared / smaller >= 0.6
}
