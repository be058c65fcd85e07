import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createSimulation, toReportHtml } from 'backlot'
import { expect, expectAccessible, test } from './dashboard-test.ts'

test('opens a report from disk, with all that the test saw, and nothing to change', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-report-'))
  const path = join(folder, 'report.html')
  await using tasks = await createSimulation('task-tracker')
  const [project] = await tasks.records<{ id: string }>('projects', { limit: 1 })
  const made = await tasks.fetch('/tasks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Sweep <img src=x onerror=alert(1)>', projectId: project?.id }),
  })
  const { id } = (await made.json()) as { id: string }
  await tasks.respondWith('GET /tasks', ({ stream }) => stream([{ data: 1 }, { data: 2 }], { cutAfter: 1 }))
  await expect((await tasks.fetch('/tasks')).text()).rejects.toThrow()
  await tasks.webhooks.settled()
  await tasks.fastForward({ hours: 2 })
  await writeFile(path, await toReportHtml(await tasks.report(), 'tasks.test.ts › sweeps', 'Expected: 1\nReceived: 2'))
  const loaded: string[] = []
  const wrong: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text())
  })

  await page.goto(pathToFileURL(path).href)

  await expect(page.getByText('tasks.test.ts › sweeps')).toBeVisible()
  await expect(page.getByText('Received: 2')).toBeVisible()
  const timeline = page.getByRole('table', { name: 'Timeline' })
  await page.getByLabel('Filter').fill('kind:request')
  await expect(timeline.getByRole('row', { name: /POST \/v?1?\/?tasks/ })).toContainText('1 change')
  await expect(page.getByRole('button', { name: /Fast-forward|Pause$|Reset/ })).toHaveCount(0)
  await page.getByLabel('Filter').fill(`kind:receipt record:${id}`)
  await expect(timeline.getByRole('row', { name: /task\.created.*2\d\d.*received/ })).toHaveCount(1)
  await page.getByLabel('Filter').fill('kind:turn')
  await timeline.getByRole('link', { name: 'Clock turned' }).click()
  await expect(page.getByRole('heading', { name: 'Clock turned by the test' })).toBeVisible()
  await expect(page.getByText('+2 h').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByLabel('Filter').fill('-cause:fast-forward -kind:receipt -kind:delivery')
  await expectAccessible(page)
  await timeline.getByRole('link', { name: /POST/ }).click()
  await expect(page.getByRole('list', { name: 'What led to what' })).toContainText('delivered')
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('table', { name: 'Requests' }).getByRole('link', { name: /POST/ }).click()
  await expect(page.getByText('onerror=alert(1)').first()).toBeVisible()
  await page.getByRole('table', { name: 'Requests' }).getByRole('link', { name: /GET/ }).click()
  await expect(page.getByText(/^1 events, cut, from [\d.]+ to [\d.]+ ms/)).toBeVisible()
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page
    .getByRole('link', { name: /^tasks/ })
    .first()
    .click()
  await page.getByLabel('Filter').fill(id)
  await page.getByRole('table', { name: 'tasks' }).getByRole('link', { name: id }).click()
  await expect(page.getByRole('heading', { name: id })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
  await expectAccessible(page)
  await page.goBack()
  await expect(page.getByRole('heading', { name: id })).toHaveCount(0)
  for (const name of ['Webhooks', 'Plan', 'Rules']) {
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  expect(await page.locator('img').count()).toBe(0)
  expect(loaded.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([])
  expect(wrong).toEqual([])
  await rm(folder, { recursive: true })
})
