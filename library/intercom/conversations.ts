import { taggedWith, tagsOf } from './contacts.ts'
import {
  type Fields,
  fieldsOf,
  filled,
  type Intercom,
  type IntercomRequest,
  idsOf,
  isMissing,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  only,
  textOf,
  withId,
  without,
  withoutId,
} from './intercom.ts'
import { addPart, attachmentsOf, authorOf, contactListOf, toPart } from './parts.ts'
import { makeTicket, toTicket } from './tickets.ts'
import { toAdmin, toTag } from './views.ts'

const SEARCHED =
  'id created_at updated_at source contact_ids teammate_ids admin_assignee_id team_assignee_id channel_initiated open ' +
  'read state waiting_since snoozed_until tag_ids priority statistics conversation_rating title custom_attributes ' +
  'custom_attribute first_contact_reply ai_agent ai_agent_participated sla_applied topics company_id'

const REDACTED: Fields = { body: '<p><i>This message was deleted</i></p>', attachments: [], redacted: true }

/** A conversation of a list: without its parts. */
const toItem = (intercom: Intercom, conversation: Kept): Fields => ({
  ...without(conversation, 'contact_ids tag_ids tagged teammate_ids'),
  admin_assignee_id: numberOf(conversation.admin_assignee_id),
  contacts: contactListOf(intercom, conversation),
  teammates: { type: 'admin.list', admins: idsOf(conversation.teammate_ids).map((id) => ({ type: 'admin', id })) },
  tags: { type: 'tag.list', tags: tagsOf(intercom, conversation) },
  linked_objects: { type: 'list', total_count: 0, has_more: false, data: [] },
})

const toPlain = (html: Json | undefined): Json =>
  typeof html === 'string' ? html.replaceAll('<br>', '\n').replace(/<\/?[pbi]>/g, '') : null

export function toConversation(intercom: Intercom, conversation: Kept): Fields {
  const parts = intercom.all('parts', { parent_id: conversation.id }).map(toPart)
  return {
    ...toItem(intercom, conversation),
    conversation_parts: { type: 'conversation_part.list', conversation_parts: parts, total_count: parts.length },
  }
}

/** The same, in plain text if the query asks for it. */
function toAsked(intercom: IntercomRequest, conversation: Kept): Fields {
  const shown = toConversation(intercom, conversation)
  if (intercom.query.display_as !== 'plaintext') return shown
  const plain = (texts: Fields): Fields => ({ ...texts, body: toPlain(texts.body) })
  const parts = fieldsOf(shown.conversation_parts)
  return {
    ...shown,
    source: plain(fieldsOf(shown.source)),
    conversation_parts: {
      ...parts,
      conversation_parts: listOf(parts.conversation_parts).map(plain),
    },
  }
}

/** The conversation of the path; `last` is the latest. */
export function conversationOf(intercom: IntercomRequest): Kept {
  const { conversations } = intercom.records
  const { conversation_id: id = '' } = intercom.path
  return conversations.get(id) ?? (id === 'last' ? conversations.find({}) : undefined) ?? intercom.gone()
}

/** Changes a conversation, sends an event, and shows it. */
export function change(intercom: Intercom, before: Kept, { topic, fields }: { topic: string; fields: Fields }): Fields {
  const shown = toConversation(intercom, intercom.update('conversations', before, fields))
  intercom.happen(topic, shown)
  return shown
}

const toPage = (intercom: IntercomRequest, { shown, rest }: { shown: Kept[]; rest: Fields }): Fields => ({
  ...{ type: 'conversation.list', conversations: shown.map((one) => toItem(intercom, one)), ...rest },
})

