import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

test('lists what the operations do, and tries one', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/operations`)
  await expect(dashboard.getByRole('row', { name: /createTask/ })).toContainText('adds to tasks')
  await dashboard.getByRole('combobox', { name: 'Filter' }).fill('kind:list subject:tasks')
  await expect(dashboard.getByRole('row')).toHaveCount(3)
  await expectAccessible(dashboard)
  await dashboard.getByRole('combobox', { name: 'Filter' }).fill('kind:action')
  await expect(dashboard.getByRole('row', { name: /completeTask/ })).toContainText('changes tasks: status -> done')
  await dashboard.getByRole('combobox', { name: 'Filter' }).fill('kind:list subject:tasks')

  await dashboard.getByRole('link', { name: 'GET /tasks', exact: true }).click()
  await expect(dashboard.getByText('It lists tasks certain by the rule list')).toBeVisible()
  await dashboard.getByLabel('Path', { exact: true }).fill('/v1/tasks?limit=1')
  await dashboard.getByRole('button', { name: 'Send' }).click()
  await expect(dashboard.getByText('Answered 200')).toBeVisible()
  await expectAccessible(dashboard)
  await dashboard.getByRole('button', { name: 'See the request' }).click()

  await expect(dashboard).toHaveURL(/\/requests\/req_\d+/)
})

test('changes a rule in its place, switches it off, and says what it meets and when it acted', async ({
  living,
  dashboard,
}) => {
  const rule = { name: 'Down', kind: 'error', method: 'GET', pathPattern: '/v1/tasks', config: { status: 503 } }
  await living.manage('POST', '/simulations/tasks/rules', rule)
  expect((await living.ask('GET', '/v1/tasks')).status).toBe(503)
  await dashboard.goto(`${living.service.url}/ui/s/tasks/rules`)
  const row = dashboard.getByRole('row', { name: /Down/ })
  await expect(row).toContainText('1 time')
  await expect(row).toContainText('last')

  await row.getByRole('button', { name: 'Edit Down' }).click()
  await expect(dashboard.getByRole('heading', { name: 'Change Down' })).toBeFocused()
  await expect(dashboard.getByText(/It meets 1 of \d+ operations: listTasks/)).toBeVisible()
  await dashboard.getByLabel('Path').fill('/v1/nothing')
  await expect(dashboard.getByText('It meets no operation of this API.')).toBeVisible()
  await dashboard.getByLabel('Path').fill('/v1/tasks*')
  await dashboard.getByText('As JSON').click()
  await dashboard.getByLabel('Config').fill('{ "status": 500 }')
  await expectAccessible(dashboard)
  await dashboard.getByRole('button', { name: 'Save the rule' }).click()
  await expect(dashboard.getByRole('heading', { name: 'Add a rule' })).toBeVisible()
  expect((await living.ask('GET', '/v1/tasks')).status).toBe(500)

  await row.getByRole('checkbox', { name: 'Down acts' }).uncheck()
  await expect(dashboard.getByText('The rule Down is off.')).toBeVisible()
  expect((await living.ask('GET', '/v1/tasks')).status).toBe(200)
})

test('names snapshots, lists them, and puts one back', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await dashboard.locator('summary.simulation-name').click()
  await dashboard.getByRole('button', { name: 'Snapshots…' }).click()
  await dashboard.getByLabel('Name, if it needs one').fill('before')
  await dashboard.getByRole('button', { name: 'Take a snapshot' }).click()
  await expect(dashboard.getByRole('row', { name: /before/ })).toContainText('0')
  await expectAccessible(dashboard)
  const id = await addTask(living, 'Forgotten soon')

  await dashboard.getByRole('button', { name: 'Restore before' }).click()

  await expect(dashboard.getByText('The snapshot before is restored.')).toBeVisible()
  expect((await living.ask('GET', `/v1/tasks/${id}`)).status).toBe(404)
})

test('filters a collection that is too large to be read, and shows a change that is old', async ({
  living,
  dashboard,
}) => {
  await living.manage('POST', '/simulations', { library: 'task-tracker', slug: 'large', volume: { tasks: 6_000 } })
  await dashboard.goto(`${living.service.url}/ui/s/large/data/tasks`)
  const statuses = dashboard.getByRole('group', { name: 'status' })
  await expect(statuses.getByRole('button').first()).toBeVisible()
  const shown = await statuses.getByRole('button').locator('b').allTextContents()
  expect(shown.reduce((sum, count) => sum + Number(count.replaceAll(',', '')), 0)).toBe(6_000)

  const count = await statuses.getByRole('button').first().locator('b').textContent()
  await statuses.getByRole('button').first().click()
  await expect(dashboard.locator('.filter-count')).toHaveText(new RegExp(` of ${count}$`))
  await dashboard.getByRole('combobox', { name: 'Filter' }).fill('title:a*')
  await expect(dashboard.getByText('This filter looks at the first 5,000 of 6,000 records.')).toBeVisible()

  const { data } = await living.manage<{ data: { id: string }[] }>('GET', '/simulations/tasks/records/tasks?limit=1')
  const path = `/simulations/tasks/records/tasks/${data[0]?.id}`
  for (let turn = 0; turn < 102; turn++) await living.manage('PATCH', path, { title: `turn ${turn}` })
  const events = await living.manage<{ data: { id: string }[] }>('GET', '/simulations/tasks/events?limit=1000')
  await dashboard.goto(`${living.service.url}/ui/s/tasks?at=${events.data.at(-1)?.id}`)
  await expect(dashboard.getByLabel('Record after the change')).toContainText('turn 0')
})
