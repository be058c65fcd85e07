import { reasonOf } from './audit.ts'
import {
  BOT,
  type DiscordRequest,
  type Fields,
  fieldsOf,
  idsOf,
  type Kept,
  listOf,
  type Operations,
} from './discord.ts'
import { given } from './types.ts'
import { rolesOfGuild, toMember, toRole, userOf } from './views.ts'

const GUILD = '/guilds/{guild_id}'
const MEMBER = `${GUILD}/members/{user_id}`
const ROLE = `${GUILD}/roles/{role_id}`
const BAN = `${GUILD}/bans/{user_id}`
const DAY_S = 86_400

/** A page by the ids of users. */
function pageOf(discord: DiscordRequest, all: readonly Kept[], usual: number): Kept[] {
  const { after = '0', before = '9', limit = usual } = discord.query
  const isBetween = ({ user_id }: Kept) => String(user_id) > String(after) && String(user_id) < String(before)
  return all.filter(isBetween).slice(0, Number(limit))
}

const byUser = (all: Kept[]): Kept[] => all.sort((a, b) => (String(a.user_id) < String(b.user_id) ? -1 : 1))

function search(discord: DiscordRequest): Fields[] {
  const words = String(discord.query.query).toLowerCase()
  const isFound = ({ user_id, nick = null }: Kept) => {
    const user = discord.records.users.get(String(user_id))
    return [user?.username, user?.global_name, nick].some((name) => `${name ?? ''}`.toLowerCase().startsWith(words))
  }
  const found = discord.all('members', { guild_id: discord.guild.id }).filter(isFound)
  return found.slice(0, Number(discord.query.limit ?? 1)).map((one) => toMember(discord, one))
}

function add(discord: DiscordRequest): object {
  const { guild, path, body, records } = discord
  const { id: user_id } = discord.get('users', path.user_id)
  if (records.members.some({ guild_id: guild.id, user_id })) return discord.done()
  const fields = { guild_id: guild.id, user_id, joined_at: discord.time, ...given(body, 'nick roles mute deaf') }
  return discord.respond({ status: 201, body: toMember(discord, discord.create('members', fields)) })
}

function change(discord: DiscordRequest, member: Kept): Fields {
  const { records, body, guild } = discord
  if (idsOf(body.roles).some((id) => !records.roles.some({ id, guild_id: guild.id }))) discord.unknown('roles')
  const fields = given(body, 'nick roles mute deaf communication_disabled_until flags')
  return toMember(discord, records.members.update(member, fields))
}

/** Gives the path's role, or takes it away: that of everyone is neither given nor taken. */
const setRole = (has: boolean) => (discord: DiscordRequest) => {
  const { member } = discord
  const role = ownRole(discord)
  const others = idsOf(member.roles).filter((id) => id !== role.id)
  discord.records.members.update(member, { roles: has ? [...others, role.id] : others })
  return discord.done()
}

function ownRole(discord: DiscordRequest): Kept {
  const { role, guild } = discord
  return role.id === guild.id ? discord.refuse(400, 50028, 'Invalid Role') : role
}

const members: Operations = {
  [`GET ${GUILD}/members`]: (discord) =>
    pageOf(discord, byUser(discord.all('members', { guild_id: discord.guild.id })), 1).map((one) =>
      toMember(discord, one),
    ),
  [`GET ${GUILD}/members/search`]: search,
  [`GET ${MEMBER}`]: (discord) => toMember(discord, discord.member),
  [`PUT ${MEMBER}`]: add,
  [`PATCH ${GUILD}/members/@me`]: (discord) => change(discord, discord.memberOf(BOT)),
  [`PATCH ${MEMBER}`]: (discord) => {
    // Nobody is in a voice channel.
    const { member, body } = discord
    if (['mute', 'deaf', 'channel_id'].some((name) => body[name] !== undefined))
      discord.refuse(400, 40032, 'Target user is not connected to voice.')
    return change(discord, member)
  },
  [`DELETE ${MEMBER}`]: (discord) => {
    discord.records.members.remove(discord.member)
    return discord.done()
  },
  [`PUT ${MEMBER}/roles/{role_id}`]: setRole(true),
  [`DELETE ${MEMBER}/roles/{role_id}`]: setRole(false),
  /** A person joins. */
  [`POST /test_helpers${GUILD}/members`]: (discord) => {
    const { guild, body } = discord
    const { id: user_id } = discord.create('users', given(body, 'username global_name'))
    return toMember(discord, discord.create('members', { guild_id: guild.id, user_id, joined_at: discord.time }))
  },
}

/** What a body sets of a role; colours come alone, or as three. */
function roleFields({ body }: DiscordRequest): Fields {
  const { primary_color: color, ...others } = fieldsOf(body.colors)
  return {
    ...given(body, 'name hoist icon unicode_emoji mentionable permissions color'),
    ...given({ ...others, ...(color !== undefined && { color }) }, 'color secondary_color tertiary_color'),
  }
}

