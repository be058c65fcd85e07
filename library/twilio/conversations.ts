import { type About, aboutMessage, addMessage, announce, conversationWith } from './chats.ts'
import { passOn } from './messages.ts'
import {
  type Fields,
  fieldsOf,
  isMissing,
  type Json,
  type Kept,
  type Operations,
  operationsOf,
  snake,
  type TwilioRequest,
  textOf,
  USUAL_SERVICE,
  viewOf,
} from './twilio.ts'

const PATH = '/conversations/v1/Conversations'
const BELOW = `${PATH}/{ConversationSid}`
const USERS = '/conversations/v1/Users'

const inService = ({ account, path }: TwilioRequest): Fields => ({
  ...{ account_sid: account, chat_service_sid: path.ChatServiceSid ?? USUAL_SERVICE },
})

/** The conversation that the path names by its sid, or by its unique name in the service. */
function conversationOf(twilio: TwilioRequest): Kept {
  const { conversations } = twilio.records
  const name = twilio.path.ConversationSid ?? twilio.path.Sid ?? ''
  return conversations.get(name) ?? conversations.find({ ...inService(twilio), unique_name: name }) ?? twilio.gone()
}

/** The same; a closed one stays as it is (twilio.com/docs/api/errors/50377). */
function openConversation(twilio: TwilioRequest): Kept {
  const conversation = conversationOf(twilio)
  if (conversation.state === 'closed') twilio.refuse(50377, "Can't update conversation as it's in final closed state")
  return conversation
}

const aboutParticipant = ({ attributes, date_created, identity, messaging_binding, sid }: Kept): About => ({
  ...{ ParticipantSid: sid, Identity: identity, Attributes: attributes, DateCreated: date_created },
  'MessagingBinding.Address': fieldsOf(messaging_binding).address,
})

const show = viewOf(PATH, 'Participants Messages Webhooks', 'next_index')
const FIELDS = 'FriendlyName UniqueName Attributes MessagingServiceSid State'

const conversations: Operations = {
  ...operationsOf({
    ...{ collection: 'conversations', path: PATH, fields: FIELDS, filters: 'State', show, has: 'create list read' },
    name: 'unique_name',
    above: inService,
    made: (twilio) => {
      const named = { ...inService(twilio), unique_name: twilio.text('UniqueName') }
      if (twilio.has('UniqueName') && twilio.records.conversations.some(named))
        twilio.refuse(50353, 'Conversation with provided unique name already exists', 409)
      if (twilio.body.State === 'closed') twilio.refuse(50384, "Initial state can't be 'closed'")
      return {}
    },
  }),
  [`POST ${PATH}/{Sid}`]: (twilio) => {
    const before = openConversation(twilio)
    const after = twilio.update('conversations', before, twilio.sent(FIELDS))
    const about = { StateFrom: before.state, StateTo: after.state, Attributes: before.attributes }
    if (after.state !== before.state) announce(twilio, 'onConversationStateUpdated', after, about)
    return show(after, twilio)
  },
  [`DELETE ${PATH}/{Sid}`]: (twilio) => {
    const conversation = conversationOf(twilio)
    for (const below of ['conversation_participants', 'conversation_messages', 'conversation_webhooks'] as const)
      twilio.removeAll(below, { conversation_sid: conversation.sid })
    twilio.records.conversations.remove(conversation)
    return twilio.empty
  },
}

const inConversation = (twilio: TwilioRequest): Fields => {
  const { chat_service_sid = null, sid } = conversationOf(twilio)
  return { account_sid: twilio.account, chat_service_sid, conversation_sid: sid }
}

const PARTICIPANTS = `${BELOW}/Participants`

