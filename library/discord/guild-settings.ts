import {
  BOT,
  type DiscordRequest,
  type Fields,
  fieldsOf,
  type Json,
  type Kept,
  listOf,
  type Operations,
  without,
} from './discord.ts'
import { channelsOf } from './guilds.ts'
import { given } from './types.ts'
import { moment, rolesOfGuild, toChannel, userOf } from './views.ts'

const GUILD = '/guilds/{guild_id}'
const CODE_LENGTH = 12

const settingsOf = ({ guild }: DiscordRequest, name: string): Fields => fieldsOf(fieldsOf(guild.settings)[name])

/** Changes what a guild has under a name, and answers with it. */
function put(discord: DiscordRequest, name: string, fields: Fields): Fields {
  const { guild } = discord
  const changed = { ...settingsOf(discord, name), ...fields }
  discord.records.guilds.update(guild, { settings: { ...fieldsOf(guild.settings), [name]: changed } })
  return changed
}

const widgetOf = (discord: DiscordRequest): Fields => {
  const { widget_enabled: enabled = false, widget_channel_id: channel_id = null } = discord.guild
  return { enabled, channel_id }
}
const screenOf = ({ description = null, welcome_channels = [] }: Fields): Fields => ({
  description,
  welcome_channels: listOf(welcome_channels).map((one) => ({ emoji_id: null, emoji_name: null, ...one })),
})
const onboardingOf = (discord: DiscordRequest): Fields => ({
  guild_id: discord.path.guild_id ?? '',
  ...{ prompts: [], default_channel_ids: [], enabled: false, mode: 0 },
  ...settingsOf(discord, 'onboarding'),
})
/** Prompts and their options, with ids. */
const withIds = (discord: DiscordRequest, list: Json | undefined): Fields[] =>
  listOf(list).map((one) => ({
    ...one,
    id: discord.snowflake(),
    ...(one.options !== undefined && { options: withIds(discord, one.options) }),
  }))

function changeWidget(discord: DiscordRequest): Fields {
  const { enabled = false, channel_id = null } = { ...widgetOf(discord), ...given(discord.body, 'enabled channel_id') }
  discord.records.guilds.update(discord.guild, { widget_enabled: enabled, widget_channel_id: channel_id })
  return widgetOf(discord)
}

function setOnboarding(discord: DiscordRequest): Fields {
  const { prompts } = discord.body
  const withNames = prompts === undefined ? {} : { prompts: withIds(discord, prompts) }
  put(discord, 'onboarding', { ...discord.body, ...withNames })
  return onboardingOf(discord)
}

/** What a guild shows those who come. */
const settings: Operations = {
  [`GET ${GUILD}/welcome-screen`]: (discord) => {
    const screen = settingsOf(discord, 'welcome')
    return screen.enabled === true ? screenOf(screen) : discord.unknown('welcome_screens')
  },
  [`PATCH ${GUILD}/welcome-screen`]: (discord) => screenOf(put(discord, 'welcome', discord.body)),
  [`GET ${GUILD}/widget`]: widgetOf,
  [`PATCH ${GUILD}/widget`]: changeWidget,
  [`GET ${GUILD}/widget.json`]: (discord) => {
    const { id, name = '', widget_enabled } = discord.guild
    return widget_enabled === true
      ? { id, name, instant_invite: null, channels: [], members: [], presence_count: 0 }
      : discord.refuse(403, 50004, 'Widget Disabled')
  },
  [`GET ${GUILD}/onboarding`]: onboardingOf,
  [`PUT ${GUILD}/onboarding`]: setOnboarding,
}

/** What a template keeps of its guild. */
function snapshotOf(discord: DiscordRequest): Fields {
  const { guild } = discord
  return {
    ...given(guild, 'name description verification_level default_message_notifications'),
    ...given(guild, 'explicit_content_filter preferred_locale afk_timeout system_channel_flags'),
    icon_hash: null,
    roles: rolesOfGuild(discord, guild.id),
    channels: channelsOf(discord, guild).map((one) => toChannel(discord, one)),
  }
}

const toTemplate = (discord: DiscordRequest, template: Fields): Fields => ({
  ...without(template, 'id'),
  creator: userOf(discord, template.creator_id) ?? null,
  created_at: moment(template.created_at),
  updated_at: moment(template.updated_at),
  is_dirty: null,
})

const templateOf = (discord: DiscordRequest): Kept => discord.find('templates', { code: discord.path.code ?? '' })

const changeTemplate = (discord: DiscordRequest, fields: Fields): Fields =>
  toTemplate(discord, discord.records.templates.update(templateOf(discord), { ...fields, updated_at: discord.time }))

function createTemplate(discord: DiscordRequest): Fields {
  const { records, guild, body, time } = discord
  if (records.templates.some({ source_guild_id: guild.id })) discord.refuse(400, 30031, 'Guild already has template')
  const kept = { code: discord.id(CODE_LENGTH), source_guild_id: guild.id, creator_id: BOT }
  const fields = { ...given(body, 'name description'), ...kept, created_at: time, updated_at: time }
  return toTemplate(discord, discord.create('templates', { ...fields, serialized_source_guild: snapshotOf(discord) }))
}

/** Templates made of a guild. */
const templates: Operations = {
  [`GET ${GUILD}/templates`]: (discord) =>
    discord.records.templates.where({ source_guild_id: discord.guild.id }).map((one) => toTemplate(discord, one)),
  [`POST ${GUILD}/templates`]: createTemplate,
  'GET /guilds/templates/{code}': (discord) => toTemplate(discord, templateOf(discord)),
  [`PUT ${GUILD}/templates/{code}`]: (discord) =>
    changeTemplate(discord, { serialized_source_guild: snapshotOf(discord) }),
  [`PATCH ${GUILD}/templates/{code}`]: (discord) => changeTemplate(discord, given(discord.body, 'name description')),
  [`DELETE ${GUILD}/templates/{code}`]: (discord) => {
    const template = templateOf(discord)
    discord.records.templates.remove(template)
    return toTemplate(discord, template)
  },
}

export const guildSettings: Operations = { ...settings, ...templates }