function create(intercom: IntercomRequest): Fields {
  const { body, html, unix, records } = intercom
  const from = fieldsOf(body.from)
  intercom.choose('type', ['user', 'lead', 'contact'], { where: from, label: 'from.type' })
  const contact = records.contacts.get(textOf(from.id)) ?? intercom.gone('User Not Found')
  if (html === null) intercom.invalid('Body is required')
  const source = {
    ...{ type: 'conversation', id: `4${intercom.digits(9)}`, delivered_as: 'customer_initiated', subject: '' },
    ...{ body: html, author: authorOf(contact), attachments: attachmentsOf(intercom), url: null, redacted: false },
  }
  const conversation = records.conversations.create({
    ...{ ...intercom.times, ...intercom.given({ created_at: 'integer' }), waiting_since: unix },
    ...{ contact_ids: [contact.id], company_id: idsOf(contact.company_ids)[0] ?? null, source },
    first_contact_reply: { created_at: unix, type: 'conversation', url: null },
    statistics: {
      ...{ type: 'conversation_statistics', first_contact_reply_at: unix, last_contact_reply_at: unix },
      ...{ count_reopens: 0, count_assignments: 0, count_conversation_parts: 1 },
    },
  })
  records.contacts.update(contact, { last_replied_at: unix })
  intercom.happen('conversation.user.created', toConversation(intercom, conversation))
  return {
    ...{ type: 'user_message', id: source.id, created_at: conversation.created_at ?? unix, body: body.body ?? null },
    ...{ message_type: 'inapp', conversation_id: conversation.id },
  }
}

/** Writes to a contact. */
function sendMessage(intercom: IntercomRequest): Fields {
  const { body, unix, records } = intercom
  const isEmail =
    intercom.choose('message_type', ['in_app', 'inapp', 'email'], { text: ['in_app', 'email'] }) === 'email'
  if (intercom.html === null) intercom.invalid('Body is required')
  const sent = intercom.given({ subject: 'text', body: 'text' })
  if (isEmail && !sent.subject) intercom.refuse(422, 'parameter_not_found', 'No subject supplied for email message')
  const admin = intercom.admin(fieldsOf(body.from).id)
  const { id, user_id, email } = fieldsOf(body.to)
  const contact = intercom.contactBy({ id, external_id: user_id, email }) ?? intercom.gone('User Not Found')
  const source = {
    ...{ type: isEmail ? 'email' : 'conversation', id: `5${intercom.digits(9)}`, delivered_as: 'admin_initiated' },
    ...{ subject: '', ...sent, author: authorOf(admin), attachments: [], url: null, redacted: false },
  }
  const conversation = records.conversations.create({
    ...{ ...intercom.times, contact_ids: [contact.id], teammate_ids: [admin.id], source },
    statistics: {
      ...{ type: 'conversation_statistics', first_admin_reply_at: unix, last_admin_reply_at: unix },
      ...{ count_reopens: 0, count_assignments: 0, count_conversation_parts: 1 },
    },
  })
  records.contacts.update(contact, { last_contacted_at: unix })
  intercom.happen('conversation.admin.single.created', toConversation(intercom, conversation))
  return filled({
    ...{ type: 'admin_message', id: source.id, created_at: unix, subject: isEmail ? sent.subject : null },
    ...{ body: sent.body, message_type: isEmail ? 'email' : 'inapp' },
    conversation_id: body.create_conversation_without_contact_reply === true ? conversation.id : null,
    owner: toAdmin(admin),
  })
}

function update(intercom: IntercomRequest): Fields {
  const before = conversationOf(intercom)
  const { custom_attributes, ...fields } = intercom.sent({
    ...{ read: 'flag', title: 'text?', company_id: 'id?', priority: 'text', custom_attributes: 'object' },
  })
  const custom = { ...fieldsOf(before.custom_attributes), ...fieldsOf(custom_attributes) }
  const after = intercom.update('conversations', before, { ...fields, custom_attributes: custom })
  const shown = toConversation(intercom, after)
  if (before.read === false && after.read === true) intercom.happen('conversation.read', shown)
  if (fields.priority !== undefined) intercom.happen('conversation.priority.updated', shown)
  return toAsked(intercom, after)
}

function redact(intercom: IntercomRequest): Fields {
  const { records, body } = intercom
  const isPart = intercom.choose('type', ['conversation_part', 'source']) === 'conversation_part'
  const lost = (): never =>
    intercom.gone('Conversation part or message not found', 'conversation_part_or_message_not_found')
  const conversation = records.conversations.get(textOf(body.conversation_id)) ?? lost()
  if (isPart) {
    const part = records.parts.find({ id: textOf(body.conversation_part_id), parent_id: conversation.id }) ?? lost()
    intercom.update('parts', part, REDACTED)
  } else {
    const source = fieldsOf(conversation.source)
    if (source.id !== textOf(body.source_id)) lost()
    records.conversations.update(conversation, { source: { ...source, ...REDACTED } })
  }
  const shown = toConversation(intercom, records.conversations.get(conversation.id) ?? conversation)
  intercom.happen('conversation_part.redacted', shown)
  return shown
}

