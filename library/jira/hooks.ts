import {
  asVersion2,
  type Context,
  type Due,
  type Fields,
  fail,
  fieldsOf,
  type Kept,
  listOf,
  meOf,
  refusalOf,
  type Shown,
  showUser,
  toPage,
  type Work,
} from './context.ts'
import { readJql } from './jql.ts'
import { showIssue } from './view.ts'

const MONTH_MS = 30 * 86_400_000

/** Causes an event, in the form of version 2. @param issue whose webhooks' JQL decides */
export function happen(work: Work, type: string, toFacts: (work: Work) => Shown, issue?: Kept): void {
  const { records, now } = work
  const facts = toFacts(asVersion2(work))
  const changed = listOf(fieldsOf(facts.changelog).items).map(({ fieldId }) => fieldId)
  const hooks = [...records.hooks].filter(({ events, jql, fieldIdsFilter }) => {
    if (!(events as string[]).includes(type)) return false
    if (
      changed.length > 0 &&
      Array.isArray(fieldIdsFilter) &&
      !changed.some((id = null) => fieldIdsFilter.includes(id))
    )
      return false
    return issue === undefined || jql === '' || readJql(work, String(jql)).test(issue)
  })
  const matched = hooks.filter(({ name }) => name === null).map(({ id }) => Number(id))
  const ids = matched.length > 0 ? { matchedWebhookIds: matched } : {}
  const body = { timestamp: now.getTime(), webhookEvent: type, ...facts, ...ids } as unknown as Fields
  records.happenings.create({ hooks: hooks.map(({ id }) => id), body })
}

/** The same of an issue, with the user and what has changed. */
export function happenTo(work: Work, type: string, issue: Kept, facts: Shown = {}): void {
  const toFacts = (of: Work): Shown => ({ ...facts, user: showUser(of, meOf(of).id), issue: showIssue(of, issue) })
  happen(work, type, toFacts, issue)
}

const EVENTS = ['created', 'updated', 'deleted']
  .flatMap((verb) => [
    `jira:issue_${verb}`,
    `comment_${verb}`,
    `worklog_${verb}`,
    `sprint_${verb}`,
    `jira:version_${verb}`,
    `project_${verb}`,
  ])
  .concat(
    'attachment_created',
    'attachment_deleted',
    'issuelink_created',
    'issuelink_deleted',
    'sprint_started',
    'sprint_closed',
    'jira:version_released',
    'jira:version_unreleased',
  )

/** Why a webhook is refused; undefined if it is not. */
function faultOf(context: Context, { events, jqlFilter }: Fields): string | undefined {
  const unknown = [events ?? []].flat().filter((event) => !EVENTS.includes(String(event)))
  if (!Array.isArray(events) || events.length === 0) return 'At least one event must be given.'
  if (unknown.length > 0) return `The following webhook events are not supported: ${unknown.join(', ')}`
  const fault = refusalOf(context, (work) => readJql(work, String(jqlFilter ?? '')))
  return fault && `The JQL filter is invalid: ${fault}`
}

function addHook(context: Context, facts: Fields): Kept {
  const { id, records } = context
  const last = [...records.hooks].reduce((most, one) => Math.max(most, Number(one.id)), 0)
  return records.hooks.create({
    id: String(last + 1),
    enabled: true,
    secret: id(),
    name: null,
    expires_at: null,
    fieldIdsFilter: null,
    ...facts,
  })
}

const hookOf = (context: Context): Kept =>
  context.records.hooks.get(context.path.id) ?? fail(context, 404, 'The webhook does not exist.')

const showAdmin = ({ origin }: Context, { id, name, url, events, jql, enabled }: Kept): Shown => ({
  self: `${origin}/rest/webhooks/1.0/webhook/${id}`,
  name,
  url,
  events,
  filters: { 'issue-related-events-section': jql },
  excludeBody: false,
  enabled,
  isSigned: true,
})

/** The fields of a webhook that an administrator sets. */
const toAdmin = ({ body }: Context): Fields => {
  const { name, url, events, filters, secret, enabled } = body
  const jql = fieldsOf(filters)['issue-related-events-section']
  const facts = { name, url, events, secret, enabled, jql }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Fields
}

export const hooks = {
  'GET /rest/api/3/webhook': (context: Context) =>
    toPage(
      context,
      context.records.hooks.where({ name: null }).toReversed(),
      ({ id, url, events, jql, fieldIdsFilter, expires_at }) => ({
        id: Number(id),
        url,
        events,
        jqlFilter: jql,
        ...(fieldIdsFilter !== null && { fieldIdsFilter }),
        expirationDate: Date.parse(String(expires_at)),
      }),
    ),
  'POST /rest/api/3/webhook': (context: Context) => {
    const { url, webhooks } = context.body
    const expires_at = new Date(context.now.getTime() + MONTH_MS).toISOString()
    const webhookRegistrationResult = listOf(webhooks).map((one) => {
      const fault = faultOf(context, one)
      if (fault !== undefined) return { errors: [fault] }
      const { events = [], jqlFilter = '', fieldIdsFilter = null } = one
      const hook = addHook(context, { url: url ?? null, events, jql: jqlFilter, fieldIdsFilter, expires_at })
      return { createdWebhookId: Number(hook.id) }
    })
    return { webhookRegistrationResult }
  },
  'DELETE /rest/api/3/webhook': (context: Context) => {
    const { hooks } = context.records
    for (const id of context.body.webhookIds as unknown[])
      if (hooks.get(String(id)) !== undefined) hooks.remove(String(id))
    return context.respond({ status: 202 })
  },
  'PUT /rest/api/3/webhook/refresh': (context: Context) => {
    const { hooks } = context.records
    const until = context.now.getTime() + MONTH_MS
    for (const id of context.body.webhookIds as unknown[])
      if (hooks.get(String(id)) !== undefined) hooks.update(String(id), { expires_at: new Date(until).toISOString() })
    return { expirationDate: until }
  },
  'GET /rest/webhooks/1.0/webhook': (context: Context) =>
    [...context.records.hooks].filter(({ name }) => name !== null).map((hook) => showAdmin(context, hook)),
  'POST /rest/webhooks/1.0/webhook': (context: Context) => {
    const facts = toAdmin(context)
    const fault = faultOf(context, { events: facts.events ?? null, jqlFilter: facts.jql ?? null })
    if (fault !== undefined) return fail(context, 400, fault)
    return showAdmin(context, addHook(context, { jql: '', ...facts }))
  },
  'GET /rest/webhooks/1.0/webhook/{id}': (context: Context) => showAdmin(context, hookOf(context)),
  'PUT /rest/webhooks/1.0/webhook/{id}': (context: Context) =>
    showAdmin(context, context.records.hooks.update(hookOf(context).id, toAdmin(context))),
  'DELETE /rest/webhooks/1.0/webhook/{id}': (context: Context) => {
    context.records.hooks.remove(hookOf(context).id)
    return context.respond({ status: 204 })
  },
  /** A webhook that nobody has refreshed for 30 days. */
  expireWebhook: ({ remove }: Due) => remove(),
}
