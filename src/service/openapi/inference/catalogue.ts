import { foldNoun, isSameNoun } from '../../../names/nouns.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { SchemaReader } from '../schema-reader.ts'
import { componentOf, countShared, fieldsOf } from './bodies.ts'
import { type CollectionDraft, draftCollection, wrapperOf } from './collection-draft.ts'
import {
  isSearchSegment,
  isTopLevel,
  keyOfSteps,
  lastStatic,
  paramsOf,
  type Step,
  untilParam,
  withoutTrailing,
} from './path-shape.ts'
import { findRpcCalls, type RpcCall } from './rpc.ts'
import type { PathSite, Placed, SiteMap } from './sites.ts'

/** Which collection each path shows. */
export class Catalogue {
  readonly sites: ReadonlyMap<string, PathSite>
  /** By the key of the site: the collection as found, and the one that it is a view of. */
  readonly #drafts = new Map<string, { readonly draft: CollectionDraft; readonly shown: CollectionDraft }>()
  readonly #collections: CollectionDraft[] = []
  readonly #calls: ReadonlyMap<Placed, RpcCall>
  readonly #readable = new Set<CollectionDraft>()
  /** Collections whose records are read by keys, by the key of the path above them. */
  #keyedBelow: ReadonlyMap<string, readonly CollectionDraft[]> | undefined
  /** Collections at the top whose records can be read, by component. */
  #byComponent: ReadonlyMap<string, readonly CollectionDraft[]> | undefined

  /** The collections of these sites. Pauses after each site. */
  static *of(map: SiteMap, reader: SchemaReader): Generator<undefined, Catalogue> {
    const calls = yield* findRpcCalls(map)
    const drafts = yield* draftAll(map, calls, reader)
    return new Catalogue(map, { calls, drafts, views: yield* findViews(drafts) })
  }

  private constructor(
    map: SiteMap,
    {
      calls,
      drafts,
      views,
    }: {
      readonly calls: ReadonlyMap<Placed, RpcCall>
      readonly drafts: readonly CollectionDraft[]
      readonly views: ReadonlyMap<CollectionDraft, CollectionDraft>
    },
  ) {
    this.sites = map.sites
    this.#calls = calls
    for (const draft of drafts) {
      const shown = views.get(draft) ?? draft
      this.#drafts.set(draft.site.key, { draft, shown })
      if (shown === draft) this.#collections.push(draft)
      if (draft.site.own.has('GET') || draft.item?.operations.has('GET') || draft.isFilter) this.#readable.add(shown)
    }
  }

  /** Every collection once, in the order of the description. */
  get collections(): readonly CollectionDraft[] {
    return this.#collections
  }

  /** The collection whose records a path without trailing parameters shows. */
  shownAt(steps: readonly Step[]): CollectionDraft | undefined {
    return this.#drafts.get(keyOfSteps(steps))?.shown
  }

  /** The collection found at a path, be it a view of another one or not. */
  draftAt(site: PathSite): CollectionDraft | undefined {
    return this.#drafts.get(site.key)?.draft
  }

  /** The collection of which a path that ends in a parameter names one record. */
  itemAt(steps: readonly Step[]): CollectionDraft | undefined {
    if (steps.at(-1)?.kind !== 'param') return undefined
    const found = this.#drafts.get(keyOfSteps(withoutTrailing(steps)))
    return found?.draft.isFilter ? undefined : found?.shown
  }

