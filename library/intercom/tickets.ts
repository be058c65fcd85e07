import { addContact, taggedWith, tagsOf } from './contacts.ts'
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
  type Operations,
  textOf,
  withoutId,
} from './intercom.ts'
import {
  type Assignee,
  addPart,
  addReply,
  assigneeOf,
  assignment,
  authorOf,
  contactListOf,
  toTicketPart,
} from './parts.ts'
import { attributesOf, toType } from './ticket-types.ts'
import { toTag } from './views.ts'

const SEARCHED =
  'id ticket_id created_at updated_at category ticket_type_id ticket_state_id ticket_attributes ticket_attribute ' +
  'contact_ids admin_assignee_id team_assignee_id open snoozed_until is_shared company_id tag_ids'

const SUBMITTED = '7493'

export function toTicket(intercom: Intercom, ticket: Kept): Fields {
  const { records } = intercom
  const { id, ticket_id, category, ticket_attributes, company_id, created_at, updated_at, open } = ticket
  const type = records.ticket_types.get(textOf(ticket.ticket_type_id))
  const linked = idsOf(ticket.linked_ids).map((one) => ({ type: 'conversation', id: one, category: null }))
  const parts = intercom.all('parts', { parent_id: id }).map(toTicketPart)
  return {
    ...({ type: 'ticket', id, ticket_id, category, ticket_attributes } as Fields),
    ticket_state: records.ticket_states.get(textOf(ticket.ticket_state_id)) ?? null,
    ticket_type: type === undefined ? null : toType(intercom, type),
    contacts: contactListOf(intercom, ticket),
    admin_assignee_id: ticket.admin_assignee_id ?? '0',
    team_assignee_id: ticket.team_assignee_id ?? '0',
    ...({ company_id, created_at, updated_at, open } as Fields),
    ...({ snoozed_until: ticket.snoozed_until, is_shared: ticket.is_shared } as Fields),
    linked_objects: { type: 'list', total_count: linked.length, has_more: false, data: linked },
    tags: { type: 'tag.list', tags: tagsOf(intercom, ticket) },
    ticket_parts: { type: 'ticket_part.list', ticket_parts: parts, total_count: parts.length },
  }
}

const toJob = ({ id, status, resource_type, resource_id }: Kept): Fields => ({
  ...({ type: 'job', id, url: `https://api.intercom.example/jobs/status/${id}`, status, resource_type } as Fields),
  ...{ resource_id: resource_id ?? null, resource_url: `https://api.intercom.example/tickets/${textOf(resource_id)}` },
})

const ticketOf = (intercom: IntercomRequest): Kept =>
  intercom.records.tickets.get(intercom.path.ticket_id) ?? intercom.gone('Ticket not found', 'ticket_not_found')

/** Creates a ticket, with the next number. */
export function makeTicket({ records, times }: Intercom, { id, category }: Kept, fields: Fields): Kept {
  const ticket_id = String(records.happenings.count({ topic: 'ticket.created' }) + 1)
  return records.tickets.create({
    ...{ ticket_id, category: category ?? '', is_shared: category === 'Customer', ticket_type_id: id },
    ...{ ticket_state_id: SUBMITTED, ...times, ...fields },
  })
}

/** Refuses an attribute that the ticket type does not have. */
function checkAttributes(intercom: IntercomRequest, typeId: Json | undefined): void {
  const known = new Set(attributesOf(intercom, typeId).map(({ name }) => name))
  if (Object.keys(fieldsOf(intercom.body.ticket_attributes)).some((name) => !known.has(name)))
    intercom.invalid('Ticket attribute is not associated with the ticket type')
}

