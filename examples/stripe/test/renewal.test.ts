import { useSimulation } from 'backlot/vitest'
import Stripe from 'stripe'
import { expect, it } from 'vitest'

const api = useSimulation('stripe')

it('charges the card each month, and gives up after four refusals', async () => {
  const { hostname, port } = new URL(api.url)
  const stripe = new Stripe(api.key, { host: hostname, port, protocol: 'http' }) // the official SDK, as it is
  const recurring = { interval: 'month' } as const
  const product_data = { name: 'Gold' }
  const gold = await stripe.prices.create({ currency: 'usd', unit_amount: 2_000, recurring, product_data })
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const items = [{ price: gold.id }]
  const { id } = await stripe.subscriptions.create({ customer: customer.id, items, default_payment_method: card.id })

  await api.fastForward({ days: 32 })
  const paid = await api.expectWebhook('invoice.paid', { data: { object: { billing_reason: 'subscription_cycle' } } })
  const signature = String(paid.headers['stripe-signature']) // as Stripe signs
  const event = stripe.webhooks.constructEvent(Buffer.from(paid.rawBody), signature, api.webhooks.secret)
  expect(event.data.object).toMatchObject({ amount_paid: 2_000 })

  const broken = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  await stripe.subscriptions.update(id, { default_payment_method: broken.id })
  await api.fastForward({ days: 48 }) // the next invoice, and its retries
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' })
})
