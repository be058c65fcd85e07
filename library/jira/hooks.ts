import type { Collection, Fields, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, Jira, listOf, pick, valuesOf } from './jira.ts'
import { readJql } from './jql.ts'

const MONTH_MS = 30 * 86_400_000

/** Causes an event, in the form of version 2. @param issue whose webhooks' JQL decides */
export function happen(jira: Jira, type: string, toFacts: (of: Jira) => Shown, issue?: Kept): void {
  const { records, now } = jira
  const facts = toFacts(new Jira(jira.of, 2))
  const changed = listOf(fieldsOf(facts.changelog).items).map(({ fieldId = null }) => fieldId)
  const hooks = [...records.hooks].filter(({ events, jqlFilter: jql, fieldIdsFilter: ids }) => {
    if (!(events as string[]).includes(type)) return false
    if (changed.length > 0 && Array.isArray(ids) && !changed.some((id) => ids.includes(id))) return false
    return issue === undefined || jql === '' || readJql(jira, String(jql)).test(issue)
  })
  const matchedWebhookIds = hooks.filter(({ name }) => name === undefined).map(({ id }) => id)
  const ids = matchedWebhookIds.length > 0 ? { matchedWebhookIds } : {}
  const body = { timestamp: now.getTime(), webhookEvent: type, ...facts, ...ids }
  records.happenings.create({ hooks: hooks.map(({ id }) => id), body } as unknown as Fields)
}

/** The same of a record by the name of the event: of a comment by `comment_created`. @returns the record */
export function tell(jira: Jira, type: string, record: Kept): Kept {
  const [, noun = ''] = /(\w+)_/.exec(type) ?? []
  const issue = jira.lookUp('issues', record._issue)
  const toFacts = (of: Jira): Shown => {
    const brief = issue && noun === 'comment' ? of.brief('issues', issue) : undefined
    const { assignee = null, project = null } = valuesOf(issue)
    const fields = { ...fieldsOf(brief?.fields), ...fieldsOf(of.show({ assignee, project })) }
    return { [noun]: of.whole(`${noun}s` as Collection, record), ...(brief && { issue: { ...brief, fields } }) }
  }
  happen(jira, type, toFacts, issue)
  return record
}

const EVENTS = new RegExp(
  '^((jira:issue|comment|worklog|sprint|jira:version|project)_(created|updated|deleted)' +
    '|(attachment|issuelink)_(created|deleted)|sprint_(started|closed)|jira:version_((un)?released|moved|merged)' +
    '|issue_property_(set|deleted)|user_(created|updated|deleted)|board_(created|updated|deleted|configuration_changed)' +
    '|option_(voting|watching|unassigned_issues|subtasks|attachments|issuelinks|timetracking)_changed)$',
)

/** What an app's webhooks may filter by: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks */
const CLAUSES = /^(key|id|issue|issuekey|project|issuetype|type|status|assignee|reporter|cf\[\d+\]|issue\.property.*)$/i

/** Why a webhook is refused; undefined if it is not. */
function faultOf(jira: Jira, { events, jqlFilter = '' }: Fields, isOfApp = false): string | undefined {
  const unknown = [events ?? []].flat().filter((event) => !EVENTS.test(String(event)))
  if (!Array.isArray(events) || events.length === 0) return 'At least one event must be given.'
  if (unknown.length > 0) return `The following webhook events are not supported: ${unknown.join(', ')}`
  const fault = jira.refusalOf(() => {
    const [name, operator] = readJql(jira, String(jqlFilter)).conditions.find(isUnfit) ?? []
    if (isOfApp && name !== undefined)
      jira.fail(400, `The ${CLAUSES.test(name) ? `operator ${operator}` : `clause ${name}`} is unsupported`)
  })
  return fault?.endsWith('unsupported') ? fault : fault && `The JQL filter is invalid: ${fault}`
}

const isUnfit = ([name, operator]: readonly [string, string]): boolean =>
  !CLAUSES.test(name) || !/^(=|!=|in|not in)$/.test(operator)

const addHook = (jira: Jira, facts: object): Kept =>
  jira.records.hooks.create({ id: jira.next('hooks', 1), enabled: true, secret: jira.of.id(), jqlFilter: '', ...facts })

const showAdmin = (jira: Jira, { id, name, url, events, jqlFilter, enabled }: Kept): Shown => {
  const filters = { 'issue-related-events-section': jqlFilter }
  const self = jira.link(`/rest/webhooks/1.0/webhook/${id}`)
  return { self, name, url, events, filters, excludeBody: false, enabled, isSigned: true }
}

/** The fields of a webhook that an administrator sets. */
const toAdmin = ({ body }: Jira): Fields => {
  const { 'issue-related-events-section': jqlFilter } = fieldsOf(body.filters)
  return { ...pick(body, 'name', 'url', 'events', 'secret', 'enabled'), ...(jqlFilter !== undefined && { jqlFilter }) }
}

/** The webhooks of an app that the body names. */
const named = ({ body, records }: Jira): Kept[] =>
  [body.webhookIds ?? []].flat().flatMap((id) => records.hooks.get(String(id)) ?? [])

export const dynamicHooks: Operations = {
  'GET webhook': (jira) => {
    const own = jira.all('hooks').filter(({ name }) => name === undefined)
    const names = ['id', 'url', 'events', 'jqlFilter', 'fieldIdsFilter']
    const expiryOf = ({ expires_at }: Kept) => ({ expirationDate: Date.parse(String(expires_at)) })
    return jira.page(own, (one) => ({ ...jira.whole('hooks', one, names), ...expiryOf(one) }), 'values', 100)
  },
  'POST webhook': (jira) => {
    const { url, webhooks } = jira.body
    const expires_at = new Date(jira.now.getTime() + MONTH_MS)
    const webhookRegistrationResult = listOf(webhooks).map((one) => {
      const fault = faultOf(jira, one, true)
      const facts = { ...pick(one, 'events', 'jqlFilter', 'fieldIdsFilter'), url, expires_at }
      return fault === undefined ? { createdWebhookId: addHook(jira, facts).id } : { errors: [fault] }
    })
    return { webhookRegistrationResult }
  },
  'DELETE webhook': (jira) => {
    for (const hook of named(jira)) jira.records.hooks.remove(hook)
    return jira.respond(202)
  },
  'PUT webhook/refresh': (jira) => {
    const until = jira.now.getTime() + MONTH_MS
    for (const hook of named(jira)) jira.records.hooks.update(hook, { expires_at: new Date(until).toISOString() })
    return { expirationDate: until }
  },
}

export const adminHooks: Operations = {
  'GET webhook': (jira) =>
    [...jira.records.hooks].filter(({ name }) => name !== undefined).map((hook) => showAdmin(jira, hook)),
  'POST webhook': (jira) => {
    const facts = toAdmin(jira)
    const fault = faultOf(jira, facts)
    return fault === undefined ? showAdmin(jira, addHook(jira, facts)) : jira.fail(400, fault)
  },
  'GET webhook/{id}': (jira) => showAdmin(jira, jira.find('hooks')),
  'PUT webhook/{id}': (jira) => showAdmin(jira, jira.records.hooks.update(jira.find('hooks'), toAdmin(jira))),
  'DELETE webhook/{id}': (jira) => void jira.remove('hooks'),
}
