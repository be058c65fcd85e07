import { expect, simulationTest } from 'backlot/playwright'
import { openShop } from './open-shop.ts'

const test = simulationTest('openai', { as: 'ai', isolation: 'test', replies: 'strict' }).extend<{ shop: string }>({
  shop: async ({ ai }, use) => {
    await using shop = await openShop(ai)
    await use(shop.url)
  },
})

test.beforeEach(async ({ page, shop }) => {
  await page.goto(shop)
  await page.getByLabel('Question').fill('How do I return a parcel?')
})

test('shows an answer as it comes, and stops the model when the page is left', async ({ page, ai }) => {
  await ai.reply({ text: 'It is free within 30 days.', stream: { stallAfter: 3 } })

  await page.getByRole('button', { name: 'Ask' }).click()
  await expect(page.getByRole('log')).toHaveText('It is free')
  await page.goto('about:blank')

  await ai.expectRequest({ path: '/v1/responses', stream: { ended: 'stalled' } })
})

test('says that an answer broke off, and asks again', async ({ page, ai }) => {
  const text = 'It is free.'
  await ai.reply([{ text, stream: { cutAfter: 2 } }, { text }])

  await page.getByRole('button', { name: 'Ask' }).click()
  await expect(page.getByRole('log')).toContainText('… The answer broke off. Please ask again.')
  await page.getByRole('button', { name: 'Ask' }).click()

  await expect(page.getByText('[returns.txt]')).toHaveText('It is free. [returns.txt]')
})
