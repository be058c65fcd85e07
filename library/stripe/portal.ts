import type { Page, PagePart, PageRedirect, SentForm } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { cardFields, nameOfCard, takeCard } from './cards.ts'
import { type Context, day, fieldsOf, type Kept, listOf, missing, money, period, problemOf, textOf } from './context.ts'
import { inside, isGiven, merged, type Operations, type Stripe } from './stripe.ts'

/** The customer portal: subscriptions, payment methods and invoices of one customer. */
export const portal = (context: Context): object =>
  context.page((sent) => {
    const session = context.records.billing_portal_sessions.get(context.path.id)
    if (session === undefined) return missing('portal session')
    return sent === undefined ? portalPage(context, session) : change(context, session, sent)
  })

/** The login page of a portal: leads the customer with an address to a session, without the email that Stripe sends. */
export const portalLogin = (context: Context): object =>
  context.page((sent) => {
    const { records, call, path } = context
    const configuration = records.configurations.get(path.id)
    if (fieldsOf(configuration?.login_page).enabled !== true) return missing('login page')
    const form: PagePart[] = [
      { field: 'Email', name: 'email', keys: 'email' },
      { button: 'Log in', main: true },
    ]
    const show = (alert?: string) => ({
      title: 'Log in',
      parts: [...(alert === undefined ? [] : [{ alert }]), { form }],
    })
    if (sent === undefined) return show()
    const customer = records.customers.find({ email: textOf(sent.email) })
    if (customer === undefined) return show('No customer has this address.')
    const made = call('POST', '/v1/billing_portal/sessions', { customer: customer.id, configuration: path.id })
    return made.status === 200 ? { to: textOf(made.body.url) } : show(problemOf(made.body))
  })

function change(context: Context, session: Kept, sent: SentForm): Page | PageRedirect {
  const { call, records, origin } = context
  const { subscription = '', price, end, sure } = sent
  const customer = textOf(session.customer)
  const own = records.subscriptions.get(subscription)
  const here = { to: `${origin}/p/session/${session.id}` }
  if (sent.number !== undefined) {
    const card = takeCard(context, sent)
    if ('problem' in card) return portalPage(context, session, card.problem)
    const kept = call('POST', `/v1/payment_methods/${card.id}/attach`, { customer })
    if (kept.status !== 200) return portalPage(context, session, problemOf(kept.body))
    call('POST', `/v1/customers/${customer}`, { invoice_settings: { default_payment_method: card.id } })
    return here
  }
  if (own === undefined || own.customer !== customer)
    return portalPage(context, session, 'There is no such subscription.')
  const [item] = listOf(fieldsOf(own.items).data)
  const isNow = fieldsOf(featuresOf(context, session).subscription_cancel).mode === 'immediately'
  if (end === '1' && sure === undefined)
    return {
      title: 'Cancel subscription?',
      parts: [
        isNow ? 'It ends now.' : `It ends on ${day(item?.current_period_end)}, and can be renewed until then.`,
        {
          form: [{ button: 'Cancel subscription', name: 'end', main: true }],
          hidden: { subscription: own.id, sure: '1' },
        },
        { link: 'Keep subscription', to: here.to },
      ],
    }
  const path = `/v1/subscriptions/${own.id}`
  const done =
    price !== undefined
      ? call('POST', path, { items: [{ id: item?.id, price }] })
      : end === '1' && isNow
        ? call('DELETE', path)
        : call('POST', path, { cancel_at_period_end: end === '1' })
  return done.status === 200 ? here : portalPage(context, session, problemOf(done.body))
}

const configurationOf = ({ records }: Context, { configuration }: Kept): Kept | undefined =>
  records.configurations.get(textOf(configuration))

/** What the configuration of a session allows; without one, everything but changes of the plan. */
function featuresOf(context: Context, session: Kept): Kept | Record<string, never> {
  return fieldsOf(configurationOf(context, session)?.features) as Kept
}

