import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

test('filters records, and changes one by its form', async ({ living, dashboard }) => {
  await living.manage('POST', '/simulations/tasks/webhooks', { url: living.hook.url, events: ['task.*'] })
  const id = await addTask(living, 'Sweep the <b>floor</b>')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks`)
  const rows = dashboard.getByRole('table', { name: 'tasks' }).getByRole('row')
  await dashboard.getByLabel('Filter').fill('"sweep the"')
  await expect(rows).toHaveCount(2)
  await expectAccessible(dashboard)

  await dashboard.getByRole('link', { name: id }).click()
  await dashboard.getByLabel('title').fill('Sweep it twice')
  await expectAccessible(dashboard)
  await dashboard.getByRole('button', { name: 'Save' }).click()

  await expect(dashboard.getByText('Saved.', { exact: true })).toBeVisible()
  expect((await living.ask('GET', `/v1/tasks/${id}`)).body.title).toBe('Sweep it twice')
  await expect.poll(() => living.hook.received).toBe(2)
  await dashboard.getByRole('button', { name: 'History' }).click()
  await expect(dashboard.getByRole('list', { name: 'History' })).toContainText('Sweep it twice')
})

test('saves JSON without webhooks, and says where it is wrong', async ({ living, dashboard }) => {
  const id = await addTask(living, 'Sweep')
  await living.manage('POST', '/simulations/tasks/webhooks', { url: living.hook.url, events: ['task.*'] })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks/${id}`)
  await dashboard.getByRole('button', { name: 'JSON', exact: true }).click()
  const text = dashboard.getByLabel('Record as JSON')
  const record = JSON.parse(await text.inputValue())

  await text.fill('{\n  "title": oops\n}')
  await expect(dashboard.getByRole('alert').filter({ hasText: /"title": oops/ })).toBeVisible()
  await expectAccessible(dashboard)
  await text.fill(JSON.stringify({ ...record, title: 'Mop' }))
  await dashboard.getByLabel('Save without webhooks').check()
  await text.press('Control+Enter')

  await expect(dashboard.getByText('Saved, without webhooks.')).toBeVisible()
  expect((await living.ask('GET', `/v1/tasks/${id}`)).body.title).toBe('Mop')
  expect(living.hook.received).toBe(0)
})

test('makes and deletes records, and leads to what they are related to', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks`)
  await dashboard.getByRole('button', { name: 'New task' }).click()
  await expectAccessible(dashboard)
  await dashboard.getByLabel('Fields as JSON').fill('{ "title": "Made by hand" }')
  await dashboard.getByRole('button', { name: 'Create' }).click()
  await expect(dashboard.getByLabel('title')).toHaveValue('Made by hand')
  const address = dashboard.url()

  await dashboard.getByRole('button', { name: 'Related' }).click()
  await expectAccessible(dashboard)
  await dashboard.getByRole('link', { name: /^projects [\da-f-]{36}$/ }).click()
  await dashboard.getByRole('button', { name: 'Related' }).click()
  await dashboard.getByRole('link', { name: /^tasks by / }).click()
  await expect(dashboard.getByLabel('Filter')).toHaveValue(/:/)
  await expect(dashboard.getByRole('row', { name: /Made by hand/ })).toHaveCount(1)

  await dashboard.goto(address)
  await dashboard.getByRole('button', { name: 'Delete…' }).click()
  await dashboard.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(dashboard.getByText('is deleted.')).toBeVisible()
  await expect(dashboard.getByRole('row', { name: /Made by hand/ })).toHaveCount(0)
})

test('sets a field of several records, and deletes them', async ({ living, dashboard }) => {
  for (const title of ['Sweep', 'Sweep twice', 'Sweep again']) await addTask(living, title)
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks?f="sweep"`)
  const rows = dashboard.getByRole('table', { name: 'tasks' }).getByRole('row')
  await expect(rows).toHaveCount(4)

  await dashboard.getByRole('table', { name: 'tasks' }).getByRole('link').first().focus()
  await dashboard.keyboard.press('Space')
  await dashboard.keyboard.press('ArrowDown')
  await dashboard.keyboard.press('Space')
  const selected = dashboard.getByRole('group', { name: 'Selected records' })
  await expect(selected).toContainText('2 selected')
  await rows.nth(1).getByRole('checkbox').uncheck()
  await expect(selected).toContainText('1 selected')
  await selected.getByRole('button', { name: 'Select all 3' }).click()
  await expectAccessible(dashboard)
  await selected.getByRole('button', { name: 'Set a field…' }).click()
  const dialog = dashboard.getByRole('dialog', { name: 'Set a field of 3 records' })
  await dialog.getByRole('combobox', { name: /^Field/ }).selectOption('status')
  await dialog.getByLabel('status', { exact: true }).selectOption('done')
  await expectAccessible(dashboard)
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()

  await expect(dashboard.getByText('3 records are changed.')).toBeVisible()
  const records = async () =>
    (
      await living.manage<{ data: { title: string; status: string }[] }>(
        'GET',
        '/simulations/tasks/records/tasks?limit=500',
      )
    ).data.filter(({ title }) => title.startsWith('Sweep'))
  expect((await records()).map(({ status }) => status)).toEqual(['done', 'done', 'done'])
  await selected.getByRole('button', { name: 'Delete…' }).click()
  await dashboard.getByRole('dialog', { name: 'Delete 3 records?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(dashboard.getByText('3 records are deleted.')).toBeVisible()
  await expect(dashboard.getByText(/^Nothing matches/)).toBeVisible()
  expect(await records()).toEqual([])
})

