import type { Page } from '@playwright/test'
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

test('completes fields and their values in a filter', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks`)
  await expect(dashboard.getByRole('table', { name: 'tasks' })).toBeVisible()
  await dashboard.keyboard.press('/')
  await dashboard.keyboard.type('stat')

  expect(await offeredIn(dashboard)).toEqual(['status:'])
  await expectAccessible(dashboard)
  await dashboard.keyboard.type('us:')
  expect(await offeredIn(dashboard)).toEqual([
    'status:todo ',
    'status:in_progress ',
    'status:in_review ',
    'status:done ',
    'status:cancelled ',
  ])
  await dashboard.keyboard.type('done -isOv')
  expect(await offeredIn(dashboard)).toEqual(['status:done -isOverdue:'])
  await dashboard.keyboard.type('erdue:t')
  expect(await offeredIn(dashboard)).toEqual(['status:done -isOverdue:true '])
})

test('completes words of the timeline, with blanks in quotes', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await living.manage('POST', '/simulations', { library: 'crm', slug: 'crm', name: 'The other one' })
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await expect(dashboard.getByRole('row', { name: /task.created/ })).toBeVisible()
  await dashboard.getByLabel('Filter').pressSequentially('type:ta')
  expect(await offeredIn(dashboard)).toEqual(['type:task.created '])
  await dashboard.goto(`${living.service.url}/ui/`)
  await expect(dashboard.getByRole('link', { name: 'The other one' })).toBeVisible()
  await dashboard.getByLabel('Filter').pressSequentially('name:the')

  const [completed = ''] = await offeredIn(dashboard)
  await dashboard.getByLabel('Filter').fill(completed)

  expect(completed).toBe('name:"The other one" ')
  await expect(dashboard.getByRole('row')).toHaveCount(2)
})

/** The lines that the browser offers. */
const offeredIn = (page: Page): Promise<string[]> =>
  page.locator('datalist option').evaluateAll((options) => options.map((one) => (one as HTMLOptionElement).value))
