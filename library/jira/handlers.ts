import { advanceSprint, agile, listed } from './agile.ts'
import { asVersion2, type Context, type Due, type Operations } from './context.ts'
import { hooks } from './hooks.ts'
import { issues, moveTo } from './issues.ts'
import { search } from './search.ts'
import { site, sites } from './site.ts'

const platform = Object.entries({ ...site, ...issues, ...search, ...hooks.dynamic })
const at = (path: string, operations: [string, (context: Context) => unknown][]): Operations =>
  Object.fromEntries(operations.map(([name, handle]) => [name.replace(' ', ` ${path}/`), handle]))

/** Version 2 of the platform's API answers the same, with texts for documents. */
export default {
  'GET /oauth/token/accessible-resources': sites,
  ...at('/rest/api/3', platform),
  ...at(
    '/rest/api/2',
    platform.map(([name, handle]) => [name, (context) => handle(asVersion2(context))]),
  ),
  ...at('/rest/agile/1.0', Object.entries(agile)),
  ...listed,
  ...at('/rest/webhooks/1.0', Object.entries(hooks.administered)),
  ...{ advanceSprint, startIssue: moveTo('3'), finishIssue: moveTo('10001') },
  /** A webhook that nobody has refreshed for 30 days. */
  expireWebhook: ({ remove }: Due) => remove(),
}
