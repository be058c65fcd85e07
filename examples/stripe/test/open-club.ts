import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Simulation } from 'backlot'
import Stripe from 'stripe'
import { createApp } from '../src/app.ts'

/** The club on a free port of this machine, with Stripe at its back. */
export interface Club extends AsyncDisposable {
  url: string
  /** Stripe as a test sees it. */
  stripe: Stripe
  /** What the page of a member says. */
  statusOf(email: string): Promise<string | undefined>
  /** Does what a person does on the checkout page. */
  pay(session: string, paymentMethod?: string): Promise<unknown>
}

/** @param api what `useSimulation('stripe')` gives */
export async function openClub(api: Pick<Simulation, 'url' | 'key' | 'webhooks'>): Promise<Club> {
  const { hostname, port } = new URL(api.url)
  const stripe = new Stripe(api.key, { host: hostname, port, protocol: 'http' })
  const month = { currency: 'usd', unit_amount: 2_000, recurring: { interval: 'month' } } as const
  const { id: price } = await stripe.prices.create({ ...month, product_data: { name: 'Membership' } })
  const app = createApp({ stripeKey: api.key, stripeUrl: api.url, webhookSecret: api.webhooks.secret, price })

  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/' } = request
    const headers = new Headers(request.headers as Record<string, string>)
    const body = method === 'GET' ? null : await buffer(request)
    const answer = await app.request(url + path, { method, headers, body })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const forwarding = api.webhooks.forwardTo(`${url}/hooks/stripe`)

  return {
    url,
    stripe,
    async statusOf(email) {
      await api.webhooks.settled()
      return /<strong>(.*)<\/strong>/.exec(await (await fetch(`${url}/members/${email}`)).text())?.[1]
    },
    pay: (session, payment_method = 'pm_card_visa') =>
      stripe.rawRequest('POST', `/v1/test_helpers/checkout/sessions/${session}/complete`, { payment_method }),
    async [Symbol.asyncDispose]() {
      await forwarding[Symbol.asyncDispose]()
      server.close()
      server.closeAllConnections()
    },
  }
}
