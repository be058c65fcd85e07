import type { OperationContext } from '../../src/handlers.ts'
import { listOf } from '../openai/context.ts'

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export default {
  'POST /v3/mail/send': ({ body, refuse }: OperationContext) => {
    const at = listOf(body.attachments).findIndex(
      ({ content }) => typeof content === 'string' && !BASE64.test(content.replace(/\s/g, '')),
    )
    const message = 'The attachment content must be base64 encoded.'
    if (at >= 0) refuse(400, { code: 'bad', message, field: `attachments.${at}.content` })
  },
}
