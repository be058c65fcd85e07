import { change, conversationOf } from './conversations.ts'
import {
  type Due,
  type Fields,
  fieldsOf,
  Intercom,
  idsOf,
  type Json,
  type Kept,
  type Operations,
  withId,
} from './intercom.ts'
import { type Assignee, addPart, addReply, assigneeOf, assignment, authorOf, OPERATOR } from './parts.ts'

/** What a teammate does with a conversation: replies, closes, opens, snoozes and assigns it. */

const oneMore = (count: Json | undefined): number => Number(count ?? 0) + 1

/** The statistics of a conversation with one more part. @param first times that only the first event sets */
function counted(conversation: Kept, { first = {}, always = {} }: { first?: Fields; always?: Fields }): Fields {
  const before = fieldsOf(conversation.statistics)
  const firsts = Object.entries(first).map(([name, value]): [string, Json] => [name, before[name] ?? value])
  const count_conversation_parts = oneMore(before.count_conversation_parts)
  return { ...before, ...Object.fromEntries(firsts), ...always, count_conversation_parts }
}

const secondsSince = ({ unix }: Intercom, { created_at }: Kept): number => unix - Number(created_at)

const reopened = ({ state, statistics }: Kept): Fields => {
  const { count_reopens } = fieldsOf(statistics)
  return { count_reopens: Number(count_reopens ?? 0) + (state === 'closed' ? 1 : 0) }
}

/** A contact's reply opens the conversation, and waits for an answer. */
function contactReplied(intercom: Intercom, before: Kept, contact: Kept): Fields {
  const { unix, records } = intercom
  records.contacts.update(contact, { last_replied_at: unix })
  const fields: Fields = {
    ...{ state: 'open', open: true, snoozed_until: null, waiting_since: before.waiting_since ?? unix, read: false },
    statistics: counted(before, {
      first: { first_contact_reply_at: unix },
      always: { last_contact_reply_at: unix, ...reopened(before) },
    }),
    first_contact_reply: before.first_contact_reply ?? { created_at: unix, type: 'conversation', url: null },
  }
  return change(intercom, before, { topic: 'conversation.user.replied', fields })
}

function adminReplied(intercom: Intercom, before: Kept, admin: Kept): Fields {
  const { unix, records } = intercom
  for (const id of idsOf(before.contact_ids))
    if (records.contacts.get(id) !== undefined) records.contacts.update(id, { last_contacted_at: unix })
  const waited = secondsSince(intercom, before)
  // The first reply since the latest assignment.
  const { last_assignment_at: assigned, last_assignment_admin_reply_at: answered } = fieldsOf(before.statistics)
  const isFirst = Number(assigned ?? 0) > Number(answered ?? 0)
  const statistics = counted(before, {
    first: { first_admin_reply_at: unix, time_to_admin_reply: waited, median_time_to_reply: waited },
    always: { last_admin_reply_at: unix, ...(isFirst && { last_assignment_admin_reply_at: unix }) },
  })
  const fields = { waiting_since: null, teammate_ids: withId(before.teammate_ids, admin.id), statistics }
  return change(intercom, before, { topic: 'conversation.admin.replied', fields })
}

interface Managed {
  readonly author: Fields
  readonly body: string | null
}

function close(intercom: Intercom, before: Kept, { author, body }: Managed): Fields {
  const { unix } = intercom
  const age = secondsSince(intercom, before)
  addPart(intercom, before, { part_type: 'close', body, author, state: 'closed' })
  const statistics = counted(before, {
    first: { first_close_at: unix, time_to_first_close: age },
    always: { last_close_at: unix, last_closed_by_id: author.id ?? null, time_to_last_close: age },
  })
  const fields = { state: 'closed', open: false, snoozed_until: null, waiting_since: null, read: true, statistics }
  return change(intercom, before, { topic: 'conversation.admin.closed', fields })
}

function open(intercom: Intercom, before: Kept, { author, body }: Managed): Fields {
  addPart(intercom, before, { part_type: 'open', body, author, state: 'open' })
  const statistics = counted(before, { always: reopened(before) })
  const fields = { state: 'open', open: true, snoozed_until: null, statistics }
  const shown = change(intercom, before, { topic: 'conversation.admin.opened', fields })
  if (before.state === 'snoozed') intercom.happen('conversation.admin.unsnoozed', shown)
  return shown
}

function snooze(intercom: Intercom, before: Kept, { author, body, until }: Managed & { until: Json }): Fields {
  addPart(intercom, before, { part_type: 'snoozed', body, author, state: 'snoozed' })
  const fields = { state: 'snoozed', open: true, snoozed_until: until, statistics: counted(before, {}) }
  return change(intercom, before, { topic: 'conversation.admin.snoozed', fields })
}

function assign(intercom: Intercom, before: Kept, { author, body, to }: Managed & { to: Assignee }): Fields {
  const { unix } = intercom
  const { assigned_to, change: assigned } = assignment(to, before)
  addPart(intercom, before, { part_type: 'assignment', body, author, state: before.state ?? 'open', assigned_to })
  const statistics = counted(before, {
    first: { time_to_assignment: secondsSince(intercom, before), first_assignment_at: unix },
    always: {
      last_assignment_at: unix,
      count_assignments: oneMore(fieldsOf(before.statistics).count_assignments),
    },
  })
  const teammate_ids = to.admin === undefined ? idsOf(before.teammate_ids) : withId(before.teammate_ids, to.admin.id)
  const fields = { ...assigned, teammate_ids, statistics }
  return change(intercom, before, { topic: 'conversation.admin.assigned', fields })
}

/** A snooze ends at its time. */
export function wake(due: Due): void {
  const intercom = new Intercom(due)
  addPart(intercom, due.record, { part_type: 'timer_unsnooze', author: OPERATOR, state: 'open' })
  const fields = { state: 'open', open: true, snoozed_until: null }
  change(intercom, due.record, { topic: 'conversation.admin.unsnoozed', fields })
}

const ONE = '/conversations/{conversation_id}'

export const inbox: Operations = {
  [`POST ${ONE}/reply`]: (intercom) => {
    const before = conversationOf(intercom)
    const { writer, isAdmin } = addReply(intercom, before)
    if (!isAdmin) return contactReplied(intercom, before, writer)
    if (intercom.body.message_type !== 'note') return adminReplied(intercom, before, writer)
    const fields = { teammate_ids: withId(before.teammate_ids, writer.id), statistics: counted(before, {}) }
    return change(intercom, before, { topic: 'conversation.admin.noted', fields })
  },
  [`POST ${ONE}/parts`]: (intercom) => {
    const { html: body } = intercom
    const before = conversationOf(intercom)
    const type = intercom.choose('message_type', ['close', 'snoozed', 'open', 'assignment'])
    const author = authorOf(intercom.admin(intercom.body.admin_id, 'Admin for admin_id not found'))
    const { snoozed_until, assignee_id } = intercom.given({ snoozed_until: 'integer', assignee_id: 'id' })
    if (type === 'close') return close(intercom, before, { author, body })
    if (type === 'open') return open(intercom, before, { author, body })
    if (type === 'snoozed') {
      const until = snoozed_until ?? intercom.invalid('snoozed_until is required')
      return snooze(intercom, before, { author, body, until })
    }
    const to = assigneeOf(intercom, assignee_id ?? intercom.invalid('assignee_id is required'))
    return assign(intercom, before, { author, body, to })
  },
  [`POST ${ONE}/run_assignment_rules`]: (intercom) => {
    const to = { team: intercom.records.teams.get('814865') }
    return assign(intercom, conversationOf(intercom), { author: OPERATOR, body: null, to })
  },
}
