import { useSimulation } from 'backlot/vitest'
import { expect, it } from 'vitest'
import { CrmClient } from '../src/crm-client.ts'

const crm = useSimulation('crm')

const connect = () => new CrmClient({ url: crm.url, apiKey: crm.key, retryDelayMs: 1 })

it('reads all orders, page by page', async () => {
  const orders = await Array.fromAsync(connect().orders())

  const expected = crm.collections.find(({ name }) => name === 'orders')?.records
  expect(new Set(orders.map(({ id }) => id)).size).toBe(expected)
})

it('tries again when the CRM is out of order', async () => {
  await using _outage = await crm.failNext(2, { status: 503 })

  const orders = await Array.fromAsync(connect().orders())

  expect(orders.length).toBeGreaterThan(0)
  expect((await crm.requests()).filter(({ status }) => status === 503)).toHaveLength(2)
})

it('gives up on a wrong key without a second try', async () => {
  const client = new CrmClient({ url: crm.url, apiKey: 'stolen', retryDelayMs: 1 })

  await expect(Array.fromAsync(client.orders())).rejects.toThrow('401')
})

it('gets through when the CRM is slow', async () => {
  await using _slowness = await crm.addLatency('/orders*', 120, { jitterMs: 20 })
  const started = performance.now()

  const { value: first } = await connect().orders().next()

  expect(first?.status).toBeTypeOf('string')
  expect(performance.now() - started).toBeGreaterThan(90)
})
