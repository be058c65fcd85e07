import type { OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { queried } from '../hubspot/queries.ts'
import { fieldsOf, listOf } from '../openai/context.ts'
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
