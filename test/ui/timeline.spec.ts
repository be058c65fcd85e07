import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

test('shows what happens as it happens, and what led to what', async ({ living, dashboard }) => {
  await living.manage('POST', '/simulations/tasks/webhooks', { url: living.hook.url, events: ['task.*'] })
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await expect(dashboard.getByRole('heading', { name: 'Nothing has happened yet' })).toBeVisible()
  await expectAccessible(dashboard)

  const id = await addTask(living, 'Sweep <img src=x onerror=alert(1)>')

  const timeline = dashboard.getByRole('table', { name: 'Timeline' })
  await expect(timeline.getByRole('row', { name: /POST \/v1\/tasks/ })).toContainText('1 change')
  await expect(timeline.getByRole('row', { name: /task\.created/ }).first()).toBeVisible()
  await timeline.getByRole('link', { name: /POST \/v1\/tasks/ }).click()
  const chain = dashboard.getByRole('list', { name: 'What led to what' })
  await expect(chain.getByRole('link')).toContainText(['POST /v1/tasks', 'task.created', living.hook.url])
  await expect(chain).toContainText('delivered')
  await expectAccessible(dashboard)

  await chain.getByRole('link', { name: 'task.created' }).click()
  await expect(dashboard.getByRole('region', { name: 'Record after the change' })).toContainText(
    'Sweep <img src=x onerror',
  )
  expect(await dashboard.locator('img').count()).toBe(0)

  await living.ask('PATCH', `/v1/tasks/${id}`, { title: 'Sweep twice' })
  await expect(timeline.getByRole('row', { name: /task\.updated.*Sweep twice/ })).toHaveCount(1)
})

test('turns the clock', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  const clock = dashboard.getByRole('group', { name: 'Clock' })

  await clock.getByRole('button', { name: 'Fast-forward +1 d' }).click()

  await expect(dashboard.getByRole('status').filter({ hasText: 'Fast-forwarded' })).toContainText(/\d+ changes/)
  await expect(clock).toContainText('+1 d')
  await expect(
    dashboard
      .getByRole('table', { name: 'Timeline' })
      .getByRole('row', { name: /fast-forward/ })
      .first(),
  ).toBeVisible()

  await clock.getByLabel('Fast-forward to', { exact: true }).first().click()
  await clock.getByRole('textbox', { name: 'Fast-forward to' }).fill('2020-01-01')
  await clock.getByRole('button', { name: 'Fast-forward', exact: true }).click()
  await expect(clock.getByRole('alert')).toContainText("Expected at least a second ahead of the world's time, got -")
  await expectAccessible(dashboard)
  await clock.getByRole('textbox', { name: 'Fast-forward to' }).fill('1d 2h')
  await clock.getByRole('button', { name: 'Fast-forward', exact: true }).click()
  await expect(clock).toContainText('+2 d 2 h')

  await clock.getByRole('button', { name: 'Pause' }).click()
  await expect(clock).toContainText('paused')
  await clock.getByRole('button', { name: 'Resume' }).click()
  await expect(clock).toContainText('running')
})

test('shows deliveries at the time of their events, also those before a fast-forward', async ({
  living,
  dashboard,
}) => {
  await living.manage('POST', '/simulations/tasks/webhooks', { url: living.hook.url, events: ['task.created'] })
  const id = await addTask(living, 'Sweep')
  await living.manage('GET', '/simulations/tasks/deliveries/settled?timeoutMs=3000')
  await living.manage('POST', '/simulations/tasks/fast-forward', { hours: 48 })

  await dashboard.goto(`${living.service.url}/ui/s/tasks?f=type:task.created+record:${id}`)

  const rows = dashboard.getByRole('table', { name: 'Timeline' }).getByRole('row', { name: 'task.created' })
  const times = rows.getByRole('time')
  await expect(times).toHaveCount(2)
  const [delivery = '', change = ''] = await times.evaluateAll((all) =>
    all.map((time) => (time as HTMLTimeElement).dateTime),
  )
  // Hours less than the clock was turned, however slow the machine is.
  expect(Date.parse(delivery) - Date.parse(change)).toBeLessThan(3_600_000)
})

