import { account, checkScopes } from './account.ts'
import { activity } from './activity.ts'
import { campaigns } from './campaigns.ts'
import { contacts } from './contacts.ts'
import { domains } from './domains.ts'
import { fire, mail } from './mail.ts'
import { type Context, SendGridRequest } from './sendgrid.ts'
import { suppressions } from './suppressions.ts'
import { templates } from './templates.ts'
import { webhooks } from './webhooks.ts'

const operations = {
  ...{ ...account, ...activity, ...campaigns, ...contacts, ...domains, ...mail },
  ...{ ...suppressions, ...templates, ...webhooks },
}

export default {
  fire,
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => {
        const sendgrid = new SendGridRequest(context)
        checkScopes(sendgrid, operation.split(' ')[1] ?? '')
        return handle(sendgrid)
      },
    ]),
  ),
}
