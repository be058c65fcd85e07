import { type DiscordRequest, type Fields, fieldsOf, type Json, listOf } from './discord.ts'
import { FAULTS, type Fault, type Faults, hasValue, lengthFault, REQUIRED } from './faults.ts'
import { noteTypes } from './types.ts'

/** What is wrong with a value that is there. */
type Rule = (value: Json, discord: DiscordRequest) => Fault | undefined
/** Rules by the dotted path of a field, `*` for each item; with `!` it is required where the object around it is there. */
type Form = Readonly<Record<string, Rule>>

const length =
  (least: number, most: number): Rule =>
  (value) => {
    const faults: Faults = new Map()
    lengthFault(faults, '', value, least, most)
    return faults.get('')
  }

const range =
  (least: number, most: number): Rule =>
  (value) => {
    const [isLow, isHigh] = [Number(value) < least, !(Number(value) <= most)]
    if (isLow) return ['NUMBER_TYPE_MIN', `int value should be greater than or equal to ${least}.`]
    return isHigh ? ['NUMBER_TYPE_MAX', `int value should be less than or equal to ${most}.`] : undefined
  }

const choice =
  (...values: readonly Json[]): Rule =>
  (value) =>
    values.includes(value) ? undefined : ['BASE_TYPE_CHOICES', `Value must be one of {${values.join(', ')}}.`]

