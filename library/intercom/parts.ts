import {
  type Fields,
  type Intercom,
  type IntercomRequest,
  idsOf,
  type Json,
  type Kept,
  listOf,
  textOf,
  without,
} from './intercom.ts'

/** Parts of conversations and of tickets, who writes them, and who is assigned. */

export const toPart = (part: Kept): Fields => without(part, 'parent_id')

export const toTicketPart = (part: Kept): Fields => ({
  ...without(part, 'parent_id notified_at state tags metadata'),
  type: 'ticket_part',
})

/** The part's author: an admin, or a contact by its role. */
export const authorOf = ({ id, name, email, role }: Kept): Fields => ({
  ...{ type: role ?? 'admin', id, name: name ?? null, email: email ?? null },
})

export const OPERATOR: Fields = { type: 'bot', id: '991267003', name: 'Operator', email: 'operator@backlot.example' }

/** Adds a part to a conversation or a ticket. */
export const addPart = ({ records, unix }: Intercom, parent: Kept, part: Fields): Kept =>
  records.parts.create({ parent_id: parent.id, created_at: unix, updated_at: unix, notified_at: unix, ...part })

const toUpload = (name: Json, url: string, content_type: Json = 'application/octet-stream', filesize = 0): Fields => ({
  ...{ type: 'upload', name, url, content_type, filesize, width: null, height: null },
})

/** The attachments of a body: those of addresses, and files in Base64. */
export function attachmentsOf(intercom: IntercomRequest): Fields[] {
  const { attachment_urls, attachment_files } = intercom.given({ attachment_urls: 'list', attachment_files: 'list' })
  const linked = idsOf(attachment_urls).map((url) => toUpload(url.split('/').at(-1) ?? '', url))
  const files = listOf(attachment_files).map(({ name, content_type, data }) =>
    toUpload(
      textOf(name),
      `https://downloads.intercom.example/${intercom.hex(24)}/${encodeURIComponent(textOf(name))}`,
      content_type,
      Buffer.byteLength(textOf(data), 'base64'),
    ),
  )
  return [...linked, ...files]
}

/** The contact that replies: one that the body names, else the first of the conversation or ticket. */
function contactWho(intercom: IntercomRequest, parent: Kept): Kept {
  const { intercom_user_id: id, user_id: external_id, email } = intercom.body
  const isNamed = [id, external_id, email].some((name) => (name ?? null) !== null)
  const contact = intercom.contactBy(isNamed ? { id, external_id, email } : { id: idsOf(parent.contact_ids)[0] })
  return contact ?? intercom.gone('User Not Found')
}

/** Adds the reply of an admin or a contact to a conversation or a ticket. */
export function addReply(intercom: IntercomRequest, parent: Kept): { part: Kept; writer: Kept; isAdmin: boolean } {
  const { body, html, unix } = intercom
  const isAdmin = intercom.choose('type', ['admin', 'user', 'lead', 'contact'], { text: ['admin', 'user'] }) === 'admin'
  const part_type = intercom.choose('message_type', ['comment', 'note', 'quick_reply'])
  const writer = isAdmin ? intercom.admin(body.admin_id, 'Admin for admin_id not found') : contactWho(intercom, parent)
  const attachments = attachmentsOf(intercom)
  const isEmpty = html === null && (body.attachment_urls ?? body.attachment_files ?? null) === null
  if (isEmpty && part_type !== 'quick_reply') intercom.invalid('Body is required')
  const { created_at = unix, reply_options } = intercom.given({ created_at: 'integer', reply_options: 'list' })
  const fields: Fields = { part_type, body: html, created_at, author: authorOf(writer), attachments }
  const part = addPart(intercom, parent, {
    ...{ ...fields, ...(parent.state !== undefined && { state: parent.state }) },
    ...(reply_options && { metadata: { quick_reply_options: reply_options } }),
  })
  return { part, writer, isAdmin }
}

/** Whom a conversation or a ticket is given to; neither, for nobody. */
export interface Assignee {
  readonly admin?: Kept | undefined
  readonly team?: Kept | undefined
}

/** Reads an assignee's id; `0` is nobody. */
export function assigneeOf(intercom: IntercomRequest, id: Json): Assignee {
  const wanted = textOf(id)
  if (wanted === '0') return {}
  const [admin, team] = [intercom.records.admins.get(wanted), intercom.records.teams.get(wanted)]
  if (admin === undefined && team === undefined) intercom.gone('Assignee not found', 'assignee_not_found')
  return { admin, team }
}

/** What the part of an assignment shows, and what it changes. */
export function assignment({ admin, team }: Assignee, before: Kept): { assigned_to: Fields; change: Fields } {
  const given = team ?? admin
  const type = team !== undefined ? 'team' : admin !== undefined ? 'admin' : 'nobody_admin'
  const kept = (now: Kept | undefined, name: string) => (given === undefined ? null : (now?.id ?? before[name] ?? null))
  const change = {
    admin_assignee_id: kept(admin, 'admin_assignee_id'),
    team_assignee_id: kept(team, 'team_assignee_id'),
  }
  return { assigned_to: { type, id: given?.id ?? null }, change }
}

/** Contacts of a conversation or a ticket. */
export const contactListOf = ({ records }: Intercom, { contact_ids }: Kept): Fields => ({
  type: 'contact.list',
  contacts: idsOf(contact_ids).map((id) => ({
    ...{ type: 'contact', id, external_id: records.contacts.get(id)?.external_id ?? null },
  })),
})
