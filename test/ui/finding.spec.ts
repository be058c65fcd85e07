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
