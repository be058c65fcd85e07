import { addTask, expect, expectAccessible, test } from './dashboard-test.ts'

test('shows requests with bodies, and why one was refused', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await living.ask('POST', '/v1/tasks', { title: 7 })
  await living.ask('GET', '/v1/no-such-path')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests`)
  await expect(dashboard.getByRole('row', { name: /404 .*no such operation(?!.*no key)/ })).toBeVisible()
  await expectAccessible(dashboard)

  await dashboard.getByRole('row', { name: /422/ }).getByRole('link').click()

  await expect(dashboard.getByRole('region', { name: 'Why' })).toContainText('Expected `title` to be a string, got 7.')
  await expect(dashboard.getByRole('region', { name: 'Request body' })).toContainText('"title": 7')
  await expectAccessible(dashboard)
  await dashboard.getByRole('link', { name: 'Close' }).click()
  await dashboard.getByRole('row', { name: /201/ }).getByRole('link').click()
  await expect(dashboard.getByRole('link', { name: 'task.created' })).toBeVisible()
})

test('copies a request as cURL without its key', async ({ living, dashboard, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await addTask(living, "It's swept")
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests/latest`)

  await dashboard.getByRole('button', { name: 'Copy as cURL' }).click()

  await expect(dashboard.getByText('Copied as cURL.')).toBeVisible()
  const text = await dashboard.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain(`curl -X POST '${living.url}/v1/tasks'`)
  expect(text).toContain(`It'\\''s swept`)
  expect(text).not.toContain(living.apiKey)
})

test('copies over plain HTTP from another machine, where pages have no clipboard', async ({ living, dashboard }) => {
  await dashboard.addInitScript(() => Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }))
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests/latest`)

  await dashboard.getByRole('button', { name: 'Copy as cURL' }).click()

  await expect(dashboard.getByText('Copied as cURL.')).toBeVisible()
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests`)
  const filter = dashboard.getByRole('combobox', { name: 'Filter' })
  await filter.focus()
  await dashboard.keyboard.press('ControlOrMeta+v')
  await expect(filter).toHaveValue(new RegExp(`curl -X POST '${living.url}/v1/tasks'`))
})

test('says so where the browser refuses to copy', async ({ living, dashboard }) => {
  await dashboard.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests/latest`)

  await dashboard.getByRole('button', { name: 'Copy as cURL' }).click()

  await expect(dashboard.getByText(/does not let the page copy: open the dashboard over HTTPS/)).toBeVisible()
})

test('says where the API is before the first request', async ({ living, dashboard }) => {
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests`)

  await expect(dashboard.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
  await expect(dashboard.getByText(`This API is at ${living.url}`)).toBeVisible()
  await expectAccessible(dashboard)
})

test('sends a request again, changed, and answers its like otherwise from now on', async ({ living, dashboard }) => {
  await addTask(living, 'Sweep')
  await dashboard.goto(`${living.service.url}/ui/s/tasks/requests/latest`)
  await dashboard.getByText('Actions ▾').click()
  await dashboard.getByRole('button', { name: 'Edit and send…' }).click()
  await expectAccessible(dashboard)
  await dashboard.getByLabel('Body', { exact: true }).fill('{"title":7}')
  await dashboard.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dashboard.getByText('Sent again: answered 422.')).toBeVisible()
  await expect(dashboard.getByRole('region', { name: 'Why' })).toContainText('Expected `title` to be a string, got 7.')

  await dashboard.getByText('Actions ▾').click()
  await dashboard.getByRole('button', { name: 'Answer like this from now on' }).click()

  await expect(dashboard.getByText(/The rule .* acts from now on/)).toBeVisible()
  await dashboard.getByRole('link', { name: 'See rules' }).click()
  const projects = await living.ask('GET', '/v1/projects?limit=1')
  const projectId = (projects.body.data as { id: string }[])[0]?.id
  expect((await living.ask('POST', '/v1/tasks', { title: 'Fine', projectId })).status).toBe(422)
  await expect(dashboard.getByRole('row', { name: /answers like this/ })).toContainText('1 time')
})
