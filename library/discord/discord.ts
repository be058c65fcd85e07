import type { AnyOperation, CallAnswer, OperationContext, WorldContext, WrittenAnswer } from '../../src/handlers.ts'
import { type Fields, fieldsOf, type Json, type Kept } from '../shared/values.ts'
import { typed } from './types.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf, only, textOf, without } from '../shared/values.ts'

/** The bot, and its application. */
export const BOT = '1000000000000000001'
/** The owner of the guild: who acts where a test names nobody. */
export const ADA = '1000000000000000030'
export const GENERAL = '1000000000000000020'

/** Flags of messages: only one person sees it, and nothing is shown yet. */
export const [EPHEMERAL, LOADING] = [1 << 6, 1 << 7]

const FORUMS = [15, 16]
/** Forums and galleries. */
export const isForum = ({ type }: Fields): boolean => FORUMS.includes(Number(type))

/** How a message refers to another. */
export const referenceTo = ({ id, channel_id = null }: Kept, guild_id: Json = null): Fields => ({
  ...{ type: 0, message_id: id, channel_id, guild_id },
})

/** 2015-01-01: https://docs.discord.com/developers/reference#snowflakes */
const DISCORD_EPOCH_MS = 1_420_070_400_000
const PLACES = 2 ** 22

/** When the id was made, in milliseconds since 1970. */
export const timeOf = (id: Json | undefined): number => Number(BigInt(String(id)) >> 22n) + DISCORD_EPOCH_MS

export type Collection =
  | ('access_tokens' | 'applications' | 'attachments' | 'audit_log_entries' | 'auto_moderation_rules' | 'bans')
  | ('channels' | 'commands' | 'connection_metadata' | 'emojis' | 'endpoints' | 'entitlements' | 'guilds')
  | ('happenings' | 'interactions' | 'invites' | 'members' | 'messages' | 'reactions' | 'roles' | 'scheduled_events')
  | ('soundboard_sounds' | 'stage_instances' | 'stickers' | 'templates' | 'thread_members' | 'users' | 'webhooks')

/** What a refusal says of a record that is not there: https://docs.discord.com/developers/topics/opcodes-and-status-codes */
const UNKNOWN = {
  applications: [10002, 'Application'],
  auto_moderation_rules: [10066, 'Auto Moderation Rule'],
  bans: [10026, 'Ban'],
  channels: [10003, 'Channel'],
  commands: [10063, 'application command'],
  emojis: [10014, 'Emoji'],
  entitlements: [10029, 'Entitlement'],
  guilds: [10004, 'Guild'],
  interactions: [10062, 'interaction'],
  invites: [10006, 'Invite'],
  members: [10007, 'Member'],
  messages: [10008, 'Message'],
  overwrites: [10009, 'Overwrite'],
  permissions: [10066, 'application command permissions'],
  reactions: [10014, 'Emoji'],
  roles: [10011, 'Role'],
  scheduled_events: [10070, 'Guild Scheduled Event'],
  soundboard_sounds: [10097, 'sound'],
  stage_instances: [10067, 'Stage Instance'],
  stickers: [10060, 'Sticker'],
  templates: [10057, 'Guild Template'],
  thread_members: [10007, 'Member'],
  users: [10013, 'User'],
  voice_states: [10065, 'Voice State'],
  webhooks: [10015, 'Webhook'],
  welcome_screens: [10069, 'Guild Welcome Screen'],
} as const

export type Known = keyof typeof UNKNOWN

type Records = Record<Collection, Kept>
export type Context = OperationContext<AnyOperation, Records>
export type World = WorldContext<Records>

/** What an operation does. */
export type Act = (discord: DiscordRequest) => unknown
/** By operations. */
export type Operations = Readonly<Record<string, Act>>

export const idsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : [])

