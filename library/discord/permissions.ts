import { BOT, type Discord, type DiscordRequest, type Fields, type Json, listOf } from './discord.ts'

export const ALL = (1n << 53n) - 1n
const ADMINISTRATOR = 8n
const VIEW = 10
const [SEND, SEND_IN_THREADS] = [11, 38]
const [INVITE, MANAGE_MESSAGES, MANAGE_ROLES, MANAGE_WEBHOOKS, START_THREADS, PIN] = [0, 13, 28, 29, 35, 51]
/** What there is in channels of a guild alone. */
const OF_GUILDS: readonly (number | undefined)[] = [
  INVITE,
  MANAGE_MESSAGES,
  MANAGE_ROLES,
  MANAGE_WEBHOOKS,
  START_THREADS,
]

const MESSAGE = '/channels/{channel_id}/messages/{message_id}'
const MEMBER = '/guilds/{guild_id}/members/{user_id}'
const expressions = (one: string) => ({
  [`POST /guilds/{guild_id}/${one.split('/')[0]}`]: 43,
  [`PATCH /guilds/{guild_id}/${one}`]: 30,
  [`DELETE /guilds/{guild_id}/${one}`]: 30,
})
/** The bit of the permission that an operation needs. */
export const NEEDS: Readonly<Record<string, number>> = {
  'PATCH /guilds/{guild_id}': 5,
  'PATCH /guilds/{guild_id}/welcome-screen': 5,
  'PATCH /guilds/{guild_id}/widget': 5,
  'PUT /guilds/{guild_id}/onboarding': 5,
  'POST /guilds/{guild_id}/templates': 5,
  'POST /guilds/{guild_id}/channels': 4,
  'PATCH /guilds/{guild_id}/channels': 4,
  'GET /channels/{channel_id}': VIEW,
  'PATCH /channels/{channel_id}': 4,
  'DELETE /channels/{channel_id}': 4,
  'PUT /channels/{channel_id}/permissions/{overwrite_id}': MANAGE_ROLES,
  'DELETE /channels/{channel_id}/permissions/{overwrite_id}': MANAGE_ROLES,
  'GET /channels/{channel_id}/messages': VIEW,
  'POST /channels/{channel_id}/messages': SEND,
  'POST /channels/{channel_id}/messages/bulk-delete': MANAGE_MESSAGES,
  [`GET ${MESSAGE}`]: VIEW,
  [`PATCH ${MESSAGE}`]: VIEW,
  [`DELETE ${MESSAGE}`]: MANAGE_MESSAGES,
  'PUT /channels/{channel_id}/pins/{message_id}': PIN,
  'PUT /channels/{channel_id}/messages/pins/{message_id}': PIN,
  'DELETE /channels/{channel_id}/pins/{message_id}': PIN,
  'DELETE /channels/{channel_id}/messages/pins/{message_id}': PIN,
  [`PUT ${MESSAGE}/reactions/{emoji}/@me`]: 6,
  [`DELETE ${MESSAGE}/reactions`]: MANAGE_MESSAGES,
  [`DELETE ${MESSAGE}/reactions/{emoji}`]: MANAGE_MESSAGES,
  [`DELETE ${MESSAGE}/reactions/{emoji}/{user_id}`]: MANAGE_MESSAGES,
  [`POST ${MESSAGE}/threads`]: START_THREADS,
  'POST /channels/{channel_id}/threads': START_THREADS,
  'POST /channels/{channel_id}/invites': INVITE,
  'POST /channels/{channel_id}/webhooks': MANAGE_WEBHOOKS,
  'GET /channels/{channel_id}/webhooks': MANAGE_WEBHOOKS,
  'GET /guilds/{guild_id}/webhooks': MANAGE_WEBHOOKS,
  [`PATCH ${MEMBER}`]: VIEW,
  [`DELETE ${MEMBER}`]: 1,
  [`PUT ${MEMBER}/roles/{role_id}`]: MANAGE_ROLES,
  [`DELETE ${MEMBER}/roles/{role_id}`]: MANAGE_ROLES,
  'POST /guilds/{guild_id}/roles': MANAGE_ROLES,
  'PATCH /guilds/{guild_id}/roles/{role_id}': MANAGE_ROLES,
  'DELETE /guilds/{guild_id}/roles/{role_id}': MANAGE_ROLES,
  'GET /guilds/{guild_id}/bans': 2,
  'PUT /guilds/{guild_id}/bans/{user_id}': 2,
  'DELETE /guilds/{guild_id}/bans/{user_id}': 2,
  'POST /guilds/{guild_id}/bulk-ban': 2,
  'GET /guilds/{guild_id}/audit-logs': 7,
  ...expressions('emojis/{emoji_id}'),
  ...expressions('stickers/{sticker_id}'),
  ...expressions('soundboard-sounds/{sound_id}'),
  'DELETE /invites/{code}': 4,
  'DELETE /webhooks/{webhook_id}': MANAGE_WEBHOOKS,
  'GET /channels/{channel_id}/invites': 4,
  'GET /guilds/{guild_id}/invites': 5,
  'POST /guilds/{guild_id}/scheduled-events': 44,
  'PATCH /guilds/{guild_id}/scheduled-events/{event_id}': 33,
  'DELETE /guilds/{guild_id}/scheduled-events/{event_id}': 33,
  'POST /guilds/{guild_id}/auto-moderation/rules': 5,
  'PATCH /guilds/{guild_id}/auto-moderation/rules/{rule_id}': 5,
  'DELETE /guilds/{guild_id}/auto-moderation/rules/{rule_id}': 5,
}
/** What a change of a member needs, by the field. */
const BY_FIELD: Readonly<Record<string, number>> = {
  nick: 27,
  roles: MANAGE_ROLES,
  mute: 22,
  deaf: 23,
  channel_id: 24,
  communication_disabled_until: 40,
}

