import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { snowflake } from './commands.ts'
import { moment, pictureOf, refused, unknown } from './faults.ts'
import { BOT } from './permissions.ts'

type Act = (context: OperationContext) => object
type Acts = Readonly<Record<string, Act>>

/** What a guild or an application has of one kind: listed, made, read, changed and deleted in the same way. */
interface Kind {
  readonly collection: string
  /** The parameter with the id of one. */
  readonly id: string
  readonly unknown: readonly [code: number, what: string]
  /** Fields that a body sets, in a new record and in a change. */
  readonly fields: string
  /** What a new record has beside these. */
  readonly made?: (context: OperationContext) => JsonObject
  readonly changed?: (context: OperationContext, one: JsonObject) => JsonObject
  /** @default the record */
  readonly show?: (context: OperationContext, one: JsonObject) => JsonObject
  /** The list as an answer. */
  readonly list?: (context: OperationContext, shown: JsonObject[], records: JsonObject[]) => object
}

export const userOf = ({ call }: OperationContext, id: Json | undefined): JsonObject =>
  fieldsOf(call('GET', `/users/${id}`).body)

const ownerOf = ({ path: { guild_id, application_id = '' } }: OperationContext, { collection }: Kind): JsonObject =>
  collection === 'entitlements' ? { application_id } : { guild_id: guild_id ?? application_id }

export const within =
  (act: Act): Act =>
  (context) => {
    const { records, path } = context
    if (path.guild_id !== undefined && !records.guilds?.get(path.guild_id)) return unknown(context, 10004, 'Guild')
    const isThere = path.application_id === undefined || records.applications?.get(path.application_id)
    return isThere ? act(context) : unknown(context, 10002, 'Application')
  }

export const given = (body: JsonObject, fields: string): JsonObject =>
  Object.fromEntries(fields.split(' ').flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))

const one = (kind: Kind, act: (context: OperationContext, record: JsonObject) => object): Act =>
  within((context) => {
    const id = context.path[kind.id]
    const found = context.records[kind.collection]?.find({ ...ownerOf(context, kind), id })
    return found === undefined ? unknown(context, ...kind.unknown) : act(context, found)
  })

function operationsOf(scope: string, kind: Kind): Acts {
  const { collection, show = (_, record) => record } = kind
  return {
    [`GET ${scope}`]: within((context) => {
      const found = context.records[collection]?.where(ownerOf(context, kind)).toReversed() ?? []
      const shown = found.map((record) => show(context, record))
      return kind.list?.(context, shown, found) ?? shown
    }),
    [`POST ${scope}`]: within((context) => {
      const { records, body } = context
      const fields = { id: snowflake(context, records[collection]?.count()), ...ownerOf(context, kind) }
      const made = records[collection]?.create({ ...fields, ...given(body, kind.fields), ...kind.made?.(context) })
      return show(context, fieldsOf(made))
    }),
    [`GET ${scope}/{${kind.id}}`]: one(kind, show),
    [`PATCH ${scope}/{${kind.id}}`]: one(kind, (context, record) => {
      const fields = { ...given(context.body, kind.fields), ...kind.changed?.(context, record) }
      return show(context, fieldsOf(context.records[collection]?.update(record, fields)))
    }),
    [`DELETE ${scope}/{${kind.id}}`]: one(kind, (context, record) => {
      context.records[collection]?.remove(record)
      return context.respond({ status: 204 })
    }),
  }
}

const byBot = () => ({ user_id: BOT })
const withUser = (context: OperationContext, { user_id, ...shown }: JsonObject): JsonObject => ({
  ...shown,
  user: userOf(context, user_id),
})
const emoji: Kind = {
  ...{ collection: 'emojis', id: 'emoji_id', unknown: [10014, 'Emoji'], fields: 'name roles' },
  made: ({ body }) => ({ user_id: BOT, animated: String(body.image).startsWith('data:image/gif') }),
  show: (context, { guild_id: _, ...shown }) => withUser(context, shown),
}

