import { createHash } from 'node:crypto'
import {
  ADA,
  BOT,
  type Discord,
  type Fields,
  fieldsOf,
  idsOf,
  isForum,
  type Json,
  type Kept,
  listOf,
  only,
  present,
  without,
} from './discord.ts'

/** A time as Discord writes it, with microseconds and an offset. */
export const moment = (time: Json | undefined): string | null =>
  time == null ? null : new Date(String(time)).toISOString().replace('Z', '000+00:00')

/** The hash by which Discord shows a picture; others than data are as they are. */
export const pictureOf = (data: Json | undefined): Json =>
  typeof data === 'string' && data.startsWith('data:')
    ? `${data.startsWith('data:image/gif') ? 'a_' : ''}${createHash('md5').update(data).digest('hex')}`
    : (data ?? null)

export const toUser = (user: Fields): Fields => ({
  ...without(user, 'email verified'),
  avatar_decoration_data: null,
  avatar: pictureOf(user.avatar),
  banner: pictureOf(user.banner),
})

/** The user with this id; undefined without one. */
export function userOf({ records }: Discord, id: Json | undefined): Fields | undefined {
  const user = records.users.get(String(id))
  return user && toUser(user)
}

export const toEmoji = (discord: Discord, emoji: Fields): Fields =>
  present({ ...without(emoji, 'guild_id user_id'), user: userOf(discord, emoji.user_id) })

export const toRole = (role: Fields): Fields =>
  present({
    ...without(role, 'guild_id secondary_color tertiary_color'),
    colors: {
      primary_color: role.color,
      secondary_color: role.secondary_color,
      tertiary_color: role.tertiary_color,
    },
    icon: pictureOf(role.icon),
    tags: role.managed === true ? { bot_id: BOT } : undefined,
  })

/** The roles of a guild, the lowest first. */
export const rolesOfGuild = (discord: Discord, guild_id: string): Fields[] =>
  discord
    .all('roles', { guild_id })
    .sort((a, b) => Number(a.position) - Number(b.position))
    .map(toRole)

export const toGuild = (discord: Discord, guild: Kept): Fields => ({
  ...without(guild, 'settings'),
  roles: rolesOfGuild(discord, guild.id),
  emojis: discord.all('emojis', { guild_id: guild.id }).map((one) => toEmoji(discord, one)),
  stickers: discord.all('stickers', { guild_id: guild.id }).map((one) => toEmoji(discord, one)),
  icon: pictureOf(guild.icon),
  banner: pictureOf(guild.banner),
  ...{ splash: null, discovery_splash: null, application_id: null, hub_type: null },
  ...{ max_members: 500_000, max_presences: null, max_video_channel_users: 25 },
  ...{ premium_subscription_count: 0, premium_progress_bar_enabled: false },
  ...{ public_updates_channel_id: null, safety_alerts_channel_id: null },
})

/** Numbers of people in a guild; nobody is seen to be there without a gateway. */
export const countsOf = ({ records }: Discord, guild_id: Json): Fields => ({
  approximate_member_count: records.members.count({ guild_id }),
  approximate_presence_count: 0,
})

export const toMember = (discord: Discord, member: Fields): Fields =>
  present({
    ...without(member, 'id guild_id user_id'),
    user: userOf(discord, member.user_id),
    banner: null,
    joined_at: moment(member.joined_at),
    communication_disabled_until: moment(member.communication_disabled_until),
  })

export const toThreadMember = ({ channel_id, user_id, join_timestamp, flags }: Fields): Fields =>
  present({ id: channel_id, user_id, join_timestamp: moment(join_timestamp), flags })

const [DM, CATEGORY] = [1, 4]
const THREADS = [10, 11, 12]
const VOICES = [2, 13]
const OF_FORUMS = 'available_tags default_reaction_emoji default_sort_order default_forum_layout'

export const isThread = ({ type }: Fields): boolean => THREADS.includes(Number(type))

