import { type CollectionDraft, draftCollection } from './collection-draft.ts'
import { keyOfSteps, lastStatic, type Step } from './path-shape.ts'
import { findRpcCalls, type RpcCall } from './rpc.ts'
import { isSearchSegment } from './segment-words.ts'
import type { Placed, Site, SiteMap } from './sites.ts'
import { findViews } from './views.ts'

/** Which collection each path shows. */
export class Catalogue {
  readonly sites: ReadonlyMap<string, Site>
  /** By the key of their site: each as found, and the collection that it is a view of. */
  readonly #drafts = new Map<string, { readonly draft: CollectionDraft; readonly shown: CollectionDraft }>()
  readonly #collections: CollectionDraft[] = []
  readonly #calls: ReadonlyMap<Placed, RpcCall>
  readonly #readable = new Set<CollectionDraft>()

  constructor(map: SiteMap) {
    this.sites = map.sites
    this.#calls = findRpcCalls(map)
    const drafts = draftAll(map, this.#calls)
    const views = findViews(drafts)
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

  /** What a path itself looks like, before it is known whether it is a view of something. */
  draftAt(site: Site): CollectionDraft | undefined {
    return this.#drafts.get(site.key)?.draft
  }

  /** The collection of which a path that ends in a parameter names one record. */
  itemAt(steps: readonly Step[]): CollectionDraft | undefined {
    if (steps.at(-1)?.kind !== 'param') return undefined
    const found = this.#drafts.get(keyOfSteps(withoutTrailing(steps)))
    return found?.draft.isFilter ? undefined : found?.shown
  }

  /** What an RPC-like path does, and to which collection. */
  callOf(operation: Placed): { call: RpcCall; collection: CollectionDraft } | undefined {
    const call = this.#calls.get(operation)
    const collection = call && (this.shownAt(call.site.steps) ?? this.#drafts.get(call.site.key)?.shown)
    return call && collection && { call, collection }
  }

  /** Whether any operation reads or lists the records: else nobody can know their keys beforehand. */
  isReadable(collection: CollectionDraft): boolean {
    return this.#readable.has(collection)
  }

  /** The collection that the nearest parameter before the last word of the path belongs to, with that parameter. */
  parentOf(collection: CollectionDraft): { collection: CollectionDraft; param: string } | undefined {
    const { steps } = collection.site
    const end = steps.findLastIndex((step) => step.kind === 'param')
    const step = steps[end]
    if (step?.kind !== 'param') return undefined
    const parent = this.itemAt(steps.slice(0, end + 1))
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

/** A search is a collection of its own only where the path before it is none. */
function draftAll({ sites }: SiteMap, calls: ReadonlyMap<Placed, RpcCall>): CollectionDraft[] {
  const implied = impliedItems(sites)
  const drafts = new Map<string, CollectionDraft>()
  const searches: Site[] = []
  const rpc = new Set([...calls.values()].map((call) => call.site))
  for (const site of [...sites.values(), ...rpc]) {
    if (isSearchSegment(lastStatic(site.steps))) {
      searches.push(site)
      continue
    }
    const isCall = [...site.own.values()].some((operation) => calls.has(operation)) && !rpc.has(site)
    const draft = isCall ? undefined : draftCollection(site, implied.get(site.key))
    if (draft) drafts.set(site.key, draft)
  }
  for (const site of searches) {
    const around = drafts.has(keyOfSteps(site.steps.slice(0, -1)))
    const draft = around ? undefined : draftCollection(site, undefined)
    if (draft) drafts.set(site.key, draft)
  }
  return [...drafts.values()]
}

/** Parameters in the middle of paths, by the key of the site whose records they name. */
function impliedItems(sites: ReadonlyMap<string, Site>): ReadonlyMap<string, readonly string[]> {
  const implied = new Map<string, readonly string[]>()
  for (const { steps } of sites.values()) {
    for (const [at, step] of steps.entries()) {
      if (step.kind !== 'param' || steps[at + 1]?.kind !== 'static') continue
      const path = steps.slice(0, at + 1)
      const base = withoutTrailing(path)
      const names = path.slice(base.length).flatMap((param) => (param.kind === 'param' ? [param.name] : []))
      if (base.length > 0) implied.set(keyOfSteps(base), names)
    }
  }
  return implied
}
