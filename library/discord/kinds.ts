import {
  BOT,
  type Collection,
  type DiscordRequest,
  type Fields,
  fieldsOf,
  type Kept,
  type Known,
  listOf,
  type Operations,
  without,
} from './discord.ts'
import { refuseForm } from './faults.ts'
import { given } from './types.ts'
import { moment, pictureOf, toChannel, toEmoji, toWebhook, userOf } from './views.ts'

/** What a guild or an application has of one kind: listed, made, read, changed and deleted in the same way. */
interface Kind {
  readonly collection: Collection & Known
  /** The parameter with the id of one. */
  readonly id: string
  /** Fields that a body sets, in a new record and in a change. */
  readonly fields: string
  /** What a new record has beside these. */
  readonly made?: (discord: DiscordRequest) => Fields
  readonly changed?: (discord: DiscordRequest, one: Fields) => Fields
  /** @default the record */
  readonly show?: (discord: DiscordRequest, one: Fields) => Fields
  /** The list as an answer. */
  readonly list?: (discord: DiscordRequest, shown: Fields[]) => object
}

/** What the records of the path belong to: a guild or an application that is there. */
function ownerOf(discord: DiscordRequest, { collection }: Kind): Fields {
  const { guild_id, application_id } = discord.path
  const { id } = guild_id === undefined ? discord.get('applications', application_id) : discord.guild
  return collection === 'entitlements' ? { application_id: id } : { guild_id: id }
}

const oneOf = (discord: DiscordRequest, kind: Kind): Kept =>
  discord.find(kind.collection, { ...ownerOf(discord, kind), id: discord.path[kind.id] ?? '' })

function operationsOf(scope: string, kind: Kind): Operations {
  const { collection, fields, show = (_, record) => record } = kind
  return {
    [`GET ${scope}`]: (discord) => {
      const shown = discord.all(collection, ownerOf(discord, kind)).map((one) => show(discord, one))
      return kind.list?.(discord, shown) ?? shown
    },
    [`POST ${scope}`]: (discord) => {
      const of = { id: discord.nextId(collection), ...ownerOf(discord, kind) }
      return show(
        discord,
        discord.create(collection, { ...of, ...given(discord.body, fields), ...kind.made?.(discord) }),
      )
    },
    [`GET ${scope}/{${kind.id}}`]: (discord) => show(discord, oneOf(discord, kind)),
    [`PATCH ${scope}/{${kind.id}}`]: (discord) => {
      const one = oneOf(discord, kind)
      const changed = { ...given(discord.body, fields), ...kind.changed?.(discord, one) }
      return show(discord, discord.records[collection].update(one, changed))
    },
    [`DELETE ${scope}/{${kind.id}}`]: (discord) => {
      discord.records[collection].remove(oneOf(discord, kind))
      return discord.done()
    },
  }
}

const byBot = () => ({ user_id: BOT })
const withUser = (discord: DiscordRequest, { user_id, ...shown }: Fields): Fields => ({
  ...shown,
  user: userOf(discord, user_id) ?? null,
})
const emoji: Kind = {
  ...{ collection: 'emojis', id: 'emoji_id', fields: 'name roles' },
  made: ({ body }) => ({ user_id: BOT, animated: String(body.image).startsWith('data:image/gif') }),
  show: toEmoji,
}

