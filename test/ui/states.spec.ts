import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceOptions, startService } from 'backlot/service'
import { addTask, expect, expectAccessible, expectOtherColours, test } from './dashboard-test.ts'

test('reports that the service is unreachable, keeps the page, and continues when it is back', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-states-'))
  const options: ServiceOptions = {
    addresses: 'path',
    accounts: [{ keys: [{ key: 'svc_acc_0123456789abcdef' }] }],
    simulations: [{ library: 'task-tracker', slug: 'tasks', key: 'svc_sim_0123456789abcdef' }],
    store: join(folder, 'kept.db'),
  }
  const first = await startService(options)
  const port = Number(new URL(first.url).port)
  const ask = () =>
    fetch(`${first.url}/s/tasks/v1/tasks?limit=1`, { headers: { authorization: 'Bearer svc_sim_0123456789abcdef' } })
  await page.goto(first.dashboardUrl())
  await page.getByRole('link', { name: 'task-tracker' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing has happened yet' })).toBeVisible()
  await ask()
  const rows = page.getByRole('table', { name: 'Timeline' }).getByRole('row', { name: /GET/ })
  await expect(rows).toHaveCount(1)

  await first.close()

  await expect(page.getByText(/^Lost 127\.0\.0\.1:\d+, trying again/)).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expectAccessible(page)
  const second = await startService({ ...options, port })
  await expect(page.getByText(/^Lost /)).toHaveCount(0)
  await ask()
  await expect(rows).toHaveCount(2)
  await second.close()
  await rm(folder, { recursive: true })
})

test('says that a simulation was deleted meanwhile', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/plan`)
  await expect(dashboard.getByRole('heading', { name: 'Behaviour plan' })).toBeVisible()

  await living.manage('DELETE', '/simulations/tasks')

  await expect(dashboard.getByRole('heading', { name: 'No such simulation' })).toBeVisible()
  await expect(dashboard.getByRole('alert')).toContainText('It was deleted meanwhile.')
  await expectAccessible(dashboard)
  await dashboard.getByRole('link', { name: 'See all simulations' }).click()
  await expect(dashboard.getByRole('heading', { name: 'No simulation runs here yet' })).toBeVisible()
})

test('asks to sign in again on the same page after a sign-out in another tab', async ({
  living,
  dashboard,
  context,
}) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/rules`)
  await expect(dashboard.getByRole('button', { name: 'Add the rule' })).toBeVisible()
  const other = await context.newPage()
  await other.goto(`${living.service.url}/ui/account`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(other.getByLabel('Account key')).toBeVisible()

  // Whatever asks first meets the end of the session: this button, or the page, which reads what it shows from time to time.
  const add = dashboard.getByRole('button', { name: 'Add the rule' })
  const meetsTheEnd = async () => {
    if (await add.isVisible()) await add.click({ timeout: 10_000 })
    await expect(dashboard.getByRole('alert')).toContainText('The session has ended.')
  }
  await expect(meetsTheEnd).toPass()
  await expectAccessible(dashboard)
  await dashboard.getByLabel('Account key').fill(living.service.accountKey)
  await dashboard.getByRole('button', { name: 'Sign in' }).click()
  await expect(dashboard.getByRole('button', { name: 'Add the rule' })).toBeVisible()
})

