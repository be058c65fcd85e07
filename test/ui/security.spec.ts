import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './dashboard-test.ts'

/** What a hostile page tries, with the session of whoever looks at it. It writes what came of it into its title. */
const ATTACK = `
  const tried = []
  const attempt = async (name, run) => tried.push(name + ' ' + (await Promise.resolve().then(run).then((value) => 'worked ' + value, () => 'failed')))
  const read = (url, init) => fetch(url, { credentials: 'include', ...init }).then((answer) => answer.ok ? answer.text() : Promise.reject())
  await attempt('read', () => read(BASE + '/ui/api/v1/simulations'))
  await attempt('write', () => read(BASE + '/ui/api/v1/simulations/tasks/pause', { method: 'POST' }))
  await attempt('session', () => read(BASE + '/ui/session'))
  await attempt('frame', () => new Promise((resolve, reject) => {
    const frame = document.createElement('iframe')
    frame.onload = () => { try { resolve(frame.contentDocument.body.innerHTML) } catch { reject() } }
    frame.src = BASE + '/ui/'
    document.body.append(frame)
    setTimeout(reject, 1000)
  }))
  await attempt('worker', () => navigator.serviceWorker.register(WORKER))
  document.title = tried.join(', ')
`

test('a page on another port of this host reads and writes nothing', async ({ living, dashboard, context }) => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(
      `<body><script type="module">const BASE = '${living.service.url}', WORKER = BASE + '/s/tasks/w.js'; ${ATTACK}</script>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const evil = await context.newPage()
  await evil.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)

  await expect(evil).toHaveTitle('read failed, write failed, session failed, frame failed, worker failed')
  expect(await living.manage('GET', '/simulations/tasks')).toMatchObject({ status: 'running' })
  await dashboard.bringToFront()
  server.closeAllConnections()
  server.close()
})

test('a page of a simulation on this origin runs its script and reads nothing', async ({
  living,
  dashboard,
  context,
}) => {
  const html = `<body><script type="module">const BASE = '${living.service.url}', WORKER = BASE + '/s/hostile/page'; ${ATTACK}</script>`
  const answer = { 200: { description: 'A page.', content: { 'text/html': { example: html } } } }
  const spec = {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: { '/page': { get: { security: [], responses: answer } } },
  }
  await living.manage('POST', '/simulations', { spec: JSON.stringify(spec), slug: 'hostile' })
  const evil = await context.newPage()
  await evil.goto(`${living.service.url}/s/hostile/page`)

  await expect(evil).toHaveTitle('read failed, write failed, session failed, frame failed, worker failed')
  await dashboard.bringToFront()
})
