import type { PageRow } from '../../src/handlers.ts'
import { toPdf } from '../shared/pdf.ts'
import { authenticationParts, cardFields, takeCard } from './cards.ts'
import { costOf, productNameOf, wantedPrice } from './catalog.ts'
import {
  type Context,
  fieldsOf,
  find,
  type Kept,
  listOf,
  missing,
  money,
  problemOf,
  refused,
  textOf,
} from './context.ts'
import { type Fields, inside, isGiven, type Operations, type Stripe, without } from './stripe.ts'

/** A payment link: makes a checkout session, and leads to it. */
export const paymentLink = (context: Context): object =>
  context.page(() => {
    const { records, call, origin, path } = context
    const link = records.payment_links.get(path.id)
    if (link === undefined) return missing('payment link')
    if (link.active !== true) return { title: 'This link is no longer active', parts: [] }
    const lines = listOf(link.lines)
    const isRecurring = lines.some(({ price }) => fieldsOf(price).type === 'recurring')
    const { redirect } = fieldsOf(link.after_completion)
    const made = call('POST', '/v1/checkout/sessions', {
      mode: isRecurring ? 'subscription' : 'payment',
      line_items: lines.map(({ price, quantity }) => ({ price: fieldsOf(price).id, quantity })),
      success_url: textOf(fieldsOf(redirect).url) || `${origin}/c/pay/{CHECKOUT_SESSION_ID}`,
      ...given(link, PASSED),
      automatic_tax: { enabled: fieldsOf(link.automatic_tax).enabled === true },
      ...given(link, isRecurring ? 'subscription_data' : 'customer_creation invoice_creation payment_intent_data'),
    })
    if (made.status !== 200)
      return { title: 'This link does not work', parts: [{ alert: problemOf(made.body) }], status: 400 }
    records.checkout_sessions.update(textOf(made.body.id), { payment_link: link.id })
    return { to: textOf(made.body.url) }
  })

/** Refuses what does not fit the mode of a session. */
export function checkMode(context: Context, mode: unknown): undefined {
  const { body } = context
  if (mode !== 'payment' && body.customer_creation !== undefined)
    return refused(context, 'customer_creation', '`customer_creation` can only be used in `payment` mode.')
  const unfit = mode === 'subscription' ? ['invoice_creation', 'payment_intent_data'] : ['subscription_data']
  const name = unfit.find((one) => body[one] !== undefined)
  return name === undefined ? undefined : refused(context, name, `You can not pass \`${name}\` in \`${mode}\` mode.`)
}

/** What a session has of its link. */
const PASSED =
  'allow_promotion_codes billing_address_collection consent_collection custom_fields metadata phone_number_collection shipping_address_collection shipping_options submit_type tax_id_collection'
const given = (link: Kept, names: string) =>
  Object.fromEntries(
    Object.entries(link).filter(([name, value]) => names.split(' ').includes(name) && `${value ?? ''}`),
  )

/** The page of an open invoice. */
export const invoice = (context: Context): object =>
  context.page((sent) => {
    const { records, call, origin, path } = context
    const found = records.invoices.get(path.id)
    if (found === undefined || found.status === 'draft') return missing('invoice')
    const total = money(found.amount_remaining, found.currency)
    const summary = { rows: rowsOf(found, 'symbol'), name: 'Items' }
    const title = `Invoice ${found.number}`
    if (found.status !== 'open') return { title, parts: [summary, { status: `This invoice is ${found.status}.` }] }
    const intent = records.payment_intents.find({ 'payment_details.order_reference': found.id })
    const here = { to: `${origin}/i/${found.id}` }
    if (intent?.status === 'requires_action') {
      if (sent === undefined) return { title: 'Authenticate', parts: authenticationParts(`pays ${total}`) }
      call('POST', `/v1/test_helpers/payment_intents/${intent.id}/authenticate`, { outcome: sent.outcome ?? 'failure' })
      return here
    }
    const show = (problem?: string) => ({
      title,
      parts: [
        summary,
        problem === undefined ? undefined : { alert: problem },
        { form: [...cardFields(sent), { button: `Pay ${total}`, main: true }] },
      ],
    })
    if (sent === undefined) return show()
    const card = takeCard(context, sent)
    if ('problem' in card) return show(card.problem)
    const paid = call('POST', `/v1/invoices/${found.id}/pay`, { payment_method: card.id })
    const asks = records.payment_intents.get(intent?.id)?.status === 'requires_action'
    return paid.status === 200 || asks ? here : show(problemOf(paid.body))
  })