  /** The collection whose records the paths of another one tie to a parent: users, for `PUT /teams/{id}/members/{user_id}`. */
  linkedBy(collection: CollectionDraft): CollectionDraft | undefined {
    const component = componentOf(collection.schema)
    if (component === undefined || isTopLevel(collection.site.steps)) return undefined
    this.#byComponent ??= Map.groupBy(
      this.#collections.filter(({ site, item }) => isTopLevel(site.steps) && item?.operations.has('GET')),
      ({ schema }) => componentOf(schema) ?? '',
    )
    const main = this.#byComponent.get(component)?.[0]
    return main && main !== collection && isLink(collection, main) ? main : undefined
  }

  /** The collection one word below a path, `/catalog/object/{id}` below `/catalog`, where only one there is read by keys. */
  onlyOneBelow(steps: readonly Step[]): CollectionDraft | undefined {
    if (steps.length === 0 || steps.at(-1)?.kind !== 'static') return undefined
    this.#keyedBelow ??= Map.groupBy(
      this.#collections.filter(({ item }) => item?.operations.has('GET')),
      ({ site }) => keyOfSteps(site.steps.slice(0, -1)),
    )
    const [only, ...others] = this.#keyedBelow.get(keyOfSteps(steps)) ?? []
    return others.length === 0 ? only : undefined
  }

  /** What an RPC-like path does, to which collection, and of which collection that is a part. */
  callOf(operation: Placed):
    | {
        call: RpcCall
        collection: CollectionDraft | undefined
        owner: CollectionDraft | undefined
      }
    | undefined {
    const call = this.#calls.get(operation)
    const shown = (site: PathSite | undefined) =>
      site && (this.shownAt(site.steps) ?? this.#drafts.get(site.key)?.shown)
    return call && { call, collection: shown(call.site), owner: shown(call.owner) }
  }

  /** Whether any operation reads or lists the records: else clients cannot know their keys beforehand. */
  isReadable(collection: CollectionDraft): boolean {
    return this.#readable.has(collection)
  }

  /** The collection that the nearest parameter before the last word of the path belongs to, with that parameter. */
  parentOf(collection: CollectionDraft): { collection: CollectionDraft; param: string } | undefined {
    const parent = this.ownerOf(collection.site)
    return parent?.collection === collection ? undefined : parent
  }

  /** The collection of whose records the last parameter of a path names one, with that parameter. */
  ownerOf({ steps }: PathSite): { collection: CollectionDraft; param: string } | undefined {
    const path = untilParam(steps)
    const last = path.at(-1)
    const collection = this.itemAt(path)
    return collection && last?.kind === 'param' ? { collection, param: last.name } : undefined
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

/** All collections as found. A search is one only where the path before it is none. */
function* draftAll(
  { sites }: SiteMap,
  calls: ReadonlyMap<Placed, RpcCall>,
  reader: SchemaReader,
): Generator<undefined, readonly CollectionDraft[]> {
  const implied = yield* impliedItems(sites)
  const drafts = new Map<string, CollectionDraft>()
  const searches: PathSite[] = []
  const rpc = new Set([...calls.values()].map((call) => call.site))
  for (const site of [...sites.values(), ...rpc]) {
    yield
    if (isSearchSegment(lastStatic(site.steps))) {
      searches.push(site)
      continue
    }
    const isCall = [...site.own.values()].some((operation) => calls.has(operation)) && !rpc.has(site)
    const draft = isCall ? undefined : draftCollection(site, implied.get(site.key), reader)
    if (draft) drafts.set(site.key, draft)
  }
  for (const site of searches) {
    yield
    const around = drafts.has(keyOfSteps(site.steps.slice(0, -1)))
    const draft = around ? undefined : draftCollection(site, undefined, reader)
    if (draft) drafts.set(site.key, draft)
  }
  return [...drafts.values()]
}

/** Parameters in the middle of paths, by the key of the site whose records they name. */
function* impliedItems(
  sites: ReadonlyMap<string, PathSite>,
): Generator<undefined, ReadonlyMap<string, readonly string[]>> {
  const implied = new Map<string, readonly string[]>()
  for (const { steps } of sites.values()) {
    yield
    for (const [at, step] of steps.entries()) {
      if (step.kind !== 'param' || steps[at + 1]?.kind !== 'static') continue
      const path = steps.slice(0, at + 1)
      const base = withoutTrailing(path)
      if (base.length > 0) implied.set(keyOfSteps(base), paramsOf(path.slice(base.length)))
    }
  }
  return implied
}

/** Collections that only show records of another one, with that one. */
function* findViews(
  drafts: readonly CollectionDraft[],
): Generator<undefined, ReadonlyMap<CollectionDraft, CollectionDraft>> {
  const views = new Map<CollectionDraft, CollectionDraft>()
  const byComponent = Map.groupBy(drafts, (draft) => componentOf(draft.schema))
  byComponent.delete(undefined)
  for (const alike of byComponent.values()) yield* addViews(views, alike, isViewByComponent)
  const byNoun = Map.groupBy(drafts, (draft) => foldNoun(draft.noun))
  for (const alike of byNoun.values()) yield* addViews(views, alike, isViewByFields)
  yield* addViewsBelow(views, drafts)
  for (const [view, target] of views) views.set(view, views.get(target) ?? target)
  return views
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

/** Whether records of the list have most fields of the collection's, by themselves or around them. */
function showsRecords({ schema }: CollectionDraft, main: CollectionDraft): boolean {
  const isAlike = (shown: Schema | undefined) => {
    const smaller = Math.min(fieldsOf(shown).size, fieldsOf(main.schema).size)
    return smaller >= 3 && countShared(shown, main.schema) / smaller >= 0.6
  }
  if (isAlike(schema)) return true
  return schema !== undefined && wrapperOf(schema, main.hints, main.schema) !== undefined
}

/** How much a path says about its collection: the path of the highest rank is the collection, the others are views. */
function rank({ item, site, isFilter }: CollectionDraft): number {
  const params = paramsOf(site.steps).length
  const weight = (item?.operations.has('GET') ? 1000 : 0) + (item ? 500 : 0) + (site.own.has('POST') ? 100 : 0)
  return weight - params * 20 - (item?.params.length ?? 0) * 30 - site.steps.length - (isFilter ? 50 : 0)
}

function isViewByComponent(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!view.item) return !isLink(view, main) && (main.item !== undefined || isTopLevel(main.site.steps))
  if (isLink(view, main) || hasOtherParent(view, main)) return false
  return isSameNoun(view.noun, main.noun) || /^(by|find)(_|$)/.test(view.noun)
}

/** Alerts of subscriptions and alerts of wallets, each created and read below their own parents, are two collections. */
function hasOtherParent(view: CollectionDraft, main: CollectionDraft): boolean {
  const isWhole = ({ item, site }: CollectionDraft) => site.own.has('POST') && item?.operations.has('GET') === true
  if (isTopLevel(main.site.steps) || isTopLevel(view.site.steps) || !isWhole(main) || !isWhole(view)) return false
  const parentOf = ({ site }: CollectionDraft) => lastStatic(site.steps.slice(0, -1))
  return !isSameNoun(parentOf(view), parentOf(main))
}

/**
 * Whether the nested paths tie records of `main` to a parent instead of making and removing them:
 * `DELETE /teams/{id}/members/{user_id}` must not delete the user.
 */
function isLink(view: CollectionDraft, main: CollectionDraft): boolean {
  if (isTopLevel(view.site.steps) || view.site.steps.length <= main.site.steps.length) return false
  const removes = view.item?.operations.has('DELETE') && !view.item.operations.has('GET')
  if (removes && (main.item?.operations.has('DELETE') || main.site.own.has('POST'))) return true
  return view.item !== undefined && !view.item.operations.has('GET') && main.site.own.has('POST')
}

/** Without component names: the same word, and at least 60 % of the fields in common. */
function isViewByFields(view: CollectionDraft, main: CollectionDraft): boolean {
  if (!main.item || isLink(view, main) || hasOtherParent(view, main)) return false
  const smaller = Math.min(fieldsOf(view.schema).size, fieldsOf(main.schema).size)
  return smaller >= 3 && countShared(view.schema, main.schema) / smaller >= 0.6
}
