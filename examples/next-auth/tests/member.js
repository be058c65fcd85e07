/** What a browser keeps of a member: each worker signs in once. */
export const member = [
  async ({ browser, provider, app }, use) => {
    const page = await browser.newPage()
    await page.goto(`${app}/account`)
    await page.getByRole('button', { name: 'Sign in with the company account' }).click()
    await provider.auth.signIn(page, 'ada@example.com')
    await page.getByRole('heading', { name: 'Books of Ada Lovelace' }).waitFor()
    await use(await page.context().storageState())
    await page.close()
  },
  { scope: 'worker', timeout: 120_000 },
]
