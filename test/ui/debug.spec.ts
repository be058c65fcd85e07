import { expect, expectAccessible, test } from './dashboard-test.ts'

test('lets a test go on that is held while one looks', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await living.manage('POST', '/simulations/tasks/hold', { test: 'orders › are paid' })
  await expect(dashboard.getByText('orders › are paid is held while you look.')).toBeVisible()
  await expectAccessible(dashboard)

  await dashboard.getByRole('button', { name: 'Continue the test' }).click()

  await expect(dashboard.getByRole('button', { name: 'Continue the test' })).toHaveCount(0)
  expect(await living.manage('GET', '/simulations/tasks/hold?timeoutMs=5000')).toEqual({ held: false, test: null })
})

test('signs in at the address that a held test prints, on the page of its simulation', async ({ living, page }) => {
  const { dashboard } = await living.manage<{ dashboard: string }>('POST', '/simulations/tasks/hold', { test: 'pays' })

  await page.goto(dashboard)

  await expect(page.getByRole('button', { name: 'Continue the test' })).toBeVisible()
  await expect(page).toHaveURL(`${living.service.url}/ui/s/tasks`)
})
