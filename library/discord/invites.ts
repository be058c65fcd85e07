import {
  BOT,
  type Discord,
  type DiscordRequest,
  type Fields,
  type Kept,
  type Operations,
  only,
  without,
} from './discord.ts'
import { countsIn } from './guilds.ts'
import { moment, toGuild, userOf } from './views.ts'

const DAY_S = 86_400
const CODE_LENGTH = 8

function toInvite(discord: Discord, invite: Kept): Fields {
  const guild = discord.records.guilds.get(String(invite.guild_id))
  const channel = discord.records.channels.get(String(invite.channel_id))
  const shown = 'id name icon splash banner description features verification_level vanity_url_code nsfw_level'
  return {
    ...without(invite, 'id channel_id inviter_id'),
    type: 0,
    created_at: moment(invite.created_at),
    expires_at: moment(invite.expires_at),
    guild: guild === undefined ? null : only(toGuild(discord, guild), shown),
    channel: channel === undefined ? null : only(channel, 'id name type'),
    inviter: userOf(discord, invite.inviter_id) ?? null,
  }
}

const inviteOf = (discord: DiscordRequest): Kept => discord.find('invites', { code: discord.path.code ?? '' })
const listed = (discord: DiscordRequest, test: Fields): Fields[] =>
  discord.all('invites', test).map((one) => toInvite(discord, one))

/** An invitation like one that is there is that one, unless it is to be unique. */
function create(discord: DiscordRequest): Fields {
  const { channel, records, body } = discord
  const [max_age, max_uses] = [Number(body.max_age ?? DAY_S), Number(body.max_uses ?? 0)]
  const fields = { channel_id: channel.id, inviter_id: BOT, max_age, max_uses, temporary: body.temporary ?? false }
  const same = body.unique === true ? undefined : records.invites.find(fields)
  const made =
    same ??
    discord.create('invites', {
      ...fields,
      code: discord.id(CODE_LENGTH),
      guild_id: channel.guild_id,
      created_at: discord.time,
      expires_at: max_age > 0 ? discord.later(max_age) : null,
    })
  return toInvite(discord, made)
}

export const invites: Operations = {
  'POST /channels/{channel_id}/invites': create,
  'GET /channels/{channel_id}/invites': (discord) => listed(discord, { channel_id: discord.channel.id }),
  'GET /guilds/{guild_id}/invites': (discord) => listed(discord, { guild_id: discord.guild.id }),
  'GET /invites/{code}': (discord) => {
    const invite = inviteOf(discord)
    const shown = without(toInvite(discord, invite), 'uses max_uses max_age temporary created_at')
    return { ...shown, ...countsIn(discord, String(invite.guild_id)) }
  },
  'DELETE /invites/{code}': (discord) => {
    const invite = inviteOf(discord)
    discord.records.invites.remove(invite)
    return toInvite(discord, invite)
  },
}
