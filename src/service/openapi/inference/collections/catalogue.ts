import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { SchemaReader } from '../../schemas/schema-reader.ts'
import { componentOf, fieldsOf, isObjectSchema } from '../bodies/bodies.ts'
import {
  isTopLevel,
  keyOfSteps,
  lastStatic,
  paramsOf,
  type Step,
  untilParam,
  withoutTrailing,
} from '../paths/path-shape.ts'
import { findRpcCalls, type RpcCall } from '../paths/rpc.ts'
import { isSearchSite, type PathSite, type Placed, type SiteMap } from '../paths/sites.ts'
import { type CollectionDraft, type DraftRules, draftCollection, withFieldsOf } from './collection-draft.ts'
import { KEY_RULES, type KeyRule } from './key-rules.ts'
import { PATH_RULES } from './path-rules.ts'
import { findViews, isLink, VIEW_RULES } from './view-rules.ts'

/** The record or collection of a path's beginning. */
export interface Around {
  readonly collection: CollectionDraft
  /** The path up to the collection, or up to the parameters of one record. */
  readonly steps: readonly Step[]
  readonly isRecord: boolean
}

/** The collection of each path. */
export class Catalogue {
  readonly sites: ReadonlyMap<string, PathSite>
  /** By the key of the site: its own collection, and the collection of which it is a view. */
  readonly #drafts = new Map<string, { readonly draft: CollectionDraft; readonly shown: CollectionDraft }>()
  readonly #collections: CollectionDraft[] = []
  readonly keyRules: readonly KeyRule[]
  readonly #calls: ReadonlyMap<Placed, RpcCall>
  readonly #readable = new Set<CollectionDraft>()
  /** Readable collections, by the noun and the parameter of their item path. */
  #byItem: ReadonlyMap<string, readonly CollectionDraft[]> | undefined
  /** Collections with keys, by the folded name of their id in other records: `customerid`. */
  #byIdName: ReadonlyMap<string, readonly CollectionDraft[]> | undefined
  #byLook: ReadonlyMap<string, readonly CollectionDraft[]> | undefined

  /**
   * The collections of these sites, by all rules except those with a name in `leftOut`. Pauses after each site.
   *
   * @param own keys of sites that are no views of others
   */
  static *of(
    map: SiteMap,
    reader: SchemaReader,
    leftOut: ReadonlySet<string>,
    own: ReadonlySet<string> = new Set(),
  ): Generator<undefined, Catalogue> {
    const isUsed = ({ name }: { readonly name: string }): boolean => !leftOut.has(name)
    const rules = { paths: PATH_RULES.filter(isUsed), keys: KEY_RULES.filter(isUsed) }
    const calls = yield* findRpcCalls(map)
    const drafts = yield* draftAll(map.sites, calls, { reader, rules })
    const found = yield* findViews(drafts, VIEW_RULES.filter(isUsed))
    const views = new Map([...found].filter(([{ site }]) => !own.has(site.key)))
    for (const [view, main] of views) {
      main.schema = withFieldsOf(main, view, reader)
      yield
    }
    return new Catalogue(map.sites, rules.keys, calls, drafts, views)
  }

  private constructor(
    sites: Catalogue['sites'],
    keyRules: readonly KeyRule[],
    calls: ReadonlyMap<Placed, RpcCall>,
    drafts: readonly CollectionDraft[],
    views: ReadonlyMap<CollectionDraft, CollectionDraft>,
  ) {
    this.sites = sites
    this.keyRules = keyRules
    this.#calls = calls
    for (const draft of drafts) {
      const shown = views.get(draft) ?? draft
      this.#drafts.set(draft.site.key, { draft, shown })
      if (shown === draft) this.#collections.push(draft)
      if (draft.site.own.has('GET') || draft.item?.operations.has('GET') || draft.isFilter) this.#readable.add(shown)
    }
  }

  /** Every collection once, in the description's order. */
  get collections(): readonly CollectionDraft[] {
    return this.#collections
  }

  /** The collection of a path without trailing parameters. */
  shownAt(steps: readonly Step[]): CollectionDraft | undefined {
    return this.#drafts.get(keyOfSteps(steps))?.shown
  }

  /** The collection found at a path, even if it is a view of another one. */
  draftAt(site: PathSite): CollectionDraft | undefined {
    return this.#drafts.get(site.key)?.draft
  }

  /** The collection of which a path with a last parameter identifies a record. */
  itemAt(steps: readonly Step[]): CollectionDraft | undefined {
    const last = steps.at(-1)
    if (last?.kind !== 'param') return undefined
    const found = this.#drafts.get(keyOfSteps(withoutTrailing(steps)))
    if (found) return found.draft.isFilter ? undefined : found.shown
    const before = steps.at(-2)
    return before?.kind === 'static' ? this.#namesake(before.text, last.name) : undefined
  }

