import { BOT, type DiscordRequest, type Fields, type Operations, referenceTo } from './discord.ts'
import { createMessage, pageByTime } from './messages.ts'
import { moment, toMessage } from './views.ts'

const CHANNEL = '/channels/{channel_id}'
const PINNED_NOTICE = 6
const MOST_PINS = 250

/** A pin is announced in the channel. */
function pin(discord: DiscordRequest): object {
  const { channel, message, records, time } = discord
  const channel_id = channel.id
  if (message.pinned === true) return discord.done()
  if (records.messages.count({ channel_id, pinned: true }) >= MOST_PINS)
    discord.refuse(400, 30003, `Maximum number of pins reached (${MOST_PINS})`)
  records.messages.update(message, { pinned: true, pinned_at: time })
  const notice = createMessage(discord, {
    ...{ channel_id, author_id: BOT, type: PINNED_NOTICE },
    message_reference: referenceTo(message, channel.guild_id),
  })
  records.channels.update(channel, { last_pin_timestamp: moment(time), last_message_id: notice.id })
  return discord.done()
}

function unpin(discord: DiscordRequest): object {
  discord.records.messages.update(discord.message, { pinned: false })
  return discord.done()
}

/** The pinned messages of a channel, the latest first. */
function pins(discord: DiscordRequest): Fields {
  const pinned = discord.records.messages.where({ channel_id: discord.channel.id, pinned: true })
  const { page, has_more } = pageByTime(discord, pinned, (one) => one.pinned_at)
  const items = page.map((one) => ({ pinned_at: one.pinned_at ?? null, message: toMessage(discord, one) }))
  return { items, has_more }
}

export const pinned: Operations = {
  [`PUT ${CHANNEL}/pins/{message_id}`]: pin,
  [`PUT ${CHANNEL}/messages/pins/{message_id}`]: pin,
  [`DELETE ${CHANNEL}/pins/{message_id}`]: unpin,
  [`DELETE ${CHANNEL}/messages/pins/{message_id}`]: unpin,
  [`GET ${CHANNEL}/pins`]: (discord) =>
    discord.records.messages
      .where({ channel_id: discord.channel.id, pinned: true })
      .map((one) => toMessage(discord, one)),
  [`GET ${CHANNEL}/messages/pins`]: pins,
}
