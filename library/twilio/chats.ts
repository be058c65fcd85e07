import { type Fields, fieldsOf, type Json, type Kept, reachedBy, type TwilioRequest, textOf } from './twilio.ts'

/** What an event is about, as its form has it. */
export type About = Readonly<Record<string, Json | undefined>>

export const aboutMessage = (message: Kept): About => ({
  ...{ MessageSid: message.sid, ParticipantSid: message.participant_sid, Index: String(message.index) },
  ...{ Author: message.author, Body: message.body, Attributes: message.attributes, DateCreated: message.date_created },
})

/** Sends an event to the webhooks of the conversation that want it, and to the test. */
export function announce(twilio: TwilioRequest, event: string, conversation: Kept, about: About): void {
  const { account_sid, chat_service_sid, sid } = conversation
  const urls = twilio.records.conversation_webhooks
    .where({ conversation_sid: sid })
    .map(({ configuration }) => fieldsOf(configuration))
    .filter(({ filters }) => Array.isArray(filters) && filters.includes(event))
    .map(({ method, url }) => reachedBy(method, url))
  const form = {
    ...{ EventType: event, AccountSid: account_sid, ChatServiceSid: chat_service_sid, ConversationSid: sid },
    ...{ Source: 'API', RetryCount: '0', ...about },
  }
  const given = Object.entries(form).filter(([, value]) => value !== null)
  for (const url of urls.length > 0 ? urls : ['']) {
    twilio.listen(url, twilio.of.key)
    twilio.happen(`conversation.${event}`, url, Object.fromEntries(given))
  }
}

/** The open conversation in which this address writes to this number. */
export function conversationWith({ records }: TwilioRequest, address: Json, proxy: Json): Kept | undefined {
  const { conversation_participants, conversations } = records
  const bound = conversation_participants.where(({ messaging_binding }: Kept) => {
    const binding = fieldsOf(messaging_binding)
    return binding.address === address && binding.proxy_address === proxy
  })
  const all = bound.map(({ conversation_sid }) => conversations.get(textOf(conversation_sid)))
  return all.find((conversation) => conversation !== undefined && conversation.state !== 'closed')
}

/** A message of a participant, who is known by identity or address. */
export function addMessage(twilio: TwilioRequest, conversation: Kept, written: Fields, Source = 'API'): Kept {
  const { account_sid = '', chat_service_sid = null, next_index: index = 0, sid } = conversation
  const author = twilio.records.conversation_participants
    .where({ conversation_sid: sid })
    .find(({ identity, messaging_binding: at }) => [identity, fieldsOf(at).address].includes(written.author ?? ''))
  const of = { account_sid, chat_service_sid, conversation_sid: sid }
  const above = { ...of, participant_sid: author?.sid ?? null, index }
  const message = twilio.create('conversation_messages', { ...above, ...written })
  twilio.records.conversations.update(conversation, { next_index: Number(index) + 1 })
  announce(twilio, 'onMessageAdded', conversation, { ...aboutMessage(message), Source })
  return message
}
