import { foldNoun, isSameNoun, singularOf } from '../../../../names/nouns.ts'
import { isVerb, kindOfVerb, type VerbKind } from '../../../../names/verbs.ts'
import { wordsOf } from '../../../../names/words.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import { isBulkSegment, keyOfSteps, type Step } from './path-shape.ts'
import { itemPathAt, type PathSite, type Placed, type SiteMap, siteAt } from './sites.ts'

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
    addTo(site, operation, name.kind)
    calls.set(operation, { site, kind: name.kind, word: name.word })
  }
  return calls
}

function groupAt(groups: Map<string, PathSite>, scope: readonly Step[], noun: string): PathSite {
  const key = `rpc ${keyOfSteps(scope)}/${foldNoun(noun)}`
  return siteAt(groups, [...scope, { kind: 'static', text: noun }], key)
}

function addTo(site: PathSite, operation: Placed, kind: VerbKind): void {
  if (kind === 'list' || kind === 'search') setOnce(site.own, 'GET', operation)
  else if (kind === 'create') setOnce(site.own, 'POST', operation)
  else if (kind !== 'action') {
    // Actions alone do not make a collection.
    const method = { read: 'GET', update: 'PATCH', replace: 'PUT', delete: 'DELETE' }[kind]
    setOnce(itemPathAt(site, []).operations, method, operation)
  }
}

function setOnce(operations: Map<string, Placed>, method: string, operation: Placed): void {
  if (!operations.has(method)) operations.set(method, operation)
}

/** The parsed words of an RPC-like path. */
interface RpcName {
  readonly scope: readonly Step[]
  readonly noun: string
  readonly kind: VerbKind
  readonly word: string
}

/** Verbs that are often nouns when alone at the end of a path. */
const WEAK = new Set(
  'info details detail view show new post import index store issue all load set check make submit upload change save register listing lists find query lookup filter search put configure generate clear purge test'.split(
    ' ',
  ),
)

/** Words after a verb that select records but do not name them: `GetAll`, `get_by_id`, `CreateOrUpdate`. */
const WHICH = new Set(['by', 'all', 'list', 'paged', 'one', 'single', 'or'])

/** The parsed words of an RPC-like path; undefined without a verb. */
function rpcNameOf({ shape, draft }: Placed, sites: SiteMap['sites']): RpcName | undefined {
  const last = shape.steps.at(-1)
  if (shape.verb !== undefined || last?.kind !== 'static' || draft.method === 'HEAD') return undefined
  const site = sites.get(keyOfSteps(shape.steps))
  if (!site || site.items.size > 0) return undefined
  const pieces = last.text.split('.')
  const text = pieces.pop() ?? ''
  const noun: readonly Step[] = pieces.length > 0 ? [{ kind: 'static', text: pieces.join('_') }] : []
  const isDotted = noun.length > 0
  const outer = [...shape.steps.slice(0, -1), ...noun]
  if (!isDotted && site.own.size > 1) return undefined
  const name = fromCompound(outer, text, isDotted) ?? fromWord(outer, text, draft, isDotted)
  // `/documents.drafts`: the last word is no verb.
  const isList = !name && isDotted && findList(schemaOfResponse(draft.success), text) !== undefined
  return isList ? { scope: outer.slice(0, -1), noun: `${pieces.join('_')}_${text}`, kind: 'list', word: text } : name
}

/** The words before a linking word: `pads` of `pads_of_author`, `group` of `group_if_not_exists_for`. */
function beforeLink(words: readonly string[]): string[] {
  const at = words.findIndex((word, index) => index > 0 && LINKS.has(word))
  return words.slice(0, at > 0 ? at : undefined)
}

const LINKS = new Set(['by', 'of', 'if', 'for', 'without'])

/** `/getUser`, `/list-users`, `/keys.createKey`: a verb for read, create, update or delete, then the noun. */
function fromCompound(outer: readonly Step[], text: string, isDotted: boolean): RpcName | undefined {
  const [first = '', ...rest] = wordsOf(text)
  const kind = kindOfVerb(first)
  const before = outer.at(-1)
  if (rest.length === 0 || before?.kind === 'param') return undefined
  const isAll = rest[0] === 'all' && rest.length > 1 && /s$/.test(rest[1] ?? '')
  if (rest[0] === 'with' || (WHICH.has(rest[0] ?? '') && !isAll)) return undefined
  const noun = beforeLink(isAll ? rest.slice(1) : rest)
  const last = noun.at(-1) ?? ''
  // `/Users/delete-user` repeats its noun.
  const isOwn = before !== undefined && isSameNoun(before.text, noun.join('_'))
  const isPlain = kind !== undefined && kind !== 'action' && (isDotted || !(WEAK.has(first) || isVerb(first)))
  if (!isPlain && !(isDotted && isOwn)) return undefined
  const isList = kind === 'read' && singularOf(last) !== last
  const name = { kind: isList ? 'list' : (kind ?? 'action'), word: text } as const
  if (isOwn) return { scope: outer.slice(0, -1), noun: before.text, ...name, word: first }
  const isOfOwner = isDotted && before !== undefined
  return isOfOwner
    ? { scope: outer.slice(0, -1), noun: `${before.text}_${noun.join('_')}`, ...name }
    : { scope: outer, noun: noun.join('_'), ...name }
}

/** `/transactions/get`, `/institutions/get_by_id`, `/transfer/cancel`, `/users.list` */
function fromWord(outer: readonly Step[], text: string, draft: OperationDraft, isDotted: boolean): RpcName | undefined {
  const noun = outer.at(-1)
  const [first = '', ...rest] = wordsOf(text)
  const own = first === 'one' ? 'read' : kindOfVerb(first)
  const isWhole = rest.length === 0 || (isDotted && own === 'action')
  const [which = ''] = rest
  const isOfAll = own === 'read' && /^(all|list|paged)$/.test(which)
  const kind = isWhole || (WHICH.has(which) && !isOfAll) ? own : isOfAll ? 'list' : undefined
  // `POST /notifications/read` and `PATCH /notifications/read-all` mark notifications as read.
  const isMark = draft.method !== 'GET' && /^read([-_]?all)?$/i.test(text)
  if (isMark && (text === 'read' || !findList(schemaOfResponse(draft.success), ''))) return undefined
  // `/servers/{id}/actions/reboot` is an action on the server.
  const isOfRecord = noun?.kind === 'static' && /^actions?$/.test(noun.text) && outer.at(-2)?.kind === 'param'
  if (noun?.kind !== 'static' || isOfRecord || isBulkSegment(noun.text)) return undefined
  const name = { scope: outer.slice(0, -1), noun: noun.text, word: text }
  return kind && (isDotted || !WEAK.has(text.toLowerCase())) ? { ...name, kind } : undefined
}
