import { useSimulation } from 'backlot/vitest'
import { expect, it } from 'vitest'
import { startShop } from './start-shop.ts' // an application: routes, a database, Stripe's SDK, a webhook handler

const paid = { kind: 'transition', collection: 'invoices', from: 'open', to: 'paid', fraction: 0.3 } as const
const stripe = useSimulation(
  { spec: new URL('../stripe.yaml', import.meta.url) },
  { behaviour: [{ everySeconds: 86_400, steps: [paid] }], webhooks: { scheme: 'stripe' } },
)

it('is paid in the course of a month', async () => {
  await using shop = await startShop({
    stripeUrl: stripe.url,
    stripeKey: stripe.key,
    webhookSecret: stripe.webhooks.secret,
  })
  await using _forwarding = stripe.webhooks.forwardTo(`${shop.url}/hooks/stripe`)
  await stripe.failNext(1, { status: 500, pathPattern: '/v1/invoices' }) // Stripe's SDK tries again

  const order = await shop.call('POST', '/orders', { email: 'ada@example.com', item: 'Lamp', amount: 4_900 })
  await stripe.fastForward({ days: 30 }) // customers pay: webhooks, signed as Stripe signs
  await stripe.webhooks.settled() // the handler has verified them with `stripe.webhooks.constructEvent`

  expect(await shop.call('GET', `/orders/${order.body.id}`)).toMatchObject({ body: { status: 'paid' } })
  await stripe.expectRequest({ path: '/v1/invoices', headers: { 'idempotency-key': 'invoice-1' } }, { count: 2 })
})
