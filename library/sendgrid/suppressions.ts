import { valueText } from '../../src/protocol/json.ts'
import {
  type Fields,
  type Kept,
  type Operations,
  type SendGrid,
  type SendGridRequest,
  type Suppressed,
  textsOf,
} from './sendgrid.ts'

const MOST_OF_NAME = 30
const GROUP = { name: '', description: '', is_default: false }

/** The addresses of a time and with a text, the newest first. */
function listed(sendgrid: SendGridRequest, collection: Suppressed): unknown {
  const { start_time = 0, end_time = Number.POSITIVE_INFINITY, email } = sendgrid.query
  const found = sendgrid.records[collection].where(
    (one) =>
      Number(one.created) >= Number(start_time) &&
      Number(one.created) <= Number(end_time) &&
      (email === undefined || one.email === email),
  )
  return sendgrid.page(found)
}

/** The operations of bounces, blocks, invalid addresses and reports of spam. */
const operationsOf = (collection: Suppressed): Operations => ({
  [`GET /v3/suppression/${collection}`]: (sendgrid) => listed(sendgrid, collection),
  [`DELETE /v3/suppression/${collection}`]: (sendgrid) => {
    const { delete_all, emails } = sendgrid.body
    const all = () => [...sendgrid.records[collection]].map(({ email = null }) => email)
    sendgrid.removeAll(collection, delete_all === true ? all() : textsOf(emails))
    return sendgrid.empty
  },
  [`GET /v3/suppression/${collection}/{email}`]: ({ records, path }) =>
    records[collection].where({ email: path.email }),
  [`DELETE /v3/suppression/${collection}/{email}`]: (sendgrid) => sendgrid.remove(collection),
})

const toGroup = ({ records }: SendGrid, group: Kept): Fields => ({
  ...group,
  unsubscribes: records.group_suppressions.count({ group_id: group.id }),
  last_email_sent_at: null,
})

/** The group that the path names. */
const groupOf = (sendgrid: SendGridRequest): Kept => sendgrid.find('groups', sendgrid.path.group_id)

/** The addresses that have left a group. */
const addressesOf = ({ records }: SendGrid, { id }: Kept): string[] =>
  records.group_suppressions
    .where({ group_id: id })
    .map(({ email }) => valueText(email))
    .toReversed()

export const suppressions: Operations = {
  ...operationsOf('bounces'),
  ...operationsOf('blocks'),
  ...operationsOf('invalid_emails'),
  ...operationsOf('spam_reports'),
  'GET /v3/suppression/unsubscribes': (sendgrid) => listed(sendgrid, 'unsubscribes'),
  'POST /v3/asm/suppressions/global': ({ records, body, unix }) => {
    const { unsubscribes } = records
    for (const email of textsOf(body.recipient_emails))
      if (unsubscribes.get(email) === undefined) unsubscribes.create({ email, created: unix })
    return { recipient_emails: body.recipient_emails ?? null }
  },
  'GET /v3/asm/suppressions/global/{email}': ({ records, path }) =>
    records.unsubscribes.get(path.email) === undefined ? {} : { recipient_email: path.email },
  'DELETE /v3/asm/suppressions/global/{email}': (sendgrid) => sendgrid.remove('unsubscribes'),
  'POST /v3/asm/groups': (sendgrid) => {
    if (valueText(sendgrid.body.name ?? '').length > MOST_OF_NAME)
      sendgrid.refuse(`name must be at most ${MOST_OF_NAME} characters`, 'name')
    sendgrid.need('name description')
    return toGroup(sendgrid, sendgrid.records.groups.create(sendgrid.sent(GROUP)))
  },
  'GET /v3/asm/groups': (sendgrid) =>
    sendgrid.records.groups
      .where({})
      .map((group) => toGroup(sendgrid, group))
      .toReversed(),
  'GET /v3/asm/groups/{group_id}': (sendgrid) => toGroup(sendgrid, groupOf(sendgrid)),
  'PATCH /v3/asm/groups/{group_id}': (sendgrid) => toGroup(sendgrid, sendgrid.change('groups', sendgrid.sent(GROUP))),
  'DELETE /v3/asm/groups/{group_id}': (sendgrid) => {
    const { group_suppressions } = sendgrid.records
    for (const left of group_suppressions.where({ group_id: groupOf(sendgrid).id })) group_suppressions.remove(left)
    return sendgrid.remove('groups')
  },
  'POST /v3/asm/groups/{group_id}/suppressions': (sendgrid) => {
    const { records, body, unix } = sendgrid
    const { id: group_id } = groupOf(sendgrid)
    for (const email of textsOf(body.recipient_emails))
      if (!records.group_suppressions.some({ group_id, email }))
        records.group_suppressions.create({ group_id, email, created_at: unix })
    return { recipient_emails: body.recipient_emails ?? null }
  },
  'GET /v3/asm/groups/{group_id}/suppressions': (sendgrid) => addressesOf(sendgrid, groupOf(sendgrid)),
  'POST /v3/asm/groups/{group_id}/suppressions/search': (sendgrid) => {
    const asked = textsOf(sendgrid.body.recipient_emails)
    return addressesOf(sendgrid, groupOf(sendgrid)).filter((email) => asked.includes(email))
  },
  'DELETE /v3/asm/groups/{group_id}/suppressions/{email}': (sendgrid) => {
    const { group_suppressions } = sendgrid.records
    const { group_id, email } = sendgrid.path
    group_suppressions.remove(group_suppressions.find({ group_id: Number(group_id), email }) ?? sendgrid.gone())
    return sendgrid.empty
  },
  'GET /v3/asm/suppressions': ({ records }) =>
    records.group_suppressions
      .where({})
      .toReversed()
      .map(({ email, group_id, created_at }) => {
        const group_name = records.groups.get(group_id as number)?.name
        return { email, group_id, group_name, created_at }
      }),
  'GET /v3/asm/suppressions/{email}': ({ records, path }) => ({
    suppressions: records.groups
      .where({})
      .toReversed()
      .map(({ id, name, description, is_default }) => {
        const suppressed = records.group_suppressions.some({ group_id: id, email: path.email })
        return { id, name, description, is_default, suppressed }
      }),
  }),
}
