import { expect, expectAccessible, test } from './dashboard-test.ts'

const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Boats', version: '1' },
  paths: {
    '/boats': {
      get: {
        operationId: 'listBoats',
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
    },
  },
})

test('makes a simulation from an entry of the library, and shows its key once', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/`)
  await dashboard.getByRole('link', { name: 'New simulation' }).first().click()
  await expectAccessible(dashboard)
  await dashboard.getByRole('searchbox', { name: 'Filter' }).fill('payments')
  await dashboard
    .getByRole('radio', { name: /payments/i })
    .first()
    .check()
  await dashboard.getByText('Options').click()
  await dashboard.getByLabel('Slug').fill('shop')
  await dashboard.getByLabel('Volume').fill('{ "payments": ')
  await dashboard.getByRole('button', { name: 'Make the simulation' }).click()
  await expect(dashboard.getByRole('alert').filter({ hasText: 'Volume: Unexpected end' })).toBeVisible()
  await dashboard.getByLabel('Volume').fill('{ "payments": 7 }')
  await dashboard.getByRole('button', { name: 'Make the simulation' }).click()

  await expect(dashboard.getByRole('heading', { name: 'shop is made' })).toBeVisible()
  await expect(dashboard.getByText(/^svc_sim_[\w-]{20,}$/)).toBeVisible()
  await expect(dashboard.getByRole('region', { name: 'Vitest' })).toContainText("useSimulation('shop')")
  await expectAccessible(dashboard)
  await dashboard.getByRole('link', { name: 'Open shop' }).click()
  await dashboard.getByRole('link', { name: 'Data' }).click()
  await expect(dashboard.getByRole('navigation', { name: 'Collections' })).toContainText('payments7')
  expect((await living.manage<{ data: unknown[] }>('GET', '/simulations')).data).toHaveLength(2)
})

test('makes a simulation from a description, and says what is wrong with one', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/new`)
  await dashboard.getByRole('button', { name: 'Description' }).click()
  await dashboard.getByLabel('Description as OpenAPI').fill('no description')
  await dashboard.getByRole('button', { name: 'Make the simulation' }).click()
  await expect(dashboard.getByRole('alert').filter({ hasText: /\w/ })).toContainText('description')
  await expectAccessible(dashboard)

  await dashboard
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'boats.json', mimeType: 'application/json', buffer: Buffer.from(DESCRIPTION) })
  await expect(dashboard.getByLabel('Description as OpenAPI')).toHaveValue(/listBoats/)
  await dashboard.getByRole('button', { name: 'Make the simulation' }).click()

  await expect(dashboard.getByRole('heading', { name: 'boats is made' })).toBeVisible()
})

test('lists what simulations hold, and those of a run of tests together', async ({ living, dashboard }) => {
  const tag = '[backlot run=ci-7 w=1 exp=1795400000]'
  for (const name of ['orders.test.ts', 'refunds.test.ts'])
    await living.manage('POST', '/simulations', { library: 'task-tracker', name: `${name} ${tag}` })
  await living.ask('GET', '/v1/tasks')
  await living.manage('POST', '/simulations/tasks/fast-forward', { hours: 24 })

  await dashboard.goto(`${living.service.url}/ui/`)

  const own = dashboard.getByRole('region', { name: 'Simulations' })
  await expect(own.getByRole('row', { name: /tasks/ })).toContainText('+1 d')
  await expect(dashboard.getByText('Run ci-7, 2 simulations')).toBeVisible()
  await expectAccessible(dashboard)
  await dashboard.setViewportSize({ width: 360, height: 740 })
  await expect(own.getByText('Kanbird API')).toHaveAttribute('data-name', 'API')
  await expect(own.getByText('+1 d')).toHaveAttribute('data-name', 'World time')
  await dashboard.setViewportSize({ width: 1280, height: 720 })
  await dashboard.getByRole('button', { name: 'Delete 2 of the run ci-7…' }).click()
  await dashboard.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(dashboard.getByText('2 deleted.')).toBeVisible()
  await expect(dashboard.getByText('Run ci-7')).toHaveCount(0)
  expect((await living.manage<{ data: unknown[] }>('GET', '/simulations')).data).toHaveLength(1)
})

test('goes anywhere by its name, without a mouse', async ({ living, dashboard }) => {
  await living.ask('GET', '/v1/projects?limit=3')
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await expect(dashboard.getByRole('row', { name: /projects/ })).toBeVisible()

  await dashboard.keyboard.press('Control+k')
  await dashboard.getByRole('combobox', { name: 'Go to' }).fill('plan')
  await expect(dashboard.getByRole('option').first()).toContainText('Plan')
  await expectAccessible(dashboard)
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByRole('heading', { name: 'Behaviour plan' })).toBeVisible()
  await dashboard.keyboard.press('Control+k')
  await dashboard.getByRole('combobox', { name: 'Go to' }).fill('get projects limit')
  await dashboard.keyboard.press('Enter')

  await expect(dashboard).toHaveURL(/\/requests\/req_\d+$/)
  await expect(dashboard.getByRole('heading', { name: 'GET /v1/projects' })).toBeVisible()
  await dashboard.keyboard.press('g')
  await dashboard.keyboard.press('u')
  await expect(dashboard.getByRole('heading', { name: 'Response rules' })).toBeVisible()
  await dashboard.keyboard.press('Control+k')
  await dashboard.getByRole('combobox', { name: 'Go to' }).fill('operation completetask')
  const places = dashboard.getByRole('listbox', { name: 'Places' }).getByRole('option')
  await expect(places).toHaveText(['POST /tasks/{taskId}/complete completeTask operation'])
  await expectAccessible(dashboard)
  await dashboard.keyboard.press('Enter')
  await expect(dashboard).toHaveURL(/\/operations\/completeTask$/)
})

