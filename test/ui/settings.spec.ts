import { expect, expectAccessible, test } from './dashboard-test.ts'

test('shows when the plan runs next, and turns the clock to a run', async ({ living, dashboard }) => {
  const step = { kind: 'transition', collection: 'tasks', field: 'status', from: 'todo', to: 'in_progress', count: 2 }
  const rules = [{ id: 'start', name: 'Tasks are started', everySeconds: 7_200, steps: [step] }]
  await living.manage('PUT', '/simulations/tasks/behaviour', { rules })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/plan`)
  const row = dashboard.getByRole('row', { name: /Tasks are started/ })
  await expect(row).toContainText('2 hours')
  await expect(row).toContainText('moves 2 of tasks from todo to in_progress')
  await expect(dashboard.getByRole('list', { name: 'Next runs' }).getByRole('listitem').first()).toContainText(
    'started',
  )
  await expectAccessible(dashboard)

  await dashboard
    .getByRole('button', { name: /Fast-forward .* to Tasks are started/ })
    .first()
    .click()

  // Less by what has passed since the plan was set.
  await expect(dashboard.getByText(/Fast-forwarded \+(2 h|1 h \d+ min): 2 changes/)).toBeVisible()
  await expect(row.getByRole('cell').nth(2)).toHaveText(/^1 runlast .*, 2 changesnext /)
})

test('runs a rule of the plan now, switches it off, and sets another plan', async ({ living, dashboard }) => {
  const rules = [{ id: 'touch', name: 'Touch', everySeconds: 86_400, steps: [{ kind: 'touch', collection: 'tasks' }] }]
  await living.manage('PUT', '/simulations/tasks/behaviour', { rules })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/plan`)

  await dashboard.getByRole('button', { name: 'Run now: Touch' }).click()
  await expect(dashboard.getByText('Touch ran: 1 change.')).toBeVisible()
  await dashboard.getByRole('checkbox', { name: 'Touch is enabled' }).uncheck()
  await expect(dashboard.getByText('No rule runs in this time.')).toBeVisible()
  await dashboard.getByText('Edit the plan as JSON').click()
  await dashboard.getByLabel('Plan', { exact: true }).fill('{ "rules": [] }')
  await dashboard.getByRole('button', { name: 'Set the plan' }).click()

  await expect(dashboard.getByRole('heading', { name: 'The plan is empty' })).toBeVisible()
  await expectAccessible(dashboard)
})

test('keeps a switched rule as chosen while it is being set, whatever else happens', async ({ living, dashboard }) => {
  const rules = [{ id: 'touch', name: 'Touch', everySeconds: 86_400, steps: [{ kind: 'touch', collection: 'tasks' }] }]
  await living.manage('PUT', '/simulations/tasks/behaviour', { rules })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/plan`)
  const row = dashboard.getByRole('row', { name: /Touch/ })
  const { promise: shown, resolve: letGo } = Promise.withResolvers<void>()
  await dashboard.route('**/simulations/tasks/behaviour', async (route) => {
    await shown
    await route.continue()
  })

  await row.getByRole('checkbox').uncheck()
  await living.manage('POST', '/simulations/tasks/behaviour/touch/run')
  await expect(row).toContainText('1 run')
  await expect(row.getByRole('checkbox')).not.toBeChecked()

  letGo()
  await expect(dashboard.getByText('No rule runs in this time.')).toBeVisible()
  await expect(row.getByRole('checkbox')).not.toBeChecked()
})

test('adds a response rule, says what is wrong with one, and removes it', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/rules`)
  await expect(dashboard.getByRole('heading', { name: 'Every request is answered as the data says' })).toBeVisible()
  await expectAccessible(dashboard)
  await dashboard.getByLabel('Kind').selectOption('latency')
  await dashboard.getByLabel('Later by, ms').fill('-1')
  await dashboard.getByRole('button', { name: 'Add the rule' }).click()
  await expect(dashboard.getByRole('alert')).toContainText('latencyMs')

  await dashboard.getByLabel('Kind').selectOption('error')
  await dashboard.getByLabel('Probability, 0 to 1').fill('0.5')
  await dashboard.getByText('As JSON').click()
  await expect(dashboard.getByLabel('Config')).toHaveValue(/"probability": 0.5/)
  await dashboard.getByLabel('Probability, 0 to 1').fill('')
  await dashboard.getByLabel('Path').fill('/v1/tasks*')
  await dashboard.getByRole('button', { name: 'Add the rule' }).click()

  await expect(dashboard.getByRole('row', { name: /error \/v1\/tasks/ })).toContainText('0 times')
  expect((await living.ask('GET', '/v1/tasks')).status).toBe(503)
  await expect(dashboard.getByRole('row', { name: /error \/v1\/tasks/ })).toContainText('1 time')
  await expectAccessible(dashboard)
  await dashboard.getByRole('button', { name: /^Remove error/ }).click()
  await dashboard.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(dashboard.getByRole('heading', { name: 'Every request is answered as the data says' })).toBeVisible()
  expect((await living.ask('GET', '/v1/tasks')).status).toBe(200)
})