test('filters by fields and kinds, in the address', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks?f=method:POST`)
  const rows = dashboard.getByRole('table', { name: 'Timeline' }).getByRole('row')
  await expect(rows).toHaveCount(2)

  await dashboard.getByLabel('Filter').fill('')
  await expect(rows).toHaveCount(4)
  await dashboard.getByRole('button', { name: 'Requests', exact: true }).click()

  await expect(rows).toHaveCount(2)
  await expect(dashboard).toHaveURL(/hide=request/)
})

test('is used by keys alone', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await expect(dashboard.getByRole('link', { name: /POST/ })).toBeVisible()

  await dashboard.keyboard.press('/')
  await expect(dashboard.getByLabel('Filter')).toBeFocused()
  await dashboard.keyboard.type('kind:request')
  await dashboard.getByRole('link', { name: /POST/ }).focus()
  await dashboard.keyboard.press('j')
  await expect(dashboard.getByRole('link', { name: /GET/ })).toBeFocused()
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByRole('heading', { name: /GET \/v1\/projects/ })).toBeVisible()
  await dashboard.keyboard.press('Escape')
  await expect(dashboard.getByRole('link', { name: /GET/ })).toBeFocused()
  await addTask(living, 'Mop')
  await expect(dashboard.getByRole('link', { name: /POST/ })).toHaveCount(2)
  await expect(dashboard.getByRole('link', { name: /GET/ }).last()).toBeFocused()
  await dashboard.keyboard.press('g')
  await dashboard.keyboard.press('w')
  await expect(dashboard.getByRole('heading', { name: 'Webhooks' })).toBeVisible()
  await dashboard.keyboard.press('?')
  await expect(dashboard.getByRole('dialog', { name: 'Keys' })).toBeVisible()
})

test('resets and deletes after a question', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)

  await dashboard.locator('summary', { hasText: 'Simulation task-tracker' }).click()
  await expectAccessible(dashboard)
  await dashboard.getByRole('button', { name: 'Reset…' }).click()
  await dashboard.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(dashboard.getByText('The data is made again from its seed.')).toBeVisible()

  await dashboard.locator('summary', { hasText: 'Simulation task-tracker' }).click()
  await dashboard.getByRole('button', { name: 'Delete…' }).click()
  const dialog = dashboard.getByRole('dialog', { name: 'Delete tasks?' })
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled()
  await dialog.getByLabel('Type tasks to delete it').fill('tasks')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dashboard.getByRole('heading', { name: 'No simulation runs here yet' })).toBeVisible()
})

test('ends with the rows of the API after 10,000 changes', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  const everything = [
    { name: 'All', everySeconds: 3_600, steps: [{ kind: 'touch', collection: 'tasks', fraction: 1 }] },
  ]
  const { rules } = await living.manage<{ rules: unknown[] }>('PUT', '/simulations/tasks/behaviour', {
    rules: everything,
  })
  expect(rules).toHaveLength(1)
  let changes = 0
  while (changes < 10_000) {
    const turned = await living.manage<{ changes: number }>('POST', '/simulations/tasks/fast-forward', { hours: 24 })
    changes += turned.changes
  }

  const { data } = await living.manage<{ data: { id: string }[] }>('GET', '/simulations/tasks/events')
  const timeline = dashboard.getByRole('table', { name: 'Timeline' })
  await expect
    .poll(() => timeline.getByRole('link').first().getAttribute('href'), { timeout: 15_000 })
    .toContain(data[0]?.id ?? 'none')
  const drawn = await timeline.getByRole('row').count()
  expect(drawn).toBeLessThanOrEqual(61)
  const shown = await timeline
    .getByRole('link')
    .evaluateAll((links) =>
      links.slice(0, 10).map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('at')),
    )
  expect(shown).toEqual(data.slice(0, 10).map(({ id }) => id))
})

test('shows what a burst has left out below what was read meanwhile', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  const burst = { changes: 3, byType: { 'task.created': 3 }, requests: 0, deliveries: 0 }
  let connections = 0
  // The stream tells of the burst after the page has read: as a slow one does.
  await dashboard.route('**/activity', (route) => {
    const body =
      ++connections < 2 ? 'retry: 300\n\n' : `retry: 60000\nid: a-1\nevent: burst\ndata: ${JSON.stringify(burst)}\n\n`
    return route.fulfill({ contentType: 'text/event-stream', body })
  })
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)

  const timeline = dashboard.getByRole('table', { name: 'Timeline' })
  await expect(timeline.getByRole('row', { name: /3 left out/ })).toBeVisible()

  await expect(timeline.getByRole('row').nth(1)).not.toContainText('left out')
  await expect(timeline.getByRole('row').last()).toContainText('left out')
})

test('shows what the stream tells late, and the burst after it, below what was read meanwhile', async ({
  living,
  dashboard,
}) => {
  await addTask(living, 'Sweep')
  const { data } = await living.manage<{ data: { created: string }[] }>('GET', '/simulations/tasks/events')
  const created = new Date(Date.parse(data[0]?.created ?? '') - 60_000).toISOString()
  const change = { ...data[0], id: 'evt-before', created }
  const burst = { changes: 3, byType: { 'task.updated': 3 }, requests: 0, deliveries: 0 }
  const body = `id: a-1\nevent: change\ndata: ${JSON.stringify(change)}\n\nid: a-2\nevent: burst\ndata: ${JSON.stringify(burst)}\n\n`
  await dashboard.route('**/activity', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `retry: 60000\n${body}` }),
  )
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)

  const timeline = dashboard.getByRole('table', { name: 'Timeline' })
  await expect(timeline.getByRole('row', { name: /3 left out/ })).toBeVisible()

  const shown = await timeline
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('at')))
  expect(shown.slice(-2)).toEqual(['1', 'evt-before'])
})

test('draws how much happened in the last hour of world time', async ({ living, dashboard }) => {
  for (let asked = 0; asked < 5; asked++) await living.ask('GET', '/v1/tasks?limit=1')
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await expect(dashboard.getByRole('img', { name: /^Last hour: 5 in all/ })).toBeVisible()
  await expectAccessible(dashboard)

  await living.ask('GET', '/v1/tasks?limit=1')
  await expect(dashboard.getByRole('img', { name: /^Last hour: 6 in all/ })).toBeVisible()
  await living.manage('PUT', '/simulations/tasks/behaviour', { rules: [] })
  await living.manage('POST', '/simulations/tasks/fast-forward', { hours: 2 })

  await expect(dashboard.getByRole('img', { name: /^Last hour: 0 in all/ })).toBeVisible()
})

test('says that nothing has happened only when what has happened is read', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  await dashboard.route('**/logs?detail=true', async (route) => {
    await isAnswered
    await route.continue()
  })
  const isAsked = dashboard.waitForRequest('**/logs?detail=true')
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await isAsked

  await expect(dashboard.locator('.bars[aria-busy]').first()).toBeVisible()
  await expect(dashboard.getByRole('heading', { name: 'Nothing has happened yet' })).toHaveCount(0)
  answer()

  await expect(dashboard.getByRole('row', { name: /POST \/v1\/tasks/ })).toHaveCount(1)
})