const snowflake: Rule = (value) =>
  /^\d+$/.test(String(value)) ? undefined : ['NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`]
const anything: Rule = () => undefined
const whole: Rule = (value) =>
  Number.isInteger(value) ? undefined : ['NUMBER_TYPE_COERCE', `Value "${JSON.stringify(value)}" is not int.`]
const moment: Rule = (value) =>
  Number.isNaN(Date.parse(String(value)))
    ? ['DATE_TIME_TYPE_PARSE', `Could not parse ${value}. Should be ISO8601.`]
    : undefined
const future: Rule = (value, discord) =>
  moment(value, discord) ??
  (Date.parse(String(value)) < discord.now.getTime()
    ? ['GUILD_SCHEDULED_EVENT_SCHEDULE_PAST', 'Cannot schedule event in the past.']
    : undefined)
const image: Rule = (value) =>
  /^data:image\/(png|jpe?g|gif|webp|avif);base64,/.test(String(value)) ? undefined : ['IMAGE_INVALID', 'Invalid image']
const category: Rule = (value, { records }) => {
  const type = records.channels.get(String(value))?.type
  if (type === 4) return undefined
  return ['CHANNEL_PARENT_INVALID', type === undefined ? 'Category does not exist' : 'Not a category']
}
const list: Rule = (value) => (Array.isArray(value) ? undefined : FAULTS.noList)
const nonce: Rule = (value) =>
  typeof value === 'string' || Number.isInteger(value)
    ? undefined
    : ['STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(value)}" as string.`]
const withinFourWeeks: Rule = (value, discord) =>
  moment(value, discord) ??
  (Date.parse(String(value)) - discord.now.getTime() > 28 * 86_400_000
    ? ['INVALID_COMMUNICATION_DISABLED_TIMESTAMP', 'The timeout end must be within 28 days.']
    : undefined)
const emojiName: Rule = (value, discord) =>
  length(2, 32)(value, discord) ??
  (/^\w+$/.test(String(value)) ? undefined : ['STRING_TYPE_REGEX', 'String value did not match validation regex.'])

/** Forums have longer topics, and stages more people. */
const typeOf = ({ body, path, records }: DiscordRequest): number =>
  Number(records.channels.get(String(path.channel_id))?.type ?? body.type ?? 0)
const topic: Rule = (value, discord) => length(0, [15, 16].includes(typeOf(discord)) ? 4_096 : 1_024)(value, discord)
const userLimit: Rule = (value, discord) => range(0, typeOf(discord) === 13 ? 10_000 : 99)(value, discord)

/** A text that may not be empty either. */
const words =
  (most: number): Rule =>
  (value, discord) =>
    value === '' ? REQUIRED : length(0, most)(value, discord)
const address: Rule = (value) =>
  hasValue(value) && !URL.canParse(String(value)) ? ['URL_TYPE_INVALID_URL', 'Not a well formed URL.'] : undefined

/** What one embed shows. */
export const EMBED: Form = {
  title: length(0, 256),
  description: length(0, 4_096),
  fields: length(0, 25),
  ...{ url: address, 'image.url': address, 'thumbnail.url': address },
  color: range(0, 0xff_ff_ff),
  timestamp: moment,
  'fields.*.name!': words(256),
  'fields.*.value!': words(1_024),
  'footer.text!': words(2_048),
  'author.name!': words(256),
}
export const COMPLETION: Form = { choices: length(0, 25), 'choices.*.name!': length(1, 100) }
export const MODAL: Form = {
  'title!': length(1, 45),
  'custom_id!': length(1, 100),
  'components!': length(1, 5),
  'components.*.components.*.custom_id!': (value) => (hasValue(value) ? undefined : REQUIRED),
}

/** A guild has six rules for keywords, and one of each other type. */
const triggerType: Rule = (value, discord) => {
  const { guild_id } = discord.path
  const amount = discord.records.auto_moderation_rules.count({ guild_id, trigger_type: value ?? null }) ?? 0
  const fault = choice(1, 3, 4, 5, 6)(value, discord)
  if (fault !== undefined || amount < (value === 1 ? 6 : 1)) return fault
  return ['AUTO_MODERATION_MAX_RULES_OF_TYPE_EXCEEDED', 'Maximum number of rules of this type exceeded']
}
const archiveAfter = choice(60, 1_440, 4_320, 10_080)
const CHANNEL: Form = {
  topic,
  parent_id: category,
  rate_limit_per_user: range(0, 21_600),
  bitrate: range(8_000, 384_000),
  user_limit: userLimit,
  default_auto_archive_duration: archiveAfter,
  default_thread_rate_limit_per_user: range(0, 21_600),
}
const THREAD: Form = {
  'name!': length(1, 100),
  auto_archive_duration: archiveAfter,
  rate_limit_per_user: range(0, 21_600),
}
const COLOR = range(0, 0xff_ff_ff)
const PLACES: Form = { '*.id!': snowflake, '*.position': whole }
const ROLE: Form = {
  name: length(0, 100),
  color: COLOR,
  'colors.primary_color': COLOR,
  'colors.secondary_color': COLOR,
  'colors.tertiary_color': COLOR,
}
const POLL: Form = {
  'poll.question!': anything,
  'poll.question.text!': length(1, 300),
  'poll.answers!': length(1, 10),
  'poll.answers.*.poll_media!': anything,
  'poll.answers.*.poll_media.text!': length(1, 55),
  'poll.duration': range(1, 768),
}
const PAGE: Form = { before: snowflake, after: snowflake, around: snowflake }
const LIMIT: Form = { ...PAGE, limit: range(1, 100) }
const LONG_LIMIT: Form = { ...PAGE, limit: range(1, 1_000) }
const RULE: Form = { name: length(1, 100), actions: length(1, 5) }

export const FORMS: Readonly<Record<string, Form>> = {
  'PATCH /applications/@me': { tags: list },
  'PATCH /users/@me': { username: length(2, 32) },
  'PATCH /guilds/{guild_id}': { name: length(2, 100) },
  'POST /guilds/{guild_id}/channels': {
    ...CHANNEL,
    'name!': length(1, 100),
    type: choice(0, 2, 4, 5, 13, 14, 15, 16),
  },
  'PATCH /guilds/{guild_id}/channels': PLACES,
  'PATCH /guilds/{guild_id}/roles': PLACES,
  'PATCH /channels/{channel_id}': { ...CHANNEL, name: length(1, 100) },
  'PUT /channels/{channel_id}/permissions/{overwrite_id}': { 'type!': choice(0, 1) },
  'GET /channels/{channel_id}/messages': LIMIT,
  'POST /channels/{channel_id}/messages': { ...POLL, nonce },
  'POST /channels/{channel_id}/messages/bulk-delete': { 'messages!': anything },
  'GET /channels/{channel_id}/messages/{message_id}/reactions/{emoji}': LIMIT,
  'POST /channels/{channel_id}/threads': THREAD,
  'POST /channels/{channel_id}/messages/{message_id}/threads': THREAD,
  'POST /channels/{channel_id}/invites': { max_age: range(0, 604_800), max_uses: range(0, 100) },
  'POST /channels/{channel_id}/webhooks': { 'name!': length(1, 80) },
  'PATCH /webhooks/{webhook_id}': { name: length(1, 80) },
  'PATCH /webhooks/{webhook_id}/{webhook_token}': { name: length(1, 80) },
  'POST /webhooks/{webhook_id}/{webhook_token}': {
    ...POLL,
    nonce,
    username: length(1, 80),
    thread_name: length(1, 100),
  },
  'GET /guilds/{guild_id}/members': LONG_LIMIT,
  'GET /guilds/{guild_id}/members/search': { ...LONG_LIMIT, 'query!': anything },
  'PATCH /guilds/{guild_id}/members/@me': { nick: length(0, 32), communication_disabled_until: withinFourWeeks },
  'PATCH /guilds/{guild_id}/members/{user_id}': {
    nick: length(0, 32),
    communication_disabled_until: withinFourWeeks,
  },
  'PUT /guilds/{guild_id}/bans/{user_id}': { delete_message_seconds: range(0, 604_800) },
  'GET /guilds/{guild_id}/bans': LONG_LIMIT,
  'POST /guilds/{guild_id}/bulk-ban': { 'user_ids!': length(1, 200) },
  'GET /guilds/{guild_id}/audit-logs': LIMIT,
  'POST /guilds/{guild_id}/roles': ROLE,
  'PATCH /guilds/{guild_id}/roles/{role_id}': ROLE,
  'POST /guilds/{guild_id}/emojis': { 'name!': emojiName, 'image!': image },
  'PATCH /guilds/{guild_id}/emojis/{emoji_id}': { name: emojiName },
  'POST /applications/{application_id}/emojis': { 'name!': emojiName, 'image!': image },
  'PATCH /applications/{application_id}/emojis/{emoji_id}': { name: emojiName },
  'POST /guilds/{guild_id}/stickers': { 'name!': length(2, 30), 'tags!': length(1, 200), description: length(0, 100) },
  'PATCH /guilds/{guild_id}/stickers/{sticker_id}': { name: length(2, 30), description: length(0, 100) },
  'POST /guilds/{guild_id}/soundboard-sounds': { 'name!': length(2, 32), 'sound!': anything, volume: range(0, 1) },
  'PATCH /guilds/{guild_id}/soundboard-sounds/{sound_id}': { name: length(2, 32), volume: range(0, 1) },
  'POST /applications/{application_id}/entitlements': { 'sku_id!': anything, 'owner_id!': anything },
  'POST /guilds/{guild_id}/auto-moderation/rules': {
    ...RULE,
    ...{ 'name!': anything, 'event_type!': choice(1, 2), 'trigger_type!': triggerType, 'actions!': anything },
  },
  'PATCH /guilds/{guild_id}/auto-moderation/rules/{rule_id}': RULE,
  'POST /guilds/{guild_id}/scheduled-events': {
    'name!': length(1, 100),
    'privacy_level!': choice(2),
    'entity_type!': choice(1, 2, 3),
    'scheduled_start_time!': future,
    description: length(0, 1_000),
  },
  'POST /stage-instances': { 'channel_id!': snowflake, 'topic!': length(1, 120), privacy_level: choice(1, 2) },
  'PATCH /stage-instances/{channel_id}': { topic: length(1, 120), privacy_level: choice(1, 2) },
  'PATCH /guilds/{guild_id}/scheduled-events/{event_id}': {
    name: length(1, 100),
    status: choice(1, 2, 3, 4),
    scheduled_start_time: future,
  },
}

/** What a body, or a query, must have beside its form. */
function needed(body: Fields, { records, path }: DiscordRequest): string[] {
  const isForum = [15, 16].includes(Number(records.channels.get(String(path.channel_id))?.type))
  if (body.entity_type === 3)
    return ['scheduled_end_time', 'entity_metadata'].filter((name) => body[name] === undefined)
  if (body.entity_type !== undefined) return body.channel_id === undefined ? ['channel_id'] : []
  return isForum && 'name' in body && body.message === undefined ? ['message'] : []
}

/** Operations whose bodies have fields of other types: other services', and events of tests. */
const UNTYPED = /\/(?:slack|github|permissions|events)$/

/** Faults of the body, or of the query, by the form of the operation. */
export function faultsOfForm(operation: string, discord: DiscordRequest): Faults {
  const body: Fields = operation.startsWith('GET') ? discord.query : discord.body
  const form = FORMS[operation] ?? {}
  const faults: Faults = new Map()
  for (const [name, value] of Object.entries(discord.path)) {
    const fault = name.endsWith('_id') && !value.startsWith('@') ? snowflake(value, discord) : undefined
    if (fault !== undefined) faults.set(name, fault)
  }
  noteFaults(faults, form, body, discord)
  if (!operation.startsWith('GET') && !UNTYPED.test(operation)) noteTypes(faults, body)
  if (operation.endsWith('/threads') || operation === 'POST /guilds/{guild_id}/scheduled-events')
    for (const name of needed(body, discord)) faults.set(name, REQUIRED)
  return faults
}

/** Notes what is wrong with an object by its form. @param at the path of the object, with its dot */
export function noteFaults(faults: Faults, form: Form, of: Json, discord: DiscordRequest, at = ''): void {
  for (const [name, rule] of Object.entries(form)) {
    const parts = name.replace('!', '').split('.')
    const last = parts.pop() ?? ''
    for (const [path, around] of placesOf(parts, of, at)) {
      const value = fieldsOf(around)[last] ?? null
      const fault = value !== null ? rule(value, discord) : name.endsWith('!') ? REQUIRED : undefined
      if (fault !== undefined) faults.set(`${path}${last}`, fault)
    }
  }
}

/** The objects at a path, with their own paths. */
function placesOf([part, ...parts]: readonly string[], of: Json | undefined, at: string): [string, Json][] {
  if (of === undefined || of === null) return []
  if (part === undefined) return [[at, of]]
  if (part !== '*') return placesOf(parts, fieldsOf(of)[part], `${at}${part}.`)
  return listOf(of).flatMap((item, place) => placesOf(parts, item, `${at}${place}.`))
}