test('issues and revokes keys, and holds callers to an allow-list', async ({ living, dashboard }) => {
  await dashboard.setViewportSize({ width: 360, height: 740 })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/access`)
  await expect(dashboard.getByRole('link', { name: 'Access', exact: true })).toBeInViewport()
  await dashboard.setViewportSize({ width: 1280, height: 720 })
  await dashboard.getByLabel('Name of a new key').fill('second')
  await dashboard.getByRole('button', { name: 'Issue a key' }).click()
  await expect(dashboard.getByText(/^svc_sim_[\w-]{20,}$/)).toBeVisible()
  await expect(dashboard.getByRole('row', { name: /second/ })).toContainText('not in the last 1,000 requests')
  await expectAccessible(dashboard)

  await dashboard.getByRole('button', { name: `Revoke ${living.apiKey.slice(0, 14)}` }).click()
  await dashboard.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(dashboard.getByRole('row')).toHaveCount(2)
  expect((await living.ask('GET', '/v1/tasks')).status).toBe(401)
  await dashboard.getByLabel('Only the addresses below may call').check()
  await dashboard.getByLabel('Allowed addresses').fill('here')
  await dashboard.getByRole('button', { name: 'Save' }).click()
  await expect(dashboard.getByRole('alert')).toContainText('here')
  await dashboard.getByLabel('Allowed addresses').fill('203.0.113.0/24')
  await dashboard.getByRole('button', { name: 'Save' }).click()

  await expect(dashboard.getByText('Only these addresses may call.')).toBeVisible()
  expect((await living.ask('GET', '/v1/tasks')).status).toBe(403)
})

test('shows the account with what is used of its plan', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/account`)

  await expect(dashboard.getByRole('heading', { name: 'Account' })).toBeVisible()
  await expect(dashboard.getByText('Requests this month')).toBeVisible()
  await expect(dashboard.getByText('Reads and changes.')).toBeVisible()
  await expectAccessible(dashboard)
})

