import { isSameNoun, singularOf } from '../../../../names/nouns.ts'
import { wordsOf } from '../../../../names/words.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { isObjectSchema, schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import { isBulkSegment, keyOfSteps, type Step } from './path-shape.ts'
import type { PathSite, Placed, SiteMap } from './sites.ts'
import { isVerb, kindOfVerb, type VerbKind } from './verbs.ts'

/** The parsed words of an RPC-like path. */
export interface RpcName {
  readonly scope: readonly Step[]
  readonly noun: string
  readonly kind: VerbKind
  readonly word: string
  readonly owner?: string
  /** Whether the word is not a known verb. */
  readonly isLoose?: boolean
}

/** Verbs that are often nouns when alone at the end of a path. */
const WEAK = new Set(
  'info details detail view show new post import index store issue all load set check make submit upload change save register listing lists find query lookup filter search put configure generate clear purge test'.split(
    ' ',
  ),
)

/** Verbs after which a path is RPC-like, where its previous word has several of them: `/invoice/new`, `/invoice/details`. */
const CALLING = new Set(
  'list all new get info details detail create add update edit delete remove destroy save'.split(' '),
)

/** Words after a verb that select records but do not name them: `GetAll`, `get_by_id`, `CreateOrUpdate`. */
const WHICH = new Set(['by', 'all', 'list', 'paged', 'one', 'single', 'or'])

/** Parses the words of RPC-like paths. */
export class RpcNames {
  readonly #sites: SiteMap['sites']
  /** Keys of paths without own operations but with two or more kinds of verbs below them. */
  readonly #called: ReadonlySet<string>
  /** Keys of paths with calls below them by both GET and POST: `/createPad`, `/deletePad`. */
  readonly #twice: ReadonlySet<string>

  constructor({ placed, sites }: SiteMap) {
    this.#sites = sites
    this.#called = calledPaths(placed, sites)
    this.#twice = calledTwice(sites)
  }

