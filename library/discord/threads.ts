import {
  BOT,
  type DiscordRequest,
  type Fields,
  fieldsOf,
  isForum,
  type Kept,
  listOf,
  type Operations,
  referenceTo,
  timeOf,
} from './discord.ts'
import { checkNew } from './message-parts.ts'
import { createMessage, pageByTime, partsOf } from './messages.ts'
import { typed } from './types.ts'
import { isThread, toChannel, toMember, toMessage, toThreadMember } from './views.ts'

const CHANNEL = '/channels/{channel_id}'
const MEMBERS = `${CHANNEL}/thread-members`
const [ANNOUNCEMENT_THREAD, PUBLIC_THREAD, PRIVATE_THREAD] = [10, 11, 12]
/** Types of channels whose messages may have threads. */
const TEXTS = [0, 5]
const TAG_REQUIRED = 1 << 4
const HAS_THREAD = 1 << 5
const [THREAD_CREATED, THREAD_STARTER] = [18, 21]
const USUAL_MINUTES = 4_320
const MINUTE_S = 60

/** A new thread with the bot in it, in the channel of the path. */
function createThread(discord: DiscordRequest, fields: Fields): Kept {
  const { channel, body } = discord
  const minutes = Number(body.auto_archive_duration ?? channel.default_auto_archive_duration ?? USUAL_MINUTES)
  const thread = discord.create('channels', {
    ...{ guild_id: channel.guild_id, parent_id: channel.id, owner_id: BOT, name: body.name, member_count: 1 },
    rate_limit_per_user: body.rate_limit_per_user ?? channel.default_thread_rate_limit_per_user ?? 0,
    archives_at: discord.later(minutes * MINUTE_S),
    ...fields,
    thread_metadata: {
      ...{ archived: false, locked: false, auto_archive_duration: minutes },
      ...{ archive_timestamp: discord.time, create_timestamp: discord.time },
      ...fieldsOf(fields.thread_metadata),
    },
  })
  discord.create('thread_members', { channel_id: thread.id, user_id: BOT, join_timestamp: discord.time })
  return thread
}

/** Threads stand below texts, announcements and forums. */
function checkParent(discord: DiscordRequest): void {
  const { channel } = discord
  if (!TEXTS.includes(Number(channel.type)) && !isForum(channel)) discord.wrongType()
  const needsTag = isForum(channel) && (Number(channel.flags) & TAG_REQUIRED) !== 0
  if (needsTag && listOf(discord.body.applied_tags).length === 0)
    discord.refuse(400, 40067, 'A tag is required to create a forum post in this channel')
}

/** A thread has the id of the message that it begins with. */
function threadOfMessage(discord: DiscordRequest): Fields {
  const { message, channel, records } = discord
  checkParent(discord)
  if (records.channels.get(message.id) !== undefined)
    discord.refuse(400, 160004, 'A thread has already been created for this message')
  const type = channel.type === 5 ? ANNOUNCEMENT_THREAD : PUBLIC_THREAD
  const thread = createThread(discord, { id: message.id, type })
  createMessage(discord, {
    ...{ channel_id: thread.id, author_id: message.author_id, type: THREAD_STARTER },
    message_reference: referenceTo(message, channel.guild_id),
  })
  records.messages.update(message, { flags: Number(message.flags) | HAS_THREAD })
  return toChannel(discord, thread)
}

function create(discord: DiscordRequest): Fields {
  const { channel, body, records } = discord
  checkParent(discord)
  const isPost = isForum(channel)
  const message = typed(fieldsOf(body.message))
  if (isPost) checkNew(discord, message, 'message.')
  const thread = createThread(discord, {
    type: body.type ?? (isPost ? PUBLIC_THREAD : PRIVATE_THREAD),
    applied_tags: body.applied_tags ?? [],
    thread_metadata: { invitable: body.invitable ?? true },
  })
  if (!isPost && thread.type !== PRIVATE_THREAD)
    createMessage(discord, {
      ...{ channel_id: channel.id, author_id: BOT, type: THREAD_CREATED, content: thread.name },
      message_reference: { channel_id: thread.id, guild_id: channel.guild_id ?? null },
    })
  if (!isPost) return toChannel(discord, thread)
  // The first message of a post has the id of its thread; of a forum, this is the latest thread.
  const parts = partsOf(discord, message)
  const starter = createMessage(discord, { id: thread.id, channel_id: thread.id, author_id: BOT, ...parts })
  const last_message_id = thread.id
  for (const id of [channel.id, thread.id]) records.channels.update(id, { last_message_id })
  return {
    ...toChannel(discord, records.channels.get(thread.id) ?? thread),
    message: toMessage(discord, starter),
  }
}

