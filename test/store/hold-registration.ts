import { createServer } from 'node:http'
import { expect } from 'vitest'
import { type Service, startOver } from '../../src/service/start.ts'
import type { Store } from '../../src/service/store/store.ts'
import { onLoopback } from '../support/on-loopback.ts'
import { ACCOUNT_KEY } from './manage.ts'

const KEY = 'svc_sim_0123456789abcdef'

/** Webhooks that an API registers itself, and the events that it logs, are the same at two services over one database. `open` opens it. */
export async function holdRegistration(open: () => Promise<Store>): Promise<void> {
  const received: string[] = []
  const endpoint = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray()
    received.push(`${request.url} ${JSON.parse(Buffer.concat(chunks).toString()).type}`)
    response.end()
  })
  await using listening = await onLoopback(endpoint)
  const { url } = listening
  const options = {
    addresses: 'path' as const,
    accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
    allowPrivateWebhooks: ['127.0.0.1'],
    simulations: [{ library: 'stripe', key: KEY }],
  }
  const first = await startOver(await open(), options)
  const second = await startOver(await open(), options)
  try {
    const { id } = await stripe(first, 'POST', '/webhook_endpoints', { url: `${url}/a`, 'enabled_events[0]': '*' })
    const customer = await stripe(second, 'POST', '/customers', { email: 'ada@example.com' })
    await expect.poll(() => received).toEqual(['/a customer.created'])
    const events = await stripe(first, 'GET', '/events')
    expect(events.data).toMatchObject([{ type: 'customer.created', data: { object: { id: customer.id } } }])
    expect(await stripe(second, 'GET', '/events')).toEqual(events)
    expect([await webhooks(first), await webhooks(second)]).toEqual([[id], [id]])

    await stripe(second, 'POST', `/webhook_endpoints/${id}`, { url: `${url}/b` })
    await stripe(first, 'POST', '/customers', {})
    await expect.poll(() => received.slice(1)).toEqual(['/b customer.created'])
    await stripe(first, 'DELETE', `/webhook_endpoints/${id}`)

    expect([await webhooks(first), await webhooks(second)]).toEqual([[], []])
    expect((await stripe(second, 'GET', '/events')).data).toHaveLength(2)
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}

async function stripe({ url }: Service, method: string, path: string, fields?: Readonly<Record<string, string>>) {
  const answer = await fetch(`${url}/s/stripe/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}` },
    ...(fields && { body: new URLSearchParams(fields) }),
  })
  expect([path, answer.status]).toEqual([path, 200])
  return JSON.parse(await answer.text())
}

async function webhooks({ url }: Service): Promise<string[]> {
  const headers = { authorization: `Bearer ${ACCOUNT_KEY}` }
  const { data } = JSON.parse(await (await fetch(`${url}/v1/simulations/stripe/webhooks`, { headers })).text())
  return data.map(({ id }: { id: string }) => id)
}