test('shows the columns that are chosen, and keeps the choice', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks`)
  const names = dashboard.getByRole('table', { name: 'tasks' }).getByRole('columnheader')
  await expect(names).toHaveCount(4)
  await dashboard.locator('summary', { hasText: 'Columns' }).click()
  await expectAccessible(dashboard)

  await dashboard.getByRole('checkbox', { name: 'priority' }).check()
  await dashboard.getByRole('checkbox', { name: 'updatedAt' }).check()

  await expect(names).toHaveCount(6)
  await dashboard.reload()
  await expect(names).toHaveCount(6)
  await expect(names.filter({ hasText: 'updatedAt' })).toBeVisible()
})

test('makes another record of the same fields', async ({ living, dashboard }) => {
  const id = await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks/${id}`)

  await dashboard.getByRole('button', { name: 'Duplicate' }).click()

  await expect(dashboard.getByText(/ is made\.$/)).toBeVisible()
  await expect(dashboard).not.toHaveURL(new RegExp(id))
  const { data } = await living.manage<{ data: { title: string }[] }>(
    'GET',
    '/simulations/tasks/records/tasks?limit=500',
  )
  expect(data.filter(({ title }) => title === 'Sweep')).toHaveLength(2)
})

test('puts a changed record back to how it was generated', async ({ living, dashboard }) => {
  const path = '/simulations/tasks/records/tasks'
  const { data } = await living.manage<{ data: { id: string; title: string }[] }>('GET', `${path}?limit=1`)
  const [first] = data as [{ id: string; title: string }]
  await living.manage('PATCH', `${path}/${first.id}`, { title: 'Changed by hand' })
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks/${first.id}`)
  await expect(dashboard.getByRole('heading', { name: `${first.id} changed` })).toBeVisible()

  await dashboard.getByRole('button', { name: 'Back to generated…' }).focus()
  await dashboard.keyboard.press('Enter')
  const dialog = dashboard.getByRole('dialog', { name: `Put ${first.id} back to how it was generated?` })
  await expectAccessible(dashboard)
  await dialog.getByRole('button', { name: 'Back to generated' }).click()

  await expect(dashboard.getByRole('heading', { name: `${first.id} generated` })).toBeVisible()
  await expect(dashboard.getByLabel('title')).toHaveValue(first.title)
  await expect(dashboard.getByRole('button', { name: 'Back to generated…' })).toHaveCount(0)
  expect((await living.ask('GET', `/v1/tasks/${first.id}`)).body).toEqual(first)
})
