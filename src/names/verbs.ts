import { wordsOf } from './words.ts'

/** The kind of a verb's effect on the data. */
export type VerbKind = 'list' | 'search' | 'read' | 'create' | 'update' | 'replace' | 'delete' | 'action'

const KINDS: Readonly<Record<Exclude<VerbKind, 'action'>, string>> = {
  list: 'list all index browse enumerate listing lists',
  search: 'search find query filter lookup',
  read: 'get read retrieve fetch show view info describe load details detail check',
  create: 'create add new post insert register make generate submit upload import',
  update: 'update edit modify patch partial change set save upsert rename put configure adjust',
  replace: 'replace overwrite',
  delete: 'delete remove destroy del erase purge clear unregister',
}

const KIND_OF = new Map<string, VerbKind>(
  Object.entries(KINDS).flatMap(([kind, verbs]) => verbs.split(' ').map((verb) => [verb, kind as VerbKind])),
)

/** Verbs of actions: the possible statuses after each, and the verb that it reverses or that reverses it. */
const ACTIONS: Readonly<Record<string, readonly [states: string, opposite?: string]>> = {
  activate: ['active activated enabled', 'deactivate'],
  deactivate: ['inactive deactivated disabled', 'activate'],
  enable: ['enabled active activated on', 'disable'],
  disable: ['disabled inactive deactivated', 'enable'],
  cancel: ['canceled cancelled cancelling canceling'],
  close: ['closed', 'open'],
  open: ['open opened', 'close'],
  reopen: ['open reopened opened', 'close'],
  complete: ['complete completed done finished idle'],
  finish: ['finished completed done'],
  archive: ['archived', 'unarchive'],
  unarchive: ['active unarchived open available enabled', 'archive'],
  approve: ['approved accepted issued'],
  reject: ['rejected declined denied'],
  decline: ['declined rejected'],
  deny: ['denied rejected declined'],
  accept: ['accepted approved'],
  confirm: ['confirmed'],
  publish: ['published live active open', 'unpublish'],
  unpublish: ['unpublished draft', 'publish'],
  send: ['sent sending open'],
  resend: ['sent'],
  schedule: ['scheduled', 'unschedule'],
  unschedule: ['draft unscheduled', 'schedule'],
  start: ['started running in_progress active starting', 'stop'],
  stop: ['stopped stopping exited idle inactive', 'start'],
  pause: ['paused', 'resume'],
  resume: ['active running resumed in_progress', 'pause'],
  unpause: ['active running', 'pause'],
  suspend: ['suspended', 'unsuspend'],
  unsuspend: ['active unsuspended', 'suspend'],
  freeze: ['frozen', 'unfreeze'],
  unfreeze: ['active unfrozen', 'freeze'],
  restart: ['running restarting'],
  retry: ['pending queued running retrying scheduled retry'],
  run: ['running queued'],
  trigger: ['triggered running queued'],
  execute: ['running executed queued'],
  void: ['void voided'],
  pay: ['paid'],
  refund: ['refunded'],
  capture: ['captured succeeded completed'],
  authorize: ['authorized'],
  settle: ['settled'],
  finalize: ['finalized open'],
  revoke: ['revoked'],
  expire: ['expired'],
  renew: ['active renewed'],
  lock: ['locked', 'unlock'],
  unlock: ['unlocked active open', 'lock'],
  block: ['blocked', 'unblock'],
  unblock: ['unblocked active', 'block'],
  ban: ['banned', 'unban'],
  unban: ['active', 'ban'],
  mute: ['muted', 'unmute'],
  unmute: ['active unmuted', 'mute'],
  verify: ['verified approved'],
  resolve: ['resolved'],
  unresolve: ['open unresolved'],
  dismiss: ['dismissed'],
  acknowledge: ['acknowledged'],
  snooze: ['snoozed'],
  escalate: ['escalated'],
  assign: ['assigned', 'unassign'],
  unassign: ['unassigned open', 'assign'],
  submit: ['submitted pending pending_approval in_review'],
  release: ['released open available'],
  process: ['processing processed'],
  fulfill: ['fulfilled'],
  ship: ['shipped in_transit'],
  deliver: ['delivered'],
  return: ['returned'],
  restore: ['active restored available', 'trash'],
  undelete: ['active available', 'trash'],
  trash: ['trashed deleted', 'restore'],
  fail: ['failed'],
  abort: ['aborted'],
  terminate: ['terminated canceled cancelled ended', 'start'],
  hold: ['hold on_hold held paused', 'unhold'],
  unhold: ['active open running', 'hold'],
  deploy: ['deployed deploying'],
  merge: ['merged'],
  lose: ['lost closed_lost'],
  win: ['won closed_won'],
  ready: ['ready'],
  withdraw: ['withdrawn'],
  reactivate: ['active', 'deactivate'],
  unsubscribe: ['unsubscribed', 'subscribe'],
  subscribe: ['subscribed active', 'unsubscribe'],
  uncollectible: ['uncollectible'],
  reboot: ['rebooting running'],
  boot: ['booting running'],
  shutdown: ['shutting_down stopping offline off stopped'],
  poweron: ['starting running on active', 'poweroff'],
  poweroff: ['stopping off offline stopped inactive', 'poweron'],
  hangup: ['ended completed hangup'],
  kill: ['killed exited stopped dead terminated', 'start'],
  invite: ['invited'],
  reinvite: ['invited pending'],
  resubmit: ['pending submitted'],
  checkin: ['checked_in in_house in_stay arrived attended'],
  checkout: ['checked_out departed'],
}

