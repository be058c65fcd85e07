import { queried } from '../shared/queries.ts'
import { account, finishExport } from './account.ts'
import { directory } from './companies.ts'
import { contacts } from './contacts.ts'
import { content } from './content.ts'
import { type Context, IntercomRequest } from './intercom.ts'
import { visitors } from './visitors.ts'

const operations = { ...account, ...contacts, ...content, ...directory, ...visitors }

export default {
  $queried: queried,
  finishExport,
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new IntercomRequest(context)),
    ]),
  ),
}