const ONE = '/conversations/{conversation_id}'

export const conversations: Operations = {
  'GET /conversations': (intercom) => toPage(intercom, intercom.cut([...intercom.records.conversations], 20)),
  'POST /conversations': create,
  'POST /messages': sendMessage,
  'POST /conversations/search': (intercom) =>
    toPage(
      intercom,
      intercom.search([...intercom.records.conversations], {
        ...{ fields: SEARCHED, places: { contact_id: 'contact_ids', tags: 'tag_ids' }, usual: 20 },
      }),
    ),
  'POST /conversations/redact': redact,
  [`GET ${ONE}`]: (intercom) => toAsked(intercom, conversationOf(intercom)),
  [`PUT ${ONE}`]: update,
  [`DELETE ${ONE}`]: (intercom) => {
    const { id } = conversationOf(intercom)
    intercom.happen('conversation.deleted', { type: 'conversation', id })
    for (const part of intercom.all('parts', { parent_id: id })) intercom.records.parts.remove(part)
    intercom.records.conversations.remove(id)
    return { id, object: 'conversation', deleted: true }
  },
  [`POST ${ONE}/customers`]: (intercom) => {
    const before = conversationOf(intercom)
    const admin = intercom.admin(intercom.body.admin_id)
    const { intercom_user_id: id, user_id, email } = fieldsOf(intercom.body.customer)
    const contact = intercom.contactBy({ id, external_id: user_id, email }) ?? intercom.gone('User Not Found')
    addPart(intercom, before, {
      ...{ part_type: 'participant_added', author: authorOf(admin), state: before.state ?? 'open' },
    })
    const fields = { contact_ids: withId(before.contact_ids, contact.id) }
    return change(intercom, before, { topic: 'conversation.contact.attached', fields })
  },
  [`DELETE ${ONE}/customers/{contact_id}`]: (intercom) => {
    const before = conversationOf(intercom)
    const { contact_id = '' } = intercom.path
    const admin = isMissing(intercom.body.admin_id) ? intercom.me : intercom.admin(intercom.body.admin_id)
    if (!idsOf(before.contact_ids).includes(contact_id)) intercom.gone('User Not Found')
    const contact_ids = withoutId(before.contact_ids, contact_id)
    if (contact_ids.length === 0) intercom.refuse(422, 'parameter_invalid', 'Removing the last customer is not allowed')
    addPart(intercom, before, {
      ...{ part_type: 'participant_removed', author: authorOf(admin), state: before.state ?? 'open' },
    })
    return change(intercom, before, { topic: 'conversation.contact.detached', fields: { contact_ids } })
  },
  [`POST ${ONE}/tags`]: (intercom) => {
    const before = conversationOf(intercom)
    const tag = intercom.find('tags', intercom.body.id ?? '')
    const { fields, answer } = taggedWith(intercom, before, { tag, by: intercom.admin(intercom.body.admin_id) })
    change(intercom, before, { topic: 'conversation_part.tag.created', fields })
    return answer
  },
  [`DELETE ${ONE}/tags/{tag_id}`]: (intercom) => {
    const before = conversationOf(intercom)
    const tag = intercom.tagOfPath()
    intercom.update('conversations', before, { tag_ids: withoutId(before.tag_ids, tag.id) })
    return toTag(tag)
  },
  [`POST ${ONE}/convert`]: (intercom) => {
    const { records, body, me } = intercom
    const conversation = conversationOf(intercom)
    const { id } = conversation
    if (records.tickets.get(id) !== undefined) intercom.refuse(400, 'bad_request', 'Conversation is already a ticket')
    const type = records.ticket_types.get(textOf(body.ticket_type_id))
    if (type?.category !== 'Customer') return intercom.invalid('Ticket type is not a customer ticket type')
    const { attributes } = intercom.given({ attributes: 'object' })
    const ticket = makeTicket(intercom, type, {
      ...{ id, ticket_attributes: attributes ?? {} },
      ...only(conversation, 'contact_ids company_id admin_assignee_id team_assignee_id'),
    })
    addPart(intercom, conversation, {
      ...{ part_type: 'convert_to_ticket', author: authorOf(me), state: conversation.state ?? 'open' },
    })
    const shown = toTicket(intercom, ticket)
    intercom.happen('ticket.created', shown)
    return shown
  },
}
