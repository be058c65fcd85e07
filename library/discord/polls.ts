import { ADA, type Discord, type DiscordRequest, fieldsOf, type Kept, listOf, type Operations } from './discord.ts'
import { createMessage } from './messages.ts'
import { toMessage, toUser } from './views.ts'

const POLL = '/channels/{channel_id}/polls/{message_id}'
const POLL_RESULT = 46

function messageOf(discord: DiscordRequest): Kept {
  const { message } = discord
  return message.poll == null ? discord.refuse(400, 520006, 'Poll not found') : message
}

/** A poll ends, and its result is a message of its own. */
export function endPoll(discord: Discord, message: Kept): Kept {
  const { id, channel_id = null, author_id } = message
  const { results, ...poll } = fieldsOf(message.poll)
  createMessage(discord, {
    ...{ channel_id, author_id, type: POLL_RESULT },
    embeds: [
      {
        type: 'poll_result',
        fields: [
          { name: 'poll_question_text', value: fieldsOf(poll.question).text ?? '' },
          { name: 'total_votes', value: String(listOf(message.votes).length) },
        ],
      },
    ],
    message_reference: { channel_id, message_id: id },
  })
  return discord.records.messages.update(message, {
    poll: { ...poll, expiry: discord.time, results: { ...fieldsOf(results), is_finalized: true } },
    poll_ends_at: null,
  })
}

export const polls: Operations = {
  [`GET ${POLL}/answers/{answer_id}`]: (discord) => {
    const votes = listOf(messageOf(discord).votes)
    const ids = votes.filter(({ answer_id }) => String(answer_id) === discord.path.answer_id).map((one) => one.user_id)
    return {
      users: discord
        .all('users')
        .filter(({ id }) => ids.includes(id))
        .map(toUser),
    }
  },
  [`POST ${POLL}/expire`]: (discord) => {
    const message = messageOf(discord)
    if (fieldsOf(fieldsOf(message.poll).results).is_finalized === true) discord.refuse(400, 520001, 'Poll expired')
    return toMessage(discord, endPoll(discord, message))
  },
  /** A person votes. */
  [`PUT /test_helpers${POLL}/answers/{answer_id}`]: (discord) => {
    const message = messageOf(discord)
    const vote = { answer_id: Number(discord.path.answer_id), user_id: discord.body.user_id ?? ADA }
    discord.records.messages.update(message, { votes: [...listOf(message.votes), vote] })
    return discord.done()
  },
}
