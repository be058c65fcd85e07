import { expect, test } from './app-test.js'

test.use({ storageState: ({ member }, use) => use(member) })

test('shows the page for members at once', async ({ page }) => {
  await page.goto('/account')

  await expect(page.getByText('ada@example.com')).toBeVisible()
})
