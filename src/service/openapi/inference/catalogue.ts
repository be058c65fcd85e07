import { foldNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import { componentOf } from './bodies.ts'
import { type CollectionDraft, draftCollection } from './collection-draft.ts'
import { isTopLevel, keyOfSteps, lastStatic, paramsOf, type Step, untilParam, withoutTrailing } from './path-shape.ts'
import { findRpcCalls, type RpcCall } from './rpc.ts'
import { isSearchSite, type PathSite, type Placed, type SiteMap } from './sites.ts'
import { findViews, isLink } from './views.ts'

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
  /** Collections whose records can be read, by the noun and the parameter of their item path. */
  #byItem: ReadonlyMap<string, readonly CollectionDraft[]> | undefined
  /** Collections whose records have keys, by the folded name that an id of theirs has elsewhere: `customerid`. */
  #byIdName: ReadonlyMap<string, readonly CollectionDraft[]> | undefined
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
    const last = steps.at(-1)
    if (last?.kind !== 'param') return undefined
    const found = this.#drafts.get(keyOfSteps(withoutTrailing(steps)))
    if (found) return found.draft.isFilter ? undefined : found.shown
    const before = steps.at(-2)
    return before?.kind === 'static' ? this.#namesake(before.text, last.name) : undefined
  }

  /** The only collection of that name whose records a parameter of that name names: domains, for `/registrar/domains/{domain}`. */
  #namesake(noun: string, param: string): CollectionDraft | undefined {
    this.#byItem ??= Map.groupBy(
      this.#collections.filter(({ item }) => item?.operations.has('GET')),
      (collection) => itemName(lastStatic(collection.site.steps), collection.item?.params.at(-1) ?? ''),
    )
    const [only, ...more] = this.#byItem.get(itemName(noun, param)) ?? []
    return more.length === 0 ? only : undefined
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

  /** The collection of whose records a parameter or a field of this name gives the id: customers, for `customerId`. */
  namedBy(name: string): CollectionDraft | undefined {
    this.#byIdName ??= Map.groupBy(
      this.#collections.filter((collection) => collection.idField && this.isReadable(collection)),
      ({ noun }) => `${foldNoun(noun)}id`,
    )
    const found = this.#byIdName.get(foldName(name).replace(/(uuid|key)$/, 'id')) ?? []
    return found.length > 1 ? found.find(({ site }) => isTopLevel(site.steps)) : found[0]
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

const itemName = (noun: string, param: string): string => `${foldNoun(noun)} ${foldName(param)}`

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
    if (isSearchSite(site)) {
      searches.push(site)
      continue
    }
    const isCall = [...site.own.values()].some((operation) => calls.get(operation)?.isLoose === false) && !rpc.has(site)
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
