import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import { type Service, startService } from '../../src/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** A simulation of an entry, and a way to ask it; texts are sent as forms. */
async function simulate(library: string, volume: Record<string, number> = {}) {
  const created = await service.fetch(
    new Request(`${service.url}/v1/simulations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ library, behaviour: [], volume }),
    }),
  )
  const { url, apiKey } = (await created.json()) as CreatedSimulation
  return async (method: string, path: string, body?: object | string) => {
    const isForm = typeof body === 'string'
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
      body: body === undefined || isForm ? (body ?? null) : JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  }
}

it('expands four levels and fifty paths at most: each list on the way multiplies what is shown', async () => {
  const ask = await simulate('stripe')
  const paths = Array.from({ length: 51 }, (_, at) => `expand[]=data.a${at}`).join('&')

  const deep = await ask('GET', '/v1/customers?expand[]=data.subscriptions.data.customer.subscriptions')
  const many = await ask('GET', `/v1/customers?${paths}`)

  expect([deep.status, many.status]).toEqual([400, 400])
  expect(deep.text).toContain('data.subscriptions.data.customer.subscriptions')
  expect(many.text).toContain('51 paths')
})

it('says how many fields a form may have, in the words of the entry', async () => {
  const ask = await simulate('stripe')

  const refused = await ask('POST', '/v1/customers', 'a=1&'.repeat(10_001))

  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text)).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining('at most 10000 fields') },
  })
})

it('refuses a query of more than a thousand conditions', async () => {
  const ask = await simulate('sendgrid')
  const search = (count: number) =>
    ask('POST', '/v3/marketing/contacts/search', { query: Array(count).fill("email = 'a'").join(' AND ') })

  expect([(await search(1_000)).status, (await search(1_001)).status]).toEqual([200, 400])
})

it('makes HTML of any Markdown up to 400,000 characters', async () => {
  const ask = await simulate('github')
  const texts = ['[', '>', '\n', '```\n', '[a', '# '].map((part) => part.repeat(200_000 / part.length))
  const render = (text: string) => ask('POST', '/markdown', { text })
  await render('')

  const statuses = await Promise.all([...texts, 'x'.repeat(400_001)].map(async (text) => (await render(text)).status))

  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 400])
})

it('finds one among a million records, and names the volume of a list that is too long', async () => {
  const ask = await simulate('resend', { emails: 60_000, contacts: 1_000_000 })

  const [list, one] = await Promise.all([ask('GET', '/emails'), ask('GET', '/contacts/nobody@example.com')])

  expect([list.status, one.status]).toEqual([400, 404])
  expect(list.text).toContain('create the simulation with a smaller `volume.emails`')
})
