import type { Locator, Page } from '@playwright/test'
import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

/** Stops of the Tab key that a page has at most before what is looked for. */
const MOST_STOPS = 80

/** Goes to an element by the Tab key alone. What has the focus shows it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await target.evaluate(hasRing)).toBe(true)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${target}.`)
}

/** Runs in the page: a ring is drawn around the element, or around the row or the box that it stands in. */
function hasRing(element: Element): boolean {
  const around = [element, element.closest('.row'), element.closest('.filter')]
  return around.some((one) => one !== null && getComputedStyle(one).outlineStyle !== 'none')
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

test('makes a simulation, and turns its clock, by keys alone', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/`)
  await press(dashboard, dashboard.getByRole('link', { name: 'New simulation' }))
  await tabTo(dashboard, dashboard.getByRole('searchbox', { name: 'Filter' }))
  await dashboard.keyboard.type('payments')
  await press(dashboard, dashboard.getByRole('radio', { name: /payments/i }).first(), ' ')
  await press(dashboard, dashboard.getByText('Options'))
  await tabTo(dashboard, dashboard.getByLabel('Slug'))
  await dashboard.keyboard.type('shop')
  await press(dashboard, dashboard.getByRole('button', { name: 'Make the simulation' }))
  await expect(dashboard.getByRole('heading', { name: 'shop is made' })).toBeVisible()
  await press(dashboard, dashboard.getByRole('link', { name: 'Open shop' }))

  await expect(dashboard.getByRole('group', { name: 'Clock' })).toContainText('running')
  await dashboard.keyboard.press('f')
  await expect(dashboard.getByRole('button', { name: 'Fast-forward +1 h' })).toBeFocused()
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByRole('status').filter({ hasText: 'Fast-forwarded +1 h' })).toBeVisible()
  await expect(dashboard.getByRole('button', { name: 'Fast-forward +1 h' })).toBeFocused()
  await press(dashboard, dashboard.getByLabel('Fast-forward to', { exact: true }).first())
  await tabTo(dashboard, dashboard.getByRole('textbox', { name: 'Fast-forward to' }))
  await dashboard.keyboard.type('2d')
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByRole('group', { name: 'Clock' })).toContainText('+2 d 1 h')
})

test('registers a webhook, replays a delivery and deletes the webhook by keys alone', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/webhooks`)
  await tabTo(dashboard, dashboard.getByLabel('Address'))
  await dashboard.keyboard.type(living.hook.url)
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByText(/^whsec_[\da-f]{64}$/)).toBeVisible()
  await addTask(living, 'Sweep')
  await expect.poll(() => living.hook.received).toBe(1)

  await press(dashboard, dashboard.getByRole('link', { name: living.hook.url }))
  await press(
    dashboard,
    dashboard.getByRole('table', { name: 'Deliveries' }).getByRole('link', { name: 'task.created' }),
  )
  await press(dashboard, dashboard.getByText('Replay ▾'))
  await press(dashboard, dashboard.getByRole('button', { name: 'As it is' }))
  await expect(dashboard.getByText('Sent again: answered 204.')).toBeVisible()
  await dashboard.keyboard.press('Escape')
  await expect(dashboard.getByRole('link', { name: 'task.created' })).toBeFocused()

  await press(dashboard, dashboard.getByRole('button', { name: 'Delete…' }))
  await dashboard.keyboard.press('Escape')
  await expect(dashboard.getByRole('button', { name: 'Delete…' })).toBeFocused()
  await dashboard.keyboard.press('Enter')
  await press(dashboard, dashboard.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect(dashboard.getByText(/is removed\./)).toBeVisible()
})

test('edits and deletes a record by keys alone', async ({ living, dashboard }) => {
  const id = await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/data/tasks`)
  await expect(dashboard.getByRole('table', { name: 'tasks' })).toBeVisible()
  await dashboard.keyboard.press('/')
  await dashboard.keyboard.type(id)
  await press(dashboard, dashboard.getByRole('table', { name: 'tasks' }).getByRole('link', { name: id }))
  await tabTo(dashboard, dashboard.getByLabel('title', { exact: true }))
  await dashboard.keyboard.press('Control+A')
  await dashboard.keyboard.type('Mop')
  await dashboard.keyboard.press('Control+Enter')
  await expect(dashboard.getByText('Saved.')).toBeVisible()
  expect((await living.ask('GET', `/v1/tasks/${id}`)).body).toMatchObject({ title: 'Mop' })

  await dashboard.getByLabel('title', { exact: true }).blur()
  await press(dashboard, dashboard.getByRole('button', { name: 'Delete…' }))
  await expectAccessible(dashboard)
  await press(dashboard, dashboard.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect(dashboard.getByText(`${id} is deleted.`)).toBeVisible()
  expect((await living.ask('GET', `/v1/tasks/${id}`)).status).toBe(404)
})

test('adds a rule and removes it, and takes a snapshot, by keys alone', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/rules`)
  await tabTo(dashboard, dashboard.getByLabel('Kind'))
  await dashboard.keyboard.type('error')
  await tabTo(dashboard, dashboard.getByLabel('Path'))
  await dashboard.keyboard.press('Control+A')
  await dashboard.keyboard.type('/v1/tasks*')
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByRole('row', { name: /error \/v1\/tasks/ })).toBeVisible()
  await press(dashboard, dashboard.getByRole('button', { name: /^Remove error/ }))
  await press(dashboard, dashboard.getByRole('dialog').getByRole('button', { name: 'Remove' }))
  await expect(dashboard.getByRole('heading', { name: 'Every request is answered as the data says' })).toBeVisible()

  const menu = dashboard.locator('summary.simulation-name')
  await press(dashboard, menu)
  await dashboard.keyboard.press('Escape')
  await expect(dashboard.getByRole('button', { name: 'Snapshots…' })).toBeHidden()
  await expect(menu).toBeFocused()
  await dashboard.keyboard.press('Enter')
  await press(dashboard, dashboard.getByRole('button', { name: 'Snapshots…' }))
  await tabTo(dashboard, dashboard.getByLabel('Name, if it needs one'))
  await dashboard.keyboard.type('before')
  await dashboard.keyboard.press('Enter')
  await expect(dashboard.getByRole('button', { name: 'Restore before' })).toBeVisible()
  await expectAccessible(dashboard)
  await dashboard.keyboard.press('Escape')
  await expect(dashboard.getByRole('dialog')).toHaveCount(0)
})
