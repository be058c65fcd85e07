import { foldNoun } from '../../../../names/nouns.ts'
import type { VerbKind } from '../../../../names/verbs.ts'
import { isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import { keyOfSteps, type Step } from './path-shape.ts'
import { rpcNameOf } from './rpc-names.ts'
import type { PathSite, Placed, SiteMap } from './sites.ts'

/** An operation whose path contains the verb: `/users.list`, `/transactions/get`, `/getUser`. */
export interface RpcCall {
  /** The added site of the noun, with list, creation and item operations, as if they had REST paths. */
  readonly site: PathSite
  readonly kind: VerbKind
  /** The verb and the words after it: `setTopic`. */
  readonly word: string
}

/** Groups the operations of RPC-like paths by their noun. Pauses after each. */
export function* findRpcCalls(map: SiteMap): Generator<undefined, ReadonlyMap<Placed, RpcCall>> {
  const calls = new Map<Placed, RpcCall>()
  const groups = new Map<string, PathSite>()
  for (const operation of map.placed) {
    yield
    const name = rpcNameOf(operation, map.sites)
    if (!name) continue
    const site = groupAt(groups, name.scope, name.noun)
    const { kind, word } = name
    const call: RpcCall = { site, kind, word }
    addTo(site, operation, call)
    calls.set(operation, call)
  }
  yield* addLists(map, calls, groups)
  return calls
}

/** `/inbound/domains` that answers with a list, next to `/inbound/add-domain`. */
function* addLists(
  { placed, sites }: SiteMap,
  calls: Map<Placed, RpcCall>,
  groups: ReadonlyMap<string, PathSite>,
): Generator<undefined, void> {
  for (const operation of placed) {
    yield
    const { steps, verb } = operation.shape
    const last = steps.at(-1)
    const own = sites.get(keyOfSteps(steps))
    if (calls.has(operation) || verb !== undefined || last?.kind !== 'static') continue
    const site = groups.get(groupKey(steps.slice(0, -1), last.text))
    const isKept = site?.own.has('POST') || site?.items.get('')?.operations.has('DELETE')
    if (!site || !isKept || !own || own.own.size > 1 || own.items.size > 0 || site.own.has('GET')) continue
    if (!isObjectSchema(findList(schemaOfResponse(operation.draft.success), last.text)?.item)) continue
    const call: RpcCall = { site, kind: 'list', word: last.text }
    addTo(site, operation, call)
    calls.set(operation, call)
  }
}

const groupKey = (scope: readonly Step[], noun: string): string => `rpc ${keyOfSteps(scope)}/${foldNoun(noun)}`

function groupAt(groups: Map<string, PathSite>, scope: readonly Step[], noun: string): PathSite {
  const key = groupKey(scope, noun)
  const steps: readonly Step[] = [...scope, { kind: 'static', text: noun }]
  const site = groups.get(key) ?? { key, steps, own: new Map(), items: new Map() }
  groups.set(key, site)
  return site
}

function addTo(site: PathSite, operation: Placed, { kind }: RpcCall): void {
  const item = site.items.get('') ?? { params: [], operations: new Map<string, Placed>() }
  if (kind === 'list' || kind === 'search') setOnce(site.own, 'GET', operation)
  else if (kind === 'create') setOnce(site.own, 'POST', operation)
  else if (kind !== 'action') {
    // Actions alone do not make a collection.
    const method = { read: 'GET', update: 'PATCH', replace: 'PUT', delete: 'DELETE' }[kind]
    setOnce(item.operations, method, operation)
    site.items.set('', item)
  }
}

function setOnce(operations: Map<string, Placed>, method: string, operation: Placed): void {
  if (!operations.has(method)) operations.set(method, operation)
}