/** Other verbs, each with the one that reverses it. */
const PAIRS = 'attach/detach link/unlink connect/disconnect bind/unbind join/leave enroll/unenroll'
  .split(' ')
  .map((pair) => pair.split('/'))
/** Verbs that set the field after them. */
export const SETS: ReadonlySet<string> = new Set('set change update rename move edit adjust switch'.split(' '))
/** Verbs that give a field a new value from the server. */
export const RENEWS: ReadonlySet<string> = new Set(
  'reset regenerate rotate refresh reserve generate renew reissue roll rekey'.split(' '),
)
/** Prefixes that reverse a verb. */
export const UNDOING = /^(un|de|dis)(?=[a-z]{3})/

const ACTION_ONLY = new Set(
  `copy clone duplicate move transfer reset refresh rotate regenerate sync test validate ping invite join leave kick follow unfollow
  like unlike star unstar pin unpin watch unwatch vote upvote downvote rate attach detach link unlink connect disconnect login logout
  signin signout exchange export download preview render estimate calculate reorder reply forward notify remind redeem claim mark toggle
  initiate migrate promote demote rollback revert reprocess rebuild scan apply convert split increment decrement touch
  redeliver replay simulate evaluate recover impersonate favorite unfavorite report flag unflag purchase
  recalculate bind unbind grant share unshare swap reserve unreserve
  authenticate introspect sign unsign provision deprovision reboot shutdown populate resubscribe unenroll enroll
  reassign review encrypt decrypt rekey enqueue requeue install uninstall upgrade downgrade crawl extract parse classify translate embed
  checkin checkout blacklist whitelist setup annul reinstate reconcile nudge poke fire dispatch abandon
  check dispute attest redeploy rerun reschedule relaunch rescan wake hibernate recreate`.split(/\s+/),
)

export function isVerb(word: string): boolean {
  return isAction(word) || ACTION_ONLY.has(word) || (word.startsWith('un') && isAction(word.slice(2)))
}

const isAction = (word: string): boolean => Object.hasOwn(ACTIONS, word)

/** The possible statuses after a verb, the usual one first. */
export function statesAfter(verb: string): readonly string[] {
  return isAction(verb) ? (ACTIONS[verb]?.[0] ?? '').split(' ') : []
}

/** The verb that reverses a verb, or that it reverses: `detach` of attach, `close` of reopen. */
export function oppositeOf(verb: string): string | undefined {
  return (
    (isAction(verb) ? ACTIONS[verb]?.[1] : undefined) ??
    PAIRS.find((pair) => pair.includes(verb))?.find((word) => word !== verb)
  )
}

export function kindOfVerb(word: string): VerbKind | undefined {
  return KIND_OF.get(word) ?? (isVerb(word) ? 'action' : undefined)
}

/** Whether a path segment is a verb or begins with one: `cancel`, `mark_as_read`, `send-invoice`. */
export function isVerbSegment(text: string): boolean {
  const [first = '', ...rest] = wordsOf(text)
  if (isVerb(first) && rest.length === 0) return true
  return rest.length > 0 && (isVerb(first) || KIND_OF.has(first)) && !NOUN_COMPOUNDS.has(first)
}

/** Verbs that often begin a noun: `check_runs`, `test_cases`, `link_tokens`, `report_types`. */
const NOUN_COMPOUNDS = new Set(
  'check test link report run process return hold share rate vote view detail details info index post reply release sign power export import download preview search query filter trigger schedule block open watch access flag like ban claim deploy new all import store change set lookup transfer pin render star order'.split(
    ' ',
  ),
)

/** The first verb of the operationId, else of the summary. */
export function verbOf(operation: {
  readonly id: string
  readonly named: boolean
  readonly summary: string | undefined
  readonly method: string
}): { word: string; kind: VerbKind } | undefined {
  return (operation.named ? verbOfName(withoutMethod(operation)) : undefined) ?? verbOfName(operation.summary)
}

