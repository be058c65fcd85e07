import { isVerbSegment, kindOfVerb, verbOf } from '../../../../names/verbs.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { PathSegment } from '../../model.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'
import { findList } from '../bodies/shapes.ts'
import { isSearchSegment, keyOfSteps, lastStatic, type PathShape, type Step, shapeOf } from './path-shape.ts'

/** An operation with its parsed path. */
export interface Placed {
  readonly draft: OperationDraft
  readonly shape: PathShape
  /** The same as a POST, where PUT creates: `PUT /labels`, called createLabel, without `POST /labels`. */
  posted?: Placed
}

/** Operations on one item path of a site: `/tasks/{id}`. */
export interface ItemPath {
  readonly params: readonly string[]
  readonly operations: Map<string, Placed>
}

/** A path without last parameters, with its operations and those of the item paths directly below it. */
export interface PathSite {
  readonly key: string
  readonly steps: readonly Step[]
  /** Operations on the path itself, by method. */
  readonly own: Map<string, Placed>
  /** Item paths by the number and names of their parameters. */
  readonly items: Map<string, ItemPath>
}

/** All paths of a description, grouped into sites. */
export interface SiteMap {
  readonly sites: ReadonlyMap<string, PathSite>
  readonly placed: readonly Placed[]
}

/** Groups operations by the sites of their paths, except those that `isApart` finds. Pauses after each. */
export function* mapSites(
  drafts: readonly OperationDraft[],
  isApart: (draft: OperationDraft) => boolean = () => false,
): Generator<undefined, SiteMap> {
  const sites = new Map<string, PathSite>()
  const paths = new Set(drafts.flatMap(({ method, path }) => (method === 'POST' ? [] : [path, method + path])))
  const placed = drafts.map((draft): Placed => ({ draft, shape: shapeOf(keyFirst(draft, paths), draft.method) }))
  for (const operation of placed) {
    yield
    const { base, trailing, verb } = operation.shape
    if (verb !== undefined || isApart(operation.draft)) continue
    const site = siteAt(sites, base)
    const place = trailing.length === 0 ? site.own : itemPathAt(site, trailing).operations
    if (!place.has(operation.draft.method)) place.set(operation.draft.method, operation)
  }
  for (const { own, items } of sites.values()) {
    const put = own.get('PUT')
    const isOpen = own.has('GET') || items.size > 0 || put?.draft.success.status === 201
    if (!put || !isOpen || own.has('POST') || verbOf(put.draft)?.kind !== 'create') continue
    put.posted = { shape: put.shape, draft: { ...put.draft, method: 'POST' } }
    own.delete('PUT')
    own.set('POST', put.posted)
  }
  return { sites, placed }
}

/** `PUT /tasks/close/{id}` or `PUT /tasks/status/{id} { status }` beside `/tasks/{id}`, as `PUT /tasks/{id}/close`. */
function keyFirst({ path, segments, requestBody }: OperationDraft, paths: ReadonlySet<string>): readonly PathSegment[] {
  const [end = '', word = '', key = ''] = /\/([^/{}:]+)(\/(?:{[^/{}]+}|:\w+))$/.exec(path) ?? []
  const isSent = namedFields(schemaOfBody(requestBody)).named('folded', foldName(word)).length > 0
  const isPart = isSent || !/^(search|list|undefined)$/.test(`${kindOfVerb(word)}`) || isVerbSegment(word)
  const isOther = paths.has(`GET${path}`) || !paths.has(path.slice(0, -end.length) + key)
  return isPart && !isOther ? [...segments.slice(0, -2), ...segments.slice(-2).reverse()] : segments
}

export function siteAt(sites: Map<string, PathSite>, steps: readonly Step[], key = keyOfSteps(steps)): PathSite {
  const site = sites.get(key) ?? { key, steps, own: new Map(), items: new Map() }
  sites.set(key, site)
  return site
}

export function itemPathAt(site: PathSite, params: readonly string[]): ItemPath {
  const key = params.join(' ')
  const item = site.items.get(key) ?? { params, operations: new Map() }
  site.items.set(key, item)
  return item
}

/** Whether a path searches. `/filter/{id}` with updates or deletion is a saved filter. */
export const isSearchSite = ({ steps, items }: PathSite): boolean =>
  isSearchSegment(lastStatic(steps)) && ![...items.values()].some(isChanged)

/** The most informative item path of a site: it reads one record and has most operations. */
export function mainItemPath(site: PathSite): ItemPath | undefined {
  const weight = (item: ItemPath) =>
    (readsOne(item, site) ? 100 : 0) +
    (item.operations.has('GET') && isChanged(item) ? 10 : 0) +
    item.operations.size -
    item.params.length
  return [...site.items.values()].toSorted((left, right) => weight(right) - weight(left))[0]
}

/** Whether clients change or delete what a path names: a path below which others lie may only list. */
const isChanged = ({ operations }: ItemPath): boolean =>
  ['PUT', 'PATCH', 'DELETE'].some((method) => operations.has(method))

const readsOne = ({ operations: own }: ItemPath, { items, steps }: PathSite): boolean =>
  own.has('GET') && (items.size === 1 || !findList(shownAt({ own }), lastStatic(steps)))

/** The schema of a path or query parameter, from any operation that declares it. */
export function paramSchemaOf(item: ItemPath, name: string | undefined): Schema | undefined {
  const all = [...item.operations.values()].flatMap(({ draft }) => draft.parameters)
  return all.find((one) => one.in !== 'header' && one.name === name && one.schema)?.schema
}

/** The schema of the answer to GET at a path. */
export function shownAt({ own }: Pick<PathSite, 'own'>): Schema | undefined {
  const get = own.get('GET')
  return get && schemaOfResponse(get.draft.success)
}