export function toChannel(discord: Discord, channel: Kept): Fields {
  if (channel.type === DM)
    return {
      ...only(channel, 'id type last_message_id last_pin_timestamp'),
      recipients: [userOf(discord, channel.recipient_id) ?? null],
      flags: 0,
    }
  if (isThread(channel)) return toThread(discord, channel)
  const type = Number(channel.type)
  const { default_auto_archive_duration, default_thread_rate_limit_per_user, default_reaction_emoji: emoji } = channel
  return {
    ...only(channel, 'id type guild_id position name parent_id nsfw flags'),
    permission_overwrites: listOf(channel.permission_overwrites).map((one) => ({
      ...{ type: 0, allow: '0', deny: '0' },
      ...one,
    })),
    ...(type !== CATEGORY && only(channel, 'topic last_message_id last_pin_timestamp rate_limit_per_user')),
    ...(default_auto_archive_duration != null && { default_auto_archive_duration }),
    ...(default_thread_rate_limit_per_user != null && { default_thread_rate_limit_per_user }),
    ...(VOICES.includes(type) && only(channel, 'bitrate user_limit rtc_region')),
    ...(isForum(channel) && only(channel, OF_FORUMS)),
    ...(emoji != null && { default_reaction_emoji: { emoji_id: null, emoji_name: null, ...fieldsOf(emoji) } }),
  }
}

const NOT_OF_THREADS = `archives_at bitrate user_limit recipient_id permission_overwrites nsfw topic position rtc_region default_auto_archive_duration default_thread_rate_limit_per_user ${OF_FORUMS}`

function toThread({ records }: Discord, thread: Kept): Fields {
  const own = records.thread_members.find({ channel_id: thread.id, user_id: BOT })
  const metadata = fieldsOf(thread.thread_metadata)
  return {
    ...without(thread, NOT_OF_THREADS),
    ...(own && { member: toThreadMember(own) }),
    total_message_sent: thread.message_count ?? 0,
    thread_metadata: {
      ...metadata,
      archive_timestamp: moment(metadata.archive_timestamp),
      create_timestamp: moment(metadata.create_timestamp),
    },
  }
}

const KEPT_OF_MESSAGES =
  'allowed_mentions author_id hidden interaction_id message_reference message_snapshots nonce pinned_at poll poll_ends_at sticker_items votes webhook_id'
const SUPPRESSED_EMBEDS = 1 << 2
const [REPLY, THREAD_STARTER, CONTEXT_MENU] = [19, 21, 23]

export function toMessage(discord: Discord, message: Kept): Fields {
  const { id, flags, content, interaction_id: answered } = message
  const thread = discord.records.channels.get(id)
  const type = Number(message.type)
  return present({
    ...without(message, KEPT_OF_MESSAGES),
    author: message.author ?? userOf(discord, message.author_id),
    timestamp: moment(message.timestamp),
    edited_timestamp: moment(message.edited_timestamp),
    content: String(content ?? '').trim(),
    embeds: (Number(flags) & SUPPRESSED_EMBEDS) !== 0 ? [] : (message.embeds ?? []),
    ...mentionsOf(discord, message),
    poll: message.poll == null ? undefined : toPoll(message),
    thread: thread && toChannel(discord, thread),
    webhook_id: message.webhook_id ?? undefined,
    nonce: message.nonce == null || message.nonce === '' ? undefined : message.nonce,
    sticker_items: message.sticker_items ?? undefined,
    message_reference: message.message_reference ?? undefined,
    message_snapshots: message.message_snapshots ?? undefined,
    ...(answered != null && { application_id: BOT, ...interactionOf(discord, message) }),
    ...([REPLY, THREAD_STARTER, CONTEXT_MENU].includes(type) && { referenced_message: referenced(discord, message) }),
    reactions: reactionsOf(discord, id),
  })
}

/** What a reply refers to, which shows no message that it refers to itself. */
function referenced(discord: Discord, { message_reference }: Kept): Fields | null {
  const one = discord.records.messages.get(String(fieldsOf(message_reference).message_id))
  return one === undefined ? null : { ...toMessage(discord, { ...one, type: 0 }), type: one.type ?? 0 }
}