test('shows what a description amounts to before anything is made of it', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/new`)
  await dashboard.getByRole('button', { name: 'Description' }).click()
  const amount = dashboard.getByRole('region', { name: 'What the description amounts to' })
  await dashboard.getByLabel('Description as OpenAPI').fill('{ "openapi": ')
  await expect(amount).toContainText(/JSON|YAML/)
  await expectAccessible(dashboard)

  const description = JSON.parse(DESCRIPTION)
  description.paths['/boats'].get.parameters = [{ name: 'mood', in: 'query', schema: { type: 'string' } }]
  await dashboard.getByLabel('Description as OpenAPI').fill(JSON.stringify(description))

  await expect(amount).toContainText('1 operation: 1 certain; 1 collection.')
  await expect(amount.getByRole('row', { name: /^boats/ })).toContainText('boat.created, boat.updated, boat.deleted')
  await expect(amount.getByText('GET /boats does not filter by mood')).toBeVisible()
  await expectAccessible(dashboard)
  expect((await living.manage<{ data: unknown[] }>('GET', '/simulations')).data).toHaveLength(1)
})

test('orders simulations by each column, and keeps the order in the address', async ({ living, dashboard }) => {
  await living.manage('POST', '/simulations', { library: 'crm', slug: 'crm', name: 'A crm', volume: { contacts: 900 } })
  await living.manage('POST', '/simulations', { library: 'payments', slug: 'pay', name: 'Pay 10' })
  await living.manage('POST', '/simulations', { library: 'payments', slug: 'pay2', name: 'Pay 9' })
  await dashboard.goto(`${living.service.url}/ui/`)
  const names = dashboard.getByRole('region', { name: 'Simulations' }).getByRole('rowheader').getByRole('link')
  const orderBy = async (name: string) => {
    await dashboard.getByRole('columnheader', { name }).getByRole('button').focus()
    await dashboard.keyboard.press('Enter')
  }
  await expect(names).toHaveText(['Pay 9', 'Pay 10', 'A crm', 'task-tracker'])

  await orderBy('Name')
  await expect(names).toHaveText(['A crm', 'Pay 9', 'Pay 10', 'task-tracker'])
  await expect(dashboard.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await orderBy('Records')
  await orderBy('Records')
  await expect(names.first()).toHaveText('A crm')
  await expect(dashboard.getByRole('columnheader', { name: 'Records' })).toHaveAttribute('aria-sort', 'descending')
  await expectAccessible(dashboard)

  await expect(dashboard).toHaveURL(/sort=-Records/)
  await dashboard.reload()
  await expect(names.first()).toHaveText('A crm')
  await dashboard.setViewportSize({ width: 360, height: 740 })
  await dashboard.getByLabel('Order by').selectOption('Name')
  await dashboard.getByRole('button', { name: 'Descending' }).click()
  await expect(names.first()).toHaveText('task-tracker')
  await expectAccessible(dashboard)
})

test('shows every five seconds what has changed', async ({ living, dashboard }) => {
  await living.manage('POST', '/simulations', { library: 'crm', slug: 'crm' })
  await dashboard.clock.install()
  await dashboard.goto(`${living.service.url}/ui/`)
  const requests = dashboard.getByRole('row', { name: /task-tracker/ }).locator('[data-name="Requests"]')
  await expect(requests).toHaveText('0')

  await living.ask('GET', '/v1/tasks?limit=1')
  await living.manage('DELETE', '/simulations/crm')
  await dashboard.clock.runFor(5_000)

  await expect(requests).toHaveText('1')
  await expect(dashboard.getByRole('row')).toHaveCount(2)
})

test('shows the simulations of a service that takes longer than five seconds', async ({ living, dashboard }) => {
  const late = Promise.withResolvers<void>()
  let asked = 0
  await dashboard.route('**/simulations?detail=true', async (route) => {
    if (++asked > 1) return
    await late.promise
    await route.continue()
  })
  await dashboard.clock.install()
  await dashboard.goto(`${living.service.url}/ui/`)
  await expect(dashboard.getByRole('heading', { name: 'Simulations' })).toBeVisible()
  await dashboard.clock.runFor(5_000)
  await expect.poll(() => asked).toBe(2)

  late.resolve()

  await expect(dashboard.getByRole('row', { name: /task-tracker/ })).toBeVisible()
})

test('shows the account and its usage in the frame', async ({ living, dashboard }) => {
  await living.ask('GET', '/v1/tasks')
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await expect(dashboard.getByRole('link', { name: 'default 1 request', exact: true })).toBeVisible()
  await living.ask('GET', '/v1/tasks')
  await dashboard.reload()
  const account = dashboard.getByRole('link', { name: 'default 2 requests' })
  await expect(account).toBeVisible()
  await expect(dashboard.getByRole('navigation', { name: 'Pages' })).toContainText('live')
  await expectAccessible(dashboard)
  await dashboard.setViewportSize({ width: 360, height: 740 })
  await expect(account).toBeInViewport({ ratio: 1 })
  await expect(dashboard.getByRole('img', { name: /^Last hour: 2 in all/ })).toBeInViewport({ ratio: 1 })

  await account.click()

  await expect(dashboard.getByRole('heading', { name: 'Account default' })).toBeVisible()
  await expect(dashboard.getByRole('banner').getByRole('link', { name: 'default 2 requests' })).toBeInViewport({
    ratio: 1,
  })
})
