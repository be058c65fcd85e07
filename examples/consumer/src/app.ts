import type { DatabaseSync } from 'node:sqlite'
import { Hono } from 'hono'
import Stripe from 'stripe'

/** What differs between production and everywhere else. */
export interface Settings {
  stripeKey: string
  webhookSecret: string
  /** Where Stripe's API is. @default Stripe's own address */
  stripeUrl?: string
}

/** An order that was invoiced. `status` is that of its invoice. */
interface Order {
  id: number
  email: string
  item: string
  amount: number
  status: string
  invoice: string | null
}

/** A shop that sends invoices: orders in a database, invoices at Stripe, and what Stripe tells by webhook. */
export function createApp(database: DatabaseSync, settings: Settings): Hono {
  database.exec(`
    CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, email TEXT, item TEXT, amount INTEGER, status TEXT, invoice TEXT);
    CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY)`)
  const stripe = connect(settings)
  const app = new Hono()

  const findOrder = (id: number | string) =>
    database.prepare('SELECT * FROM orders WHERE id = ?').get(Number(id)) as unknown as Order | undefined
  const setStatus = (invoice: string, status: string) =>
    database.prepare('UPDATE orders SET status = ? WHERE invoice = ? AND status <> ?').run(status, invoice, status)
      .changes

  app.post('/orders', async (context) => {
    const { email, item, amount } = await context.req.json()
    if (typeof email !== 'string' || !Number.isInteger(amount) || amount < 1)
      return context.json({ error: 'invalid' }, 400)
    const insert = database.prepare("INSERT INTO orders (email, item, amount, status) VALUES (?, ?, ?, 'new')")
    const order = Number(insert.run(email, item, amount).lastInsertRowid)
    return context.json(await sendInvoice(order), 201)
  })

  /** Can be called again after a failure: Stripe knows by the idempotency keys what it has done already. */
  app.post('/orders/:id/invoice', async (context) => context.json(await sendInvoice(Number(context.req.param('id')))))

  async function sendInvoice(id: number): Promise<Order | undefined> {
    const { email, item, amount } = findOrder(id) as Order
    const [known] = (await stripe.customers.list({ email, limit: 1 })).data
    const customer = (known ?? (await stripe.customers.create({ email }, { idempotencyKey: `customer-${id}` }))).id
    const invoice = await stripe.invoices.create(
      { customer, collection_method: 'send_invoice', days_until_due: 14, metadata: { order: id } },
      { idempotencyKey: `invoice-${id}` },
    )
    const line = { customer, invoice: invoice.id, amount, currency: 'eur', description: item }
    await stripe.invoiceItems.create(line, { idempotencyKey: `item-${id}` })
    const { status } = await stripe.invoices.finalizeInvoice(invoice.id, {}, { idempotencyKey: `finalize-${id}` })
    database.prepare('UPDATE orders SET invoice = ?, status = ? WHERE id = ?').run(invoice.id, status, id)
    return findOrder(id)
  }

  app.get('/orders/:id', (context) => {
    const order = findOrder(context.req.param('id'))
    return order ? context.json(order) : context.json({ error: 'not_found' }, 404)
  })

  app.delete('/orders/:id', async (context) => {
    const order = findOrder(context.req.param('id'))
    if (!order?.invoice) return context.json({ error: 'not_found' }, 404)
    const { status } = await stripe.invoices.voidInvoice(order.invoice)
    setStatus(order.invoice, `${status}`)
    return context.json(findOrder(order.id))
  })

  /** Catches up on webhooks that did not arrive. Answers with the number of orders that were behind. */
  app.post('/reconcile', async (context) => {
    let repaired = 0
    for await (const { id, status } of stripe.invoices.list({ limit: 20 }))
      repaired += Number(setStatus(id, `${status}`))
    return context.json({ repaired })
  })

  app.post('/hooks/stripe', async (context) => {
    const signature = context.req.header('stripe-signature') ?? ''
    const event = stripe.webhooks.constructEvent(await context.req.text(), signature, settings.webhookSecret)
    const { changes: isNew } = database.prepare('INSERT OR IGNORE INTO events (id) VALUES (?)').run(event.id)
    if (isNew && event.type === 'invoice.updated') setStatus(event.data.object.id, `${event.data.object.status}`)
    return context.json({ received: true })
  })

  app.onError((error, context) => {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      return context.json({ error: 'signature' }, 400)
    if (error instanceof Stripe.errors.StripeError) return context.json({ error: error.type }, 502)
    return context.json({ error: error.message }, 500)
  })

  return app
}

function connect({ stripeKey, stripeUrl }: Settings): Stripe {
  if (stripeUrl === undefined) return new Stripe(stripeKey)
  const { hostname, port, protocol } = new URL(stripeUrl)
  return new Stripe(stripeKey, {
    host: hostname,
    port,
    protocol: protocol === 'https:' ? 'https' : 'http',
    timeout: 2_000,
  })
}
