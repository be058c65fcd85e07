import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'

/** An endpoint of the user's own, without TLS; resolves with what it was sent. */
async function openEndpoint() {
  const { promise: arrived, resolve } = Promise.withResolvers<Record<string, unknown>>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    response.end()
    resolve({ url: request.url, signature: request.headers['svc-signature'], type: JSON.parse(text).type })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, arrived }
}

const RESOLVER = {
  resolve: async (name: string) =>
    ({ app: ['127.0.0.1'], meta: ['169.254.169.254'], public: ['93.184.216.34'] })[name] ?? [],
}

it.each(['127.0.0.1', 'app'])('delivers over plain http to %s in an opened range', async (host) => {
  const { call, create } = await startForTest({ allowPrivateWebhooks: ['127.0.0.1/32'], runtime: RESOLVER })
  const { id, url, apiKey } = await create({ library: 'task-tracker' })
  const endpoint = await openEndpoint()

  const made = await call('POST', `/v1/simulations/${id}/webhooks`, {
    url: `http://${host}:${endpoint.port}/hooks?a=1`,
    events: ['*'],
  })
  const headers = { authorization: `Bearer ${apiKey}` }
  const { data } = (await (await fetch(`${url}/v1/labels`, { headers })).json()) as { data: { id: string }[] }
  await fetch(`${url}/v1/labels/${data[0]?.id}`, { method: 'DELETE', headers })

  expect(made.status).toBe(201)
  expect(await endpoint.arrived).toEqual({
    url: '/hooks?a=1',
    signature: expect.stringMatching(/^t=\d+,v1=/),
    type: 'label.deleted',
  })
})

it.each([
  'http://169.254.169.254/latest/meta-data',
  'https://169.254.169.254/',
  'https://[::ffff:169.254.169.254]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fd20:ce::254]/',
  'https://100.100.100.200/',
  'https://0.0.0.0/',
  'https://meta/',
])('opens %s for no option', async (url) => {
  const { call, create } = await startForTest({ allowPrivateWebhooks: ['0.0.0.0/0', '::/0'], runtime: RESOLVER })
  const { id } = await create()

  const answer = await call('POST', `/v1/simulations/${id}/webhooks`, { url, events: ['*'] })

  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'unsafe_url' } } })
})

it.each([
  ['http://93.184.216.34/', 'unsafe_url'],
  ['http://public/', 'unsafe_url'],
  ['http://10.0.0.1/', 'unsafe_url'],
  ['https://10.0.0.1/', 'unsafe_url'],
  ['ftp://127.0.0.1/', 'invalid_request'],
])('keeps %s closed beside an opened range', async (url, code) => {
  const { call, create } = await startForTest({ allowPrivateWebhooks: ['127.0.0.1'], runtime: RESOLVER })
  const { id } = await create()

  const answer = await call('POST', `/v1/simulations/${id}/webhooks`, { url, events: ['*'] })

  expect(answer).toMatchObject({ status: 400, body: { error: { code } } })
})

it('takes no http URL and no internal name where nothing is opened', async () => {
  const { call, create } = await startForTest({ runtime: RESOLVER })
  const { id } = await create()
  const codeOf = async (url: string) =>
    (await call('POST', `/v1/simulations/${id}/webhooks`, { url, events: ['*'] })).body.error.code

  expect(await codeOf('http://127.0.0.1/')).toBe('invalid_request')
  expect(await codeOf('https://127.0.0.1/')).toBe('unsafe_url')
  expect(await codeOf('https://app/')).toBe('unsafe_url')
})
