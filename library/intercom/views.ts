import {
  type Fields,
  filled,
  type Intercom,
  idsOf,
  isMissing,
  type Kept,
  numberOf,
  textOf,
  without,
} from './intercom.ts'

/** How many subjects show a record. */

export const toAdmin = ({ team_ids, ...admin }: Kept): Fields => ({
  ...admin,
  type: 'admin',
  team_ids: idsOf(team_ids).map(numberOf),
  avatar: { type: 'avatar', image_url: `https://static.intercom.example/avatars/${admin.id}.png` },
  team_priority_level: { primary_team_ids: [], secondary_team_ids: [] },
})

export const toTag = ({ id, name }: Kept): Fields => ({ type: 'tag', id, name: name ?? null })

export const toSegment = (segment: Kept): Fields => ({ ...segment })

export function toNote(intercom: Intercom, { id, created_at, body, contact_id, author_id }: Kept): Fields {
  const author = intercom.records.admins.get(textOf(author_id))
  return {
    ...{ type: 'note', id, created_at: created_at ?? 0, body: body ?? '' },
    contact: isMissing(contact_id) ? null : { type: 'contact', id: contact_id },
    author: author === undefined ? null : toAdmin(author),
  }
}

const KEPT = 'company_ids tag_ids tagged segment_ids opted_in opted_out archived blocked visitor'

export function toContact(intercom: Intercom, contact: Kept): Fields {
  const { id } = contact
  const listed = (type: string, path: string, ids: readonly string[], below = path): Fields => ({
    type: 'list',
    data: ids.map((one) => ({ type, id: one, url: `/${path}/${one}` })),
    url: `/contacts/${id}/${below}`,
    total_count: ids.length,
    has_more: false,
  })
  const notes = intercom.all('notes', { contact_id: id }).map((note) => note.id)
  return {
    ...without(contact, KEPT),
    tags: listed('tag', 'tags', idsOf(contact.tag_ids)),
    notes: listed('note', 'notes', notes),
    companies: listed('company', 'companies', idsOf(contact.company_ids)),
    opted_in_subscription_types: listed('subscription', 'subscriptions', idsOf(contact.opted_in)),
    opted_out_subscription_types: listed('subscription', 'subscriptions', idsOf(contact.opted_out)),
  }
}

export function toCompany(intercom: Intercom, company: Kept): Fields {
  const { tags, segments, contacts } = intercom.records
  const users = contacts.where((one) => one.archived === false && idsOf(one.company_ids).includes(company.id))
  const { plan } = company
  return {
    ...without(company, 'tag_ids segment_ids archived'),
    user_count: users.length,
    plan: isMissing(plan) ? {} : { type: 'plan', id: plan, name: plan },
    tags: {
      type: 'tag.list',
      tags: idsOf(company.tag_ids).map((id) => ({ type: 'tag', id, name: tags.get(id)?.name ?? null })),
    },
    segments: { type: 'segment.list', segments: idsOf(company.segment_ids).flatMap((id) => segments.get(id) ?? []) },
    notes: { type: 'note.list', notes: [] },
  }
}

export const toEvent = (event: Kept): Fields => {
  const { id, event_name, created_at, user_id, email, contact_id, metadata } = event
  return filled({ type: 'event', id, event_name, created_at, user_id, email, intercom_user_id: contact_id, metadata })
}
