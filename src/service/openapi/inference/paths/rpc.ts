import { ID_NAMES, keyNamesOf } from '../../../../names/id-names.ts'
import { NATURAL_KEYS } from '../../../../names/natural-keys.ts'
import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import { fieldsOf, isObjectSchema, isScalarSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import { keyOfSteps, lastStatic, type Step } from './path-shape.ts'
import { RpcNames } from './rpc-names.ts'
import type { PathSite, Placed, SiteMap } from './sites.ts'
import type { VerbKind } from './verbs.ts'

/** An operation whose path contains the verb: `/users.list`, `/transactions/get`, `/getUser`. */
export interface RpcCall {
  /** The added site of the noun, with list, creation and item operations, as if they had REST paths. */
  readonly site: PathSite
  readonly kind: VerbKind
  /** The verb and the words after it: `setTopic`. */
  readonly word: string
  /** The site of the noun before the verb, where the verb's words name a part of it: keys, for `keys.addRoles`. */
  readonly owner: PathSite | undefined
  /** Whether the word is not a known verb, so that the call counts only where it identifies a record, or answers with one. */
  readonly isLoose: boolean
}

/** Groups the operations of RPC-like paths by their noun. Pauses after each. */
export function* findRpcCalls(map: SiteMap): Generator<undefined, ReadonlyMap<Placed, RpcCall>> {
  const calls = new Map<Placed, RpcCall>()
  const groups = new Map<string, PathSite>()
  const names = new RpcNames(map)
  for (const operation of map.placed) {
    yield
    const name = names.of(operation)
    if (!name) continue
    const site = groupAt(groups, name.scope, name.noun)
    const owner = name.owner === undefined ? undefined : groupAt(groups, name.scope, name.owner)
    const { kind, word, isLoose = false } = name
    const call: RpcCall = { site, kind, word, owner, isLoose }
    if (!isLoose) addTo(site, operation, call)
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
    const call: RpcCall = { site, kind: 'list', word: last.text, owner: undefined, isLoose: false }
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

/** Names of fields that identify records without an id. */
const NATURAL = [...NATURAL_KEYS, 'address', 'phone', 'ip', 'host', 'path']

/**
 * The name that identifies a record in a group of calls: `applicationId` of `/application.one?applicationId=`; else an id that
 * the records (`shown`) have and one call sends: `id` of `/bots/update { id, name }` beside `/bots/getByName`; else a unique field
 * of the records that all calls send: `domain` of `/inbound/delete-domain { domain }`.
 */
export function calledKeyOf({ items, steps }: PathSite, noun: string, shown: Schema | undefined): string | undefined {
  const operations = items.get('')?.operations
  const asked = [...(operations?.values() ?? [])].map(({ draft }) => {
    const query = draft.parameters.filter(({ in: place, schema }) => place === 'query' && isScalarSchema(schema))
    const body = [...fieldsOf(schemaOfBody(draft.requestBody))].filter(([, schema]) => isScalarSchema(schema))
    return new Map(
      [...query.map(({ name }) => name), ...body.map(([name]) => name)].map((name) => [foldName(name), name]),
    )
  })
  const last = foldNoun(noun.split('_').at(-1) ?? noun)
  const names = [...new Set([...keyNamesOf(foldNoun(noun)), ...keyNamesOf(last), ...ID_NAMES])]
  const isOne = operations?.has('GET') || operations?.has('DELETE')
  const natural = new Set([...NATURAL, last])
  const outer = foldNoun(lastStatic(steps.slice(0, -1)))
  const field = () =>
    [...fieldsOf(shown).keys()]
      .map(foldName)
      .find((name) => (natural.has(name) || name === outer + last) && asked.every((all) => all.has(name)))
  const own = new Set([...fieldsOf(shown).keys()].map(foldName))
  const found =
    names.find((name) => asked.filter((all) => all.has(name)).length * 2 > asked.length) ??
    names.find((name) => own.has(name) && asked.some((all) => all.has(name))) ??
    (isOne ? field() : undefined)
  return found && asked.map((all) => all.get(found)).find((name) => name !== undefined)
}

/**
 * The query parameter that identifies a document: `GET /animal?uid=...`. Its path is then like the item path of a collection. It is
 * required, or one of several (`?id=`, `?name=`) of which another method of the path names one: `DELETE /animal { animal_id }`.
 */
export function queryKeyOf({ own }: PathSite, noun: string): string | undefined {
  const singular = foldNoun(noun)
  const wanted = [...'id uid uuid guid key sid'.split(' '), `${singular}id`, `${singular}uid`, `${singular}key`]
  const get = own.get('GET')
  const found = get?.draft.parameters.filter(
    ({ in: place, name, schema }) =>
      place === 'query' && wanted.includes(foldName(name)) && isScalarSchema(schema ?? undefined),
  )
  const isNamed = (): boolean =>
    ['PUT', 'PATCH', 'DELETE'].some((method) => {
      const { requestBody, parameters = [] } = own.get(method)?.draft ?? {}
      const names = [...fieldsOf(schemaOfBody(requestBody)).keys(), ...parameters.map(({ name }) => name)]
      return names.some((name) => foldName(name) === `${singular}id`)
    })
  return (found?.find(({ required }) => required) ?? (found?.length && isNamed() ? found[0] : undefined))?.name
}
