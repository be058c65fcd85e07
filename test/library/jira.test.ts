import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAgileClient, createCloudClient } from 'jira.js'
import { createClient } from 'jira.js/core'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'

async function open(options: Parameters<typeof createSimulation>[1] = { webhooks: false }) {
  const simulation = await createSimulation('jira', { epoch: '2026-03-18T09:30:45Z', ...options })
  const connect = (email: string) =>
    createClient({
      host: simulation.url,
      auth: { type: 'basic', email, apiToken: simulation.key },
      onSchemaMismatch: 'throw',
    })
  const client = connect('ada@example.com')
  const jira = createCloudClient(client)
  const agile = createAgileClient(client)
  const create = async (fields: object) =>
    (
      await jira.issues.createIssue({
        fields: { project: { key: 'PROJ' }, issuetype: { name: 'Task' }, ...fields } as never,
      })
    ).key
  const find = async (jql: string) => {
    const query = { jql, fields: ['summary'], maxResults: 100 }
    const { issues = [] } = await jira.issueSearch.searchAndReconsileIssuesUsingJqlPost(query)
    return issues.map(({ key }) => Number(key?.replace('PROJ-', ''))).toSorted((a, b) => a - b)
  }
  const faultOf = (jql: string) => find(jql).catch(({ body }) => body.errorMessages[0])
  return { simulation, jira, agile, bob: createCloudClient(connect('bob@example.com')), create, find, faultOf }
}

it('searches by JQL', async () => {
  const { jira, agile, bob, create, find, faultOf } = await open()
  const { accountId: bobs } = await bob.myself.getCurrentUser()
  await create({ summary: 'Paint the old wall', labels: ['red'], priority: { name: 'High' }, duedate: '2026-03-17' })
  await create({ summary: 'Sweep', assignee: { accountId: bobs }, customfield_10016: 5, description: 'a wet wall' })
  await create({ summary: 'Whole house', issuetype: { name: 'Epic' } })
  await create({ summary: 'Walls', parent: { key: 'PROJ-3' }, labels: ['blue', 'red'] })
  await jira.issues.doTransition({ issueIdOrKey: 'PROJ-1', transition: { id: '31' } })
  const { id: sprintId } = await agile.sprint.createSprint({ name: 'One', originBoardId: 1 })
  await agile.sprint.moveIssuesToSprintAndRank({ sprintId: Number(sprintId), issues: ['PROJ-2'] })

  await jira.issueWorklogs.addWorklog({ issueIdOrKey: 'PROJ-2', timeSpent: '1h' })
  await jira.filters.createFilter({ name: 'Walls', jql: 'summary ~ "wall*"' })

  const answers = {
    'project = PROJ': [1, 2, 3, 4],
    'key in (PROJ-1, proj-2) and not key = PROJ-2': [1],
    'summary ~ wall': [1],
    'summary ~ "wall*"': [1, 4],
    'text ~ "wall wet"': [2],
    'summary ~ "\\"old wall\\""': [1],
    'summary !~ wall': [2, 3, 4],
    'labels = red AND status != Done': [4],
    'labels not in (blue)': [1],
    'labels is EMPTY': [2, 3],
    'assignee = currentUser() OR assignee is not null': [2],
    'assignee in ("bob@example.com")': [2],
    'reporter = currentUser() and type = epic': [3],
    'priority > Medium': [1],
    'statusCategory = "To Do"': [2, 3, 4],
    'resolution = Unresolved': [2, 3, 4],
    'resolved >= startOfDay()': [1],
    'due < now()': [1],
    'duedate = 2026-03-17': [1],
    'created >= -1h and created <= "2026-03-18 23:59"': [1, 2, 3, 4],
    'created < startOfDay(-1d)': [],
    '"Story Points" >= 3': [2],
    'cf[10016] = 5': [2],
    'parent = PROJ-3': [4],
    '"Epic Link" = PROJ-3': [4],
    'sprint in futureSprints()': [2],
    'sprint = One': [2],
    'status was "To Do" and status = Done': [1],
    'status changed from "To Do" to Done after -1d by currentUser()': [1],
    'status changed to "In Progress"': [],
    'parentEpic = PROJ-3': [4],
    'filter = Walls': [1, 4],
    'worklogAuthor = currentUser() and worklogDate = 2026-03-18': [2],
    'watcher = currentUser()': [1, 2, 3, 4],
  }
  const found = Object.fromEntries(await Promise.all(Object.keys(answers).map(async (jql) => [jql, await find(jql)])))
  expect(found).toEqual(answers)

  const sorted = await jira.issueSearch.searchAndReconsileIssuesUsingJqlPost({
    jql: 'project = PROJ ORDER BY priority DESC, summary ASC',
    fields: ['key'],
    expand: 'names,changelog',
  })
  expect(sorted.issues?.[0]?.changelog).toMatchObject({ total: 1 })
  expect(sorted.issues?.map(({ key }) => key)).toEqual(['PROJ-1', 'PROJ-2', 'PROJ-4', 'PROJ-3'])

  expect(await faultOf('project PROJ')).toContain("Expecting operator but got 'PROJ'. The valid operators are '='")
  expect(await faultOf('project =')).toContain(
    'Expecting either a value, list or function before the end of the query.',
  )
  expect(await faultOf('project = PROJ status = Done')).toBe(
    "Error in the JQL Query: Expecting either 'OR' or 'AND' but got 'status'. (line 1, character 16)",
  )
  expect(await faultOf('summary ~ "open')).toContain("The quoted string 'open' has not been completed.")
  expect(await faultOf('foo = 1')).toBe("Field 'foo' does not exist or you do not have permission to view it.")
  expect(await faultOf('status = Gone')).toBe("The value 'Gone' does not exist for the field 'status'.")
  expect(await faultOf('status ~ Done')).toBe("The operator '~' is not supported by the 'status' field.")
  expect(await faultOf('created > soon')).toContain("Date value 'soon' for field 'created' is invalid.")
  expect(await faultOf('assignee = me()')).toBe("Unable to find JQL function 'me()'.")
})

