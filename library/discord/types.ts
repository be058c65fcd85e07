import { type Fields, fieldsOf, type Json } from '../shared/values.ts'
import { FAULTS, type Fault, type Faults } from './faults.ts'

/** A type of fields: what is taken for it, and what a refusal says. */
interface Type {
  readonly names: string
  readonly read: (value: Json) => Json | undefined
  readonly fault: (value: Json) => Fault
}

const isObject = (value: Json): boolean => typeof value === 'object'
const number = (value: Json): Json | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    ? Number(value)
    : undefined

/** The types of fields, by their names: they are the same in all bodies. */
const TYPES: readonly Type[] = [
  {
    names:
      'name topic description content nick username global_name avatar banner icon unicode_emoji preferred_locale parent_id afk_channel_id system_channel_id rules_channel_id channel_id webhook_channel_id recipient_id rtc_region permissions allow deny thread_name avatar_url interactions_endpoint_url event_webhooks_url communication_disabled_until emoji_id emoji_name sku_id owner_id guild_scheduled_event_id platform_name platform_username scheduled_start_time scheduled_end_time default_member_permissions user_id message_id custom_id target_id',
    read: (value) => (isObject(value) ? undefined : String(value)),
    fault: (value) => ['STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(value)}" as string.`],
  },
  {
    names:
      'type position rate_limit_per_user bitrate user_limit flags default_sort_order default_forum_layout default_auto_archive_duration default_thread_rate_limit_per_user auto_archive_duration color max_age max_uses afk_timeout verification_level default_message_notifications explicit_content_filter privacy_level event_type trigger_type entity_type status event_webhooks_status mode',
    read: (value) => (Number.isInteger(number(value)) ? number(value) : undefined),
    fault: (value) => ['NUMBER_TYPE_COERCE', `Value "${showing(value)}" is not int.`],
  },
  {
    names:
      'tts nsfw hoist mentionable mute deaf archived locked invitable temporary unique enabled enforce_nonce dm_permission',
    read: (value) => ({ true: true, false: false })[String(value)],
    fault: () => ['BOOLEAN_TYPE_CONVERT', 'Must be either true or false.'],
  },
  {
    names:
      'embeds components attachments sticker_ids roles permission_overwrites available_tags applied_tags features messages user_ids options contexts integration_types actions exempt_roles exempt_channels event_webhooks_types welcome_channels prompts default_channel_ids',
    read: (value) => (Array.isArray(value) ? value : undefined),
    fault: () => FAULTS.noList,
  },
  {
    names:
      'poll allowed_mentions message_reference message data default_reaction_emoji metadata trigger_metadata entity_metadata recurrence_rule colors name_localizations description_localizations',
    read: (value) => (Array.isArray(value) || !isObject(value) ? undefined : value),
    fault: () => FAULTS.noModel,
  },
  {
    names: 'volume',
    read: number,
    fault: (value) => ['NUMBER_TYPE_COERCE', `Value "${showing(value)}" is not float.`],
  },
]
const showing = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))
const BY_NAME = new Map(TYPES.flatMap((type) => type.names.split(' ').map((name) => [name, type] as const)))

/** A body with texts and numbers as Discord takes them: `"5"` is a number, 5 a text. Fields are read when they are used. */
export function typed(body: Fields): Fields {
  if (Array.isArray(body)) return body
  const copy: Fields = Object.create(body)
  for (const name of Reflect.ownKeys(body) as string[]) {
    const get = (): Json => {
      const value = body[name] ?? null
      return value === null ? null : (BY_NAME.get(name)?.read(value) ?? value)
    }
    Object.defineProperty(copy, name, { get, enumerable: true })
  }
  return copy
}

/** Notes the fields of a wrong type. @param at the path of the object, with its dot */
export function noteTypes(faults: Faults, of: Json | undefined, at = ''): void {
  const fields = fieldsOf(of)
  for (const name of Object.keys(fields)) {
    const type = BY_NAME.get(name)
    if (type === undefined) continue
    const value = fields[name] ?? null
    if (value !== null && type.read(value) === undefined) faults.set(`${at}${name}`, type.fault(value))
  }
}

/** Fields that may be null. */
const NULLABLE = new Set(
  'topic description nick global_name avatar banner icon unicode_emoji parent_id afk_channel_id system_channel_id rules_channel_id channel_id rtc_region communication_disabled_until emoji_id emoji_name default_reaction_emoji default_sort_order default_auto_archive_duration default_thread_rate_limit_per_user secondary_color tertiary_color interactions_endpoint_url event_webhooks_url default_member_permissions contexts name_localizations description_localizations scheduled_end_time entity_metadata recurrence_rule guild_scheduled_event_id sticker_items message_reference allowed_mentions nonce'.split(
    ' ',
  ),
)

/** The fields that a body sets: null only where a field may be null. @param names with spaces between */
export const given = (body: Fields, names: string): Fields =>
  Object.fromEntries(
    names.split(' ').flatMap((name) => {
      const value = body[name]
      return value === undefined || (value === null && !NULLABLE.has(name)) ? [] : [[name, value]]
    }),
  )
