import type { AnyOperation, DueContext, OperationContext } from '../../src/handlers.ts'
import { advanceSprint, agile, listings } from './agile.ts'
import { bulk } from './bulk.ts'
import { moveTo } from './change-issue.ts'
import { customFields } from './custom-fields.ts'
import { filters } from './filters.ts'
import { adminHooks, dynamicHooks } from './hooks.ts'
import { issues } from './issues.ts'
import { type Collection, Jira, type Kept, type Operations } from './jira.ts'
import { lists } from './lists.ts'
import { projects } from './projects.ts'
import { agileProperties, properties } from './properties.ts'
import { roles } from './roles.ts'
import { search } from './search.ts'
import { accessibleSites, site } from './site.ts'
import { users } from './users.ts'
import { versions } from './versions.ts'

type Context = OperationContext<AnyOperation, Record<Collection, Kept>>
type Due = DueContext<Record<Collection, Kept>, Kept>

const at = (path: string, operations: Operations, version?: 2) =>
  Object.fromEntries(
    Object.entries(operations).map(([name, handle]) => [
      name.replace(' ', ` ${path}`),
      (context: Context) =>
        handle(new Jira(context, version, name.replace(/^.* /, path))) ?? context.respond({ status: 204 }),
    ]),
  )

const platform: Operations = {
  ...{
    ...bulk,
    ...customFields,
    ...dynamicHooks,
    ...filters,
    ...issues,
    ...lists,
    ...projects,
    ...properties,
    ...roles,
    ...search,
    ...site,
    ...users,
    ...versions,
  },
}

/** Version 2 of the platform's API answers the same, with texts for documents. */
export default {
  ...at('/rest/api/3/', platform),
  ...at('/rest/api/2/', platform, 2),
  ...at('/rest/api/latest/', platform, 2),
  ...at('/rest/agile/1.0/', { ...agile, ...agileProperties }),
  ...at('', { ...listings, ...accessibleSites }),
  ...at('/rest/webhooks/1.0/', adminHooks),
  advanceSprint: (due: Due) => void advanceSprint(new Jira(due), due.record),
  startIssue: (due: Due) => moveTo(new Jira(due), due.record, '3'),
  finishIssue: (due: Due) => moveTo(new Jira(due), due.record, '10001'),
  /** A webhook that nobody has refreshed for 30 days. */
  expireWebhook: ({ remove }: Due) => remove(),
}
