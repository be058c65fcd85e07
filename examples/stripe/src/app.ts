import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import Stripe from 'stripe'

/** What differs between production and everywhere else. */
export interface Settings {
  stripeKey: string
  webhookSecret: string
  /** The id of the price of a month. */
  price: string
  /** Where Stripe's API is. @default Stripe's own address */
  stripeUrl?: string
}

/** Who has paid, as Stripe reported it. */
interface Member {
  status: Stripe.Subscription.Status
  subscription: string
}

/** A club whose members pay each month: they join on Stripe's checkout page, and webhooks tell what became of it. */
export function createApp(settings: Settings): Hono {
  const stripe = connect(settings)
  const members = new Map<string, Member>()
  const app = new Hono()

  app.get('/', (context) =>
    context.html(html`<h1>The reading club</h1>
      <form method="post" action="/join">
        <label>Email <input name="email" type="email" required /></label>
        <button>Join for $20 a month</button>
      </form>`),
  )

  app.post('/join', async (context) => {
    const email = String((await context.req.parseBody()).email)
    const { origin } = new URL(context.req.url)
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer_email: email,
      line_items: [{ price: settings.price, quantity: 1 }],
      subscription_data: { metadata: { email } },
      success_url: `${origin}/members/${email}`,
      cancel_url: `${origin}/`,
    })
    return context.redirect(String(session.url), 303)
  })

  app.get('/members/:email', (context) => showMember(context))

  app.post('/members/:email/leave', async (context) => {
    const member = members.get(context.req.param('email'))
    if (member) await stripe.subscriptions.update(member.subscription, { cancel_at_period_end: true })
    return context.redirect(`/members/${context.req.param('email')}`, 303)
  })

  function showMember(context: Context) {
    const email = context.req.param('email') ?? ''
    const { status } = members.get(email) ?? { status: 'none' }
    return context.html(html`<h1>${email}</h1>
      <p>Membership: <strong>${status}</strong></p>
      <form method="post" action="/members/${email}/leave"><button>Leave at the end of the month</button></form>`)
  }

  app.post('/hooks/stripe', async (context) => {
    const signature = context.req.header('stripe-signature') ?? ''
    const event = stripe.webhooks.constructEvent(await context.req.text(), signature, settings.webhookSecret)
    switch (event.type) {
      case 'customer.subscription.created':
      case 'customer.subscription.updated':
      case 'customer.subscription.deleted': {
        const { id, status, metadata } = event.data.object
        members.set(String(metadata.email), { status, subscription: id })
      }
    }
    return context.json({ received: true })
  })

  app.onError((error, context) => {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return context.text('Not from Stripe.', 400)
    if (error instanceof Stripe.errors.StripeError) return context.text('Payments do not work right now.', 502)
    return context.text(error.message, 500)
  })

  return app
}

function connect({ stripeKey, stripeUrl }: Settings): Stripe {
  if (stripeUrl === undefined) return new Stripe(stripeKey)
  const { hostname, port, protocol } = new URL(stripeUrl)
  return new Stripe(stripeKey, { host: hostname, port, protocol: protocol === 'https:' ? 'https' : 'http' })
}