const participants = operationsOf({
  ...{ collection: 'conversation_participants', path: PARTICIPANTS, list: 'participants', above: inConversation },
  name: 'identity',
  ...{ fields: 'Attributes RoleSid LastReadMessageIndex LastReadTimestamp Identity', show: viewOf(PARTICIPANTS) },
  made: (twilio) => {
    const { sid } = openConversation(twilio)
    const others = twilio.records.conversation_participants.where({ conversation_sid: sid })
    const address = twilio.body['MessagingBinding.Address']
    if (twilio.has('Identity') && others.some(({ identity }) => identity === twilio.body.Identity))
      twilio.refuse(50433, 'Participant already exists', 409)
    if (isMissing(address)) return {}
    const proxy_address = twilio.body['MessagingBinding.ProxyAddress'] ?? null
    if (conversationWith(twilio, address ?? null, proxy_address) !== undefined)
      twilio.refuse(50416, 'A binding for this participant and proxy address already exists', 409)
    return { messaging_binding: { type: 'sms', address: address ?? null, proxy_address } }
  },
  added: (twilio, participant) => {
    const known = { account_sid: twilio.account, identity: participant.identity ?? '' }
    if (known.identity !== '' && !twilio.records.conversation_users.some(known))
      twilio.create('conversation_users', known)
    announce(twilio, 'onParticipantAdded', conversationOf(twilio), aboutParticipant(participant))
  },
  removed: (twilio, participant) =>
    announce(twilio, 'onParticipantRemoved', conversationOf(twilio), aboutParticipant(participant)),
})

const MESSAGES = `${BELOW}/Messages`
const MESSAGE_FIELDS = 'Author Body Attributes ContentSid'
const showMessage = viewOf(MESSAGES)

const messages: Operations = {
  ...operationsOf({
    ...{ collection: 'conversation_messages', path: MESSAGES, fields: MESSAGE_FIELDS, above: inConversation },
    ...{ show: showMessage, has: 'read delete' },
    removed: (twilio, message) => announce(twilio, 'onMessageRemoved', conversationOf(twilio), aboutMessage(message)),
  }),
  [`POST ${MESSAGES}`]: (twilio) => {
    const conversation = openConversation(twilio)
    const message = addMessage(twilio, conversation, twilio.sent(MESSAGE_FIELDS))
    passOn(twilio, conversation, message)
    return showMessage(message, twilio)
  },
  [`GET ${MESSAGES}`]: (twilio) => {
    const found = twilio.records.conversation_messages.where(inConversation(twilio))
    const ordered = twilio.query.Order === 'desc' ? found : found.toReversed()
    return twilio.page('messages', ordered, (message) => showMessage(message, twilio))
  },
  [`POST ${MESSAGES}/{Sid}`]: (twilio) => {
    const message = twilio.find('conversation_messages')
    const changed = twilio.update('conversation_messages', message, twilio.sent(MESSAGE_FIELDS))
    announce(twilio, 'onMessageUpdated', conversationOf(twilio), aboutMessage(changed))
    return showMessage(changed, twilio)
  },
}

const WEBHOOKS = `${BELOW}/Webhooks`
const showWebhook = viewOf(WEBHOOKS)

/** The parameters `Configuration.…` of a body. */
const configurationOf = ({ body }: TwilioRequest): Fields => {
  const names = ['Url', 'Method', 'Filters', 'Triggers', 'FlowSid', 'ReplayAfter']
  const given = names.map((name) => [snake(name), body[`Configuration.${name}`]] as const)
  return Object.fromEntries(given.filter((entry): entry is [string, Json] => !isMissing(entry[1])))
}

const webhooks: Operations = {
  ...operationsOf({
    ...{ collection: 'conversation_webhooks', path: WEBHOOKS, list: 'webhooks', needed: 'Target', fields: 'Target' },
    ...{ above: inConversation, show: showWebhook, has: 'create list read delete' },
    made: (twilio) => ({ configuration: configurationOf(twilio) }),
  }),
  [`POST ${WEBHOOKS}/{Sid}`]: (twilio) => {
    const webhook = twilio.find('conversation_webhooks')
    const configuration = { ...fieldsOf(webhook.configuration), ...configurationOf(twilio) }
    return showWebhook(twilio.update('conversation_webhooks', webhook, { configuration }), twilio)
  },
}

