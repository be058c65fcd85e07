import type { Locator, Page } from '@playwright/test'
import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

/** Opens one thing that stands over a page. */
type Open = (page: Page) => Promise<unknown>

const button =
  (name: string | RegExp): Open =>
  (page) =>
    page.getByRole('button', { name }).first().click()
const menu =
  (text: string): Open =>
  (page) =>
    page.locator('details.menu > summary').filter({ hasText: text }).first().click()
const inMenu =
  (name: string): Open =>
  async (page) => {
    await page.locator('summary.simulation-name').click()
    await page.getByRole('button', { name }).click()
  }

test('holds dialogs and menus that stand open to WCAG 2.2 AA', async ({ living, dashboard }) => {
  test.slow()
  const task = await addTask(living, 'Sweep')
  const { id } = await living.manage<{ id: string }>('POST', '/simulations/tasks/webhooks', {
    url: living.hook.url,
    events: ['*'],
  })
  await addTask(living, 'Mop')
  await expect.poll(() => living.hook.received).toBe(1)
  await living.manage('POST', '/simulations/tasks/snapshots', { name: 'before' })
  const base = '/ui/s/tasks'
  const states: readonly (readonly [address: string, open: Open])[] = [
    ['/ui/', (page) => page.keyboard.press('?')],
    [base, (page) => page.keyboard.press('Control+k')],
    [base, menu('to…')],
    [base, inMenu('Reset…')],
    [base, inMenu('Delete…')],
    [base, inMenu('Snapshots…')],
    [base, (page) => page.locator('summary.simulation-name').click()],
    [`${base}/data/tasks`, button('New task')],
    [`${base}/data/tasks`, menu('Columns')],
    [`${base}/data/tasks/${task}`, button('Delete…')],
    [`${base}/data/tasks/${task}`, button('JSON')],
    [`${base}/data/tasks/${task}`, button('History')],
    [`${base}/data/tasks/${task}`, button('Related')],
    [`${base}/requests/latest`, menu('Actions')],
    [`${base}/webhooks/${id}`, menu('Send an event…')],
    [`${base}/webhooks/${id}/latest`, menu('Replay')],
    [`${base}/plan`, (page) => page.getByText('Edit the plan as JSON').click()],
    [`${base}/access`, button(/^Revoke/)],
    ['/ui/account', (page) => page.getByText(/extensions/).click()],
  ]
  for (const [address, open] of states) {
    await dashboard.goto(living.service.url + address)
    await expect(dashboard.getByRole('main')).toBeVisible()
    await expect(dashboard.locator('[aria-busy=true]')).toHaveCount(0)

    await open(dashboard)

    await expectAccessible(dashboard)
  }
})

test('distinguishes what is current, chosen and pressed where colours are forced', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await dashboard.emulateMedia({ forcedColors: 'active' })
  await dashboard.goto(`${living.service.url}/ui/s/tasks`)
  await dashboard.getByRole('link', { name: /POST/ }).click()
  await dashboard.getByRole('button', { name: 'Deliveries' }).click()

  const styleOf = (locator: Locator, name: string) =>
    locator.evaluate((element, one) => getComputedStyle(element).getPropertyValue(one), name)
  const differing: readonly (readonly [style: string, one: Locator, other: Locator])[] = [
    [
      'border-bottom-color',
      dashboard.getByRole('link', { name: 'Timeline' }),
      dashboard.getByRole('link', { name: 'Data' }),
    ],
    [
      'outline-style',
      dashboard.getByRole('row', { name: /POST/ }),
      dashboard.getByRole('row', { name: /task.created/ }),
    ],
    [
      'background-color',
      dashboard.getByRole('button', { name: 'Requests' }),
      dashboard.getByRole('button', { name: 'Deliveries' }),
    ],
  ]

  for (const [style, one, other] of differing) expect(await styleOf(one, style)).not.toBe(await styleOf(other, style))
})
