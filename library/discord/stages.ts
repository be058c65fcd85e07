import type { DiscordRequest, Kept, Operations } from './discord.ts'
import { given } from './types.ts'

const STAGE_CHANNEL = 13
const STAGE = '/stage-instances/{channel_id}'

const stageOf = (discord: DiscordRequest): Kept => discord.find('stage_instances', { channel_id: discord.channel.id })

/** A stage channel has one stage at most. */
function open(discord: DiscordRequest): Kept {
  const { id: channel_id, guild_id, type } = discord.get('channels', discord.body.channel_id)
  if (type !== STAGE_CHANNEL) discord.wrongType()
  if (discord.records.stage_instances.some({ channel_id })) discord.refuse(400, 150006, 'The Stage is already open')
  const fields = given(discord.body, 'topic privacy_level guild_scheduled_event_id')
  return discord.create('stage_instances', { guild_id, channel_id, ...fields })
}

export const stages: Operations = {
  'POST /stage-instances': open,
  [`GET ${STAGE}`]: stageOf,
  [`PATCH ${STAGE}`]: (discord) =>
    discord.records.stage_instances.update(stageOf(discord), given(discord.body, 'topic privacy_level')),
  [`DELETE ${STAGE}`]: (discord) => {
    discord.records.stage_instances.remove(stageOf(discord))
    return discord.done()
  },
}