function createTicket(intercom: IntercomRequest): Kept {
  const { body, records } = intercom
  const type = records.ticket_types.get(textOf(body.ticket_type_id)) ?? intercom.gone('Ticket type not found')
  const people = listOf(body.contacts).map((person) => ({ found: intercom.contactBy(person), email: person.email }))
  if (people.length === 0) intercom.invalid('contacts is required')
  if (people.some(({ found, email }) => found === undefined && !textOf(email).includes('@')))
    intercom.refuse(400, 'data_invalid', 'Contact not found or could not be created')
  const sent = intercom.given({ ticket_attributes: 'object', company_id: 'id', created_at: 'integer' })
  const given = fieldsOf(sent.ticket_attributes)
  const required = attributesOf(intercom, type.id).filter((attribute) => attribute.required_to_create === true)
  if (required.some(({ name }) => !Object.hasOwn(given, textOf(name))))
    intercom.invalid('Missing required ticket attributes')
  checkAttributes(intercom, type.id)
  const contact_ids = people.map(
    ({ found, email }) => (found ?? addContact(intercom, { role: 'user', email: textOf(email) })).id,
  )
  const { admin_assignee_id, team_assignee_id } = fieldsOf(body.assignment)
  const ticket = makeTicket(intercom, type, {
    ...{ ...sent, contact_ids },
    admin_assignee_id: isMissing(admin_assignee_id) ? null : textOf(admin_assignee_id),
    team_assignee_id: isMissing(team_assignee_id) ? null : textOf(team_assignee_id),
    linked_ids: isMissing(body.conversation_to_link_id) ? [] : [textOf(body.conversation_to_link_id)],
  })
  intercom.happen('ticket.created', toTicket(intercom, ticket))
  return ticket
}

/** Changes a ticket, and sends an event. */
function change(intercom: Intercom, before: Kept, { topic, fields }: { topic: string; fields: Fields }): Kept {
  const ticket = intercom.update('tickets', before, fields)
  intercom.happen(topic, toTicket(intercom, ticket))
  return ticket
}

/** Brings a ticket to another state. */
function move(intercom: Intercom, before: Kept, { author, state }: { author: Fields; state: Kept }): Kept {
  const previous = intercom.records.ticket_states.get(textOf(before.ticket_state_id))
  if (state.id === previous?.id) return before
  const isResolved = state.category === 'resolved'
  addPart(intercom, before, {
    ...{ part_type: 'ticket_state_updated_by_admin', author, ticket_state: state.category ?? null },
    previous_ticket_state: previous?.category ?? null,
  })
  const fields = { ticket_state_id: state.id, open: !isResolved }
  const ticket = change(intercom, before, { topic: 'ticket.state.updated', fields })
  if (isResolved) intercom.happen('ticket.closed', toTicket(intercom, ticket))
  return ticket
}

function describe(intercom: Intercom, before: Kept, { author, given }: { author: Fields; given: Fields }): Kept {
  const known = attributesOf(intercom, before.ticket_type_id)
  for (const [name, value] of Object.entries(given)) {
    const attribute = known.find((one) => one.name === name)
    addPart(intercom, before, {
      ...{ part_type: 'ticket_attribute_updated_by_admin', author },
      updated_attribute_data: {
        attribute: { type: 'attribute', id: attribute?.id ?? null, label: name },
        value: { type: 'value', id: null, label: value },
      },
    })
  }
  const fields = { ticket_attributes: { ...fieldsOf(before.ticket_attributes), ...given } }
  return change(intercom, before, { topic: 'ticket.attribute.updated', fields })
}

function assign(intercom: Intercom, before: Kept, { author, to }: { author: Fields; to: Assignee }): Kept {
  const { assigned_to, change: fields } = assignment(to, before)
  addPart(intercom, before, { part_type: 'assignment', author, assigned_to })
  return change(intercom, before, { topic: `ticket.${to.team === undefined ? 'admin' : 'team'}.assigned`, fields })
}

