import type { OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { queried } from '../hubspot/queries.ts'
import { listOf } from '../openai/context.ts'
import { renderHandlebars } from './handlebars.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export default {
  $handlebars: ({ of, with: facts }: JsonObject) =>
    isJsonObject(facts) ? renderHandlebars(valueText(of), facts) : valueText(of),
  $queried: queried,
  'POST /v3/mail/send': ({ body, refuse }: OperationContext) => {
    const at = listOf(body.attachments).findIndex(
      ({ content }) => typeof content === 'string' && !BASE64.test(content.replace(/\s/g, '')),
    )
    const message = 'The attachment content must be base64 encoded.'
    if (at >= 0) refuse(400, { code: 'bad', message, field: `attachments.${at}.content` })
  },
}
