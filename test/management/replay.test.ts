import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { ServiceOptions } from '../../src/service.ts'
import { listenForHooks } from './hook-receiver.ts'
import { startForTest } from './start-for-test.ts'

/** A task tracker with a webhook on an endpoint that answers as `hook` says. */
async function startWithHook(options: ServiceOptions = {}) {
  const hook = await listenForHooks()
  const { call, create } = await startForTest({ allowPrivateWebhooks: ['127.0.0.1/32'], ...options })
  const { slug } = await create()
  const path = `/v1/simulations/${slug}`
  const webhook = (await call('POST', `${path}/webhooks`, { url: hook.url, events: ['task.*'] })).body
  const deliveries = `${path}/webhooks/${webhook.id}/deliveries`
  const settle = () => call('GET', `${path}/deliveries/settled?timeoutMs=3000`)
  const addTask = async () => {
    const made = await call('POST', `${path}/records/tasks`, {})
    expect(made.status).toBe(201)
    await settle()
    return (await call('GET', deliveries)).body.data.at(-1).id as string
  }
  return { call, path, hook, webhook, deliveries, addTask, settle }
}

it('shows what an attempt has sent, what it was answered, and that its signature holds', async () => {
  const { call, hook, deliveries, addTask } = await startWithHook()
  hook.answer = { status: 200, body: '{"seen":true}' }
  const id = await addTask()

  const { status, body } = await call('GET', `${deliveries}/${id}`)

  expect(status).toBe(200)
  const [attempt] = body.attempts
  expect(attempt).toMatchObject({
    status: 200,
    request: { url: hook.url, encoding: 'utf-8', truncated: false, headers: { 'svc-delivery': id } },
    response: { body: '{"seen":true}', bytes: 13 },
    signature: { isValid: true, fault: null },
  })
  expect(attempt.request.body).toBe(hook.received[0]?.body)
  expect(Math.abs(Date.parse(attempt.signature.signedAt) - Date.parse(attempt.at))).toBeLessThan(1_000)
})

it('replays a delivery that was delivered, with the same id and body', async () => {
  const { call, hook, deliveries, addTask } = await startWithHook()
  const id = await addTask()

  const { status, body } = await call('POST', `${deliveries}/${id}/replay`, {})

  expect(status).toBe(200)
  expect(body).toMatchObject({
    id,
    state: 'delivered',
    attempts: [{ status: 204 }, { status: 204, trigger: 'manual' }],
  })
  expect(hook.received).toHaveLength(2)
  expect(hook.received[1]?.body).toBe(hook.received[0]?.body)
  expect(hook.received[1]?.headers['svc-delivery']).toBe(id)
})

it.each([
  ['badSignature', /no signature in/],
  ['staleTimestamp', /seconds/],
  ['alteredPayload', /no signature in/],
])('replays with %s, and says what is wrong with it', async (fault, reason) => {
  const { call, hook, deliveries, addTask } = await startWithHook()
  const id = await addTask()

  const { body } = await call('POST', `${deliveries}/${id}/replay`, { fault })

  expect(hook.received).toHaveLength(2)
  expect(body.attempts[1]).toMatchObject({ signature: { isValid: false } })
  expect(body.attempts[1].signature.fault).toMatch(reason)
})

it('counts a delivery as delivered whose replay arrives, and makes no retry of it', async () => {
  const { call, path, hook, deliveries, addTask } = await startWithHook()
  hook.answer = { status: 500, body: '' }
  const id = await addTask()
  expect((await call('POST', `${deliveries}/${id}/replay`, {})).body).toMatchObject({ state: 'retrying' })
  hook.answer = { status: 204, body: '' }

  const replayed = await call('POST', `${deliveries}/${id}/replay`, {})

  expect(replayed.body).toMatchObject({ state: 'delivered', nextAttemptAt: null })
  expect((await call('POST', `${path}/deliveries/advance`, { until: 'drained' })).body).toEqual({ attempts: 0 })
  expect(hook.received).toHaveLength(3)
})

it('keeps the table of retries where replays fail', async () => {
  const { call, path, hook, deliveries, addTask } = await startWithHook()
  hook.answer = { status: 500, body: '' }
  const id = await addTask()
  const before = (await call('GET', `${deliveries}/${id}`)).body.nextAttemptAt
  await call('POST', `${deliveries}/${id}/replay`, {})
  await call('POST', `${deliveries}/${id}/replay`, { fault: 'badSignature' })
  expect((await call('GET', `${deliveries}/${id}`)).body.nextAttemptAt).toBe(before)

  const { body } = await call('POST', `${path}/deliveries/advance`, { until: 'drained' })

  expect(body).toEqual({ attempts: 5 })
  expect((await call('GET', `${deliveries}/${id}`)).body).toMatchObject({ state: 'failed', attempts: { length: 8 } })
})

it('refuses replays of deliveries that it does not know, and says what a fault may be', async () => {
  const { call, deliveries, webhook, addTask } = await startWithHook()
  const id = await addTask()

  const unknown = await call('POST', `${deliveries}/nothing/replay`, {})
  const wrong = await call('POST', `${deliveries}/${id}/replay`, { fault: 'drop' })
  const elsewhere = await call('GET', deliveries.replace(webhook.id, 'nothing'))

  expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  expect(unknown.body.error.message).toBe(
    'No delivery "nothing" among the latest 1,000 of this webhook that were sent.',
  )
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  expect(wrong.body.error.message).toContain('`fault`')
  expect(elsewhere.status).toBe(404)
})

it('sends deliveries again of which more than 100 were sent since no more', async () => {
  const { call, path, deliveries, addTask, settle } = await startWithHook()
  const id = await addTask()
  for (let count = 0; count < 100; count++) await call('POST', `${path}/records/tasks`, {})
  await settle()

  const { status, body } = await call('POST', `${deliveries}/${id}/replay`, {})

  expect(status).toBe(400)
  expect(body.error.message).toContain('its body is no longer kept')
  expect((await call('GET', `${deliveries}/${id}`)).body.attempts).toMatchObject([{ request: null, response: null }])
})

it('replays deliveries of a stored simulation, and drops the rest', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-replay-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { call, path, hook, deliveries, addTask } = await startWithHook({
    store: join(folder, 'kept.db'),
    addresses: 'path',
  })
  hook.answer = { status: 500, body: '' }
  const id = await addTask()
  expect((await call('POST', `${path}/deliveries/advance`, { until: 'drained' })).body).toEqual({ attempts: 5 })
  hook.answer = { status: 204, body: '' }

  const replayed = await call('POST', `${deliveries}/${id}/replay`, {})

  expect(replayed.body).toMatchObject({ state: 'delivered' })
  expect(hook.received).toHaveLength(7)
})