it('keeps the assignee that an update of a new issue sets', async () => {
  const { jira } = await open()
  const [bob] = (await jira.userSearch.findUsers({ query: 'Bob' })) ?? []
  const fields = { project: { key: 'PROJ' }, issuetype: { name: 'Task' }, summary: 'Sweep' }
  const update = { assignee: [{ set: { accountId: bob?.accountId } }] }

  const { key } = await jira.issues.createIssue({ fields, update } as never)

  const issue = await jira.issues.getIssue({ issueIdOrKey: key })
  expect(issue.fields).toMatchObject({ assignee: { displayName: 'Bob' } })
})

it('starts and ends a sprint by the clock, and expires a webhook', async () => {
  const { simulation, agile, jira, create } = await open({})
  const day = (date: number) => `2026-03-${date}T09:00:00.000Z`
  const sprint = { name: 'One', originBoardId: 1, startDate: day(20), endDate: day(27), autoStartStop: true }
  const body = JSON.stringify(sprint)
  const made = (await (await simulation.fetch('/rest/agile/1.0/sprint', { method: 'POST', body })).json()) as {
    id: number
  }
  const hook = {
    url: `${simulation.url}/nowhere`,
    webhooks: [{ jqlFilter: 'project = PROJ', events: ['comment_created'] }],
  }
  await jira.webhooks.registerDynamicWebhooks(hook)
  await agile.sprint.moveIssuesToSprintAndRank({ sprintId: made.id, issues: [await create({ summary: 'Open' })] })

  await simulation.fastForward({ days: 3 })
  const running = await agile.sprint.getSprint({ sprintId: made.id })
  await simulation.fastForward({ days: 7 })
  const closed = await agile.sprint.getSprint({ sprintId: made.id })
  const { total: hooks } = await jira.webhooks.getDynamicWebhooksForApp({})
  await simulation.fastForward({ days: 30 })
  const bodiless = await simulation.fetch('/rest/api/3/issue', { method: 'POST' })

  expect(await bodiless.json()).toEqual({ errorMessages: [], errors: { body: 'body is required.' } })
  expect([running.state, closed.state]).toEqual(['active', 'closed'])
  await simulation.expectWebhooks(['sprint_created', 'sprint_started', 'sprint_closed'])
  expect((await agile.board.getIssuesForBacklog({ boardId: 1 })).issues).toMatchObject([{ key: 'PROJ-1' }])
  expect([hooks, (await jira.webhooks.getDynamicWebhooksForApp({})).total]).toEqual([1, 0])
})