function rowsOf({ lines, total, currency }: Kept, display: 'symbol' | 'code'): PageRow[] {
  const rows = listOf(fieldsOf(lines).data).map(({ description, amount, amount_total = amount }) => ({
    label: textOf(description),
    value: money(amount_total, currency, display),
  }))
  return [...rows, { label: 'Total', value: money(total, currency, display), main: true }]
}

/** An invoice as a file: one page with the lines of its page. */
export const invoicePdf = (context: Context): object => {
  const { records, path, refuse } = context
  const found = records.invoices.get(path.id)
  if (found === undefined || found.status === 'draft') return refuse(404, 'There is no such invoice.')
  return pdfOf(context, 'Invoice', found, rowsOf(found, 'code'))
}

/** A quote as a file, once it is finalized. */
export const quotePdf = (context: Context): object => {
  const found = find(context, 'quotes', context.path.quote)
  if (found.status === 'draft') return refused(context, null, 'A quote has a PDF once it is finalized.')
  const { line_items: lines = null, amount_total: total = null } = found
  return pdfOf(context, 'Quote', found, rowsOf({ ...found, lines, total }, 'code'))
}

function pdfOf({ respond }: Context, kind: string, { number }: Kept, rows: readonly PageRow[]): object {
  return respond({
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${kind}-${number}.pdf"`,
    },
    body: toPdf([`${kind} ${number}`, ...rows.map(({ label, value }) => `${label}: ${value}`)]),
  })
}

/** The onboarding of a connected account. A link works once. */
export const onboarding = (context: Context): object =>
  context.page((sent) => {
    const { records, call, now, path } = context
    const link = records.account_links.find(({ url }) => textOf(url).endsWith(`/setup/e/${path.id}`))
    const account = records.accounts.get(textOf(link?.account))
    if (link === undefined || account === undefined) return missing('account link')
    const refresh = textOf(link.refresh_url)
    if (link.used === true || Number(link.expires_at) * 1_000 < now.getTime())
      return refresh === '' ? { title: 'This link was used', parts: [] } : { to: refresh }
    if (sent === undefined)
      return {
        title: 'Set up your account',
        parts: [
          'to be paid with the simulated Stripe',
          {
            form: [
              { field: 'Business name', name: 'name', value: textOf(fieldsOf(account.business_profile).name) },
              { field: 'Email', name: 'email', value: textOf(account.email), keys: 'email' },
              { button: 'Agree and submit', main: true },
            ],
          },
        ],
      }
    records.accounts.update(account.id, {
      email: sent.email,
      business_profile: { ...fieldsOf(account.business_profile), name: sent.name ?? null },
    })
    call('POST', `/v1/test_helpers/accounts/${account.id}/complete`)
    records.account_links.update(link, { used: true })
    return textOf(link.return_url) === ''
      ? { title: 'Thank you', parts: [{ status: 'Your account is set up.' }] }
      : { to: textOf(link.return_url) }
  })

/** The page of a bank for a payment that its application has confirmed. */
export const authentication = (context: Context): object =>
  context.page((sent) => {
    const { records, call, path } = context
    const intent = records.payment_intents.get(path.id) ?? records.setup_intents.get(path.id)
    const { return_url } = fieldsOf(fieldsOf(intent?.next_action).redirect_to_url)
    if (intent === undefined || intent.status !== 'requires_action') return missing('authentication')
    const what =
      intent.object === 'payment_intent' ? `pays ${money(intent.amount, intent.currency)}` : 'saves this card'
    if (sent === undefined) return { title: 'Authenticate', parts: authenticationParts(what) }
    const outcome = sent.outcome ?? 'failure'
    call('POST', `/v1/test_helpers/${intent.object}s/${intent.id}/authenticate`, { outcome })
    if (textOf(return_url) === '') return { title: 'Thank you', parts: [{ status: 'Go back to the application.' }] }
    const to = new URL(textOf(return_url))
    to.searchParams.set(textOf(intent.object), intent.id)
    to.searchParams.set(`${intent.object}_client_secret`, textOf(intent.client_secret))
    to.searchParams.set('redirect_status', outcome === 'success' ? 'succeeded' : 'failed')
    return { to: to.href }
  })

