import type { OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { queried } from '../shared/queries.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { renderHandlebars } from './handlebars.ts'
import { statistics } from './statistics.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Bytes of custom arguments at most. */
const MOST_OF_ARGS = 10_000
const RESERVED = new Set(
  'x-sg-id,x-sg-eid,received,dkim-signature,content-type,content-transfer-encoding,to,from,subject,reply-to,cc,bcc'.split(
    ',',
  ),
)

/** Refuses names that are too long. */
const named =
  (most: number) =>
  ({ body, refuse }: OperationContext): undefined => {
    if (valueText(body.name ?? '').length > most)
      refuse(400, { code: 'bad', message: `name must be at most ${most} characters`, field: 'name' })
  }

/** The words of HTML, as the plain text of a template that has none. */
const wordsOf = (html: unknown): string =>
  String(html ?? '')
    .replaceAll(/<(style|script|head)\b.*?<\/\1>/gis, '')
    .replaceAll(/<br\s*\/?>|<\/(?:p|div|h\d|li|tr)>/gi, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .trim()

const version = ({ body, path, records, next }: OperationContext): object | undefined => {
  const made = next()
  if (body.generate_plain_content === false || body.plain_content || !body.html_content) return
  const id = String(made.id ?? path.version_id)
  const plain_content = wordsOf(body.html_content)
  records.template_versions?.update(id, { plain_content })
  return { ...made, plain_content }
}

export default {
  $handlebars: ({ of, with: facts }: JsonObject) =>
    isJsonObject(facts) ? renderHandlebars(valueText(of), facts) : valueText(of),
  $queried: queried,
  $statistics: statistics,
  'DELETE /v3/marketing/lists/{id}': ({ id, path, query, records, next, respond }: OperationContext) => {
    const deleted = next()
    if (String(query.delete_contacts) !== 'true') return deleted
    for (const contact of [...(records.contacts ?? [])])
      if ([contact.list_ids].flat().includes(path.id ?? null)) records.contacts?.remove(contact)
    return respond({ status: 200, body: { job_id: id() } })
  },
  'GET /v3/mail/batch/{batch_id}': ({ path, records, refuse }: OperationContext) => {
    if (!records.batches?.some({ batch_id: path.batch_id }))
      refuse(400, { code: 'bad', message: 'invalid batch id', field: 'batch_id' })
  },
  'GET /v3/marketing/lists/{id}': ({ path, query, records, next }: OperationContext) => {
    const list = next()
    if (String(query.contact_sample) !== 'true') return list
    const sample = records.contacts?.where(({ list_ids }) => [list_ids].flat().includes(path.id ?? null)) ?? []
    return { ...list, contact_sample: sample.slice(0, 50) }
  },
  'POST /v3/asm/groups': named(30),
  'POST /v3/templates': named(100),
  'POST /v3/templates/{template_id}/versions': version,
  'PATCH /v3/templates/{template_id}/versions/{version_id}': version,
  'PUT /v3/marketing/contacts': ({ body, records, refuse }: OperationContext) => {
    const sent = listOf(body.contacts).flatMap(({ custom_fields }) => Object.keys(fieldsOf(custom_fields)))
    const unknown = sent.find((name) => !records.field_definitions?.some((one) => [one.id, one.name].includes(name)))
    if (unknown !== undefined)
      refuse(400, { code: 'bad', message: `invalid custom field ${unknown}`, field: 'contacts.custom_fields' })
  },
  'PUT /v3/marketing/singlesends/{id}/schedule': ({ path, records, refuse }: OperationContext) => {
    const send = records.singlesends?.get(String(path.id))
    const { all, list_ids, segment_ids } = fieldsOf(send?.send_to)
    if (send !== undefined && all !== true && [list_ids ?? [], segment_ids ?? []].flat().length === 0)
      refuse(400, { code: 'bad', message: 'send_to must name lists, segments or all contacts', field: 'send_to' })
  },
  'DELETE /v3/marketing/singlesends': ({ query, records, respond }: OperationContext) => {
    for (const id of [query.ids ?? []].flat().flatMap((ids) => String(ids).split(',')))
      if (records.singlesends?.get(id) !== undefined) records.singlesends.remove(id)
    return respond({ status: 204 })
  },
  'GET /v3/marketing/singlesends/categories': ({ records }: OperationContext) => ({
    categories: [...new Set([...(records.singlesends ?? [])].flatMap(({ categories }) => [categories ?? []].flat()))],
  }),
  'GET /v3/whitelabel/domains/default': ({ query: { domain }, records, refuse }: OperationContext) =>
    records.domains?.find(domain === undefined ? { default: true } : { domain }) ??
    refuse(404, { code: 'bad', message: 'no default domain found' }),
  'GET /v3/verified_senders/domains': () => ({ results: { soft_failures: [], hard_failures: [] } }),
  'GET /v3/subusers/reputations': ({ query, records }: OperationContext) =>
    [...(records.subusers ?? [])]
      .filter(
        ({ username }) =>
          query.usernames === undefined || String(query.usernames).split(',').includes(String(username)),
      )
      .map(({ username }) => ({ username, reputation: 100 })),
  'POST /v3/mail/send': ({ body, refuse, records }: OperationContext) => {
    const bad = (message: string, field: string) => refuse(400, { code: 'bad', message, field })
    if (body.reply_to != null && body.reply_to_list != null)
      bad('The reply_to parameter and the reply_to_list parameter cannot be used together.', 'reply_to_list')
    const { group_id } = fieldsOf(body.asm)
    if (group_id !== undefined && records.groups?.get(Number(group_id)) === undefined)
      bad(`The asm group ID must be a valid Group ID on your account. You provided '${group_id}'.`, 'asm.group_id')
    for (const { custom_args = {}, headers = {} } of [body, ...listOf(body.personalizations)]) {
      if (Buffer.byteLength(JSON.stringify(custom_args)) > MOST_OF_ARGS)
        bad(
          'The combined size of both global and personalization custom arguments may not exceed 10,000 bytes per personalization.',
          'custom_args',
        )
      const name = Object.keys(fieldsOf(headers)).find((header) => RESERVED.has(header.toLowerCase()))
      if (name !== undefined) bad('Header can not be one of the reserved keys.', `headers.${name}`)
    }
    const at = listOf(body.attachments).findIndex(
      ({ content }) => typeof content === 'string' && !BASE64.test(content.replace(/\s/g, '')),
    )
    if (at >= 0) bad('The attachment content must be base64 encoded.', `attachments.${at}.content`)
  },
}