/** Participants, each with its conversation. */
const joined = (twilio: TwilioRequest, found: Kept[], toItem: (participant: Kept, conversation: Fields) => Fields) =>
  twilio.page('conversations', found, (participant) =>
    toItem(participant, fieldsOf(twilio.records.conversations.get(textOf(participant.conversation_sid)))),
  )

const users: Operations = {
  ...operationsOf({
    ...{ collection: 'conversation_users', path: USERS, list: 'users', show: viewOf(USERS), needed: 'Identity' },
    ...{ fields: 'Identity FriendlyName Attributes RoleSid', name: 'identity' },
    made: (twilio) => {
      const known = { account_sid: twilio.account, identity: twilio.text('Identity') }
      return twilio.records.conversation_users.some(known) ? twilio.refuse(50201, 'User already exists', 409) : {}
    },
  }),
  [`GET ${USERS}/{UserSid}/Conversations`]: (twilio) => {
    const { conversation_participants, conversation_users } = twilio.records
    const { UserSid = '' } = twilio.path
    const user = conversation_users.get(UserSid) ?? conversation_users.find({ identity: UserSid }) ?? twilio.gone()
    const found = conversation_participants.where({ identity: user.identity ?? '' }).reverse()
    return joined(twilio, found, (participant, conversation) => ({
      ...{ account_sid: twilio.account, chat_service_sid: conversation.chat_service_sid ?? null, user_sid: user.sid },
      ...{ conversation_sid: participant.conversation_sid ?? null, participant_sid: participant.sid, timers: {} },
      ...{ unread_messages_count: null, last_read_message_index: participant.last_read_message_index ?? null },
      ...{ friendly_name: conversation.friendly_name ?? null, unique_name: conversation.unique_name ?? null },
      ...{ conversation_state: conversation.state ?? null, attributes: conversation.attributes ?? null },
      ...{ date_created: conversation.date_created ?? null, date_updated: conversation.date_updated ?? null },
      ...{ created_by: 'system', notification_level: 'default' },
    }))
  },
  'GET /conversations/v1/ParticipantConversations': (twilio) => {
    const { Identity, Address } = twilio.query
    const found = [...twilio.records.conversation_participants].filter(
      ({ identity, messaging_binding }) =>
        (isMissing(Identity) || identity === Identity) &&
        (isMissing(Address) || fieldsOf(messaging_binding).address === Address),
    )
    return joined(twilio, found.reverse(), (participant, conversation) => ({
      ...{ account_sid: twilio.account, chat_service_sid: conversation.chat_service_sid ?? null },
      ...{ participant_sid: participant.sid, participant_identity: participant.identity ?? null },
      ...{ participant_user_sid: null, participant_messaging_binding: participant.messaging_binding ?? null },
      ...Object.fromEntries(
        ['sid', 'unique_name', 'friendly_name', 'attributes', 'state', 'date_created', 'date_updated'].map((name) => [
          `conversation_${name}`,
          conversation[name] ?? null,
        ]),
      ),
      ...{ conversation_created_by: 'system', conversation_timers: {} },
      links: { conversation: `https://conversations.twilio.example/v1/Conversations/${conversation.sid}` },
    }))
  },
}

const operations: Operations = { ...conversations, ...participants, ...messages, ...webhooks, ...users }

/** The same, and those of a service. */
export const conversation: Operations = {
  'GET /conversations/v1/Configuration': ({ account }) => ({
    ...{ account_sid: account, default_chat_service_sid: USUAL_SERVICE },
    default_messaging_service_sid: USUAL_SERVICE.replace('IS', 'MG'),
    ...{ default_inactive_timer: null, default_closed_timer: null, links: {} },
    url: 'https://conversations.twilio.example/v1/Configuration',
  }),
  ...operations,
  ...Object.fromEntries(
    Object.entries(operations).map(([name, handle]) => [
      name.replace('/v1/', '/v1/Services/{ChatServiceSid}/'),
      handle,
    ]),
  ),
}
