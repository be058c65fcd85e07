import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

test('loads what happened before the latest rows', async ({ living, dashboard }) => {
  await addTask(living, 'The very first')
  for (let asked = 0; asked < 130; asked++) await living.ask('GET', `/v1/tasks?limit=1&page=${asked}`)
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests?f=method:POST`)
  await expect(dashboard.getByText('Nothing matches')).toBeVisible()

  await dashboard.getByRole('button', { name: 'Load older' }).click()

  await expect(dashboard.getByRole('table', { name: 'Requests' }).getByRole('link', { name: /POST/ })).toHaveCount(1)
  await dashboard.getByRole('button', { name: 'Load older' }).click()
  await expect(dashboard.getByText('This is all that the service keeps.')).toBeVisible()
  await expectAccessible(dashboard)
})

test('says what a filter that matches nothing may have meant', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks?f=knid:requets`)
  await expect(dashboard.getByText(/Nothing matches knid:requets: did you mean/)).toBeVisible()
  await expectAccessible(dashboard)

  await dashboard.getByRole('button', { name: 'kind:request' }).click()

  const timeline = dashboard.getByRole('table', { name: 'Timeline' })
  await expect(timeline.getByRole('row')).toHaveCount(3)
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks?f=status:dnoe`)
  await dashboard.getByRole('button', { name: 'status:done' }).click()
  await expect(dashboard.getByRole('table', { name: 'tasks' }).getByRole('row').nth(1)).toContainText('done')
})

test('completes fields and their values in a filter, by keys alone', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks`)
  const table = dashboard.getByRole('table', { name: 'tasks' })
  await expect(table).toBeVisible()
  const filter = dashboard.getByRole('searchbox', { name: 'Filter' })
  const offered = dashboard.getByRole('listbox', { name: 'Completions' })
  await dashboard.keyboard.press('/')
  await dashboard.keyboard.type('stat')

  await expect(offered.getByRole('option')).toHaveText(['status:'])
  await expectAccessible(dashboard)
  await dashboard.keyboard.press('ArrowDown')
  await expect(offered.getByRole('option', { selected: true })).toHaveText('status:')
  await dashboard.keyboard.press('Enter')
  await expect(filter).toHaveValue('status:')
  await expect(offered.getByRole('option')).toHaveText([
    'status:todo',
    'status:in_progress',
    'status:in_review',
    'status:done',
    'status:cancelled',
  ])
  await dashboard.keyboard.press('ArrowUp')
  await dashboard.keyboard.press('ArrowUp')
  await expectAccessible(dashboard)
  await dashboard.keyboard.press('Enter')
  await expect(filter).toHaveValue('status:done ')
  await expect(offered).toHaveCount(0)
  await expect(filter).toBeFocused()
  await expect(table.getByRole('row').nth(1)).toContainText('done')
  await dashboard.keyboard.type('-isOv')
  await dashboard.keyboard.press('Escape')
  await expect(offered).toHaveCount(0)
  await expect(filter).toHaveValue('status:done -isOv')
  await dashboard.keyboard.press('ArrowDown')
  await offered.getByRole('option', { name: '-isOverdue:' }).click()
  await offered.getByRole('option', { name: '-isOverdue:true' }).click()
  await expect(filter).toHaveValue('status:done -isOverdue:true ')
  await expect(filter).toBeFocused()
})

test('completes words of the timeline, with blanks in quotes', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await living.manage('POST', '/simulations', { library: 'crm', slug: 'crm', name: 'The other one' })
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await expect(dashboard.getByRole('row', { name: /task.created/ })).toBeVisible()
  const offered = dashboard.getByRole('listbox', { name: 'Completions' })
  await dashboard.getByLabel('Filter').pressSequentially('type:ta')
  await expect(offered.getByRole('option')).toHaveText(['type:task.created'])
  await dashboard.goto(`${living.service.url}/ui/`)
  await expect(dashboard.getByRole('link', { name: 'The other one' })).toBeVisible()
  await dashboard.getByLabel('Filter').pressSequentially('name:oth')

  await dashboard.keyboard.press('ArrowDown')
  await dashboard.keyboard.press('Enter')

  await expect(dashboard.getByLabel('Filter')).toHaveValue('name:"The other one" ')
  await expect(dashboard.getByRole('row')).toHaveCount(2)
})
