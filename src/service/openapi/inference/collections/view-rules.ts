import { isIdWord } from '../../../../names/id-names.ts'
import { foldNoun, isSameNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import { componentOf, fieldsOf, isAlike, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { wrapperOf } from '../bodies/shapes.ts'
import { isTopLevel, keyOfSteps, lastStatic, paramsOf } from '../paths/path-shape.ts'
import type { CollectionDraft } from './collection-draft.ts'

type Views = Map<CollectionDraft, CollectionDraft>

/** One way to find paths that only show records of another collection. */
export interface ViewRule {
  readonly name: string
  readonly example: string
  /** Adds collections, each with the one whose records it shows. Pauses after each. */
  readonly find: (drafts: readonly CollectionDraft[], views: Views) => Generator<undefined, void>
}

/** The rules for paths that show records of another collection, used in this order. */
export const VIEW_RULES: readonly ViewRule[] = [
  {
    name: 'view-by-name',
    example: 'DELETE /comments/{id} beside /posts/{id}/comments',
    find: addNamesakes,
  },
  {
    name: 'view-same-component',
    example: 'GET /users/{id}/orders beside /orders, of one component',
    find: amongAlike(componentOf, (view, main) => {
      if (!view.item) {
        // `POST /visits/{id}/prescriptions` makes what `GET /patients/{id}/prescriptions` lists.
        const isOther = view.site.own.has('POST') !== main.site.own.has('POST')
        return !isLink(view, main) && (main.item !== undefined || isTopLevel(main.site.steps) || isOther)
      }
      return isSameNoun(view.noun, main.noun) && !isLink(view, main) && !hasOtherParent(view, main)
    }),
  },
  {
    name: 'view-by-field',
    example: 'GET /users/external_id/{external_id} beside /users/{id}, with most of its fields',
    find: addLookUps,
  },
  {
    name: 'view-same-fields',
    example: 'GET /users/{id}/orders beside /orders, with most of its fields',
    find: amongAlike(
      (_, { noun }) => foldNoun(noun),
      // Two fields alone, such as an id and a name, are those of many.
      (view, main) =>
        main.item !== undefined &&
        fieldsOf(view.schema).size >= 3 &&
        isAlike(view.schema, main.schema) &&
        !isLink(view, main) &&
        !hasOtherParent(view, main),
    ),
  },
  {
    name: 'view-below',
    example: 'GET /movies/popular below /movies, with most of its fields',
    find: addViewsBelow,
  },
]

/** Collections that only show records of another one, each with that one, by these rules. */
export function* findViews(
  drafts: readonly CollectionDraft[],
  rules: readonly ViewRule[],
): Generator<undefined, ReadonlyMap<CollectionDraft, CollectionDraft>> {
  const views: Views = new Map()
  for (const { name, find } of rules) {
    const before = views.size
    yield* find(drafts, views)
    for (const [, main] of [...views].slice(before)) if (!main.rules.includes(name)) main.rules.push(name)
  }
  for (const [view, target] of views) views.set(view, views.get(target) ?? target)
  return views
}

/** Compares collections with the same key with the main one of them. */
function amongAlike(
  keyOf: (schema: CollectionDraft['schema'], draft: CollectionDraft) => string | undefined,
  isView: (view: CollectionDraft, main: CollectionDraft) => boolean,
): ViewRule['find'] {
  return function* (drafts, views) {
    const groups = Map.groupBy(drafts, (draft) => keyOf(draft.schema, draft))
    groups.delete(undefined)
    for (const alike of groups.values()) {
      const free = alike.filter((draft) => !views.has(draft))
      const [main, ...others] = free.toSorted((left, right) => rank(right) - rank(left))
      for (const draft of others) {
        if (main && isView(draft, main)) views.set(draft, main)
        yield
      }
    }
  }
}

/** `/movies/popular`, `/movies/{id}/related`, `[{ watchers, movie }]`: lists below a collection that show its records. */
function* addViewsBelow(drafts: readonly CollectionDraft[], views: Views): Generator<undefined, void> {
  const byPath = new Map(drafts.map((draft) => [draft.site.key, draft]))
  for (const draft of drafts) {
    yield
    const { steps, own } = draft.site
    if (draft.item !== undefined || own.has('POST') || views.has(draft)) continue
    for (let length = steps.length - 1; length > 0; length--) {
      const main = steps[length - 1]?.kind === 'static' ? byPath.get(keyOfSteps(steps.slice(0, length))) : undefined
      if (!main?.item?.operations.has('GET')) continue
      if (showsRecords(draft, main)) views.set(draft, views.get(main) ?? main)
      break
    }
  }
}

/** Paths of records that are only changed and deleted there: those of the only collection of that name that has no such paths. */
function* addNamesakes(drafts: readonly CollectionDraft[], views: Views): Generator<undefined, void> {
  const byNoun = Map.groupBy(drafts, ({ noun }) => foldNoun(noun))
  for (const draft of drafts) {
    yield
    const { item, site, noun } = draft
    if (item === undefined || item.operations.has('GET') || item.params.length > 1 || site.own.size > 0) continue
    const [main, ...more] = byNoun.get(foldNoun(noun))?.filter((other) => other !== draft && !views.has(other)) ?? []
    const isKnown = main?.site.own.has('POST') && main.idField !== undefined && main.item === undefined
    if (!main || !isKnown || more.length > 0 || !isTopLevel(site.steps)) continue
    views.set(draft, main)
    main.item = item
  }
}

/** Paths that only read a record by one of its fields, below those of the records. */
function* addLookUps(drafts: readonly CollectionDraft[], views: Views): Generator<undefined, void> {
  const byPath = new Map(drafts.map((draft) => [draft.site.key, draft]))
  for (const draft of drafts) {
    yield
    const { item, site, schema } = draft
    const [param = '', ...more] = item?.params ?? []
    const isRead = item?.operations.has('GET') && !site.own.has('POST')
    if (!isRead || more.length > 0 || views.has(draft)) continue
    for (let length = site.steps.length - 1; site.steps[length]?.kind === 'static' && length > 0; length--) {
      const near = byPath.get(keyOfSteps(site.steps.slice(0, length)))
      const main = near && (views.get(near) ?? near)
      if (!main?.item || !(main.item.operations.has('GET') || main.site.own.has('GET'))) continue
      const component = componentOf(schema)
      const isSame = component !== undefined && component === componentOf(main.schema)
      const isShown = isSame || (site.own.size === 0 && isAlike(schema, main.schema))
      const [field] = namedFields(main.schema).named('folded', foldName(param))
      if (isShown && (isScalarSchema(field?.schema) || param === main.item.params.at(-1))) views.set(draft, main)
      break
    }
  }
}

/** Whether the list's records have most fields of the collection, directly or in a wrapper. */
function showsRecords({ schema }: CollectionDraft, main: CollectionDraft): boolean {
  if (fieldsOf(schema).size >= 3 && isAlike(schema, main.schema)) return true
  return schema !== undefined && wrapperOf(schema, main.hints, main.schema) !== undefined
}

/** How well a path represents its collection: the path of the highest rank is the collection, the others are views. */
function rank({ item, site, isFilter }: CollectionDraft): number {
  const params = paramsOf(site.steps).length
  // Records only created below a parent, like `POST /sandboxes/{id}/snapshots`, are listed elsewhere.
  const isOnlyMade = params > 0 && item === undefined && !isFilter && !site.own.has('GET')
  const weight =
    (isOnlyMade ? -1000 : 0) +
    (item?.operations.has('GET') ? 1000 : 0) +
    (item ? 500 : 0) +
    // `/repos/{owner}/{repo}`, which changes and deletes, before `/repositories/{id}`, which only reads.
    (item?.operations.has('DELETE') || item?.operations.has('PATCH') || item?.operations.has('PUT') ? 60 : 0) +
    (site.own.has('POST') ? 100 : 0)
  return weight - params * 20 - (item?.params.length ?? 0) * 30 - site.steps.length - (isFilter ? 50 : 0)
}

/** Alerts of subscriptions and alerts of wallets, each created and read below their own parents, are two collections. */
function hasOtherParent(view: CollectionDraft, main: CollectionDraft): boolean {
  const isWhole = ({ item, site }: CollectionDraft) =>
    !isTopLevel(site.steps) && site.own.has('POST') && item?.operations.has('GET')
  const parentOf = ({ site }: CollectionDraft) => lastStatic(site.steps.slice(0, -1))
  return Boolean(isWhole(main) && isWhole(view)) && !isSameNoun(parentOf(view), parentOf(main))
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
  return view.item !== undefined && !view.item.operations.has('GET') && main.site.own.has('POST')
}

/** `POST /issues/{index}/comments { body }`: a request that has what records say makes one, and attaches none. */
function writesOwn({ site, schema, idField }: CollectionDraft): boolean {
  const sent = fieldsOf(schemaOfBody(site.own.get('POST')?.draft.requestBody))
  return [...fieldsOf(schema).keys()].some((name) => sent.has(name) && name !== idField?.[0] && !isIdWord(name))
}