it('sends each webhook what its JQL selects', async () => {
  const { simulation, jira, create } = await open()
  const all = Promise.withResolvers<void>()
  const received: { path: string | undefined; body: string; signature: unknown }[] = []
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    received.push({ path: request.url, body, signature: request.headers['x-hub-signature'] })
    response.end()
    if (received.length === 5) all.resolve()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hook = { name: 'CI', url: `${url}/bugs`, events: ['jira:issue_created'], secret: 'a secret of 20 chars' }
  const filters = { 'issue-related-events-section': 'project = PROJ AND issuetype = Bug' }
  const body = JSON.stringify({ ...hook, filters })
  const every = {
    jqlFilter: '',
    events: ['jira:issue_created', 'jira:issue_updated', 'comment_created'],
    fieldIdsFilter: ['summary'],
  }

  await simulation.fetch('/rest/webhooks/1.0/webhook', { method: 'POST', body })
  await jira.webhooks.registerDynamicWebhooks({ url: `${url}/all`, webhooks: [every] } as never)
  await create({ summary: 'A task' })
  await create({ summary: 'A bug', issuetype: { name: 'Bug' }, description: 'h2. Why\nNobody *knows*' })
  await jira.issues.editIssue({ issueIdOrKey: 'PROJ-2', fields: { priority: { name: 'Low' } } })
  await jira.issues.editIssue({ issueIdOrKey: 'PROJ-2', fields: { summary: 'A small bug' } })
  await jira.issueComments.addComment({ issueIdOrKey: 'PROJ-2', body: { type: 'doc', version: 1, content: [] } })
  await all.promise
  server.close()

  const to = (path: string) => received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))
  const [bug] = to('/bugs')
  expect(bug).toMatchObject({ issue: { key: 'PROJ-2', fields: { description: 'h2. Why\nNobody *knows*' } } })
  expect(to('/all')).toMatchObject([
    { webhookEvent: 'jira:issue_created', issue: { key: 'PROJ-1' }, matchedWebhookIds: [2] },
    { webhookEvent: 'jira:issue_created', issue: { key: 'PROJ-2' } },
    { webhookEvent: 'jira:issue_updated', changelog: { items: [{ fromString: 'A bug', toString: 'A small bug' }] } },
    { webhookEvent: 'comment_created', issue: { fields: { project: { key: 'PROJ' }, assignee: null } } },
  ])
  const { body: sent = '', signature } = received.find(({ path }) => path === '/bugs') ?? {}
  const signed = createHmac('sha256', hook.secret).update(sent)
  expect(signature).toBe(`sha256=${signed.digest('hex')}`)
})

it('notes in changelogs what was removed, and refuses a comment that is no document', async () => {
  const { simulation, jira, create } = await open()
  const [one, other] = [await create({ summary: 'One' }), await create({ summary: 'Other' })]
  const attachments = { filename: 'a.txt', content: 'pixels' }
  const [file] = await jira.issueAttachments.addAttachment({ issueIdOrKey: one, attachments })
  await jira.issueLinks.linkIssues({
    ...{ type: { name: 'Blocks' }, inwardIssue: { key: one }, outwardIssue: { key: other } },
  } as never)
  const { fields } = await jira.issues.getIssue({ issueIdOrKey: one })

  await jira.issueAttachments.removeAttachment({ id: String(file?.id) })
  await jira.issueLinks.deleteIssueLink({ linkId: String(fields?.issuelinks?.[0]?.id) })
  const changes = await jira.issues.getChangeLogs({ issueIdOrKey: one, startAt: 2 })
  const body = JSON.stringify({ body: 'a text' })
  const refused = await simulation.fetch(`/rest/api/3/issue/${one}/comment`, { method: 'POST', body })

  expect(changes.values?.map(({ items }) => items?.[0])).toMatchObject([
    { field: 'Attachment', fromString: 'a.txt', to: null },
    { field: 'Link', from: other, fromString: `This issue blocks ${other}`, to: null },
  ])
  expect(await refused.json()).toEqual({ errorMessages: [], errors: { comment: 'Comment body is not valid!' } })
})

it('shows wiki markup again in version 2', async () => {
  const { simulation } = await open()
  const description = 'h2. Why\nNobody *knows*\n* one\n* two'
  const fields = { project: { key: 'PROJ' }, issuetype: { name: 'Bug' }, summary: 'A bug', description }

  const body = JSON.stringify({ fields })
  const made = await simulation.fetch('/rest/api/2/issue', { method: 'POST', body })
  const { key } = await made.json()
  const read = await (await simulation.fetch(`/rest/api/2/issue/${key}`)).json()

  expect(read.fields.description).toBe(description)
})
