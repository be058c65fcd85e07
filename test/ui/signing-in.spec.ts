import { expect, expectAccessible, test } from './dashboard-test.ts'

test('signs in with the account key, lists simulations, and signs out', async ({ living, page }) => {
  await page.goto(`${living.service.url}/ui/s/tasks`)
  const key = page.getByLabel('Account key')
  await expect(key).toBeVisible()
  await expectAccessible(page)

  await key.fill('svc_acc_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('The account key is not valid.')
  await key.fill(living.service.accountKey)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await expect(page).toHaveTitle('task-tracker · Timeline · backlot')
  await page.getByRole('link', { name: 'backlot' }).click()
  await expect(page.getByRole('row', { name: /task-tracker/ })).toContainText('running')
  await expectAccessible(page)
  await page.getByLabel('Account', { exact: true }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(key).toBeVisible()
})

test('takes the code out of the address', async ({ living, page }) => {
  await page.goto(living.service.dashboardUrl())

  await expect(page.getByRole('heading', { name: 'Simulations' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})

test('filters the list by one line of text', async ({ living, dashboard }) => {
  await living.manage('POST', '/simulations', { library: 'task-tracker', slug: 'other', name: 'Another one' })
  await dashboard.goto(`${living.service.url}/ui/`)
  await expect(dashboard.getByRole('row')).toHaveCount(3)

  await dashboard.getByLabel('Filter').fill('slug:oth*')

  await expect(dashboard.getByRole('row')).toHaveCount(2)
  await dashboard.getByRole('link', { name: 'Another one' }).click()
  await expect(dashboard).toHaveURL(/\/ui\/s\/other$/)
})

test('says how to begin where there is no simulation', async ({ living, dashboard }) => {
  await dashboard.clock.install()
  await dashboard.goto(`${living.service.url}/ui/`)
  await expect(dashboard.getByRole('row', { name: /task-tracker/ })).toBeVisible()

  await living.manage('DELETE', '/simulations/tasks')
  await dashboard.clock.runFor(5_000)

  await expect(dashboard.getByRole('heading', { name: 'No simulation runs here yet' })).toBeVisible()
  await expectAccessible(dashboard)
})

test('says so where a simulation is not there', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/nothing`)

  await expect(dashboard.getByRole('alert')).toHaveText('No simulation "nothing" in this account.')
  await expectAccessible(dashboard)
})
