import { expect, simulationTest } from 'backlot/playwright'
import { type Club, openClub } from './open-club.ts'

const test = simulationTest('stripe', { as: 'api' }).extend<{ club: Club }>({
  club: async ({ api }, use) => {
    await using club = await openClub(api)
    await use(club)
  },
})

test('joins, stays for a month, and leaves', async ({ page, api, club }) => {
  await page.goto(club.url)
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByLabel('Card number').fill('4242 4242 4242 4242')
  await page.getByLabel('Expiration').fill('12 / 34')
  await page.getByLabel('CVC').fill('123')
  await page.getByLabel('Cardholder name').fill('Ada Byron')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByRole('heading', { name: 'ada@example.com' })).toBeVisible()
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
