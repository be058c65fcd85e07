import { BOT, type DiscordRequest, type Fields, fieldsOf, type Kept, listOf, type Operations } from './discord.ts'
import { channelsOf } from './guilds.ts'
import { given } from './types.ts'
import { isThread, toChannel } from './views.ts'

const GUILD = '/guilds/{guild_id}'
const CHANNEL = '/channels/{channel_id}'
const OVERWRITE = `${CHANNEL}/permissions/{overwrite_id}`
const FIELDS =
  'topic nsfw position parent_id rate_limit_per_user permission_overwrites bitrate user_limit flags rtc_region default_reaction_emoji default_sort_order default_forum_layout default_auto_archive_duration default_thread_rate_limit_per_user'
/** Texts, announcements, forums and galleries: their names have no spaces. */
const WRITTEN = [0, 5, 15, 16]
const ANNOUNCEMENTS = 5
const USUAL_BITRATE = 64_000

/** The name and the tags of a channel, as they are kept. */
function namedFields(discord: DiscordRequest, type: number): Fields {
  const { name, available_tags } = discord.body
  const kept = WRITTEN.includes(type) ? String(name).toLowerCase().replaceAll(' ', '-') : name
  const tags = listOf(available_tags).map((tag, at) => ({
    ...{ id: discord.snowflake(at + 1), moderated: false, emoji_id: null, emoji_name: null },
    ...tag,
  }))
  return { ...(name != null && { name: kept ?? '' }), ...(available_tags != null && { available_tags: tags }) }
}

function create(discord: DiscordRequest): Fields {
  const { guild, body } = discord
  const type = Number(body.type ?? 0)
  const made = discord.create('channels', {
    ...{ guild_id: guild.id, type, position: channelsOf(discord, guild).length, bitrate: USUAL_BITRATE },
    ...given(body, FIELDS),
    ...namedFields(discord, type),
  })
  return toChannel(discord, made)
}

/** What a body changes of the times and locks of a thread. */
function metadataOf(discord: DiscordRequest, { thread_metadata }: Kept): Fields {
  if (thread_metadata == null) return {}
  const fields = given(discord.body, 'archived locked auto_archive_duration invitable')
  const archive_timestamp = fields.archived === undefined ? {} : { archive_timestamp: discord.time }
  return { thread_metadata: { ...fieldsOf(thread_metadata), ...fields, ...archive_timestamp } }
}

function change(discord: DiscordRequest): Fields {
  const { channel, body, records } = discord
  if (fieldsOf(channel.thread_metadata).archived === true && body.archived === undefined)
    discord.refuse(400, 50083, 'Thread is archived')
  const changed = records.channels.update(channel, {
    ...given(body, `${FIELDS} type applied_tags`),
    ...namedFields(discord, Number(channel.type)),
    ...metadataOf(discord, channel),
  })
  return toChannel(discord, changed)
}

/** Moves channels; those that the body does not name stay where they are. */
function move(discord: DiscordRequest): object {
  const { guild, records } = discord
  for (const { id = null, ...place } of listOf(discord.body))
    records.channels.update(discord.find('channels', { guild_id: guild.id, id }), given(place, 'position parent_id'))
  return discord.done()
}

/** A channel goes with its threads, messages, webhooks and invitations; the channels of a category stay. */
function remove(discord: DiscordRequest): Fields {
  const { channel, records } = discord
  const shown = toChannel(discord, channel)
  const channel_id = channel.id
  for (const name of ['messages', 'webhooks', 'invites'] as const) discord.removeAll(name, { channel_id })
  for (const below of discord.all('channels', { parent_id: channel_id }))
    if (isThread(below)) records.channels.remove(below)
    else records.channels.update(below, { parent_id: null })
  records.channels.remove(channel)
  return shown
}

/** Sets what a role or a member may do in the channel; nothing takes it away. */
function setOverwrite(discord: DiscordRequest, overwrite: Fields | undefined): object {
  const { channel, path } = discord
  const others = listOf(channel.permission_overwrites)
  const at = others.findIndex(({ id }) => id === path.overwrite_id)
  if (at < 0 && overwrite === undefined) discord.unknown('overwrites')
  others.splice(at < 0 ? others.length : at, at < 0 ? 0 : 1, ...(overwrite === undefined ? [] : [overwrite]))
  discord.records.channels.update(channel, { permission_overwrites: others })
  return discord.done()
}

/** Posts of an announcement channel are shown in the channel of a webhook of its own. */
function follow(discord: DiscordRequest): Fields {
  const { channel, guildOfChannel: guild, body } = discord
  if (channel.type !== ANNOUNCEMENTS) discord.wrongType()
  const target = discord.get('channels', body.webhook_channel_id)
  const made = discord.create('webhooks', {
    ...{ type: 2, guild_id: target.guild_id, channel_id: target.id, user_id: BOT },
    name: `${guild?.name} #${channel.name}`,
    source_channel: { id: channel.id, name: channel.name ?? null },
    source_guild: { id: guild?.id ?? null, name: guild?.name ?? null, icon: guild?.icon ?? null },
  })
  return { channel_id: channel.id, webhook_id: made.id }
}

export const channels: Operations = {
  [`POST ${GUILD}/channels`]: create,
  [`PATCH ${GUILD}/channels`]: move,
  [`GET ${CHANNEL}`]: (discord) => toChannel(discord, discord.channel),
  [`PATCH ${CHANNEL}`]: change,
  [`DELETE ${CHANNEL}`]: remove,
  [`PUT ${OVERWRITE}`]: (discord) => {
    const { type = 0, allow = '0', deny = '0' } = given(discord.body, 'type allow deny')
    return setOverwrite(discord, { id: discord.path.overwrite_id ?? '', type, allow, deny })
  },
  [`DELETE ${OVERWRITE}`]: (discord) => setOverwrite(discord, undefined),
  [`POST ${CHANNEL}/typing`]: (discord) => discord.channel && discord.done(),
  [`POST ${CHANNEL}/followers`]: follow,
}