/** The line of a link. A price that is made for it stays. */
function toLine(stripe: Stripe, wanted: Fields, at: number): Fields {
  const { records } = stripe
  const found = wantedPrice(stripe, wanted)
  const param = `line_items[${at}][price]`
  if (found === undefined) return stripe.absent('price', wanted.price, param)
  if (isGiven(wanted.price) && found.active === false)
    stripe.refuse('The price specified is inactive. This field only accepts active prices.', { param })
  const price = isGiven(wanted.price_data) ? records.prices.update(found.id, { active: true }) : found
  const quantity = wanted.quantity ?? 1
  const cost = costOf(price, quantity)
  return {
    ...{ id: stripe.id('li_'), object: 'item', adjustable_quantity: wanted.adjustable_quantity ?? null },
    ...{
      amount_discount: 0,
      amount_subtotal: cost,
      amount_tax: 0,
      amount_total: cost,
      currency: price.currency ?? null,
    },
    ...{ description: productNameOf(stripe, price), price, quantity },
  }
}

export const paymentLinks: Operations = {
  'POST /v1/payment_links': (stripe) => {
    const { body, records } = stripe
    const lines = listOf(body.line_items).map((wanted, at) => toLine(stripe, wanted, at))
    const isRecurring = lines.some(({ price }) => fieldsOf(price).type === 'recurring')
    checkMode(stripe.of, isRecurring ? 'subscription' : 'payment')
    const { id } = stripe.next()
    const limit = inside(body, 'restrictions.completed_sessions.limit') ?? null
    return records.payment_links.update(id, {
      restrictions: isGiven(body.restrictions) ? { completed_sessions: { count: 0, limit } } : null,
      ...{ url: `${stripe.pageHost('buy')}/b/${id}`, lines, currency: lines[0]?.currency },
    })
  },
  'POST /v1/payment_links/{payment_link}': (stripe) => {
    const before = stripe.own('payment_links')
    const { id, restrictions } = stripe.next()
    const sessions = inside(stripe.body, 'restrictions.completed_sessions')
    if (!isGiven(sessions)) return stripe.fresh('payment_links', { id })
    const count = inside(before, 'restrictions.completed_sessions.count') ?? 0
    const completed_sessions = { ...fieldsOf(sessions), count }
    return stripe.records.payment_links.update(id, {
      restrictions: { ...fieldsOf(restrictions), completed_sessions },
    })
  },
  'GET /v1/payment_links/{payment_link}/line_items': (stripe) => {
    const { id, lines = [] } = stripe.own('payment_links')
    return stripe.pageOf({ object: 'list', data: lines, url: `/v1/payment_links/${id}/line_items` })
  },
}

export const accountLinks: Operations = {
  'POST /v1/account_links': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    const owner = records.accounts.get(body.account)
    if (owner === undefined) return stripe.absent('account', body.account, 'account')
    if (body.type === 'account_update' && inside(owner, 'controller.requirement_collection') !== 'application')
      stripe.refuse(
        'You cannot create `account_update` type Account Links for this account. Your platform can create Login Links for accounts with the Express Dashboard.',
        { param: 'type' },
      )
    stripe.checkUrls('refresh_url', 'return_url')
    const url = `${stripe.pageHost('connect')}/setup/e/${stripe.letters(16)}`
    const link = records.account_links.update(made, { created: unix, expires_at: stripe.later(5, 'minute'), url })
    return without(link, 'account return_url refresh_url used')
  },
}
