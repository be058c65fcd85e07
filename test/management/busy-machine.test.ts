import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { answers, describeApi, object } from '../openapi/describe-api.ts'
import { startForTest } from './start-for-test.ts'

it('reads a description on a machine that is busy with something else', async () => {
  // Each look at the clock finds that another second has passed.
  let ms = 0
  const clock = { now: systemClock.now, monotonic: () => (ms += 1_000) }
  const { create } = await startForTest({ runtime: { clock } })
  const list = answers({ type: 'array', items: object({ id: 'string' }) })
  const paths = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`/things${at}`, { get: list }]))

  const { url } = await create({ spec: JSON.stringify(describeApi(paths)) })

  expect(url).toMatch(/^http/)
})

it('turns a clock forward on a machine that is busy with something else', async () => {
  let ms = 0
  const clock = { now: systemClock.now, monotonic: () => (ms += 1_000) }
  const { call, create } = await startForTest({ runtime: { clock } })
  const { id } = await create()

  const { status, text } = await call('POST', `/v1/simulations/${id}/fast-forward`, { hours: 720 })

  expect([status, text]).toEqual([200, expect.stringContaining('"changes"')])
})

it('reads what a request has changed, although the request is begun again at another time', async () => {
  let ms = 0
  const clock = { now: () => systemClock.now() + ms, monotonic: () => (ms += 1_000) }
  const { simulate } = await startForTest({ runtime: { clock } })
  await using simulation = await simulate('stripe', { webhooks: false })
  const { hostname, port } = new URL(simulation.url)
  const stripe = new Stripe(simulation.key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 })
  const { id } = await stripe.accounts.create({ type: 'express', capabilities: { transfers: { requested: true } } })
  await stripe.rawRequest('POST', `/v1/test_helpers/accounts/${id}/complete`)
  const payment_intent = await stripe.paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    confirm: true,
    transfer_data: { destination: id },
  })

  const refund = await stripe.refunds.create({
    payment_intent: payment_intent.id,
    reverse_transfer: true,
    expand: ['transfer_reversal'],
  })

  expect(refund.transfer_reversal).toMatchObject({ object: 'transfer_reversal', amount: 1_000 })
})

it('finds in a handler what the request has created, although the request is begun again at another time', async () => {
  let ms = 0
  const clock = { now: () => systemClock.now() + ms, monotonic: () => (ms += 1_000) }
  const { simulate } = await startForTest({ runtime: { clock } })
  await using simulation = await simulate('discord', { webhooks: false })
  const body = JSON.stringify({ name: 'High' })

  const made = await simulation.fetch('/api/v10/guilds/1000000000000000010/roles', { method: 'POST', body })

  expect(await made.json()).toMatchObject({ name: 'High' })
})