/** `post-me-generateClientKey` without its leading method. */
function withoutMethod({ id, method }: { readonly id: string; readonly method: string }): string {
  const rest = id.slice(method.length)
  return id.slice(0, method.length).toUpperCase() === method && /^[-_/ ]+[^-_/ ]/.test(rest)
    ? rest.replace(/^[-_/ ]+/, '')
    : id
}

/** The verb that a name or a sentence begins with. */
function verbOfName(name: string | undefined): { word: string; kind: VerbKind } | undefined {
  if (name === undefined) return undefined
  const isSentence = name.includes(' ')
  // `v1.endpoint.rotate-secret`, `emails/list`, `SsoController_token`: the verb follows its noun.
  const [own = ''] = wordsOf(name.split(/[./#:]|Controller_/).at(-1) ?? '')
  const [first = '', second = ''] = wordsOf(name)
  const [last = ''] = wordsOf(name.split('_').at(-1) ?? '')
  const found = (isSentence ? [first] : [own, first, last]).flatMap((word) => knownVerb(word, isSentence) ?? [])
  // `check_create`, `notifyGetList`: first a noun that could be a verb, then the verb.
  const final = wordsOf(name).at(-1) ?? ''
  const later = isSentence ? [] : [last, second, final].flatMap((word) => knownVerb(word, false) ?? [])
  const crud = later.find(({ kind }) => kind !== 'action')
  return found[0]?.kind === 'action' && crud ? crud : found[0]
}

function knownVerb(word: string, isSentence: boolean): { word: string; kind: VerbKind } | undefined {
  if (isSentence && /^returns?$/.test(word)) return { word, kind: 'read' }
  const kind = kindOfVerb(word) ?? (isSentence ? kindOfVerb(word.replace(/s$/, '')) : undefined)
  return kind && { word, kind }
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['send', 'sent'],
  ['freeze', 'frozen'],
  ['pay', 'paid'],
  ['read', 'read'],
  ['win', 'won'],
  ['lose', 'lost'],
  ['begin', 'begun'],
  ['run', 'running'],
  ['shut', 'shut'],
])

const PARTICLES = new Set(['in', 'out', 'up', 'off', 'over', 'back', 'away', 'down'])

/** Verbs that are written as one word with their particle: `pickup`. */
const JOINED = /^(check|clock|drop|hand|lock|log|opt|pick|roll|sign|turn)(in|out|up|off|over|back|down)$/

/** The words of a verb, with its particle: `check in` of `check_in` and `checkin`. */
export function verbWords(verb: string): string[] {
  const [first = '', second = '', ...more] = wordsOf(verb.replace(JOINED, '$1_$2'))
  return PARTICLES.has(second) && more.length === 0 ? [`${first} ${second}`] : wordsOf(verb)
}

/** `published` of publish, `stopped` of stop, `copied` of copy, `sent` of send, `checkedin` of check in. */
export function participlesOf(verb: string): string[] {
  const [first = '', particle] = verb.split(' ')
  if (particle !== undefined) return participlesOf(first).map((participle) => participle + particle)
  const own = IRREGULAR.get(verb)
  if (own !== undefined) return [own]
  if (verb.endsWith('e')) return [`${verb}d`]
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`]
  return [`${verb}ed`, `${verb}${verb.at(-1)}ed`]
}

/** `pay` of paid, `cancel` of canceled and cancelled; undefined for a word that is no participle of a known verb. */
export const verbOfParticiple = (word: string): string | undefined =>
  [...KIND_OF.keys(), ...Object.keys(ACTIONS), ...ACTION_ONLY].findLast((verb) => participlesOf(verb).includes(word))

/** `restoring` of restore, `rebooting` of reboot. */
export const gerundsOf = (verb: string): string[] =>
  verb.endsWith('e') ? [`${verb.slice(0, -1)}ing`] : [`${verb}ing`, `${verb}${verb.at(-1)}ing`]

export const formsOf = (verb: string): string[] => [verb, ...participlesOf(verb), ...gerundsOf(verb)]

/** The usual state after a verb, in one word: `paused`, `pinned`. */
export function stateAfter(verb: string): string {
  const [known] = statesAfter(verb)
  const [plain = verb, doubled = plain] = participlesOf(verb)
  return known || (/^[^aeiou]*[aeiou][bdgklmnprt]$/.test(verb) ? doubled : plain)
}

/** Whether the summary of a DELETE is about a state of records that stay: Lago's subscriptions, Lob's letters, Ory's sessions. */
export const meansState = (summary = ''): boolean =>
  /^(terminate|cancel|deactivate|archive|void|close|suspend)\b/i.test(summary)