  /**
   * The only collection of that name with a parameter of that name: domains, for `/registrar/domains/{domain}`. Without
   * such: the only one without a path of its records, such as the notes of `/deals/{id}/notes`, for `/notes/{id}/pin`.
   */
  #namesake(noun: string, param: string): CollectionDraft | undefined {
    this.#byItem ??= Map.groupBy(
      this.#collections.filter(({ item, idField }) => (item ? item.operations.has('GET') : idField)),
      ({ site, item }) => itemName(lastStatic(site.steps), item?.params.at(-1) ?? ''),
    )
    const [only, ...more] = this.#byItem.get(itemName(noun, param)) ?? this.#byItem.get(itemName(noun, '')) ?? []
    return more.length === 0 ? only : undefined
  }

  /** The collection whose records another collection's paths attach to a parent: users, for `PUT /teams/{id}/members/{user_id}`. */
  linkedBy(collection: CollectionDraft): CollectionDraft | undefined {
    if (componentOf(collection.schema) === undefined || isTopLevel(collection.site.steps)) return undefined
    const isMain = ({ site, item }: CollectionDraft) => isTopLevel(site.steps) && item?.operations.has('GET')
    const main = this.alike(collection.schema).find(isMain)
    return main && isLink(collection, main) ? main : undefined
  }

  /** The collections with records of this component; without components, with these fields. */
  alike(record: Schema | undefined): readonly CollectionDraft[] {
    this.#byLook ??= Map.groupBy(this.#collections, ({ schema }) => lookOf(schema) ?? '')
    const look = lookOf(record)
    return look === undefined ? [] : (this.#byLook.get(look) ?? [])
  }

  /** The record or the collection of a path, without a final word `actions`. */
  around(outer: readonly Step[]): Around | undefined {
    const last = outer.at(-1)
    if (!last) return undefined
    if (last.kind === 'param') {
      const collection = this.itemAt(outer)
      return collection && { collection, steps: outer, isRecord: true }
    }
    const collection = this.shownAt(outer)
    const beyond = /^actions?$/.test(last.text) ? this.around(outer.slice(0, -1)) : undefined
    return beyond ?? (collection && { collection, steps: outer, isRecord: false })
  }

  /** The nearest record above a path: the app of `/apps/{id}/secret/rotate`. */
  enclosing(outer: readonly Step[]): Around | undefined {
    return this.around(untilParam(outer))
  }

  /** The collection for an id of this name: customers, for `customerId`. */
  namedBy(name: string): CollectionDraft | undefined {
    this.#byIdName ??= Map.groupBy(
      this.#collections.filter((collection) => collection.idField && this.isReadable(collection)),
      ({ noun }) => `${foldNoun(noun)}id`,
    )
    const found = this.#byIdName.get(foldName(name).replace(/(uuid|key)$/, 'id')) ?? []
    return found.length > 1 ? found.find(({ site }) => isTopLevel(site.steps)) : found[0]
  }

  /** The operation of an RPC-like path, and its collection. */
  callOf(operation: Placed): (RpcCall & { readonly collection: CollectionDraft | undefined }) | undefined {
    const call = this.#calls.get(operation)
    return call && { ...call, collection: this.shownAt(call.site.steps) ?? this.#drafts.get(call.site.key)?.shown }
  }

  /** Whether any operation reads or lists the records: otherwise clients cannot know their keys beforehand. */
  isReadable(collection: CollectionDraft): boolean {
    return this.#readable.has(collection)
  }

  /** The collection and the parameter of the nearest parameter before the last word of the path. */
  parentOf(collection: CollectionDraft): { collection: CollectionDraft; param: string } | undefined {
    const parent = this.ownerOf(collection.site)
    return parent?.collection === collection ? undefined : parent
  }

  /** The collection and the parameter of the last parameter of a path. */
  ownerOf({ steps }: PathSite): { collection: CollectionDraft; param: string } | undefined {
    const path = untilParam(steps)
    const last = path.at(-1)
    const collection = this.itemAt(path)
    return collection && last?.kind === 'param' ? { collection, param: last.name } : undefined
  }

  /** Whether the records of `collection` are nested, at any depth, below those of `ancestor`. */
  isBelow(collection: CollectionDraft, ancestor: CollectionDraft): boolean {
    const seen = new Set<CollectionDraft>()
    for (let at = this.parentOf(collection)?.collection; at && !seen.has(at); at = this.parentOf(at)?.collection) {
      if (at === ancestor) return true
      seen.add(at)
    }
    return false
  }
}

/** A common feature of schemas for the same records: the component, else the names of their fields. */
function lookOf(schema: Schema | undefined): string | undefined {
  if (!isObjectSchema(schema)) return undefined
  const fields = [...fieldsOf(schema).keys()]
  return componentOf(schema) ?? (fields.length > 3 ? fields.sort().join(' ') : undefined)
}

const itemName = (noun: string, param: string): string => `${foldNoun(noun)} ${foldName(param)}`

/** All collections of the sites. A search is a collection only where the path before it is none. */
function* draftAll(
  sites: SiteMap['sites'],
  calls: ReadonlyMap<Placed, RpcCall>,
  by: { readonly reader: SchemaReader; readonly rules: DraftRules },
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
    const isCall = [...site.own.values()].some((operation) => calls.has(operation)) && !rpc.has(site)
    const draft = isCall ? undefined : draftCollection(site, implied.get(site.key), by)
    if (draft) drafts.set(site.key, draft)
  }
  for (const site of searches) {
    yield
    const around = drafts.has(keyOfSteps(site.steps.slice(0, -1)))
    const draft = around ? undefined : draftCollection(site, undefined, by)
    if (draft) drafts.set(site.key, draft)
  }
  return [...drafts.values()]
}

/** Parameters in the middle of paths, by the key of their records' site. */
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
