import { foldNoun, isSameNoun, singularOf } from '../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import type { OperationDraft } from '../operation-draft.ts'
import { isScalarSchema, schemaOfResponse } from './bodies.ts'
import { isBulkSegment, keyOfSteps, type Step } from './path-shape.ts'
import { findList } from './shapes.ts'
import type { PathSite, Placed, SiteMap } from './sites.ts'
import { isVerb, kindOfVerb, type VerbKind } from './verbs.ts'

/** An operation whose path contains the verb: `/users.list`, `/transactions/get`, `/getUser`. */
export interface RpcCall {
  /** A site made up for the noun: with its list, its creation and its item operations, as if they had REST paths. */
  readonly site: PathSite
  readonly kind: VerbKind
  /** The verb and what follows it: `setTopic`. */
  readonly word: string
  /** The site of what comes before the verb, where the verb names a part of it: keys, for `keys.addRoles`. */
  readonly owner: PathSite | undefined
}

/** Verbs that are often nouns when they are the only word at the end of a path. */
const WEAK = new Set(
  'info details detail view show new post import index store issue all load set check make submit upload change save register listing lists find query lookup filter search put configure generate clear purge test'.split(
    ' ',
  ),
)

/** Groups the operations of RPC-like paths by their noun. Pauses after each. */
export function* findRpcCalls({ placed, sites }: SiteMap): Generator<undefined, ReadonlyMap<Placed, RpcCall>> {
  const calls = new Map<Placed, RpcCall>()
  const groups = new Map<string, PathSite>()
  for (const operation of placed) {
    yield
    const name = readName(operation, sites)
    if (!name) continue
    const site = groupAt(groups, name.scope, name.noun)
    const owner = name.owner === undefined ? undefined : groupAt(groups, name.scope, name.owner)
    const call: RpcCall = { site, kind: name.kind, word: name.word, owner }
    addTo(site, operation, call)
    calls.set(operation, call)
  }
  return calls
}

function groupAt(groups: Map<string, PathSite>, scope: readonly Step[], noun: string): PathSite {
  const key = `rpc ${keyOfSteps(scope)}/${foldNoun(noun)}`
  const steps: readonly Step[] = [...scope, { kind: 'static', text: noun }]
  const site = groups.get(key) ?? { key, steps, own: new Map(), items: new Map() }
  groups.set(key, site)
  return site
}

interface RpcName {
  readonly scope: readonly Step[]
  readonly noun: string
  readonly kind: VerbKind
  readonly word: string
  readonly owner?: string
}

function readName({ shape, draft }: Placed, sites: SiteMap['sites']): RpcName | undefined {
  const last = shape.steps.at(-1)
  if (shape.verb !== undefined || last?.kind !== 'static' || draft.method === 'HEAD') return undefined
  const site = sites.get(keyOfSteps(shape.steps))
  if (!site || site.items.size > 0) return undefined
  const dotted = last.text.split('.')
  const outer = shape.steps.slice(0, -1)
  if (dotted.length > 1) return fromDotted(outer, dotted, draft)
  return site.own.size > 1 ? undefined : (fromCompound(outer, last.text) ?? fromWord(outer, last.text, draft.method))
}

/** `/users.list`, `/admin.teams.settings.setName`, `/keys.createKey`, `/documents.drafts` */
function fromDotted(
  outer: readonly Step[],
  pieces: readonly string[],
  { success }: OperationDraft,
): RpcName | undefined {
  const word = pieces.at(-1) ?? ''
  const [first = '', ...rest] = wordsOf(word)
  const owner = pieces.slice(0, -1).join('_')
  const isOwn = rest.length > 0 && isSameNoun(rest.join('_'), pieces.at(-2) ?? '')
  // `deployments.promoteDeployment` says what it is about twice.
  if (isOwn) return { scope: outer, noun: owner, kind: kindOfVerb(first) ?? 'action', word: first }
  const kind = kindOfVerb(first)
  if (!kind) {
    const isList = findList(schemaOfResponse(success), word) !== undefined
    return isList ? { scope: outer, noun: `${owner}_${word}`, kind: 'list', word } : undefined
  }
  // `users.getPresence` is about users, but does not read one.
  if (rest.length > 0 && kind !== 'action')
    return { scope: outer, noun: `${owner}_${rest.join('_')}`, kind, word, owner }
  return { scope: outer, noun: owner, kind, word }
}

/** `/getUser`, `/list-users`: a word for reading, making, changing or deleting, then the noun. */
function fromCompound(outer: readonly Step[], text: string): RpcName | undefined {
  const [first = '', ...rest] = wordsOf(text)
  const kind = kindOfVerb(first)
  if (rest.length === 0 || !kind || kind === 'action' || WEAK.has(first) || isVerb(first)) return undefined
  if (rest[0] === 'by' || rest[0] === 'with' || rest[0] === 'all' || outer.at(-1)?.kind === 'param') return undefined
  const noun = rest.slice(0, rest.indexOf('by') > 0 ? rest.indexOf('by') : undefined)
  const last = noun.pop() ?? ''
  const isList = kind === 'read' && singularOf(last) !== last
  return { scope: outer, noun: [...noun, last].join('_'), kind: isList ? 'list' : kind, word: text }
}

/** `/transactions/get`, `/institutions/get_by_id`, `/transfer/cancel` */
function fromWord(outer: readonly Step[], text: string, method: string): RpcName | undefined {
  const noun = outer.at(-1)
  const words = wordsOf(text)
  const isWord = words.length === 1 || words[1] === 'by'
  const kind = isWord ? kindOfVerb(words[0] ?? '') : undefined
  // `/servers/{id}/actions/reboot` is done to the server.
  if (noun?.kind === 'static' && /^actions?$/.test(noun.text) && outer.at(-2)?.kind === 'param') return undefined
  // `POST /notifications/read` marks them as read.
  if (method !== 'GET' && text === 'read') return undefined
  if (noun?.kind !== 'static' || isBulkSegment(noun.text) || !kind || WEAK.has(text.toLowerCase())) return undefined
  return { scope: outer.slice(0, -1), noun: noun.text, kind, word: text }
}

function addTo(site: PathSite, operation: Placed, { kind }: RpcCall): void {
  const item = site.items.get('') ?? { params: [], operations: new Map<string, Placed>() }
  if (kind === 'list' || kind === 'search') setOnce(site.own, 'GET', operation)
  else if (kind === 'create') setOnce(site.own, 'POST', operation)
  else if (kind !== 'action') {
    // Actions alone make no collection.
    const method = { read: 'GET', update: 'PATCH', replace: 'PUT', delete: 'DELETE' }[kind]
    setOnce(item.operations, method, operation)
    site.items.set('', item)
  }
}

function setOnce(operations: Map<string, Placed>, method: string, operation: Placed): void {
  if (!operations.has(method)) operations.set(method, operation)
}

/**
 * A document that a required query parameter names: `GET /animal?uid=...`. Its path is then like the item path of a
 * collection.
 */
export function queryKeyOf(operation: Placed | undefined, noun: string): string | undefined {
  const singular = foldNoun(noun)
  const wanted = new Set([
    'id',
    'uid',
    'uuid',
    'guid',
    'key',
    'sid',
    `${singular}id`,
    `${singular}uid`,
    `${singular}key`,
  ])
  return operation?.draft.parameters.find(
    (parameter) =>
      parameter.in === 'query' &&
      parameter.required &&
      wanted.has(foldName(parameter.name)) &&
      isScalarSchema(parameter.schema ?? undefined),
  )?.name
}
