import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { typeOfFile } from '../shared/media-type.ts'
import { phone } from '../shared/phone.ts'
import { rendered } from '../shared/rendered.ts'
import { account } from './account.ts'
import { call, message } from './checks.ts'
import { content } from './content.ts'
import { conversation } from './conversations.ts'
import { kept } from './kept.ts'
import { facts } from './lookups.ts'
import { messagingServices } from './messaging-services.ts'
import { numbers } from './numbers.ts'
import { plain } from './plain.ts'
import { audio } from './recorded.ts'
import { segmentsOf } from './segments.ts'
import { studio } from './studio.ts'
import { type Context, TwilioRequest } from './twilio.ts'
import { keyword, twiml } from './twiml.ts'
import { verify } from './verify.ts'

/** The messages that were sent and received, the newest first. */
const messages = ({ page, records }: OperationContext<AnyOperation, { messages: JsonObject }>): object =>
  page(() => ({
    title: 'Messages',
    parts: [
      {
        rows: [...records.messages].slice(0, 50).map(({ body, from, to, status }) => ({
          label: String(body ?? ''),
          value: String(status ?? ''),
          detail: `From ${from} to ${to}`,
        })),
        name: 'Messages',
      },
    ],
  }))

const operations = {
  ...account,
  ...content,
  ...conversation,
  ...facts,
  ...messagingServices,
  ...numbers,
  ...plain,
  ...studio,
  ...verify,
}

export default {
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new TwilioRequest(context, operation)),
    ]),
  ),
  'GET /messages': messages,
  ...kept,
  'POST /2010-04-01/Accounts/{AccountSid}/Messages.json': message,
  'POST /2010-04-01/Accounts/{AccountSid}/Calls.json': call,
  'GET /2010-04-01/Accounts/{AccountSid}/Recordings/{File}': audio,
  $keyword: keyword,
  /** Errors show a number without its last four digits. */
  $masked: (text: Json) => valueText(text).replace(/.{4}$/, 'XXXX'),
  $mediaType: typeOfFile,
  $phone: phone,
  $rendered: rendered,
  $segments: (text: Json) => segmentsOf(valueText(text)),
  $twiml: twiml,
  $upper: (text: Json) => valueText(text).toUpperCase(),
}
