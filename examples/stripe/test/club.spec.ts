import { expect, simulationTest } from 'backlot/playwright'
import { type Club, openClub } from './open-club.ts'

const test = simulationTest('stripe', { as: 'api' }).extend<{ club: Club }>({
  club: async ({ api }, use) => {
    await using club = await openClub(api)
    await use(club)
  },
})

test.beforeEach(async ({ page, club }) => {
  // Stripe's page is Stripe's: the test pays in its place, and comes back. Routes do not see where a redirect leads, so this one is for the request
  // that is redirected.
  await page.route('**/join', async (route) => {
    const { location = '' } = (await route.fetch({ maxRedirects: 0 })).headers()
    const session = String(location.split('/').at(-1))
    await club.pay(session)
    const { success_url } = await club.stripe.checkout.sessions.retrieve(session)
    await route.fulfill({ contentType: 'text/html', body: `<a href="${success_url}">Back to the club</a>` })
  })
})

test('joins, stays for a month, and leaves', async ({ page, api, club }) => {
  await page.goto(club.url)
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('link', { name: 'Back to the club' }).click()
  await api.webhooks.settled()
  await page.reload()
  await expect(page.getByText('Membership: active')).toBeVisible()

  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByText('Membership: active')).toBeVisible()

  await api.fastForward({ days: 32 })
  await api.webhooks.settled()
  await page.reload()
  await expect(page.getByText('Membership: canceled')).toBeVisible()
})