/** By the name of the file: PNG, APNG, Lottie and GIF. */
const FORMATS: Readonly<Record<string, number>> = { apng: 2, json: 3, gif: 4 }
const formatOf = (name = ''): number => FORMATS[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 1
const sticker: Kind = {
  ...{ collection: 'stickers', id: 'sticker_id', fields: 'name description tags' },
  made: ({ files }) => ({ user_id: BOT, format_type: formatOf(files[0]?.name) }),
  show: withUser,
}
const sound: Kind = {
  ...{ collection: 'soundboard_sounds', id: 'sound_id' },
  fields: 'name volume emoji_id emoji_name',
  made: byBot,
  show: (discord, { id = '', ...shown }) => ({ sound_id: id, ...withUser(discord, shown) }),
  list: (_, items) => ({ items }),
}

const actionsOf = ({ actions }: Fields) =>
  actions === undefined ? {} : { actions: listOf(actions).map((action) => ({ metadata: {}, ...action })) }
/** By the type of the trigger. */
const TRIGGERS: Readonly<Record<number, Fields>> = {
  1: { keyword_filter: [], regex_patterns: [], allow_list: [] },
  4: { presets: [], allow_list: [] },
  5: { mention_total_limit: 0, mention_raid_protection_enabled: false },
  6: { keyword_filter: [], regex_patterns: [], allow_list: [] },
}
const rule: Kind = {
  ...{ collection: 'auto_moderation_rules', id: 'rule_id' },
  fields: 'name event_type trigger_type enabled exempt_roles exempt_channels',
  made: ({ body }) => ({
    creator_id: BOT,
    ...actionsOf(body),
    trigger_metadata: { ...TRIGGERS[Number(body.trigger_type)], ...fieldsOf(body.trigger_metadata) },
  }),
  changed: ({ body }, { trigger_metadata }) => ({
    ...actionsOf(body),
    trigger_metadata: { ...fieldsOf(trigger_metadata), ...fieldsOf(body.trigger_metadata) },
  }),
}

const toScheduledEvent = (discord: DiscordRequest, shown: Fields): Fields => ({
  ...shown,
  scheduled_start_time: moment(shown.scheduled_start_time),
  scheduled_end_time: moment(shown.scheduled_end_time),
  ...{ creator_id: BOT, creator: userOf(discord, BOT) ?? null, privacy_level: 2, entity_id: null },
  ...(discord.asks('with_user_count') && { user_count: 0 }),
})
/** An event begins, and ends, or is cancelled before. */
const NEXT: Readonly<Record<number, readonly number[]>> = { 1: [2, 4], 2: [3] }
function checkStatus(discord: DiscordRequest, now: number): void {
  const allowed = NEXT[now]
  if (allowed === undefined) discord.refuse(400, 180000, 'Cannot update a finished event')
  const { status = now } = discord.body
  if (status !== now && !allowed.includes(Number(status)))
    refuseForm(discord, new Map([['status', ['BASE_TYPE_CHOICES', `Value must be one of {${allowed.join(', ')}}.`]]]))
}
const event: Kind = {
  ...{ collection: 'scheduled_events', id: 'event_id' },
  fields:
    'channel_id name description scheduled_start_time scheduled_end_time entity_type entity_metadata recurrence_rule status',
  made: ({ body }) => ({ status: 1, image: pictureOf(body.image) }),
  changed: (discord, { status }) => {
    checkStatus(discord, Number(status))
    const { image } = discord.body
    return image === undefined ? {} : { image: pictureOf(image) }
  },
  show: toScheduledEvent,
}

/** Sends the event of a new entitlement. */
function announce(discord: DiscordRequest, data: Fields): Fields {
  const event = { type: 'ENTITLEMENT_CREATE', timestamp: discord.time, data }
  const payload = { version: 1, application_id: data.application_id ?? null, type: 1, event }
  discord.create('happenings', { event_name: event.type, payload })
  return data
}
const entitlement: Kind = {
  ...{ collection: 'entitlements', id: 'entitlement_id', fields: 'sku_id' },
  made: ({ body: { owner_type, owner_id = null } }) => ({
    ...(owner_type === 2 ? { user_id: owner_id } : { guild_id: owner_id }),
  }),
  list: ({ query }, shown) =>
    shown
      .filter(({ user_id }) => query.user_id === undefined || query.user_id === user_id)
      .filter(({ guild_id }) => query.guild_id === undefined || query.guild_id === guild_id)
      .filter(({ sku_id }) => query.sku_ids === undefined || String(query.sku_ids).split(',').includes(String(sku_id)))
      .filter(({ id }) => String(id) > String(query.after ?? '0') && String(id) < String(query.before ?? '9'))
      .slice(0, Number(query.limit ?? 100)),
}
const ENTITLEMENTS = '/applications/{application_id}/entitlements'
const { [`PATCH ${ENTITLEMENTS}/{entitlement_id}`]: _, ...entitlements } = operationsOf(ENTITLEMENTS, entitlement)
const GUILD = '/guilds/{guild_id}'

const filled = (record: Fields): Fields =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))

/** A guild's log, the newest entry first; those `after` an id the oldest first. */
function auditLog(discord: DiscordRequest): Fields {
  const { records, guild, query } = discord
  const { after, before = '9', limit = 50, user_id, action_type } = query
  const found = records.audit_log_entries
    .where({ guild_id: guild.id })
    .filter((entry) => user_id === undefined || entry.user_id === user_id)
    .filter((entry) => action_type === undefined || entry.action_type === Number(action_type))
    .filter(({ id }) => id < String(before) && id > String(after ?? '0'))
  const entries = (after === undefined ? found : found.toReversed()).slice(0, Number(limit))
  const named = new Set(entries.flatMap(({ target_id = null, user_id = null }) => [target_id, user_id]))
  const all = (name: Collection) => discord.all(name).filter(({ id }) => named.has(id))
  return {
    audit_log_entries: entries.map(({ guild_id: _, target_id = null, ...entry }) => ({ target_id, ...filled(entry) })),
    users: all('users').flatMap(({ id }) => userOf(discord, id) ?? []),
    webhooks: all('webhooks').map((one) => toWebhook(discord, one)),
    threads: all('channels')
      .filter(({ thread_metadata }) => thread_metadata !== null)
      .map((one) => toChannel(discord, one)),
    auto_moderation_rules: all('auto_moderation_rules'),
    guild_scheduled_events: all('scheduled_events').map((one) => toScheduledEvent(discord, one)),
    ...{ integrations: [], application_commands: [] },
  }
}

/** What guilds and applications have of several kinds, and the log of its changes. */
export const kinds: Operations = {
  ...operationsOf(`${GUILD}/emojis`, emoji),
  ...operationsOf('/applications/{application_id}/emojis', { ...emoji, list: (_, items) => ({ items }) }),
  ...operationsOf(`${GUILD}/stickers`, sticker),
  'GET /stickers/{sticker_id}': (discord) => without(discord.get('stickers', discord.path.sticker_id), 'user_id'),
  ...operationsOf(`${GUILD}/soundboard-sounds`, sound),
  ...operationsOf(`${GUILD}/auto-moderation/rules`, rule),
  ...operationsOf(`${GUILD}/scheduled-events`, event),
  [`GET ${GUILD}/scheduled-events/{event_id}/users`]: (discord) => oneOf(discord, event) && [],
  ...entitlements,
  [`POST ${ENTITLEMENTS}`]: (discord) => announce(discord, fieldsOf(entitlements[`POST ${ENTITLEMENTS}`]?.(discord))),
  [`POST ${ENTITLEMENTS}/{entitlement_id}/consume`]: (discord) => {
    discord.records.entitlements.update(oneOf(discord, entitlement), { consumed: true })
    return discord.done()
  },
  [`GET ${GUILD}/audit-logs`]: auditLog,
  [`GET ${GUILD}/vanity-url`]: ({ guild }) => guild && { code: null, uses: 0 },
}