/** Whom and what a message mentions: https://docs.discord.com/developers/resources/message#allowed-mentions-object */
function mentionsOf(discord: Discord, message: Kept): Fields {
  const { allowed_mentions, interaction_id, message_reference, type } = message
  const text = String(message.content ?? '')
  const { parse, replied_user, ...allowed } = fieldsOf(allowed_mentions)
  const isParsed = (kind: string) => allowed_mentions == null || idsOf(parse).includes(kind)
  const found = (kind: string, pattern: RegExp): string[] =>
    isParsed(kind) ? [...text.matchAll(pattern)].map(([, id]) => id ?? '') : idsOf(allowed[kind])
  const users = found('users', /<@!?(\d+)>/g)
  if (type === REPLY && (allowed_mentions == null ? interaction_id == null : replied_user === true)) {
    const replied = discord.records.messages.get(String(fieldsOf(message_reference).message_id))
    users.push(String(replied?.author_id))
  }
  return {
    mentions:
      users.length === 0
        ? []
        : discord.records.users
            .where(({ id }) => users.includes(id))
            .reverse()
            .map(toUser),
    mention_roles: found('roles', /<@&(\d+)>/g),
    mention_everyone: /@(everyone|here)/i.test(text) && isParsed('everyone'),
  }
}

function toPoll({ poll, votes }: Kept): Fields {
  const { results, ...asked } = fieldsOf(poll)
  const answers = listOf(votes).map(({ answer_id }) => answer_id ?? 0)
  const answer_counts = [...new Set(answers)].map((id) => ({
    id,
    count: answers.filter((one) => one === id).length,
    me_voted: false,
  }))
  return { ...asked, results: { is_finalized: fieldsOf(results).is_finalized ?? false, answer_counts } }
}

/** Reactions by emoji; undefined without any. */
function reactionsOf(discord: Discord, message_id: string): Fields[] | undefined {
  const byEmoji = Map.groupBy(discord.all('reactions', { message_id }), ({ emoji }) => JSON.stringify(emoji))
  if (byEmoji.size === 0) return undefined
  return [...byEmoji.values()].map((all) => ({
    emoji: all[0]?.emoji ?? null,
    count: all.length,
    count_details: { burst: 0, normal: all.length },
    me: all.some(({ user_id }) => user_id === BOT),
    me_burst: false,
    burst_colors: [],
  }))
}

const [COMMAND, COMPONENT] = [2, 3]
const [USER_COMMAND, MESSAGE_COMMAND] = [2, 3]

/** What a message shows of the interaction that it answers. */
function interactionOf(discord: Discord, message: Kept): Fields {
  const interaction = discord.records.interactions.get(String(message.interaction_id))
  if (interaction === undefined) return {}
  const { id, type, authorizing_integration_owners, response_id } = interaction
  const { name, type: command, target_id, resolved } = fieldsOf(interaction.data)
  const user = userOf(discord, interaction.user_id)
  const isFollowUp = response_id != null && response_id !== message.id
  const interaction_metadata = present({
    ...{ id, type, authorizing_integration_owners, user },
    ...(isFollowUp && { original_response_message_id: response_id }),
    ...(type === COMPONENT && { interacted_message_id: interaction.message_id }),
    ...(command === USER_COMMAND && { target_user: fieldsOf(fieldsOf(resolved).users)[String(target_id)] }),
    ...(command === MESSAGE_COMMAND && { target_message_id: target_id }),
  })
  return { interaction_metadata, ...(type === COMMAND && { interaction: present({ id, type, name, user }) }) }
}

export const toTokenWebhook = (webhook: Kept): Fields =>
  present({
    ...without(webhook, 'user_id source_channel source_guild origin token'),
    source_channel: webhook.source_channel ?? undefined,
    source_guild: webhook.source_guild ?? undefined,
    avatar: pictureOf(webhook.avatar),
    ...(webhook.type === 1 && {
      token: webhook.token,
      url: `${webhook.origin}/api/webhooks/${webhook.id}/${webhook.token}`,
    }),
  })

export const toWebhook = (discord: Discord, webhook: Kept): Fields =>
  present({ ...toTokenWebhook(webhook), user: userOf(discord, webhook.user_id) })

export const toApplication = (discord: Discord, application: Fields): Fields =>
  present({
    ...without(application, 'secret'),
    bot: userOf(discord, BOT),
    owner: userOf(discord, ADA),
    icon: pictureOf(application.icon),
    ...{ team: null, summary: '', bot_require_code_grant: false, redirect_uris: [] },
    integration_types_config: { 0: {} },
    approximate_guild_count: discord.records.guilds.count(),
  })
