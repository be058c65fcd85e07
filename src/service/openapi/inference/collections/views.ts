import { isIdWord } from '../../../../names/id-names.ts'
import { foldNoun, isSameNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import { componentOf, fieldsOf, isAlike, isScalarSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { wrapperOf } from '../bodies/shapes.ts'
import { isTopLevel, keyOfSteps, lastStatic, paramsOf } from '../paths/path-shape.ts'
import type { CollectionDraft } from './collection-draft.ts'

type Views = ReadonlyMap<CollectionDraft, CollectionDraft>

/** Collections that only show records of another one, and those that attach records of another one, each with that one. */
export function* findViews(
  drafts: readonly CollectionDraft[],
): Generator<undefined, { readonly views: Views; readonly links: Views }> {
  const views = new Map<CollectionDraft, CollectionDraft>()
  const byComponent = Map.groupBy(drafts, (draft) => componentOf(draft.schema))
  byComponent.delete(undefined)
  for (const alike of byComponent.values()) yield* addViews(views, alike, isViewByComponent)
  yield* addLookUps(views, drafts)
  const byNoun = Map.groupBy(drafts, (draft) => foldNoun(draft.noun))
  for (const alike of byNoun.values()) yield* addViews(views, alike, isViewByFields)
  for (const alike of byComponent.values()) yield* addViews(views, alike, isViewByReading)
  for (const alike of byComponent.values()) yield* addViews(views, alike, isViewOfJobs(alike))
  yield* addSome(views, drafts)
  yield* addViewsBelow(views, drafts)
  const links = new Map<CollectionDraft, CollectionDraft>()
  for (const [view, target] of views) {
    const main = views.get(target) ?? target
    if (main !== target && isLink(view, main)) links.set(view, main)
    else views.set(view, main)
  }
  for (const link of links.keys()) views.delete(link)
  return { views, links }
}

function* addViews(
  views: Map<CollectionDraft, CollectionDraft>,
  alike: readonly CollectionDraft[],
  isView: (view: CollectionDraft, main: CollectionDraft) => boolean,
): Generator<undefined, void> {
  const free = alike.filter((draft) => !views.has(draft))
  const [main, ...others] = free.toSorted((left, right) => rank(right) - rank(left))
  if (!main) return
  for (const draft of others) {
    if (isView(draft, main)) views.set(draft, main)
    yield
  }
}

/** `/movies/popular`, `/movies/{id}/related`, `[{ watchers, movie }]`: lists below a collection that show its records. */
function* addViewsBelow(
  views: Map<CollectionDraft, CollectionDraft>,
  drafts: readonly CollectionDraft[],
): Generator<undefined, void> {
  const byPath = new Map(drafts.map((draft) => [draft.site.key, draft]))
  for (const draft of drafts) {
    yield
    const { steps, own } = draft.site
    const isList = (draft.item === undefined || draft.isFilter) && !own.has('POST') && !views.has(draft)
    if (!isList || fieldsOf(draft.schema).size === 0) continue
    for (let length = steps.length - 1; length > 0; length--) {
      const main = steps[length - 1]?.kind === 'static' ? byPath.get(keyOfSteps(steps.slice(0, length))) : undefined
      if (!main?.item?.operations.has('GET')) continue
      if (!views.has(main) && showsRecords(draft, main)) views.set(draft, main)
      break
    }
  }
}

/** `/upcomingMeetings`, `/groups/{id}/active-users` next to `/meetings/{id}`, `/users/{id}`: some of these records. */
function* addSome(
  views: Map<CollectionDraft, CollectionDraft>,
  drafts: readonly CollectionDraft[],
): Generator<undefined, void> {
  const read = drafts.filter((draft) => draft.item?.operations.has('GET') && !views.has(draft))
  const byNoun = Map.groupBy(read, ({ noun }) => foldNoun(noun))
  for (const draft of drafts) {
    yield
    const [, ...rest] = draft.noun.split('_')
    const [main, ...more] = rest.length > 0 ? (byNoun.get(foldNoun(rest.join('_'))) ?? []) : []
    if (!main || more.length > 0 || draft.item || draft.site.own.has('POST') || views.has(draft)) continue
    if (showsRecords(draft, main)) views.set(draft, main)
  }
}

/** `/customers/email/{email}`, `/users/external_id/{external_id}`: the record of the collection above with this value. */
function* addLookUps(
  views: Map<CollectionDraft, CollectionDraft>,
  drafts: readonly CollectionDraft[],
): Generator<undefined, void> {
  const byPath = new Map(drafts.map((draft) => [draft.site.key, draft]))
  for (const draft of drafts) {
    yield
    const { item, isFilter, site } = draft
    const [param, ...more] = item?.params ?? []
    const isRead = item?.operations.has('GET') === true && !isFilter && site.own.size === 0
    if (!isRead || param === undefined || more.length > 0 || views.has(draft)) continue
    const near = byPath.get(keyOfSteps(site.steps.slice(0, -1)))
    // `/teams/{id}/channels/name/{name}`, where the channels of a team are some of all channels.
    const main = near && (views.get(near) ?? near)
    const isShown = main?.item?.operations.has('GET') === true || (main?.item !== undefined && main.site.own.has('GET'))
    if (!main || !isShown || views.has(main)) continue
    const isSame = componentOf(draft.schema) !== undefined && componentOf(draft.schema) === componentOf(main.schema)
    // Where no answer is described, the name of the field says enough.
    const get = item?.operations.get('GET')
    const isBlind = draft.isPlain && get !== undefined && schemaOfResponse(get.draft.success) === undefined
    if ((isSame || isBlind || showsRecords(draft, main)) && hasValueOf(main, draft.noun, param)) views.set(draft, main)
  }
}

/** Whether word and parameter name a field for finding records. */
function hasValueOf({ schema }: CollectionDraft, word: string, param: string): boolean {
  const isPart = foldName(param).endsWith(foldName(word))
  const [field] = [param, ...(isPart ? [word] : [])].flatMap((name) => namedFields(schema).named(foldName(name)))
  const isNamed =
    isPart ||
    foldNoun(word).endsWith(foldNoun(param)) ||
    (word.length > 3 && foldName(param).startsWith(foldName(word)))
  return isScalarSchema(field?.schema) && isNamed
}

/** Whether the list's records have most fields of the collection, directly or in a wrapper. */
function showsRecords({ schema }: CollectionDraft, main: CollectionDraft): boolean {
  if (fieldsOf(schema).size >= 3 && isAlike(schema, main.schema)) return true
  return schema !== undefined && wrapperOf(schema, main.hints, main.schema) !== undefined
}

/** How well a path represents its collection: the path of the highest rank is the collection, the others are views. */
function rank({ item, site, isFilter, noun }: CollectionDraft): number {
  const params = paramsOf(site.steps).length
  // Records only created below a parent, like `POST /sandboxes/{id}/snapshots`, are listed elsewhere.
  const isOnlyMade = params > 0 && item === undefined && !isFilter && !site.own.has('GET')
  const weight =
    (isOnlyMade || LOOKS_UP.test(noun) ? -1000 : 0) +
    (item?.operations.has('GET') ? 1000 : 0) +
    (item ? 500 : 0) +
    // `/repos/{owner}/{repo}`, which changes and deletes, before `/repositories/{id}`, which only reads.
    (item?.operations.has('DELETE') || item?.operations.has('PATCH') || item?.operations.has('PUT') ? 60 : 0) +
    (site.own.has('POST') ? 100 : 0)
  return weight - params * 20 - (item?.params.length ?? 0) * 30 - site.steps.length - (isFilter ? 50 : 0)
}

function isViewByComponent(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!view.item) return !isLink(view, main) && (main.item !== undefined || isTopLevel(main.site.steps))
  if (isLink(view, main) || hasOtherParent(view, main)) return false
  return isSameNoun(view.noun, main.noun) || LOOKS_UP.test(view.noun)
}

/**
 * `/tools/published/{id}`, read-only, next to `/tools/{id}` of the same component: some of the tools. `/repositories/{id}`
 * next to `/repos/{owner}/{repo}`: the same, by another key.
 */
function isViewByReading(view: CollectionDraft, main: CollectionDraft): boolean {
  const [param = '', ...more] = view.item?.params ?? []
  const operations = [view.site.own, view.item?.operations ?? new Map<string, unknown>()].flatMap((own) => [
    ...own.keys(),
  ])
  const isRead = view.item?.operations.has('GET') && operations.every((method) => method === 'GET' || method === 'HEAD')
  if (!isRead || more.length > 0 || !main.item?.operations.has('GET') || main.inventedKey) return false
  const isWhole = view.site.own.size === 0 && main.item.params.length > 1
  if (isWhole && isScalarSchema(fieldsOf(main.schema).get(param))) return true
  const outer = view.site.steps.slice(0, -1)
  const isAbout = outer.some((step) => step.kind === 'static' && isSameNoun(step.text, main.noun))
  if (!isAbout || outer.some(({ kind }) => kind === 'param')) return false
  const folded = foldName(param)
  return (
    /id$|key$/.test(folded) || folded === foldName(main.item.params.at(-1) ?? '') || fieldsOf(main.schema).has(param)
  )
}

/**
 * `/files/jobs/{id}` and `/backups/jobs/{id}`, which are only read, of a component with which `POST /files/{id}/scan` answers: one
 * collection, so that a client finds by each of these paths what it was answered.
 */
function isViewOfJobs(alike: readonly CollectionDraft[]): (view: CollectionDraft, main: CollectionDraft) => boolean {
  const isLeft = alike.some(({ site, item }) => site.own.has('POST') && !site.own.has('GET') && item === undefined)
  return ({ site, item }, main) =>
    isLeft &&
    site.own.size === 0 &&
    item?.params.length === 1 &&
    item.operations.size === 1 &&
    item.operations.has('GET') &&
    main.item?.operations.has('GET') === true
}

/** Words of paths that say by which field records are found: `by-owner`, `get-by-uuid`. */
const LOOKS_UP = /^((get_|find_|lookup_)?by|find)(_|$)/

/** Whether records are made and read by the paths of a collection. */
const isWhole = ({ item, site }: CollectionDraft): boolean =>
  site.own.has('POST') && item?.operations.has('GET') === true

/** Alerts of subscriptions and alerts of wallets, each created and read below their own parents, are two collections. */
function hasOtherParent(view: CollectionDraft, main: CollectionDraft): boolean {
  if (isTopLevel(main.site.steps) || isTopLevel(view.site.steps) || !isWhole(main) || !isWhole(view)) return false
  const parentOf = ({ site }: CollectionDraft) => lastStatic(site.steps.slice(0, -1))
  return !isSameNoun(parentOf(view), parentOf(main))
}

/**
 * Whether the nested paths only attach records of `main` to a parent: `DELETE /teams/{id}/members/{user_id}` must not
 * delete the user.
 */
export function isLink(view: CollectionDraft, main: CollectionDraft): boolean {
  if (isTopLevel(view.site.steps) || view.site.steps.length < main.site.steps.length) return false
  if (!main.site.own.has('POST') && writesOwn(view)) return false
  const removes = view.item?.operations.has('DELETE') && !view.item.operations.has('GET')
  if (removes && (main.item?.operations.has('DELETE') || main.site.own.has('POST'))) return true
  // `{block_id}` attaches and detaches, beside `{block_label}`, which reads.
  const attaches = [...view.site.items.values()].some(
    ({ operations }) => operations.has('PUT') && operations.has('DELETE') && !operations.has('GET'),
  )
  if (attaches && view.item?.operations.has('GET') && !view.site.own.has('POST')) return true
  return view.item !== undefined && !view.item.operations.has('GET') && main.site.own.has('POST')
}

/** `POST /issues/{index}/comments { body }`: a request that has what records say makes one, and attaches none. */
function writesOwn({ site, schema, idField }: CollectionDraft): boolean {
  const sent = fieldsOf(schemaOfBody(site.own.get('POST')?.draft.requestBody))
  return [...fieldsOf(schema).keys()].some((name) => sent.has(name) && name !== idField?.[0] && !isIdWord(name))
}

/**
 * Keys of a user and keys of a repository, each made and read by their own paths and described by their own components,
 * are two collections, unless all of them say to which repository they belong.
 */
function isOtherKind(view: CollectionDraft, main: CollectionDraft): boolean {
  const [one, other] = [view, main].map(({ schema }) => componentOf(schema))
  if (one === undefined || other === undefined || one === other || !isWhole(view) || !isWhole(main)) return false
  const [outer, inner] = [paramsOf(main.site.steps), paramsOf(view.site.steps)].toSorted((a, b) => a.length - b.length)
  const names = new Set([...fieldsOf(main.schema).keys()].map(foldName))
  return outer?.length !== inner?.length && !names.has(foldName(inner?.at(-1) ?? ''))
}

/** Without component names: the same word, and at least 60 % common fields. */
function isViewByFields(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!main.item || isLink(view, main) || hasOtherParent(view, main) || isOtherKind(view, main)) return false
  // Two fields alone, such as an id and a name, are those of many.
  return fieldsOf(view.schema).size >= 3 && isAlike(view.schema, main.schema)
}
