import { expect } from 'backlot/playwright'
import { test } from './board-test.ts'

interface Task {
  title: string
  status: string
}

test('shows the tasks of each column', async ({ page, boardUrl }) => {
  await page.goto(boardUrl)

  const column = page.getByRole('region', { name: 'To do' })
  await expect(column.getByRole('heading', { level: 2 })).toHaveText(/^To do \(\d+\)$/)
  await expect(column.getByRole('article').first()).toBeVisible()
})

test('moves a task on, and the tracker tells everybody', async ({ page, boardUrl, tracker }) => {
  await page.goto(boardUrl)
  const card = page.getByRole('region', { name: 'To do' }).getByRole('article').first()
  const id = (await card.getAttribute('data-id')) ?? ''

  await card.getByRole('button', { name: 'Start' }).click()

  await expect(page.getByRole('region', { name: 'In progress' }).locator(`[data-id="${id}"]`)).toBeVisible()
  const webhook = await tracker.expectWebhook<Task>('task.updated', { recordId: id })
  expect(webhook.data.object?.status).toBe('in_progress')
})

test('shows what the team did overnight', async ({ page, boardUrl, tracker }) => {
  await page.goto(boardUrl)
  const heading = page.getByRole('region', { name: 'Done' }).getByRole('heading', { level: 2 })
  await expect(heading).toHaveText(/\d/)
  const before = await heading.textContent()

  await tracker.fastForward({ hours: 16 })
  await tracker.webhooks.settled() // more than a hundred: a busy machine takes longer than one expectation waits
  await tracker.expectWebhook<Task>('task.updated', { data: { object: { status: 'done' } } })
  await page.getByRole('button', { name: 'Refresh' }).click()

  await expect(heading).not.toHaveText(before ?? '')
})

test('says so when the tracker is out of order, and recovers', async ({ page, boardUrl, tracker }) => {
  await page.goto(boardUrl)
  await expect(page.getByRole('region', { name: 'Done' }).getByRole('heading', { level: 2 })).toHaveText(/\d/)
  await tracker.failNext(1, { status: 503 })

  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('alert')).toHaveText(/503/)

  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('alert')).toBeHidden()
})
