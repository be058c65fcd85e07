import type { AnyOperation, DueContext, OperationContext } from '../../src/handlers.ts'
import { idFrom } from '../../src/protocol/expression.ts'
import { Provider } from '../shared/provider.ts'
import { type Fields, type Json, type Kept, textOf } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf, only, sent, textOf, without } from '../shared/values.ts'

export const TEAM = 'T00BACKLOT'
export const APP = 'A00BACKLOT'
export const BOT = 'B00BACKLOT'
/** The user of the bot. */
export const BOT_USER = 'U00BACKLOT'
export const ADA = 'U000000ADA'
export const GRACE = 'U00000GRACE'
export const SLACKBOT = 'USLACKBOT'
export const HOME = 'https://backlot.slack.com'

export type Collection =
  | ('calls' | 'executions')
  | ('access_tokens' | 'acts' | 'bookmarks' | 'channels' | 'files' | 'grants' | 'happenings' | 'list_items')
  | ('messages' | 'pins' | 'reminders' | 'revoked' | 'scheduled' | 'stars' | 'usergroups' | 'users' | 'views')
type Records = Record<Collection, Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Methods by operations: their answers have `ok: true` besides. */
export type Methods = Readonly<Record<string, (slack: SlackRequest) => object>>

/** Channels that stand for an error: `chat.postMessage({ channel: 'ratelimited' })`. */
const ERRORS = new Set(
  `missing_scope account_inactive token_revoked token_expired restricted_action fatal_error internal_error
   service_unavailable ekm_access_denied org_login_required no_permission`.split(/\s+/),
)
const MOST_LISTED = 1_000
const MICROS_PER_MS = 1_000
const MICROS_PER_SECOND = 1_000_000

/** The content of a cursor: the first item of a page, and its place at that time. */
const CURSOR = /^next:(\d{1,15}):(.*)$/s

/** `1796033427.000100` of microseconds since 1970. */
export const stampOf = (micros: number): string =>
  `${Math.floor(micros / MICROS_PER_SECOND)}.${String(micros % MICROS_PER_SECOND).padStart(6, '0')}`

export const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : [])

/** The texts of a list with commas. */
export const splitList = (value: Json | undefined): string[] =>
  textOf(value)
    .replaceAll(' ', '')
    .split(',')
    .filter((text) => text !== '')

/** The fields that have a value. */
export const defined = (fields: Readonly<Record<string, Json | undefined>>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined && field[1] !== null),
  )

export const isMissing = (value: Json | undefined): boolean => value === undefined || value === null || value === ''

export const isMember = (channel: Fields, user: Json | undefined): boolean =>
  textsOf(channel.members).includes(textOf(user))

/** Whether a conversation has a name and members that come and go. */
export const isChannel = ({ kind }: Fields): boolean => kind === 'public_channel' || kind === 'private_channel'

/** The records, the clock and the events. */
export class Slack extends Provider<Records> {
  /** Microseconds since 1970. */
  get micros(): number {
    return this.now.getTime() * MICROS_PER_MS
  }

  /** The time as events and messages have it. */
  get stamp(): string {
    return stampOf(this.micros)
  }

  newId(prefix: string): string {
    return idFrom(this.world.id(), { prefix, length: 10, alphabet: 'upper' })
  }

  /** Ends with Slack's `error`. @param more of its answer */
  refuse(message: string, more: Fields = {}): never {
    const facts = { code: 'no', message, ...more }
    return this.world.refuse(200, facts)
  }

  /** Sends an event. Fields without a value are left out. */
  tell(payload: Readonly<Record<string, Json | undefined>>): void {
    const shown = defined({ event_ts: this.stamp, ...payload })
    this.records.happenings.create({ type: textOf(shown.type), payload: shown })
  }

  messageAt(channel: Json | undefined, ts: Json | undefined): Kept | undefined {
    return this.records.messages.get(`${channel}-${ts}`)
  }

  createChannel(kind: string, members: string[], fields: Fields = {}): Kept {
    return this.records.channels.create({
      id: this.newId(kind === 'im' ? 'D' : 'C'),
      kind,
      members,
      creator: members[0] ?? '',
      created: this.unix,
      updated: this.unix,
      ...fields,
    })
  }

  /** The conversation of a kind that has these members and no others. */
  findDirect(kind: string, people: readonly string[]): Kept | undefined {
    return this.records.channels.find(
      (channel) =>
        channel.kind === kind &&
        textsOf(channel.members).length === people.length &&
        people.every((id) => isMember(channel, id)),
    )
  }
}

