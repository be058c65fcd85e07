import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'

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

export default { 'GET /messages': messages }
