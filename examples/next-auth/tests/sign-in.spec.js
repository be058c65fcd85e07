import { expect, test } from './app-test.js'

test('signs in, sees a page for members, and signs out', async ({ page, provider }) => {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign in with the company account' }).click()
  await provider.auth.signIn(page, 'ada@example.com')
  await expect(page.getByRole('heading', { name: 'Books of Ada Lovelace' })).toBeVisible()

  await page.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto('/account')
  await expect(page.getByRole('button', { name: 'Sign in with the company account' })).toBeVisible()
})

test('shows each account its own page', async ({ browser, provider, baseURL }) => {
  for (const user of [{ email: 'grace@example.com', name: 'Grace Hopper' }, { email: 'alan@example.com' }]) {
    if (user.name) await provider.create('users', user)
    const context = await browser.newContext({ baseURL })
    const page = await context.newPage()
    await page.goto('/account')
    await page.getByRole('button', { name: 'Sign in with the company account' }).click()
    await provider.auth.signIn(page, user.email)
    await expect(page.getByText(user.email)).toBeVisible()
    await context.close()
  }
})

test('goes back to its sign-in page when the user refuses', async ({ page, provider }) => {
  await provider.create('users', { email: 'edsger@example.com', name: 'Edsger Dijkstra' })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign in with the company account' }).click()
  await provider.auth.signIn(page, 'edsger@example.com', { consent: 'cancel' })
  await expect(page).toHaveURL(/\/auth\/(signin|error)\?/)
})