test('adds and changes a rule of the plan with forms, and shows the reason at a dropped step', async ({
  living,
  dashboard,
}) => {
  await living.manage('PUT', '/simulations/tasks/behaviour', { rules: [] })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/plan`)
  await dashboard.getByRole('button', { name: 'New rule' }).click()
  await expect(dashboard.getByRole('heading', { name: 'New rule' })).toBeFocused()
  await dashboard.getByLabel('Name').fill('Work goes on')
  await dashboard.getByLabel('Runs every').fill('90')
  await dashboard.getByLabel('Unit').selectOption('minutes')
  const step = (number: number) => dashboard.getByRole('group', { name: `Step ${number}` })
  await step(1).getByLabel('Kind').selectOption('transition')
  await step(1).getByLabel('Collection').selectOption('tasks')
  await step(1).getByLabel('From', { exact: true }).fill('todo')
  await step(1).getByLabel('To', { exact: true }).fill('done')
  await dashboard.getByRole('button', { name: 'Add a step' }).click()
  await step(2).getByLabel('Kind').selectOption('increment')
  await step(2).getByLabel('Collection').selectOption('tasks')
  await step(2).getByLabel('Field', { exact: true }).fill('title')
  await expectAccessible(dashboard)
  await dashboard.getByRole('button', { name: 'Save the rule' }).click()

  await expect(step(2).getByRole('alert')).toHaveText(/Dropped: "title" of "tasks" holds no number to increment/)
  await expectAccessible(dashboard)
  await step(2).getByLabel('Field', { exact: true }).fill('trackedMinutes')
  await expect(step(2).getByRole('alert')).toHaveCount(0)
  await dashboard.getByRole('button', { name: 'Save the rule' }).click()

  const row = dashboard.getByRole('row', { name: /Work goes on/ })
  await expect(row).toContainText('1 hour 30 minutes')
  await expect(row).toContainText('moves 1 of tasks from todo to done')
  await expect(row).toContainText('adds 1 to trackedMinutes of 1 of tasks')
  await expect(dashboard.getByRole('row')).toHaveCount(2)
  const edit = dashboard.getByRole('button', { name: 'Edit Work goes on' })
  await edit.focus()
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByRole('heading', { name: 'Change Work goes on' })).toBeFocused()
  await expect(dashboard.getByLabel('Runs every')).toHaveValue('90')
  await dashboard.getByRole('button', { name: 'Remove step 1' }).click()
  await dashboard.getByRole('button', { name: 'Save the rule' }).click()
  await expect(row).not.toContainText('moves')
  await expect(edit).toBeFocused()
  await dashboard.getByRole('button', { name: 'Remove Work goes on' }).click()
  await dashboard.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(dashboard.getByRole('heading', { name: 'The plan is empty' })).toBeVisible()
})

test('adds the own address to the allowed addresses', async ({ living, dashboard }) => {
  const access = { ipRestrictionEnabled: false, ipAllowlist: ['203.0.113.0/24'] }
  await living.manage('PUT', '/simulations/tasks/access', access)
  await dashboard.goto(`${living.service.url}/ui/s/tasks/access`)
  const add = dashboard.getByRole('button', { name: 'Add my address' })
  await expect(add).toHaveAccessibleDescription('You come from 127.0.0.1.')
  await expectAccessible(dashboard)

  await add.focus()
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByLabel('Allowed addresses')).toHaveValue('203.0.113.0/24\n127.0.0.1')
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByText('You come from 127.0.0.1, which is in the list.')).toBeVisible()
  await expectAccessible(dashboard)
  await dashboard.getByRole('button', { name: 'Save' }).click()

  await expect(dashboard.getByText('Every address may call.')).toBeVisible()
  const { access: set } = await living.manage<{ access: typeof access }>('GET', '/simulations/tasks')
  expect(set.ipAllowlist).toEqual(['203.0.113.0/24', '127.0.0.1'])
})

test('offers fields of the collection, and their values, in steps', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/plan`)
  await dashboard.getByRole('button', { name: 'New rule' }).click()
  const step = dashboard.getByRole('group', { name: 'Step 1' })
  const offeredFor = (label: string) =>
    step
      .getByLabel(label, { exact: true })
      .evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value))

  await step.getByLabel('Kind').selectOption('increment')
  await step.getByLabel('Collection').selectOption('tasks')
  // What a collection has is read when it is chosen.
  await expect.poll(() => offeredFor('Field')).toContain('trackedMinutes')
  expect(await offeredFor('Field')).not.toContain('title')
  await expectAccessible(dashboard)
  await step.getByLabel('Kind').selectOption('transition')

  await expect.poll(() => offeredFor('To')).toEqual(['todo', 'in_progress', 'in_review', 'done', 'cancelled'])
})