/** By the name of the file: PNG, APNG, Lottie and GIF. */
const FORMATS: Readonly<Record<string, number>> = { apng: 2, json: 3, gif: 4 }
const formatOf = (name = ''): number => FORMATS[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 1
const sticker: Kind = {
  ...{ collection: 'stickers', id: 'sticker_id', unknown: [10060, 'Sticker'], fields: 'name description tags' },
  made: ({ files }) => ({ user_id: BOT, format_type: formatOf(files[0]?.name) }),
  show: withUser,
}
const sound: Kind = {
  ...{ collection: 'soundboard_sounds', id: 'sound_id', unknown: [10097, 'sound'] },
  fields: 'name volume emoji_id emoji_name',
  made: byBot,
  show: (context, { id = '', ...shown }) => ({ sound_id: id, ...withUser(context, shown) }),
  list: (_, items) => ({ items }),
}

const actionsOf = ({ actions }: JsonObject) =>
  actions === undefined ? {} : { actions: listOf(actions).map((action) => ({ metadata: {}, ...action })) }
/** By the type of the trigger. */
const TRIGGERS: Readonly<Record<number, JsonObject>> = {
  1: { keyword_filter: [], regex_patterns: [], allow_list: [] },
  4: { presets: [], allow_list: [] },
  5: { mention_total_limit: 0, mention_raid_protection_enabled: false },
  6: { keyword_filter: [], regex_patterns: [], allow_list: [] },
}
const rule: Kind = {
  ...{ collection: 'auto_moderation_rules', id: 'rule_id', unknown: [10066, 'Auto Moderation Rule'] },
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

const event: Kind = {
  ...{ collection: 'scheduled_events', id: 'event_id', unknown: [10070, 'Guild Scheduled Event'] },
  fields:
    'channel_id name description scheduled_start_time scheduled_end_time entity_type entity_metadata recurrence_rule status',
  made: ({ body }) => ({ status: 1, image: pictureOf(body.image) ?? null }),
  changed: ({ body }) => (body.image === undefined ? {} : { image: pictureOf(body.image) ?? null }),
  show: (context, shown) => ({
    ...shown,
    scheduled_start_time: moment(shown.scheduled_start_time),
    scheduled_end_time: moment(shown.scheduled_end_time),
    ...{ creator_id: BOT, creator: userOf(context, BOT), privacy_level: 2, entity_id: null },
    ...(String(context.query.with_user_count) === 'true' && { user_count: 0 }),
  }),
}

/** An event of the application about an entitlement. */
function note(context: OperationContext, type: string, data: JsonObject): JsonObject {
  const { records, now } = context
  const event = { type, timestamp: now.toISOString(), data }
  const payload = { version: 1, application_id: data.application_id ?? null, type: 1, event }
  records.happenings?.create({ id: snowflake(context), event_name: type, payload })
  return data
}
const entitlement: Kind = {
  ...{ collection: 'entitlements', id: 'entitlement_id', unknown: [10029, 'Entitlement'], fields: 'sku_id' },
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
const {
  [`POST ${ENTITLEMENTS}`]: entitle,
  [`PATCH ${ENTITLEMENTS}/{entitlement_id}`]: _,
  ...ofEntitlements
} = operationsOf(ENTITLEMENTS, entitlement)
const GUILD = '/guilds/{guild_id}'

const filled = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))

/** A guild's log, the newest entry first; those `after` an id the oldest first. */
const auditLog = within((context) => {
  const { records, path, query, call } = context
  const { after, before = '9', limit = 50, user_id, action_type } = query
  const found = (records.audit_log_entries?.where({ guild_id: path.guild_id }) ?? [])
    .filter((entry) => user_id === undefined || entry.user_id === user_id)
    .filter((entry) => action_type === undefined || entry.action_type === Number(action_type))
    .filter(({ id }) => String(id) < String(before) && String(id) > String(after ?? '0'))
  const entries = (after === undefined ? found : found.toReversed()).slice(0, Number(limit))
  const named = new Set(entries.flatMap(({ target_id = null, user_id = null }) => [target_id, user_id]))
  const all = (name: string) => records[name]?.where(({ id = '' }) => named.has(id)).toReversed() ?? []
  const shown = (name: string, pathOf: (id: Json) => string) =>
    all(name).map(({ id = '' }) => call('GET', pathOf(id)).body)
  return {
    audit_log_entries: entries.map(({ guild_id: _, target_id = null, ...entry }) => ({ target_id, ...filled(entry) })),
    users: shown('users', (id) => `/users/${id}`),
    webhooks: shown('webhooks', (id) => `/webhooks/${id}`),
    threads: shown('channels', (id) => `/channels/${id}`).filter(({ thread_metadata }) => thread_metadata),
    auto_moderation_rules: all('auto_moderation_rules'),
    guild_scheduled_events: shown('scheduled_events', (id) => `/guilds/${path.guild_id}/scheduled-events/${id}`),
    ...{ integrations: [], application_commands: [] },
  }
})

export const kinds: Acts = {
  ...operationsOf(`${GUILD}/emojis`, emoji),
  ...operationsOf('/applications/{application_id}/emojis', { ...emoji, list: (_, items) => ({ items }) }),
  ...operationsOf(`${GUILD}/stickers`, sticker),
  'GET /stickers/{sticker_id}': (context) => {
    const found = context.records.stickers?.get(String(context.path.sticker_id))
    return found === undefined ? unknown(context, ...sticker.unknown) : found
  },
  ...operationsOf(`${GUILD}/soundboard-sounds`, sound),
  ...operationsOf(`${GUILD}/auto-moderation/rules`, rule),
  ...operationsOf(`${GUILD}/scheduled-events`, event),
  [`GET ${GUILD}/scheduled-events/{event_id}/users`]: one(event, () => []),
  ...ofEntitlements,
  [`POST ${ENTITLEMENTS}`]: (context) => note(context, 'ENTITLEMENT_CREATE', fieldsOf(entitle?.(context))),
  [`POST ${ENTITLEMENTS}/{entitlement_id}/consume`]: one(entitlement, (context, { id = '' }) => {
    context.records.entitlements?.update(String(id), { consumed: true })
    return context.respond({ status: 204 })
  }),
  [`GET ${GUILD}/audit-logs`]: auditLog,
  [`GET ${GUILD}/vanity-url`]: within(() => ({ code: null, uses: 0 })),
  // a person's token is needed: https://docs.discord.com/developers/interactions/application-commands#permissions
  'PUT /applications/{application_id}/guilds/{guild_id}/commands/{command_id}/permissions': (context) =>
    refused(context, 403, 20001, 'Bots cannot use this endpoint'),
}
