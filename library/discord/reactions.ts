import { BOT, type DiscordRequest, type Fields, type Operations, present } from './discord.ts'
import { userOf } from './views.ts'

const REACTIONS = '/channels/{channel_id}/messages/{message_id}/reactions'
const REACTION = `${REACTIONS}/{emoji}`
const MOST_OF_REACTIONS = 20

const nameOf = ({ path }: DiscordRequest): string => path.emoji ?? ''

/** An emoji of a guild by `name:id` or `a:name:id`, or a character. */
function emojiIn(name: string) {
  const parts = name.split(':')
  return parts.length === 1 ? { id: null, name } : { id: parts.at(-1) ?? null, name: parts.at(-2) ?? null }
}

function add(discord: DiscordRequest): object {
  const { message, records } = discord
  const [message_id, name] = [message.id, nameOf(discord)]
  const emoji = emojiIn(name)
  const isKnown = emoji.id === null ? /\p{Emoji}/u.test(name) : records.emojis.get(emoji.id) !== undefined
  if (!isKnown) discord.refuse(400, 10014, 'Unknown Emoji')
  const names = new Set(records.reactions.where({ message_id }).map((one) => one.name))
  if (names.size >= MOST_OF_REACTIONS && !names.has(name))
    discord.refuse(403, 30010, `Maximum number of reactions reached (${MOST_OF_REACTIONS})`)
  const own = { message_id, name, user_id: BOT }
  if (!records.reactions.some(own)) discord.create('reactions', { ...own, emoji })
  return discord.done()
}

function remove(discord: DiscordRequest, user_id: string): object {
  const own = { message_id: discord.message.id, name: nameOf(discord), user_id }
  discord.records.reactions.remove(discord.find('reactions', own))
  return discord.done()
}

const removeAll = (discord: DiscordRequest, name?: string): object => {
  discord.removeAll('reactions', present({ message_id: discord.message.id, name }))
  return discord.done()
}

/** Who has reacted with an emoji, by their ids. */
function peopleOf(discord: DiscordRequest): Fields[] {
  const { after = '0', limit = 25 } = discord.query
  const found = discord.all('reactions', { message_id: discord.message.id, name: nameOf(discord) })
  const ids = found.map(({ user_id }) => String(user_id)).filter((id) => id > String(after))
  const page = ids.sort().slice(0, Number(limit))
  return page.flatMap((id): Fields[] => [userOf(discord, id) ?? []].flat())
}

export const reactions: Operations = {
  [`PUT ${REACTION}/@me`]: add,
  [`DELETE ${REACTION}/@me`]: (discord) => remove(discord, BOT),
  [`DELETE ${REACTION}/{user_id}`]: (discord) => remove(discord, discord.path.user_id ?? ''),
  [`GET ${REACTION}`]: peopleOf,
  [`DELETE ${REACTION}`]: (discord) => removeAll(discord, nameOf(discord)),
  [`DELETE ${REACTIONS}`]: (discord) => removeAll(discord),
}
