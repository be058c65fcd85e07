import {
  asVersion2,
  type Context,
  type Fields,
  fail,
  fieldsOf,
  find,
  type Kept,
  known,
  listOf,
  meOf,
  noContent,
  type Operations,
  oldest,
  refusalOf,
  removeOf,
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
  const hooks = [...records.hooks].filter(({ events, jql, fieldIdsFilter: ids }) => {
    if (!(events as string[]).includes(type)) return false
    if (changed.length > 0 && Array.isArray(ids) && !changed.some((id = null) => ids.includes(id))) return false
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

const EVENTS = [
  ...['jira:issue', 'comment', 'worklog', 'sprint', 'jira:version', 'project'].flatMap((noun) =>
    ['created', 'updated', 'deleted'].map((verb) => `${noun}_${verb}`),
  ),
  ...['attachment_created', 'attachment_deleted', 'issuelink_created', 'issuelink_deleted', 'sprint_started'],
  ...['sprint_closed', 'jira:version_released', 'jira:version_unreleased'],
]

/** Why a webhook is refused; undefined if it is not. */
function faultOf(context: Context, { events, jqlFilter }: Fields): string | undefined {
  const unknown = [events ?? []].flat().filter((event) => !EVENTS.includes(String(event)))
  if (!Array.isArray(events) || events.length === 0) return 'At least one event must be given.'
  if (unknown.length > 0) return `The following webhook events are not supported: ${unknown.join(', ')}`
  const fault = refusalOf(context, (work) => readJql(work, String(jqlFilter ?? '')))
  return fault && `The JQL filter is invalid: ${fault}`
}

function addHook({ id, records }: Context, facts: Fields): Kept {
  const last = [...records.hooks].reduce((most, one) => Math.max(most, Number(one.id)), 0)
  const usual = { enabled: true, secret: id(), name: null, expires_at: null, fieldIdsFilter: null }
  return records.hooks.create({ id: String(last + 1), ...usual, ...facts })
}

const showAdmin = ({ origin }: Context, { id, name, url, events, jql, enabled }: Kept): Shown => {
  const filters = { 'issue-related-events-section': jql }
  const self = `${origin}/rest/webhooks/1.0/webhook/${id}`
  return { self, name, url, events, filters, excludeBody: false, enabled, isSigned: true }
}

/** The fields of a webhook that an administrator sets. */
const toAdmin = ({ body: { name, url, events, filters, secret, enabled } }: Context): Fields => {
  const jql = fieldsOf(filters)['issue-related-events-section']
  return known({ name, url, events, secret, enabled, jql }) as Fields
}

/** The webhooks of an app that the body names. */
const named = ({ body, records }: Context): Kept[] =>
  (body.webhookIds as unknown[]).flatMap((id) => records.hooks.get(String(id)) ?? [])

const dynamic: Operations = {
  'GET webhook': (context) =>
    toPage(
      context,
      oldest(context, 'hooks', { name: null }),
      ({ id, url, events, jql, fieldIdsFilter, expires_at }) => {
        const facts = { id: Number(id), url, events, jqlFilter: jql, ...known({ fieldIdsFilter }) }
        return { ...facts, expirationDate: Date.parse(String(expires_at)) }
      },
    ),
  'POST webhook': (context) => {
    const { url = null, webhooks } = context.body as Fields
    const expires_at = new Date(context.now.getTime() + MONTH_MS).toISOString()
    const webhookRegistrationResult = listOf(webhooks).map((one) => {
      const fault = faultOf(context, one)
      if (fault !== undefined) return { errors: [fault] }
      const { events = [], jqlFilter: jql = '', fieldIdsFilter = null } = one
      return { createdWebhookId: Number(addHook(context, { url, events, jql, fieldIdsFilter, expires_at }).id) }
    })
    return { webhookRegistrationResult }
  },
  'DELETE webhook': (context) => {
    for (const { id } of named(context)) context.records.hooks.remove(id)
    return context.respond({ status: 202 })
  },
  'PUT webhook/refresh': (context) => {
    const until = context.now.getTime() + MONTH_MS
    for (const { id } of named(context)) context.records.hooks.update(id, { expires_at: new Date(until).toISOString() })
    return { expirationDate: until }
  },
}

const administered: Operations = {
  'GET webhook': (context) =>
    [...context.records.hooks].filter(({ name }) => name !== null).map((hook) => showAdmin(context, hook)),
  'POST webhook': (context) => {
    const facts: Fields = { jql: '', ...toAdmin(context) }
    const fault = faultOf(context, { events: facts.events ?? null, jqlFilter: facts.jql ?? null })
    return fault === undefined ? showAdmin(context, addHook(context, facts)) : fail(context, 400, fault)
  },
  'GET webhook/{id}': (context) => showAdmin(context, find(context, 'hooks')),
  'PUT webhook/{id}': (context) =>
    showAdmin(context, context.records.hooks.update(find(context, 'hooks').id, toAdmin(context))),
  'DELETE webhook/{id}': (context) => {
    removeOf(context, 'hooks')
    return noContent(context)
  },
}

/** Those of apps, and those of administrators. */
export const hooks = { dynamic, administered }
