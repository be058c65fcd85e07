import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

test('registers a webhook and shows its secret once', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/webhooks`)
  await expect(dashboard.getByRole('heading', { name: 'No webhook is registered' })).toBeVisible()
  await expectAccessible(dashboard)

  await dashboard.getByLabel('Address').fill('ftp://127.0.0.1/')
  await dashboard.getByRole('button', { name: 'Register' }).click()
  await expect(dashboard.getByRole('alert')).toContainText('Expected `url`')
  await dashboard.getByLabel('Address').fill(living.hook.url)
  await dashboard.getByLabel('Events').fill('task.*')
  await dashboard.getByRole('button', { name: 'Register' }).click()

  await expect(dashboard.getByText(/^whsec_[\da-f]{64}$/)).toBeVisible()
  await expect(dashboard.getByRole('article', { name: living.hook.url })).toContainText('active')
  await expectAccessible(dashboard)
  const card = dashboard.getByRole('article', { name: living.hook.url })
  await card.getByRole('button', { name: 'Delete…' }).click()
  const question = dashboard.getByRole('dialog', { name: `Delete the webhook ${living.hook.url}?` })
  await expectAccessible(dashboard)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(card).toContainText('active')
  await card.getByRole('button', { name: 'Delete…' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(dashboard.getByRole('heading', { name: 'No webhook is registered' })).toBeVisible()
})

test('shows deliveries with their attempts', async ({ living, dashboard }) => {
  const { id } = await living.manage<{ id: string }>('POST', '/simulations/tasks/webhooks', {
    url: living.hook.url,
    events: ['task.*'],
  })
  living.hook.status = 500
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/webhooks/${id}/latest`)

  await expect(dashboard.getByRole('heading', { name: /task\.created retrying/ })).toBeVisible()
  await expect(dashboard.getByRole('cell', { name: 'status 500' })).toHaveCount(1)
  living.hook.status = 204
  await dashboard.getByRole('button', { name: 'Run the next retry' }).click()

  await expect(dashboard.getByText('1 attempt was made.')).toBeVisible()
  await expect(dashboard.getByRole('heading', { name: /task\.created delivered/ })).toBeVisible()
  await expectAccessible(dashboard)
})

test('switches an endpoint on again that 50 failures have switched off', async ({ living, dashboard }) => {
  await living.manage('POST', '/simulations/tasks/webhooks', { url: living.hook.url, events: ['task.*'] })
  living.hook.status = 500
  const titles = Array.from({ length: 50 }, (_, at) => `Task ${at}`)
  for (const title of titles) await addTask(living, title)
  await living.manage('POST', '/simulations/tasks/deliveries/advance', { until: 'drained' })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/webhooks`)
  const card = dashboard.getByRole('article', { name: living.hook.url })
  await expect(card).toContainText('off, 50 failed in a row')
  await expect(dashboard.getByRole('navigation', { name: 'Pages' })).toContainText('1 off')
  await expectAccessible(dashboard)

  living.hook.status = 204
  await card.getByRole('button', { name: 'Switch on again' }).click()

  await expect(card).toContainText('active')
  const received = living.hook.received
  await addTask(living, 'Another')
  await expect.poll(() => living.hook.received).toBe(received + 1)
})

test('shows what was sent and answered, and sends it again with a bad signature', async ({ living, dashboard }) => {
  const { id } = await living.manage<{ id: string }>('POST', '/simulations/tasks/webhooks', {
    url: living.hook.url,
    events: ['task.*'],
  })
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/webhooks/${id}/latest`)
  await expect(dashboard.getByRole('region', { name: 'Request body' })).toContainText('"title": "Sweep"')
  await expect(dashboard.getByText('matches', { exact: true })).toBeVisible()
  await expectAccessible(dashboard)

  await dashboard.getByText('Replay ▾').click()
  await dashboard.getByRole('button', { name: 'With a bad signature' }).click()

  await expect(dashboard.getByText('Sent again: answered 204.')).toBeVisible()
  await expect(dashboard.getByRole('button', { name: 'Attempt 2' })).toHaveAttribute('aria-pressed', 'true')
  await expect(dashboard.getByText('does not hold')).toBeVisible()
  await expect(dashboard.getByText(/no signature in `Svc-Signature` is of these bytes/)).toBeVisible()
  expect(living.hook.received).toBe(2)
  await expectAccessible(dashboard)
  for (const width of [1_280, 900, 360]) {
    await dashboard.setViewportSize({ width, height: 740 })
    const detail = dashboard.locator('.split-detail')
    expect(await detail.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  }
})

test('lets an event happen for an endpoint', async ({ living, dashboard }) => {
  await living.manage('POST', '/simulations/tasks/webhooks', { url: living.hook.url, events: ['task.*'] })
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/webhooks`)
  const card = dashboard.getByRole('article', { name: living.hook.url })

  await card.getByText('Send an event…').click()
  await card.getByLabel('Event').selectOption('task.deleted')
  await card.getByRole('button', { name: 'Let it happen' }).click()

  await expect(dashboard.getByText(/task\.deleted happened to/)).toBeVisible()
  await expect.poll(() => living.hook.received).toBe(2)
})