test('shows hostile, very long and right-to-left texts as they are, on each page', async ({ living, dashboard }) => {
  test.slow()
  const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
  const long = `${'لا'.repeat(10)}${'Supercalifragilistic'.repeat(5)}`
  const path = '/simulations/tasks'
  const { id: webhook } = await living.manage<{ id: string }>('POST', `${path}/webhooks`, {
    url: `${living.hook.url}?${new URLSearchParams({ to: evil + long })}`,
    events: ['*'],
  })
  const task = await addTask(living, evil + long)
  await living.ask('PATCH', `/v1/tasks/${task}`, { description: `javascript:alert(3) ${evil}` })
  await living.ask('GET', `/v1/${encodeURIComponent(evil)}/${long}?q=${encodeURIComponent(evil)}`)
  const rule = await living.manage('POST', `${path}/rules`, {
    name: (evil + long).slice(0, 100),
    kind: 'error',
    method: 'GET',
    pathPattern: '/v1/labels*',
    config: { status: 503, message: evil },
  })
  expect(rule).toMatchObject({ kind: 'error' })
  await living.manage('POST', `${path}/keys`, { name: evil + long })
  await living.manage('POST', `${path}/snapshots`, { name: evil + long })
  await living.manage('PUT', `${path}/behaviour`, {
    rules: [
      { id: 'evil', name: evil + long, everySeconds: 60, steps: [{ kind: 'touch', collection: 'tasks', count: 1 }] },
    ],
  })
  await living.manage('POST', '/simulations', { library: 'crm', slug: 'evil', name: (evil + long).slice(0, 200) })
  const logs = await living.manage<{ data: { id: string }[] }>('GET', `${path}/logs`)
  const base = '/ui/s/tasks'
  const showing = [
    '/ui/',
    '/ui/s/evil',
    `${base}/plan`,
    `${base}/rules`,
    `${base}/access`,
    `${base}/operations/${encodeURIComponent(evil)}`,
    `${base}/data/${encodeURIComponent(evil)}`,
  ]
  const others = [
    base,
    `${base}?at=${logs.data[0]?.id}`,
    `${base}/data/tasks/${task}`,
    `${base}/requests/${logs.data[0]?.id}`,
    `${base}/webhooks`,
    `${base}/webhooks/${webhook}/latest`,
    `${base}?f=${encodeURIComponent(evil)}`,
  ]
  for (const address of [...showing, ...others]) {
    await dashboard.goto(living.service.url + address)
    await expect(dashboard.getByRole('main')).toBeVisible()
    await expect(dashboard.locator('[aria-busy=true]')).toHaveCount(0)
    if (showing.includes(address)) await expect(dashboard.getByRole('main')).toContainText('onerror=alert(1)')

    expect(await dashboard.locator('img, iframe, object, a[href^="javascript"]').count(), address).toBe(0)
    expect(await dashboard.locator('body script:not([src])').count(), address).toBe(0)
    await expectAccessible(dashboard)
  }
})

test('shows times and lengths past the year 9999', async ({ living, dashboard }) => {
  const far = { library: 'task-tracker', slug: 'far', epoch: '9999-12-30T00:00:00Z' }
  await living.manage('POST', '/simulations', far)
  for (const hours of [24, 60]) await living.manage('POST', '/simulations/far/fast-forward', { hours })

  await dashboard.goto(`${living.service.url}/ui/s/far`)

  const rows = dashboard.getByRole('table', { name: 'Timeline' }).getByRole('row')
  await expect(rows.nth(1)).toContainText(/2 Jan\s*12:00:00/)
  await expect(dashboard.getByRole('group', { name: 'Clock' })).toContainText(/Sun 2 Jan 10000.*\+7\d{3} y/)
  await expect(dashboard.getByRole('img', { name: /^Last hour: [1-9]/ })).toBeVisible()
  await expectAccessible(dashboard)
  await dashboard.goto(`${living.service.url}/ui/s/far/plan`)
  await expect(dashboard.getByRole('list', { name: 'Next runs' }).getByRole('listitem').first()).toContainText('10000')
  await expect(dashboard.getByRole('alert').filter({ hasText: /\w/ })).toHaveCount(0)
})

test('shows a simulation that holds nothing', async ({ living, dashboard }) => {
  const names = ['projects', 'milestones', 'tasks', 'comments', 'attachments', 'labels', 'users']
  const volume = Object.fromEntries(names.map((name) => [name, 0]))
  const empty = { library: 'task-tracker', slug: 'empty', name: '\u202eName \u{1f573}\ufe0f', volume, behaviour: [] }
  await living.manage('POST', '/simulations', empty)
  const pages = {
    '': 'Nothing has happened yet',
    '/data': /^No record in \w+ yet$/,
    '/requests': 'No requests yet',
    '/webhooks': 'No webhook is registered',
    '/plan': 'The plan is empty',
    '/rules': 'Every request is answered as the data says',
  }
  await dashboard.goto(`${living.service.url}/ui/s/empty`)
  for (const [path, heading] of Object.entries(pages)) {
    await dashboard.locator(`nav a[href="/ui/s/empty${path}"]`).click()
    await expect(dashboard.getByRole('heading', { name: heading })).toBeVisible()
    await expectAccessible(dashboard)
  }
})

test('has readable colours in what only a wide page or only a phone shows', async ({ living, dashboard }) => {
  const hook = { url: living.hook.url, events: ['task.*'] }
  const { id } = await living.manage<{ id: string }>('POST', '/simulations/tasks/webhooks', hook)
  await addTask(living, 'Sweep')
  await living.manage('GET', '/simulations/tasks/deliveries/settled?timeoutMs=3000')

  for (const path of [
    '',
    's/tasks',
    's/tasks/requests/latest',
    's/tasks/data/tasks',
    `s/tasks/webhooks/${id}/latest`,
  ]) {
    await dashboard.goto(`${living.service.url}/ui/${path}`)
    await expect(dashboard.getByRole('row').nth(1)).toBeVisible()
    await expectOtherColours(dashboard)
  }
})
