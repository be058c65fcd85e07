import { account, finishExport } from './account.ts'
import { directory } from './companies.ts'
import { contacts } from './contacts.ts'
import { content } from './content.ts'
import { conversations } from './conversations.ts'
import { inbox, wake } from './inbox.ts'
import { type Context, type Due, IntercomRequest } from './intercom.ts'
import { ticketTypes } from './ticket-types.ts'
import { tickets } from './tickets.ts'
import { visitors } from './visitors.ts'

const operations = {
  ...{ ...account, ...contacts, ...content, ...directory, ...visitors },
  ...{ ...conversations, ...inbox, ...tickets, ...ticketTypes },
}

export default {
  $happenings: ({ record }: Due) => record.item,
  finishExport,
  wake,
  wakeTicket: ({ update }: Due): void => {
    update({ snoozed_until: null, open: true })
  },
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new IntercomRequest(context)),
    ]),
  ),
}
