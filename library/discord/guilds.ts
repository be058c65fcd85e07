import { type DiscordRequest, type Fields, type Kept, type Operations, only } from './discord.ts'
import { given } from './types.ts'
import { countsOf, isThread, toChannel, toGuild } from './views.ts'

const GUILD = '/guilds/{guild_id}'
const FIELDS =
  'name description icon banner afk_channel_id afk_timeout verification_level default_message_notifications explicit_content_filter system_channel_id rules_channel_id preferred_locale features'
const REGIONS = [
  { id: 'rotterdam', name: 'Rotterdam', optimal: true, deprecated: false, custom: false },
  { id: 'us-east', name: 'US East', optimal: false, deprecated: false, custom: false },
]

/** The counts of a guild, if the request asks for them. */
export const countsIn = (discord: DiscordRequest, guild_id: string): Fields =>
  discord.asks('with_counts') ? countsOf(discord, guild_id) : {}

/** The channels of a guild, but not its threads. */
export const channelsOf = (discord: DiscordRequest, guild: Kept): Kept[] =>
  discord.all('channels', { guild_id: guild.id }).filter((one) => !isThread(one))

const none = ({ guild }: DiscordRequest) => ({ ...(guild && { pruned: 0 }) })

export const guilds: Operations = {
  [`GET ${GUILD}`]: (discord) => {
    const { guild } = discord
    return { ...toGuild(discord, guild), ...countsIn(discord, guild.id) }
  },
  [`PATCH ${GUILD}`]: (discord) =>
    toGuild(discord, discord.records.guilds.update(discord.guild, given(discord.body, FIELDS))),
  [`GET ${GUILD}/preview`]: (discord) => {
    const { guild } = discord
    const shown = 'id name icon splash discovery_splash features description emojis stickers'
    return { ...only(toGuild(discord, guild), shown), ...countsOf(discord, guild.id) }
  },
  [`GET ${GUILD}/channels`]: (discord) => channelsOf(discord, discord.guild).map((one) => toChannel(discord, one)),
  'GET /voice/regions': () => REGIONS,
  [`GET ${GUILD}/regions`]: ({ guild }) => guild && REGIONS,
  [`GET ${GUILD}/prune`]: none,
  [`POST ${GUILD}/prune`]: none,
  [`GET ${GUILD}/integrations`]: ({ guild }) => guild && [],
  [`GET ${GUILD}/voice-states/{user_id}`]: (discord) => discord.unknown('voice_states'),
  'GET /sticker-packs': () => ({ sticker_packs: [] }),
  'GET /soundboard-default-sounds': () => [
    { sound_id: '1', name: 'quack', volume: 1, emoji_id: null, emoji_name: '🦆', available: true },
  ],
  'GET /gateway': () => ({ url: 'wss://gateway.discord.example' }),
  'GET /gateway/bot': () => ({
    url: 'wss://gateway.discord.example',
    shards: 1,
    session_start_limit: { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 },
  }),
}