/** Sets whether a user is in the path's thread. */
function join(discord: DiscordRequest, user_id: string, isIn: boolean): object {
  const { channel, records } = discord
  const of = { channel_id: channel.id, user_id }
  const own = records.thread_members.find(of)
  if (own === undefined && !isIn) discord.unknown('thread_members')
  if ((own !== undefined) === isIn) return discord.done()
  if (own === undefined) discord.create('thread_members', { ...of, join_timestamp: discord.time })
  else records.thread_members.remove(own)
  records.channels.update(channel, { member_count: Number(channel.member_count) + (isIn ? 1 : -1) })
  return discord.done()
}

/** A member of a thread, with that of the guild where the request says so. */
function shownMember(discord: DiscordRequest, one: Kept): Fields {
  const { user_id = null } = one
  const member = discord.records.members.find({ guild_id: discord.channel.guild_id ?? null, user_id })
  return {
    ...toThreadMember(one),
    ...(discord.asks('with_member') && member && { member: toMember(discord, member) }),
  }
}

/** A list of threads, with the bot as a member of those that it is in. */
function listed(discord: DiscordRequest, threads: readonly Kept[], more: Fields = {}): Fields {
  const shown = threads.map((one) => toChannel(discord, one))
  return { threads: shown, members: shown.flatMap(({ member }) => member ?? []), ...more }
}

const archived =
  (types: readonly number[], isOwn = false) =>
  (discord: DiscordRequest) => {
    const { channel, records } = discord
    const isJoined = ({ id }: Kept) => records.thread_members.some({ channel_id: id, user_id: BOT })
    const found = discord
      .all('channels', { parent_id: channel.id })
      .filter((one) => types.includes(Number(one.type)) && fieldsOf(one.thread_metadata).archived === true)
      .filter((one) => !isOwn || isJoined(one))
    const { page, has_more } = pageByTime(discord, found, (one) => fieldsOf(one.thread_metadata).archive_timestamp)
    return listed(discord, page, { has_more })
  }

const byMe = (isIn: boolean) => (discord: DiscordRequest) => join(discord, BOT, isIn)
const byOther = (isIn: boolean) => (discord: DiscordRequest) => join(discord, discord.path.user_id ?? '', isIn)

export const threads: Operations = {
  [`POST ${CHANNEL}/messages/{message_id}/threads`]: threadOfMessage,
  [`POST ${CHANNEL}/threads`]: create,
  [`PUT ${MEMBERS}/@me`]: byMe(true),
  [`DELETE ${MEMBERS}/@me`]: byMe(false),
  [`PUT ${MEMBERS}/{user_id}`]: byOther(true),
  [`DELETE ${MEMBERS}/{user_id}`]: byOther(false),
  [`GET ${MEMBERS}/{user_id}`]: (discord) =>
    shownMember(
      discord,
      discord.find('thread_members', { channel_id: discord.channel.id, user_id: discord.path.user_id ?? '' }),
    ),
  [`GET ${MEMBERS}`]: (discord) =>
    discord.all('thread_members', { channel_id: discord.channel.id }).map((one) => shownMember(discord, one)),
  'GET /guilds/{guild_id}/threads/active': (discord) => {
    const all = discord.all('channels', { guild_id: discord.guild.id })
    const active = all.filter((one) => isThread(one) && fieldsOf(one.thread_metadata).archived !== true)
    return listed(
      discord,
      active.sort((a, b) => timeOf(b.id) - timeOf(a.id)),
    )
  },
  [`GET ${CHANNEL}/threads/archived/public`]: archived([ANNOUNCEMENT_THREAD, PUBLIC_THREAD]),
  [`GET ${CHANNEL}/threads/archived/private`]: archived([PRIVATE_THREAD]),
  [`GET ${CHANNEL}/users/@me/threads/archived/private`]: archived([PRIVATE_THREAD], true),
}
