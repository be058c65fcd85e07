import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { snowflake } from './commands.ts'
import { moment, refused, unknown } from './faults.ts'
import { given, userOf, within } from './kinds.ts'
import { BOT } from './permissions.ts'

type Act = (context: OperationContext) => object
const GUILD = '/guilds/{guild_id}'

const guildOf = ({ records, path }: OperationContext): JsonObject =>
  fieldsOf(records.guilds?.get(String(path.guild_id)))
const settingsOf = (context: OperationContext, name: string): JsonObject =>
  fieldsOf(fieldsOf(guildOf(context).settings)[name])

/** Changes what a guild has under a name, and answers with it. */
function put(context: OperationContext, name: string, fields: JsonObject): JsonObject {
  const guild = guildOf(context)
  const changed = { ...settingsOf(context, name), ...fields }
  context.records.guilds?.update(guild, { settings: { ...fieldsOf(guild.settings), [name]: changed } })
  return changed
}

const widgetOf = (context: OperationContext): JsonObject => {
  const { widget_enabled: enabled = false, widget_channel_id: channel_id = null } = guildOf(context)
  return { enabled, channel_id }
}
const screenOf = ({ description = null, welcome_channels = [] }: JsonObject): JsonObject => ({
  description,
  welcome_channels: listOf(welcome_channels).map((one) => ({ emoji_id: null, emoji_name: null, ...one })),
})
const onboardingOf = (context: OperationContext): JsonObject => ({
  guild_id: context.path.guild_id ?? '',
  ...{ prompts: [], default_channel_ids: [], enabled: false, mode: 0 },
  ...settingsOf(context, 'onboarding'),
})
/** Prompts and their options, with ids. */
const withIds = (context: OperationContext, list: unknown): JsonObject[] =>
  listOf(list).map((one) => ({
    ...one,
    id: snowflake(context),
    ...(one.options !== undefined && { options: withIds(context, one.options) }),
  }))

/** What a template keeps of its guild. */
const snapshotOf = (context: OperationContext): JsonObject => ({
  ...given(guildOf(context), 'name description verification_level default_message_notifications'),
  ...given(guildOf(context), 'explicit_content_filter preferred_locale afk_timeout system_channel_flags'),
  icon_hash: null,
  roles: context.call('GET', `/guilds/${context.path.guild_id}/roles`).body,
  channels: context.call('GET', `/guilds/${context.path.guild_id}/channels`).body,
})
const shown = (context: OperationContext, { id: _, ...template }: JsonObject): JsonObject => ({
  ...template,
  creator: userOf(context, template.creator_id),
  created_at: moment(template.created_at),
  updated_at: moment(template.updated_at),
  is_dirty: null,
})
const template =
  (act: (context: OperationContext, one: JsonObject) => object): Act =>
  (context) => {
    const one = context.records.templates?.find({ code: context.path.code })
    return one === undefined ? unknown(context, 10057, 'Guild Template') : act(context, one)
  }
const change = (context: OperationContext, one: JsonObject, fields: JsonObject): JsonObject =>
  shown(context, fieldsOf(context.records.templates?.update(one, { ...fields, updated_at: context.now.toISOString() })))

/** What a guild shows those who come, and the templates made of it. */
export const guildSettings: Readonly<Record<string, Act>> = {
  [`GET ${GUILD}/welcome-screen`]: within((context) => {
    const screen = settingsOf(context, 'welcome')
    return screen.enabled === true ? screenOf(screen) : unknown(context, 10069, 'Guild Welcome Screen')
  }),
  [`PATCH ${GUILD}/welcome-screen`]: within((context) => screenOf(put(context, 'welcome', context.body))),
  [`GET ${GUILD}/widget`]: within(widgetOf),
  [`PATCH ${GUILD}/widget`]: within((context) => {
    const { enabled, channel_id } = { ...widgetOf(context), ...context.body }
    context.records.guilds?.update(guildOf(context), { widget_enabled: enabled, widget_channel_id: channel_id })
    return widgetOf(context)
  }),
  [`GET ${GUILD}/widget.json`]: within((context) => {
    const { id, name, widget_enabled } = guildOf(context)
    return widget_enabled === true
      ? { id, name, instant_invite: null, channels: [], members: [], presence_count: 0 }
      : refused(context, 403, 50004, 'Widget Disabled')
  }),
  [`GET ${GUILD}/onboarding`]: within(onboardingOf),
  [`PUT ${GUILD}/onboarding`]: within((context) => {
    const { prompts } = context.body
    put(context, 'onboarding', {
      ...context.body,
      ...(prompts !== undefined && { prompts: withIds(context, prompts) }),
    })
    return onboardingOf(context)
  }),
  [`GET ${GUILD}/templates`]: within((context) =>
    (context.records.templates?.where({ source_guild_id: context.path.guild_id }) ?? []).map((one) =>
      shown(context, one),
    ),
  ),
  [`POST ${GUILD}/templates`]: within((context) => {
    const { records, path, body, now } = context
    if (records.templates?.some({ source_guild_id: path.guild_id }))
      return refused(context, 400, 30031, 'Guild already has template')
    const [id, at] = [snowflake(context), now.toISOString()]
    const kept = { code: context.id().slice(0, 12), source_guild_id: path.guild_id, creator_id: BOT }
    const fields = { ...given(body, 'name description'), ...kept, created_at: at, updated_at: at }
    const made = records.templates?.create({ id, ...fields, serialized_source_guild: snapshotOf(context) })
    return shown(context, fieldsOf(made))
  }),
  'GET /guilds/templates/{code}': template(shown),
  [`PUT ${GUILD}/templates/{code}`]: template((context, one) =>
    change(context, one, { serialized_source_guild: snapshotOf(context) }),
  ),
  [`PATCH ${GUILD}/templates/{code}`]: template((context, one) =>
    change(context, one, given(context.body, 'name description')),
  ),
  [`DELETE ${GUILD}/templates/{code}`]: template((context, one) => {
    context.records.templates?.remove(one)
    return shown(context, one)
  }),
}
