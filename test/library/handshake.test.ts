import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'
import { onLoopback } from '../support/on-loopback.ts'

type Handshake = NonNullable<NonNullable<LibraryEntry['webhooks']>['handshake']>

const BODY: Handshake = {
  type: 'url_verification',
  body: { type: { $event: 'type' }, challenge: { $event: 'challenge' } },
  echo: 'body',
}
const HEADER: Handshake = {
  type: 'handshake',
  headers: { 'X-Hook-Secret': '{challenge}' },
  challenge: 'secret',
  echo: { header: 'X-Hook-Secret' },
}
const STATUS: Handshake = { type: 'ping', body: { type: 1 }, echo: 'none' }

const jar = {
  type: 'object',
  required: ['id', 'label'],
  properties: { id: { type: 'string', readOnly: true }, label: { type: 'string' } },
}
const content = { 'application/json': { schema: jar } }

const jars = (handshake: Handshake): LibraryEntry => ({
  slug: 'jars',
  name: 'Jars',
  provider: 'Jars',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Jars', version: '1' },
    paths: {
      '/jars': { post: { requestBody: { content }, responses: { 201: { description: 'made', content } } } },
    },
  },
  behaviour: [],
  volume: { jars: 0 },
  webhooks: { scheme: 'slack', handshake, events: [{ on: 'jars.created', type: 'jar_made' }] },
})

/** What an endpoint got: the type of each body, and the header of the handshake. */
type Answer = (body: { challenge?: string }, request: IncomingMessage, response: ServerResponse) => void

async function openEndpoint(answer: Answer) {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray()
    const body = JSON.parse(Buffer.concat(chunks).toString())
    received.push(String(body.type))
    answer(body, request, response)
    response.end()
  })
  const listening = await onLoopback(server)
  onTestFinished(() => listening[Symbol.asyncDispose]())
  return { url: `${listening.url}/events`, received }
}

async function open(handshake: Handshake) {
  const { simulate, call } = await startForTest({
    library: [jars(handshake)],
    allowPrivateWebhooks: ['127.0.0.1'],
    workerSinks: true,
  })
  const simulation = await simulate('jars')
  onTestFinished(() => simulation[Symbol.asyncDispose]())
  const hooks = `/v1/simulations/${simulation.id}/webhooks`
  const make = (label: string) => simulation.fetch('/jars', { method: 'POST', body: JSON.stringify({ label }) })
  return { simulation, call, hooks, make }
}

it.each<[string, Handshake, Answer]>([
  ['in the body', BODY, (body, _request, response) => void response.end(body.challenge)],
  [
    'in a header',
    HEADER,
    (_body, request, response) => void response.setHeader('X-Hook-Secret', String(request.headers['x-hook-secret'])),
  ],
  ['by its status', STATUS, (_body, _request, response) => void response.writeHead(204)],
])('sends events once an endpoint has answered the handshake %s', async (_where, handshake, answer) => {
  const { call, hooks, make } = await open(handshake)
  const endpoint = await openEndpoint(answer)
  const { body: hook } = await call('POST', hooks, { url: endpoint.url, events: ['*'] })

  await expect.poll(() => endpoint.received).toHaveLength(1)
  await make('Plums')

  await expect.poll(() => endpoint.received.at(-1)).toBe('event_callback')
  const { body } = await call('GET', `${hooks}/${hook.id}/deliveries`)
  expect(body.data.map((one: { event: { type: string } }) => one.event.type)).toEqual([handshake.type, 'jar_made'])
})

it('switches an endpoint off that does not answer, says why, and asks again once it is on', async () => {
  const { call, hooks, make } = await open(BODY)
  let isReady = false
  const endpoint = await openEndpoint((body, _request, response) => {
    if (isReady) response.write(JSON.stringify({ challenge: body.challenge }))
  })
  const { body: hook } = await call('POST', hooks, { url: endpoint.url, events: ['*'] })
  const states = async () => (await call('GET', hooks)).body.data

  await expect.poll(states).toMatchObject([{ state: 'active' }, { id: hook.id, state: 'off' }])
  const { body } = await call('GET', `${hooks}/${hook.id}/deliveries`)
  expect(body.data).toMatchObject([
    { state: 'failed', attempts: [{ status: 200, error: expect.stringContaining('repeat the challenge') }] },
  ])
  isReady = true
  await call('POST', `${hooks}/${hook.id}/enable`)
  await make('Plums')

  await expect.poll(() => endpoint.received).toEqual(['url_verification', 'url_verification', 'event_callback'])
})

it.each([BODY, HEADER, STATUS])(
  "is answered by a test's own sink, which keeps events alone: $type",
  async (handshake) => {
    const { simulation, make } = await open(handshake)

    await make('Plums')

    await simulation.expectWebhook('jar_made')
    expect(simulation.webhooks.all()).toHaveLength(1)
  },
)

it('sends our own form over HTTP on request: `scheme: svc`', async () => {
  const { call, hooks, make } = await open(BODY)
  const endpoint = await openEndpoint(() => {})

  const { body: hook } = await call('POST', hooks, { url: endpoint.url, events: ['*'], scheme: 'svc' })
  await make('Plums')

  expect(hook.secret).toMatch(/^whsec_/)
  await expect.poll(() => endpoint.received).toEqual(['jar.created'])
})
