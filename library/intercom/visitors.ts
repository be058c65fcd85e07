import { absorb } from './contacts.ts'
import {
  type Fields,
  fieldsOf,
  type IntercomRequest,
  isMissing,
  type Json,
  type Kept,
  type Operations,
  textOf,
} from './intercom.ts'
import { toContact } from './views.ts'

/** A contact that is a visitor, or is not, by the first of these facts that fits. */
function personOf(
  { records }: IntercomRequest,
  { id, user_id, email }: Readonly<Record<string, Json | undefined>>,
  visitor: boolean,
): Kept | undefined {
  const { contacts } = records
  const byId = contacts.get(textOf(id))
  if (byId !== undefined && (!visitor || byId.visitor === true)) return byId
  const byUser = isMissing(user_id) ? undefined : contacts.find({ external_id: user_id, visitor })
  return byUser ?? (isMissing(email) ? undefined : contacts.find({ email: textOf(email).toLowerCase(), visitor }))
}

const toVisitor = (contact: Kept): Fields => ({
  ...{ type: 'visitor', id: contact.id, user_id: contact.external_id ?? null, anonymous: true },
  ...{ email: contact.email ?? '', phone: contact.phone ?? null, name: contact.name ?? null, pseudonym: null },
  ...{ avatar: { type: 'avatar', image_url: null }, app_id: 'backlot', location_data: {}, last_request_at: null },
  companies: { type: 'company.list', companies: [] },
  ...{ created_at: contact.created_at ?? 0, remote_created_at: contact.created_at ?? 0, signed_up_at: null },
  ...{ updated_at: contact.updated_at ?? 0, session_count: 0, owner_id: null, unsubscribed_from_emails: false },
  social_profiles: { type: 'social_profile.list', social_profiles: [] },
  ...{ marked_email_as_spam: false, has_hard_bounced: false, tags: { type: 'tag.list', tags: [] } },
  segments: { type: 'segment.list', segments: [] },
  ...{ custom_attributes: contact.custom_attributes ?? {}, referrer: null, do_not_track: null },
})

export const visitors: Operations = {
  'GET /visitors': (intercom) => {
    const { user_id } = intercom.query
    return toVisitor(personOf(intercom, { user_id }, true) ?? intercom.gone('Visitor Not Found'))
  },
  'PUT /visitors': (intercom) => {
    const { id, user_id } = intercom.body
    const visitor = personOf(intercom, { id, user_id }, true) ?? intercom.gone('Visitor Not Found')
    const { name, custom_attributes } = intercom.given({ name: 'text', custom_attributes: 'object' })
    const custom = { ...fieldsOf(visitor.custom_attributes), ...fieldsOf(custom_attributes) }
    return toVisitor(intercom.update('contacts', visitor, { ...(name && { name }), custom_attributes: custom }))
  },
  'POST /visitors/convert': (intercom) => {
    const { body } = intercom
    const visitor = personOf(intercom, fieldsOf(body.visitor), true) ?? intercom.gone('Visitor Not Found')
    const role = intercom.choose('type', ['user', 'lead'])
    const { email, user_id } = intercom.given({ email: 'text', user_id: 'id' }, fieldsOf(body.user))
    const user = personOf(intercom, fieldsOf(body.user), false)
    const contact =
      user === undefined
        ? intercom.update('contacts', visitor, {
            ...{ visitor: false, role, ...(email && { email }) },
            ...(role === 'user' && user_id && { external_id: user_id }),
          })
        : absorb(intercom, visitor, user)
    const shown = toContact(intercom, contact)
    intercom.happen('visitor.signed_up', shown)
    return shown
  },
}
