import { isSameNoun, singularOf } from '../../../../names/nouns.ts'
import { isVerb, kindOfVerb, type VerbKind } from '../../../../names/verbs.ts'
import { wordsOf } from '../../../../names/words.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { schemaOfResponse } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import { isBulkSegment, keyOfSteps, type Step } from './path-shape.ts'
import type { Placed, SiteMap } from './sites.ts'

/** The parsed words of an RPC-like path. */
export interface RpcName {
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
export function rpcNameOf({ shape, draft }: Placed, sites: SiteMap['sites']): RpcName | undefined {
  const last = shape.steps.at(-1)
  if (shape.verb !== undefined || last?.kind !== 'static' || draft.method === 'HEAD') return undefined
  const site = sites.get(keyOfSteps(shape.steps))
  if (!site || site.items.size > 0) return undefined
  const dotted = last.text.split('.')
  const outer = shape.steps.slice(0, -1)
  if (dotted.length > 1) return fromDotted(outer, dotted, draft)
  return site.own.size > 1 ? undefined : (fromCompound(outer, last.text) ?? fromWord(outer, last.text, draft))
}

/** `/users.list`, `/admin.teams.settings.setName`, `/keys.createKey`, `/documents.drafts`, `/apps.one` */
function fromDotted(
  outer: readonly Step[],
  pieces: readonly string[],
  { success }: OperationDraft,
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
    return isList ? { scope: outer, noun: `${owner}_${word}`, kind: 'list', word } : undefined
  }
  const which = kindOfWhich(kind, rest)
  if (which !== undefined) return { scope: outer, noun: owner, kind: which, word }
  // `users.getPresence` is about users, but does not read one.
  if (rest.length > 0 && kind !== 'action') return { scope: outer, ...partOf(owner, kind, rest), word }
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

/** `/transactions/get`, `/institutions/get_by_id`, `/transfer/cancel` */
function fromWord(outer: readonly Step[], text: string, draft: OperationDraft): RpcName | undefined {
  const noun = outer.at(-1)
  const [first = '', ...rest] = wordsOf(text)
  const own = kindOfVerb(first)
  const kind = own && (rest.length === 0 ? own : kindOfWhich(own, rest))
  // `/servers/{id}/actions/reboot` is an action on the server.
  if (noun?.kind === 'static' && /^actions?$/.test(noun.text) && outer.at(-2)?.kind === 'param') return undefined
  // `POST /notifications/read` and `PATCH /notifications/read-all` mark notifications as read.
  const isMark = draft.method !== 'GET' && /^read([-_]?all)?$/i.test(text)
  if (isMark && (text === 'read' || !findList(schemaOfResponse(draft.success), ''))) return undefined
  if (noun?.kind !== 'static' || isBulkSegment(noun.text)) return undefined
  const name = { scope: outer.slice(0, -1), noun: noun.text, word: text }
  return kind && !WEAK.has(text.toLowerCase()) ? { ...name, kind } : undefined
}

/** The kind of a verb with selecting words: all records, or one. */
function kindOfWhich(kind: VerbKind, [first = '']: readonly string[]): VerbKind | undefined {
  if (!WHICH.has(first)) return undefined
  return kind === 'read' && /^(all|list|paged)$/.test(first) ? 'list' : kind
}