function updateTicket(intercom: IntercomRequest): Fields {
  const { body, records, me } = intercom
  const found = ticketOf(intercom)
  // Versions up to 2.11 name the category of a state, and have both ids in `assignment`.
  const {
    admin_id = me.id,
    assignee_id,
    ticket_state_id,
    state: category,
  } = {
    ...fieldsOf(body.assignment),
    ...filled(body),
  }
  const hasId = !isMissing(ticket_state_id)
  const wanted = ({ id, category: its }: Kept) => (hasId ? id === textOf(ticket_state_id) : its === category)
  const state = intercom.all('ticket_states').find(wanted)
  if (state === undefined && (hasId || !isMissing(category))) {
    const message = 'Ticket state id is not valid or is not associated with the ticket type'
    intercom.refuse(400, 'ticket_state_id_invalid', message)
  }
  const admin = records.admins.get(textOf(admin_id)) ?? intercom.gone('Assignee not found', 'assignee_not_found')
  const author = authorOf(admin)
  const to = isMissing(assignee_id) ? undefined : assigneeOf(intercom, assignee_id)
  const { ticket_attributes } = intercom.given({ ticket_attributes: 'object' })
  checkAttributes(intercom, found.ticket_type_id)
  const fields = intercom.sent({ is_shared: 'flag', snoozed_until: 'integer?', company_id: 'id?', open: 'flag' })
  if (fields.open === false) fields.snoozed_until = null
  const moved = state === undefined ? found : move(intercom, found, { author, state })
  const described = ticket_attributes
    ? describe(intercom, moved, { author, given: fieldsOf(ticket_attributes) })
    : moved
  const assigned = to === undefined ? described : assign(intercom, described, { author, to })
  const shown = toTicket(intercom, intercom.update('tickets', assigned, fields))
  if (fields.open === false) intercom.happen('ticket.closed', shown)
  return shown
}

/** Where a search finds the fields of tickets: an attribute by its id. */
const placesOf = ({ records }: Intercom): Record<string, string> => ({
  ...{ contact_id: 'contact_ids', state: 'ticket_state_id' },
  ...{ title: 'ticket_attributes._default_title_', description: 'ticket_attributes._default_description_' },
  ...Object.fromEntries(
    [...records.ticket_type_attributes].map(({ id, name }) => [
      `ticket_attribute.${id}`,
      `ticket_attributes.${textOf(name)}`,
    ]),
  ),
})

const ONE = '/tickets/{ticket_id}'

export const tickets: Operations = {
  'POST /tickets': (intercom) => toTicket(intercom, createTicket(intercom)),
  'POST /tickets/enqueue': (intercom) => {
    const { id } = createTicket(intercom)
    const job = intercom.records.jobs.create({ resource_type: 'ticket', resource_id: id, status: 'success' })
    intercom.happen('job.completed', toJob(job))
    return { ...toJob(job), status: 'pending', resource_id: null, resource_url: null }
  },
  'GET /jobs/status/{job_id}': (intercom) =>
    toJob(intercom.records.jobs.get(intercom.path.job_id) ?? intercom.gone('Job Not Found', 'job_not_found')),
  'POST /tickets/search': (intercom) => {
    const by = { fields: SEARCHED, places: placesOf(intercom), usual: 20 }
    const { shown, rest } = intercom.search([...intercom.records.tickets], by)
    return { type: 'ticket.list', tickets: shown.map((ticket) => toTicket(intercom, ticket)), ...rest }
  },
  [`GET ${ONE}`]: (intercom) => toTicket(intercom, ticketOf(intercom)),
  [`PUT ${ONE}`]: updateTicket,
  [`DELETE ${ONE}`]: (intercom) => {
    const { id } = ticketOf(intercom)
    intercom.records.tickets.remove(id)
    return { id, object: 'ticket', deleted: true }
  },
  [`POST ${ONE}/reply`]: (intercom) => {
    const before = ticketOf(intercom)
    const { part, isAdmin } = addReply(intercom, before)
    const isNote = intercom.body.message_type === 'note'
    const topic = !isAdmin ? 'ticket.contact.replied' : isNote ? 'ticket.note.created' : 'ticket.admin.replied'
    change(intercom, before, { topic, fields: {} })
    return toTicketPart(part)
  },
  [`POST ${ONE}/tags`]: (intercom) => {
    const before = ticketOf(intercom)
    const tag = intercom.find('tags', intercom.body.id ?? '')
    const { fields, answer } = taggedWith(intercom, before, { tag, by: intercom.admin(intercom.body.admin_id) })
    intercom.update('tickets', before, { tag_ids: fields.tag_ids ?? [] })
    return answer
  },
  [`DELETE ${ONE}/tags/{tag_id}`]: (intercom) => {
    const before = ticketOf(intercom)
    const tag = intercom.tagOfPath()
    intercom.update('tickets', before, { tag_ids: withoutId(before.tag_ids, tag.id) })
    return toTag(tag)
  },
}