  /** The parsed path of an operation; undefined without a verb. */
  of({ shape, draft }: Placed): RpcName | undefined {
    const last = shape.steps.at(-1)
    if (shape.verb !== undefined || last?.kind !== 'static' || draft.method === 'HEAD') return undefined
    const site = this.#sites.get(keyOfSteps(shape.steps))
    if (!site || site.items.size > 0) return undefined
    const dotted = last.text.split('.')
    const outer = shape.steps.slice(0, -1)
    if (dotted.length > 1) return fromDotted(outer, dotted, draft)
    if (isTwice(site) && this.#twice.has(keyOfSteps(outer))) return fromCompound(outer, last.text)
    if (site.own.size > 1) return undefined
    const isCalled = this.#called.has(keyOfSteps(outer))
    return fromCompound(outer, last.text) ?? fromWord(outer, last.text, draft, isCalled)
  }
}

const isTwice = ({ own }: PathSite): boolean => own.size === 2 && own.has('GET') && own.has('POST')

/** Paths with three or more calls below them by GET and by POST, of two or more kinds. */
function calledTwice(sites: SiteMap['sites']): ReadonlySet<string> {
  const found = [...sites.values()].flatMap((site) => {
    const last = site.steps.at(-1)
    const outer = site.steps.slice(0, -1)
    const kind = last?.kind === 'static' && isTwice(site) ? fromCompound(outer, last.text)?.kind : undefined
    return kind === undefined ? [] : [{ key: keyOfSteps(outer), kind }]
  })
  const groups = [...Map.groupBy(found, ({ key }) => key)]
  return new Set(
    groups.flatMap(([key, calls]) => (calls.length > 2 && new Set(calls.map(({ kind }) => kind)).size > 1 ? key : [])),
  )
}

function calledPaths(placed: readonly Placed[], sites: SiteMap['sites']): ReadonlySet<string> {
  const kinds = new Map<string, Set<VerbKind>>()
  for (const { shape } of placed) {
    const [noun, last] = shape.steps.slice(-2)
    if (noun?.kind !== 'static' || last?.kind !== 'static' || shape.verb !== undefined) continue
    const word = last.text.toLowerCase()
    const kind = CALLING.has(word) ? kindOfVerb(word) : undefined
    const key = keyOfSteps(shape.steps.slice(0, -1))
    if (kind !== undefined && !sites.has(key)) kinds.set(key, (kinds.get(key) ?? new Set()).add(kind))
  }
  return new Set([...kinds].flatMap(([key, found]) => (found.size > 1 ? key : [])))
}

/** `/users.list`, `/admin.teams.settings.setName`, `/keys.createKey`, `/documents.drafts`, `/apps.one` */
function fromDotted(
  outer: readonly Step[],
  pieces: readonly string[],
  { method, success }: OperationDraft,
): RpcName | undefined {
  const word = pieces.at(-1) ?? ''
  const [first = '', ...rest] = wordsOf(word)
  const owner = pieces.slice(0, -1).join('_')
  const isOwn = rest.length > 0 && isSameNoun(rest.join('_'), pieces.at(-2) ?? '')
  // `deployments.promoteDeployment` repeats its noun.
  if (isOwn) return { scope: outer, noun: owner, kind: kindOfVerb(first) ?? 'action', word: first }
  const kind = first === 'one' ? 'read' : kindOfVerb(first)
  if (!kind) {
    const isList = findList(schemaOfResponse(success), word) !== undefined
    if (isList) return { scope: outer, noun: `${owner}_${word}`, kind: 'list', word }
    return { scope: outer, noun: owner, kind: method === 'GET' ? 'read' : 'action', word, isLoose: true }
  }
  const which = kindOfWhich(kind, rest)
  if (which !== undefined) return { scope: outer, noun: owner, kind: which, word }
  // `users.getPresence` is about users, but does not read one.
  if (rest.length > 0 && kind !== 'action') return { scope: outer, ...partOf(owner, kind, rest), word, owner }
  return { scope: outer, noun: owner, kind, word }
}

/** The noun of `docker.getContainers` and `docker.getContainersByLabel`; in the plural it is a list. */
function partOf(owner: string, kind: VerbKind, words: readonly string[]): Pick<RpcName, 'noun' | 'kind'> {
  const noun = beforeLink(words)
  const last = noun.at(-1) ?? ''
  const isList = kind === 'read' && singularOf(last) !== last
  return { noun: `${owner}_${noun.join('_')}`, kind: isList ? 'list' : kind }
}

/** The words before a linking word: `pads` of `pads_of_author`, `group` of `group_if_not_exists_for`. */
function beforeLink(words: readonly string[]): string[] {
  const at = words.findIndex((word, index) => index > 0 && LINKS.has(word))
  return words.slice(0, at > 0 ? at : undefined)
}

const LINKS = new Set(['by', 'of', 'if', 'for', 'without'])

/** `/getUser`, `/list-users`: a verb for read, create, update or delete, then the noun. */
function fromCompound(outer: readonly Step[], text: string): RpcName | undefined {
  const [first = '', ...rest] = wordsOf(text)
  const kind = kindOfVerb(first)
  if (rest.length === 0 || !kind || kind === 'action' || WEAK.has(first) || isVerb(first)) return undefined
  const before = outer.at(-1)
  const isAll = rest[0] === 'all' && rest.length > 1 && /s$/.test(rest[1] ?? '')
  if (rest[0] === 'with' || (WHICH.has(rest[0] ?? '') && !isAll) || before?.kind === 'param') return undefined
  const noun = beforeLink(isAll ? rest.slice(1) : rest)
  const last = noun.pop() ?? ''
  const isList = kind === 'read' && singularOf(last) !== last
  const name = { kind: isList ? 'list' : kind, word: text } as const
  // `/Users/delete-user` repeats its noun.
  return before?.kind === 'static' && isSameNoun(before.text, [...noun, last].join('_'))
    ? { scope: outer.slice(0, -1), noun: before.text, ...name }
    : { scope: outer, noun: [...noun, last].join('_'), ...name }
}

/** `/transactions/get`, `/institutions/get_by_id`, `/transfer/cancel`; `/invoice/new` where all paths of invoices are calls. */
function fromWord(outer: readonly Step[], text: string, draft: OperationDraft, isCalled: boolean): RpcName | undefined {
  const noun = outer.at(-1)
  const [first = '', ...rest] = wordsOf(text)
  const own = kindOfVerb(first)
  const kind = own && (rest.length === 0 ? own : kindOfWhich(own, rest))
  // `/servers/{id}/actions/reboot` is an action on the server.
  if (noun?.kind === 'static' && /^actions?$/.test(noun.text) && outer.at(-2)?.kind === 'param') return undefined
  // `POST /notifications/read` marks notifications as read.
  if (draft.method !== 'GET' && text === 'read') return undefined
  if (noun?.kind !== 'static' || isBulkSegment(noun.text)) return undefined
  const name = { scope: outer.slice(0, -1), noun: noun.text, word: text }
  const isWeak = WEAK.has(text.toLowerCase())
  if (kind && (!isWeak || isCalled)) return { ...name, kind }
  // `/library/libraries` next to `/library/create`.
  if (!isCalled) return undefined
  const item = findList(schemaOfResponse(draft.success), text)?.item
  if (isSameNoun(noun.text, text) && isObjectSchema(item)) return { ...name, kind: 'list' }
  return item === undefined ? { ...name, kind: draft.method === 'GET' ? 'read' : 'action', isLoose: true } : undefined
}

/** The kind of a verb with selecting words: all records, or one. */
function kindOfWhich(kind: VerbKind, [first = '']: readonly string[]): VerbKind | undefined {
  if (!WHICH.has(first)) return undefined
  return kind === 'read' && /^(all|list|paged)$/.test(first) ? 'list' : kind
}