function portalPage(context: Context, session: Kept, problem?: string): Page {
  const { records } = context
  const customer = textOf(session.customer)
  const features = featuresOf(context, session)
  const isOff = (name: string): boolean => fieldsOf(features[name]).enabled === false
  const ended = ['canceled', 'incomplete_expired']
  const subscriptions = records.subscriptions
    .where({ customer })
    .filter(({ status }) => !ended.includes(textOf(status)))
  const methods = records.payment_methods.where({ customer })
  const invoices = records.invoices.where({ customer }).filter(({ status }) => status !== 'draft')
  const back = textOf(session.return_url ?? configurationOf(context, session)?.default_return_url)
  return {
    title: 'Your subscriptions',
    parts: [
      problem === undefined ? undefined : { alert: problem },
      ...(subscriptions.length === 0 ? ['You have no subscriptions.'] : []),
      ...subscriptions.flatMap((one) => subscriptionParts(context, features, one, isOff('subscription_cancel'))),
      { heading: 'Payment methods' },
      methods.length === 0 ? undefined : { list: methods.map(nameOfCard), name: 'Payment methods' },
      ...(isOff('payment_method_update') ? [] : [{ form: [...cardFields(), { button: 'Add card' }] }]),
      ...(isOff('invoice_history') || invoices.length === 0
        ? []
        : [
            { heading: 'Invoices' },
            {
              rows: invoices.slice(0, 12).map(({ created, total, currency, status }) => ({
                label: day(created),
                value: money(total, currency),
                detail: textOf(status),
              })),
              name: 'Invoices',
            },
          ]),
      back === '' ? undefined : { link: 'Return', to: back },
    ],
  }
}

function subscriptionParts(
  { records }: Context,
  features: Kept | Record<string, never>,
  one: Kept,
  isFixed: boolean,
): PagePart[] {
  const items = listOf(fieldsOf(one.items).data)
  const rows = items.map(({ price, current_period_end }) => {
    const shown = fieldsOf(price)
    return {
      label: textOf(records.products.get(textOf(shown.product))?.name),
      value: money(shown.unit_amount, shown.currency),
      detail: `${period(shown)}, ${one.status}, ${one.cancel_at_period_end === true ? 'ends' : 'renews'} on ${day(current_period_end)}`,
    }
  })
  const update = fieldsOf(features.subscription_update)
  const offered =
    update.enabled === true
      ? listOf(update.products).flatMap(({ prices }) => (Array.isArray(prices) ? prices : []))
      : []
  const others = offered
    .flatMap((id) => records.prices.get(textOf(id)) ?? [])
    .filter(({ id }) => !items.some(({ price }) => fieldsOf(price).id === id))
  const list = others.map((price) => ({
    button: `Change to ${records.products.get(textOf(price.product))?.name}`,
    detail: `${money(price.unit_amount, price.currency)} ${period(price) ?? ''}`,
    name: 'price',
    value: price.id,
  }))
  const hidden = { subscription: one.id }
  const isEnding = one.cancel_at_period_end === true
  return [
    { rows, name: 'Subscription' },
    ...(list.length === 0 || isEnding ? [] : [{ form: [{ list, name: 'Plans' }], hidden }]),
    ...(isFixed
      ? []
      : [
          {
            form: [
              {
                button: isEnding ? 'Renew subscription' : 'Cancel subscription',
                name: 'end',
                value: isEnding ? '0' : '1',
              },
            ],
            hidden,
          },
        ]),
  ]
}

/** The flow of a session, which begins at one thing. */
function flowOf(sent: JsonObject | null): JsonObject | null {
  if (sent === null) return null
  const { after_completion, subscription_cancel, subscription_update_confirm: confirm } = sent
  return {
    ...{ customer_update: null, subscription_pause: null, subscription_update: null, ...sent },
    after_completion: {
      type: 'portal_homepage',
      hosted_confirmation: null,
      redirect: null,
      ...fieldsOf(after_completion),
    },
    subscription_cancel:
      subscription_cancel === undefined ? null : { retention: null, ...fieldsOf(subscription_cancel) },
    subscription_update_confirm: confirm === undefined ? null : { discounts: null, ...fieldsOf(confirm) },
  }
}

function configure(stripe: Stripe): Kept {
  const { body, path, records, unix } = stripe
  const before = path.configuration === undefined ? undefined : stripe.own('configurations')
  const { id } = stripe.next()
  const enabled = inside(body, 'login_page.enabled')
  const url = enabled === true ? `${stripe.pageHost('billing')}/p/login/${id}` : null
  return records.configurations.update(id, {
    ...{ features: merged(before?.features, body.features), updated: unix },
    ...(isGiven(enabled) && { login_page: { enabled, url } }),
  })
}

export const portalSessions: Operations = {
  'POST /v1/billing_portal/sessions': (stripe) => {
    const { body, records } = stripe
    const { id } = stripe.next()
    stripe.need('customer')
    if (records.configurations.get(body.configuration)?.active === false)
      stripe.refuse('The configuration is inactive, so that no session can use it.', { param: 'configuration' })
    stripe.checkUrls('return_url')
    const url = `${stripe.pageHost('billing')}/p/session/${id}`
    const flow = flowOf(isGiven(body.flow_data) ? fieldsOf(body.flow_data) : null)
    return records.billing_portal_sessions.update(id, { url, flow })
  },
  'POST /v1/billing_portal/configurations': configure,
  'POST /v1/billing_portal/configurations/{configuration}': configure,
}