/** The same, with a request. */
export class SlackRequest extends Slack {
  readonly of: Context
  /** The parameters, which Slack takes in the query and in the body. */
  readonly args: Fields
  #me: Kept | undefined

  constructor(of: Context) {
    super(of)
    this.of = of
    // One by one, so that the proof of the entry sees which of them a method reads.
    this.args = new Proxy<Fields>({}, { get: (_, name) => of.body[String(name)] ?? of.query[String(name)] })
  }

  /** Refuses a revoked token, and a channel that stands for an error. */
  checkCall(): void {
    if (this.records.revoked.get(this.of.key) !== undefined) this.refuse('token_revoked')
    const name = textOf(this.args.channel).replace(/^#/, '')
    if (name === 'ratelimited') this.of.refuse(429, { code: 'limited' })
    const scopes = name === 'missing_scope' ? { needed: 'chat:write', provided: 'channels:read' } : {}
    if (ERRORS.has(name)) this.refuse(name, scopes)
  }

  /** The user of the token: the bot, a person who signed in, or Ada. */
  get me(): Kept {
    const { key } = this.of
    const signedIn = this.records.access_tokens.get(key)?.user_id
    const usual = key?.startsWith('xoxp-') ? ADA : BOT_USER
    this.#me ??= this.records.users.get(textOf(signedIn ?? usual)) ?? this.refuse('user_not_found')
    return this.#me
  }

  /** Refuses the token of a bot. */
  checkUser(): void {
    if (this.me.is_bot === true) this.refuse('not_allowed_token_type')
  }

  isSeen(channel: Kept): boolean {
    return channel.kind === 'public_channel' || isMember(channel, this.me.id)
  }

  /** The conversation of the request, which the user sees. */
  seenChannel(id = this.args.channel ?? this.args.channel_id): Kept {
    const channel = this.records.channels.get(textOf(id))
    return channel !== undefined && this.isSeen(channel) ? channel : this.refuse('channel_not_found')
  }

  /** The same, which the user is a member of. */
  joinedChannel(): Kept {
    const channel = this.seenChannel()
    if (!isMember(channel, this.me.id)) this.refuse('not_in_channel')
    return channel
  }

  checkActive(channel: Kept): void {
    if (channel.is_archived === true) this.refuse('is_archived')
  }

  checkKind(isAllowed: boolean): void {
    if (!isAllowed) this.refuse('method_not_supported_for_channel_type')
  }

  /** The message of the request. @param parameter that has its time */
  message(channel: Kept, parameter = 'ts'): Kept {
    return this.messageAt(channel.id, this.args[parameter]) ?? this.refuse('message_not_found')
  }

  /** The user of a parameter, by default the one of the token. */
  person(id = this.args.user): Kept {
    return isMissing(id) ? this.me : (this.records.users.get(textOf(id)) ?? this.refuse('user_not_found'))
  }

  /** A page of a list, and where the next one begins. */
  page<T extends Kept | string, S>(
    items: readonly T[],
    show: (item: T) => S,
    usual = 100,
  ): { shown: S[]; has_more: boolean; response_metadata: Fields } {
    const idOf = (item: T): string => (typeof item === 'string' ? item : item.id)
    const limit = Math.min(Math.max(0, Number(this.args.limit)) || usual, MOST_LISTED)
    const cursor = textOf(this.args.cursor)
    let from = 0
    if (cursor !== '') {
      const [, place, id] = CURSOR.exec(Buffer.from(cursor, 'base64').toString()) ?? []
      if (place === undefined) this.of.refuse(400, { code: 'invalid_cursor' })
      const found = items.findIndex((item) => idOf(item) === id)
      from = found < 0 ? Number(place) : found
    }
    const end = from + limit
    const next = items[end]
    const next_cursor = next === undefined ? '' : Buffer.from(`next:${end}:${idOf(next)}`).toString('base64')
    return {
      shown: items.slice(from, end).map(show),
      has_more: next !== undefined,
      response_metadata: { next_cursor },
    }
  }

  /** A numbered page of a list, for `count` and `page`. */
  numberedPage<T>(items: readonly T[], usual: number): { hits: T[]; start: number; paging: Fields } {
    const count = Math.max(1, Number(this.args.count) || usual)
    const page = Math.max(1, Number(this.args.page) || 1)
    const start = (page - 1) * count
    const paging = { count, total: items.length, page, pages: Math.ceil(items.length / count) }
    return { hits: items.slice(start, start + count), start, paging }
  }
}