const rolesOf = ({ records }: Discord, { guild_id, roles }: Fields): Fields[] =>
  [guild_id ?? null, ...(Array.isArray(roles) ? roles : [])].flatMap((id): Fields[] =>
    [records.roles.get(String(id)) ?? []].flat(),
  )

/** What a member may do in the guild, or in a channel: all, for its owner and for administrators. */
export function permissionsOf(discord: Discord, member: Fields, channel?: Fields): bigint {
  const { guild_id, user_id } = member
  const roles = rolesOf(discord, member)
  const bits = roles.reduce((all, { permissions }) => all | BigInt(String(permissions ?? 0)), 0n)
  const isOwner = discord.records.guilds.get(String(guild_id))?.owner_id === user_id
  if (isOwner || (bits & ADMINISTRATOR) !== 0n) return ALL
  const overwrites = listOf(channel?.permission_overwrites)
  const bitsOf = (ids: readonly Json[], field: string) =>
    overwrites.reduce((all, one) => (ids.includes(one.id ?? '') ? all | BigInt(String(one[field] ?? 0)) : all), 0n)
  const others = roles.flatMap(({ id }) => (id === guild_id ? [] : [id ?? '']))
  return [[guild_id ?? ''], others, [user_id ?? '']].reduce(
    (may, ids) => (may & ~bitsOf(ids, 'deny')) | bitsOf(ids, 'allow'),
    bits,
  )
}

const rankOf = (discord: DiscordRequest, member: Fields): number =>
  Math.max(...rolesOf(discord, member).map(({ position }) => Number(position)), 0)

/** Refuses what the bot may not do: without the permission, and to the owner and to whoever has a role as high as its own. */
export function checkPermissions(operation: string, discord: DiscordRequest): void {
  const { path, body, records } = discord
  const channel = records.channels.get(String(path.channel_id))
  const place =
    channel?.parent_id && channel.thread_metadata ? records.channels.get(String(channel.parent_id)) : channel
  const guild_id = path.guild_id ?? channel?.guild_id ?? null
  const bit = NEEDS[operation]
  const guild = records.guilds.get(String(guild_id))
  const isOwn = operation.endsWith(MESSAGE) && records.messages.get(String(path.message_id))?.author_id === BOT
  if (channel?.type === 1 && !isOwn && OF_GUILDS.includes(bit))
    discord.refuse(403, 50003, 'Cannot execute action on a DM channel')
  if (bit === undefined || guild === undefined) return
  const bot = records.members.find({ guild_id, user_id: BOT })
  if (bot === undefined) discord.refuse(403, 50001, 'Missing Access')
  const may = permissionsOf(discord, bot, place)
  const lacks = (one: number) => (may & (1n << BigInt(one))) === 0n
  if (channel !== undefined && lacks(VIEW)) discord.refuse(403, 50001, 'Missing Access')
  const isThread = operation === 'POST /channels/{channel_id}/messages' && place !== channel
  const fields = Object.keys(body)
  const bits = operation === `PATCH ${MEMBER}` ? fields.map((field) => BY_FIELD[field] ?? VIEW) : []
  if (operation === `PATCH ${MESSAGE}` && fields.every((field) => field === 'flags')) bits.push(MANAGE_MESSAGES)
  if (!isOwn && [isThread ? SEND_IN_THREADS : bit, ...bits].some(lacks))
    discord.refuse(403, 50013, 'Missing Permissions')
  const rank = rankOf(discord, bot)
  const target = records.members.find({ guild_id, user_id: path.user_id ?? null })
  const isAbove = (one: Fields) => one.user_id === guild.owner_id || rankOf(discord, one) >= rank
  const touches =
    target !== undefined && target.user_id !== BOT && !operation.includes('roles') && !operation.startsWith('GET')
  const given = path.role_id
    ? [path.role_id]
    : Array.isArray(body.roles)
      ? body.roles.filter((id) => !(target?.roles as Json[] | undefined)?.includes(id))
      : []
  const isTooHigh = given.some((id) => id !== guild_id && Number(records.roles.get(String(id))?.position ?? 0) >= rank)
  const rolesAlone = fields.every((field) => field === 'roles') && operation === `PATCH ${MEMBER}`
  if ((touches && !rolesAlone && isAbove(target)) || isTooHigh) discord.refuse(403, 50013, 'Missing Permissions')
}

/** Whether the guild and the channel of the path are there, or cannot be: an id is a number. */
export const isKnownPlace = ({ records, path }: DiscordRequest): boolean =>
  (
    [
      ['guilds', path.guild_id],
      ['channels', path.channel_id],
    ] as const
  ).every(([name, id]) => !/^\d+$/.test(String(id)) || records[name]?.get(String(id)) !== undefined)