/** An object without the fields that are undefined. */
export const present = (fields: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

/** The records and the clock. */
export class Discord {
  readonly records: World['records']
  readonly now: Date
  readonly random: () => number

  constructor({ records, now, random }: World) {
    this.records = records
    this.now = now
    this.random = random
  }

  get time(): string {
    return this.now.toISOString()
  }

  later(seconds: number): string {
    return new Date(this.now.getTime() + seconds * 1_000).toISOString()
  }

  /** An id of this time. @param place orders ids of one time @default at random */
  snowflake(place = this.random() * PLACES): string {
    return String((BigInt(this.now.getTime() - DISCORD_EPOCH_MS) << 22n) | BigInt(Math.floor(place) % PLACES))
  }

  /** An id after those of the collection. */
  nextId(collection: Collection): string {
    let place = this.records[collection].count()
    while (this.records[collection].get(this.snowflake(place)) !== undefined) place += 1
    return this.snowflake(place)
  }

  create(collection: Collection, fields: Readonly<Record<string, Json | undefined>>): Kept {
    return this.records[collection].create({ id: this.snowflake(), ...fields } as Fields)
  }

  /** Records with these values, the oldest first. */
  all(collection: Collection, test: Fields = {}): Kept[] {
    return this.records[collection].where(test).reverse()
  }

  removeAll(collection: Collection, test: Fields): void {
    for (const record of this.all(collection, test)) this.records[collection].remove(record)
  }
}

/** The same, with a request. */
export class DiscordRequest extends Discord {
  readonly of: Context
  /** The JSON of the request, also where it stands in a field of a form beside files. */
  readonly body: Fields

  constructor(of: Context) {
    super(of)
    this.of = of
    this.body = typed(this.#json())
  }

  #json(): Fields {
    const { body } = this.of
    if (Array.isArray(body)) return body
    const { payload_json: json = body } = fieldsOf(body)
    if (typeof json !== 'string') return fieldsOf(json)
    try {
      return fieldsOf(JSON.parse(json))
    } catch {
      return this.refuse(400, 50109, 'The request body contains invalid JSON.')
    }
  }

  get path(): Readonly<Record<string, string>> {
    return this.of.path
  }

  get query(): Fields {
    return this.of.query as Fields
  }

  get headers(): Context['headers'] {
    return this.of.headers
  }

  get files(): Context['files'] {
    return this.of.files
  }

  get ahead(): number {
    return this.of.ahead
  }

  id(length: number): string {
    let text = ''
    while (text.length < length) text += this.of.id()
    return text.slice(0, length)
  }

  /** Whether a parameter of the query is true. */
  asks(name: string): boolean {
    return String(this.query[name]) === 'true'
  }

  refuse(status: number, reason: number, message: string, errors?: Fields): never {
    const facts = { code: 'refused', reason, message, errors }
    return this.of.refuse(status, facts)
  }

  /** For another type of channel. */
  wrongType(): never {
    return this.refuse(400, 50024, 'Cannot execute action on this channel type')
  }

  unknown(what: Known): never {
    const [code, noun] = UNKNOWN[what]
    return this.refuse(404, code, `Unknown ${noun}`)
  }

  /** The record with this id. */
  get(collection: Collection & Known, id: Json | undefined): Kept {
    return this.records[collection].get(String(id ?? '')) ?? this.unknown(collection)
  }

  /** The newest record with these values. */
  find(collection: Collection & Known, test: Fields): Kept {
    return this.records[collection].find(test) ?? this.unknown(collection)
  }

  get guild(): Kept {
    return this.get('guilds', this.path.guild_id)
  }

  get channel(): Kept {
    return this.get('channels', this.path.channel_id)
  }

  /** The guild of the path's channel; none of a talk with one person. */
  get guildOfChannel(): Kept | undefined {
    return this.records.guilds.get(this.channel.guild_id as string)
  }

  get message(): Kept {
    return this.find('messages', { id: this.path.message_id ?? '', channel_id: this.channel.id, hidden: false })
  }

  get member(): Kept {
    return this.memberOf(this.path.user_id ?? '')
  }

  /** The person in the path's guild. */
  memberOf(user_id: string): Kept {
    const member = this.records.members.find({ guild_id: this.guild.id, user_id })
    return member ?? this.unknown(this.records.users.get(user_id) === undefined ? 'users' : 'members')
  }

  get role(): Kept {
    return this.find('roles', { guild_id: this.guild.id, id: this.path.role_id ?? '' })
  }

  readonly call = (method: string, path: string, body?: object): CallAnswer => this.of.call(method, path, body)

  readonly respond = (answer: WrittenAnswer): object => this.of.respond(answer)

  /** An answer without content. */
  done(): object {
    return this.respond({ status: 204 })
  }
}