/** A new role stands above that of everyone, below all others. */
function addRole(discord: DiscordRequest): Fields {
  const { guild, records } = discord
  for (const { id, position } of discord.all('roles', { guild_id: guild.id }))
    if (Number(position) > 0) records.roles.update(id, { position: Number(position) + 1 })
  const permissions = records.roles.get(guild.id)?.permissions ?? '0'
  return toRole(discord.create('roles', { guild_id: guild.id, permissions, ...roleFields(discord), position: 1 }))
}

function moveRoles(discord: DiscordRequest): Fields[] {
  const { guild, records } = discord
  for (const { id = null, position } of listOf(discord.body)) {
    const role = discord.find('roles', { guild_id: guild.id, id })
    if (typeof position === 'number') records.roles.update(role, { position })
  }
  return rolesOfGuild(discord, guild.id)
}

function removeRole(discord: DiscordRequest): object {
  const { id } = ownRole(discord)
  for (const { id: member, roles } of discord.all('members', { guild_id: discord.guild.id }))
    if (idsOf(roles).includes(id))
      discord.records.members.update(member, { roles: idsOf(roles).filter((one) => one !== id) })
  discord.records.roles.remove(id)
  return discord.done()
}

/** The members that have each role; everyone has that of the guild. */
function memberCounts(discord: DiscordRequest): Fields {
  const { guild, records } = discord
  const given = records.members.where({ guild_id: guild.id }).flatMap(({ roles }) => idsOf(roles))
  const ids = records.roles.where({ guild_id: guild.id }).flatMap(({ id }) => (id === guild.id ? [] : [id]))
  return Object.fromEntries(ids.map((id) => [id, given.filter((one) => one === id).length]))
}

const roles: Operations = {
  [`GET ${GUILD}/roles`]: (discord) => rolesOfGuild(discord, discord.guild.id),
  [`POST ${GUILD}/roles`]: addRole,
  [`PATCH ${GUILD}/roles`]: moveRoles,
  [`GET ${GUILD}/roles/member-counts`]: memberCounts,
  [`GET ${ROLE}`]: ({ role }) => toRole(role),
  [`PATCH ${ROLE}`]: (discord) => toRole(discord.records.roles.update(discord.role, roleFields(discord))),
  [`DELETE ${ROLE}`]: removeRole,
}

const toBan = (discord: DiscordRequest, { reason = null, user_id }: Kept): Fields => ({
  reason,
  user: userOf(discord, user_id) ?? null,
})
const banOf = (discord: DiscordRequest): Kept =>
  discord.find('bans', { guild_id: discord.guild.id, user_id: discord.path.user_id ?? '' })

/** A ban takes the messages of the last seconds with it. */
function ban(discord: DiscordRequest): object {
  const { guild, path, records, body } = discord
  const { id: user_id } = discord.get('users', path.user_id)
  const of = { guild_id: guild.id, user_id }
  if (!records.bans.some(of)) discord.create('bans', { ...of, reason: reasonOf(discord) })
  discord.removeAll('members', of)
  const { delete_message_days: days, delete_message_seconds = Number(days ?? 0) * DAY_S } = body
  const since = discord.later(-Number(delete_message_seconds))
  for (const message of records.messages.where({ author_id: user_id }))
    if (String(message.timestamp) > since && records.channels.get(String(message.channel_id))?.guild_id === guild.id)
      records.messages.remove(message)
  return discord.done()
}

/** Bans people one after another; whoever is unknown has failed. */
function banMany(discord: DiscordRequest): Fields {
  const { body, guild, records } = discord
  const reason = reasonOf(discord)
  const { delete_message_seconds = 0 } = body
  const isBanned = (id: string): boolean => {
    const done = discord.call('PUT', `/guilds/${guild.id}/bans/${id}`, { delete_message_seconds }).status === 204
    for (const name of ['bans', 'audit_log_entries'] as const) {
      const made = done && records[name].find({})
      if (made) records[name].update(made, { reason })
    }
    return done
  }
  const banned_users = idsOf(body.user_ids).filter(isBanned)
  const failed_users = idsOf(body.user_ids).filter((id) => !banned_users.includes(id))
  return banned_users.length > 0 ? { banned_users, failed_users } : discord.refuse(400, 500000, 'Failed to ban users')
}

const bans: Operations = {
  [`GET ${GUILD}/bans`]: (discord) =>
    pageOf(discord, byUser(discord.all('bans', { guild_id: discord.guild.id })), 1_000).map((one) =>
      toBan(discord, one),
    ),
  [`GET ${BAN}`]: (discord) => toBan(discord, banOf(discord)),
  [`PUT ${BAN}`]: ban,
  [`DELETE ${BAN}`]: (discord) => {
    discord.records.bans.remove(banOf(discord))
    return discord.done()
  },
  [`POST ${GUILD}/bulk-ban`]: banMany,
}

/** Members of guilds, with their roles, and who may not come. */
export const memberships: Operations = { ...members, ...roles, ...bans }
