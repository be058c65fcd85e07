import { bill, itemsOf, moveTrial, refuseUnpaid, restart, startTrial, turn } from './billing.ts'
import { costOf, pricedBy, pricingOf, productNameOf, wantedPrice } from './catalog.ts'
import { currencyOf } from './countries.ts'
import { keepCurrency } from './customers.ts'
import { redeemDiscounts, useDiscounts } from './discounts.ts'
import { intentOf } from './intents.ts'
import { addLines, gather, itemOf, linesOf, payerFields, setLines, shippedBy, totalInvoice } from './invoicing.ts'
import { cancelPayment, chosenMethod, finalizeInvoice, markPaid, payInvoice, voidInvoice, writeOff } from './paying.ts'
import { amountOf } from './prices.ts'
import {
  after,
  DAY_S,
  decimalText,
  type Fields,
  fieldsOf,
  filled,
  HOUR_S,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  merged,
  numberOf,
  type Operations,
  type Stripe,
  textOf,
  without,
} from './stripe.ts'
import { addItems, changeItems, creditUnused, prorationOf } from './subscription-items.ts'
import { ratesOf } from './taxes.ts'

const notEditable = (stripe: Stripe, message: string, param?: string): never =>
  stripe.refuse(message, { reason: 'invoice_not_editable', param })

const FINALIZED = "Finalized invoices can't be updated in this way"

const dueDate = ({ body, unix }: Stripe): Fields =>
  numberOf(body.days_until_due) > 0 ? { due_date: unix + numberOf(body.days_until_due) * DAY_S } : {}

/** The draft of the path, whose lines are about to change. */
function ownDraft(stripe: Stripe): Kept {
  const draft = stripe.own('invoices', stripe.path.invoice)
  if (draft.status !== 'draft') notEditable(stripe, FINALIZED)
  const { invoice_metadata } = stripe.body
  return isGiven(invoice_metadata)
    ? stripe.records.invoices.update(draft.id, { metadata: merged(draft.metadata, invoice_metadata) })
    : draft
}

/** Creates items of lines, and puts them on their invoice. @param rates of the lines of another invoice */
function layLines(stripe: Stripe, invoice: Kept, given: Json | undefined, rates: Fields = {}): Kept {
  const { records, unix } = stripe
  const parts = listOf(given).map((line) => {
    const price = pricedBy(stripe, line)
    const { quantity = 1, period = { start: unix, end: unix }, pricing } = line
    const part = records.invoiceitems.create({
      amount: line.amount ?? costOf(price, quantity),
      ...{ currency: invoice.currency, customer: invoice.customer, date: unix, invoice: invoice.id, period, quantity },
      description: line.description ?? productNameOf(stripe, price),
      discountable: line.discountable ?? true,
      tax_rates: rates[textOf(line.id)] ?? ratesOf(stripe, line.tax_rates),
      ...(price ? { pricing: pricingOf(price) } : isGiven(inside(pricing, 'type')) && { pricing }),
    })
    return isGiven(line.id) ? part : redeemDiscounts(stripe, part, line.discounts)
  })
  return addLines(stripe, invoice, parts)
}

/** What a revision has of its original. */
const REVISED =
  'collection_method currency custom_fields customer default_tax_rates description due_date footer metadata'.split(' ')

function createInvoice(stripe: Stripe): Kept {
  const { body, records, unix } = stripe
  const made = stripe.next()
  const revised = inside(body, 'from_invoice.invoice')
  const original = records.invoices.get(revised)
  if (!isGiven(revised)) stripe.need('customer')
  else if (!isOneOf(original?.status, 'open', 'uncollectible'))
    stripe.refuse('Only an invoice that is open or uncollectible can be revised.', { param: 'from_invoice[invoice]' })
  const isSent = body.collection_method === 'send_invoice'
  if (isSent && !isGiven(body.days_until_due) && !isGiven(body.due_date))
    stripe.refuse(
      'If invoice `collection_method` is `send_invoice`, you must specify `days_until_due` or `due_date`.',
      {
        ...{ reason: 'parameter_missing', param: 'days_until_due' },
      },
    )
  const customer = records.customers.get(original?.customer ?? body.customer)
  const soon = body.auto_advance === true ? unix + HOUR_S : null
  const subscription_details = { metadata: {}, subscription: body.subscription ?? null }
  if (isGiven(body.subscription) && !records.subscriptions.get(body.subscription))
    stripe.absent('subscription', body.subscription, 'subscription')
  let invoice = records.invoices.update(made.id, {
    ...payerFields(stripe, customer),
    ...{ billing_reason: 'manual', webhooks_delivered_at: unix, auto_advance: body.auto_advance ?? false },
    ...{ starting_balance: customer?.balance, period_start: unix, period_end: unix, test_clock: customer?.test_clock },
    default_tax_rates: ratesOf(stripe, body.default_tax_rates),
    parent: isGiven(body.subscription)
      ? { type: 'subscription_details', quote_details: null, subscription_details }
      : null,
    rendering: {
      ...{ amount_tax_display: null, pdf: { page_size: 'auto' }, template: null, template_version: null },
      ...fieldsOf(body.rendering),
    },
    due_date: body.due_date ?? null,
    ...{ ...dueDate(stripe), ...shippedBy(stripe) },
    automatically_finalizes_at: soon,
    next_payment_attempt: isSent ? null : soon,
  })
  if (original) {
    const sent = merged(original, without(body, 'default_tax_rates'))
    invoice = records.invoices.update(made.id, Object.fromEntries(REVISED.map((name) => [name, sent[name] ?? null])))
    invoice = layLines(stripe, invoice, inside(original, 'lines.data'), fieldsOf(original.line_rates))
  }
  invoice = useDiscounts(stripe, invoice)
  if (body.pending_invoice_items_behavior === 'include') return gather(stripe, invoice)
  return isGiven(invoice.shipping_cost) ? totalInvoice(stripe, invoice) : invoice
}

/** What cannot change once an invoice is finalized. */
const SETTLED =
  'account_tax_ids collection_method days_until_due due_date discounts default_tax_rates shipping_cost'.split(' ')

function payNow(stripe: Stripe): Kept {
  const { body } = stripe
  const given = stripe.own('invoices')
  const isOutOfBand = body.paid_out_of_band === true
  if (given.status === 'paid') stripe.refuse('Invoice is already paid', { reason: 'invoice_already_paid' })
  if (given.status === 'void') notEditable(stripe, `This invoice can no longer be paid: it is ${given.status}.`)
  if (!isGiven(chosenMethod(stripe, given)) && !isOutOfBand && numberOf(given.amount_due) > 0)
    stripe.refuse(
      'There is no default_payment_method set on this Customer or Invoice. Please set one of these before paying.',
      { reason: 'resource_missing' },
    )
  let invoice = given.status === 'draft' ? finalizeInvoice(stripe, given) : given
  const isDue = () => isOneOf(invoice.status, 'open', 'uncollectible')
  if (isDue()) invoice = isOutOfBand ? markPaid(stripe, invoice) : payInvoice(stripe, invoice)
  if (isDue() && intentOf(stripe, invoice.id)?.status !== 'processing') refuseUnpaid(stripe, invoice, true)
  return invoice
}

/** The next invoice of a subscription, as it is or as the request would change it. */
function preview(stripe: Stripe): Fields {
  const { body, records, unix } = stripe
  const known = records.subscriptions.get(
    body.subscription ?? records.subscription_schedules.get(body.schedule)?.subscription,
  )
  if (isGiven(body.subscription) && !known) stripe.absent('subscription', body.subscription, 'subscription')
  const details = fieldsOf(body.subscription_details)
  const customer = records.customers.get(body.customer ?? known?.customer)
  if (isGiven(body.customer) && !customer) stripe.absent('customer', body.customer, 'customer')
  const pending = records.invoiceitems.some({ customer: customer?.id ?? null, invoice: null })
  const items = details.items ?? listOf(inside(body, 'schedule_details.phases'))[0]?.items
  const isEmpty =
    !known && !pending && !isGiven(details.items) && !isGiven(body.schedule_details) && !isGiven(body.invoice_items)
  const isOver = isOneOf(known?.status, 'canceled', 'incomplete_expired')
  const ends = details.cancel_at_period_end ?? (!isGiven(body.subscription_details) && known?.cancel_at_period_end)
  const isAtEnd = isOneOf(details.cancel_at, 'min_period_end', 'max_period_end')
  const isEnding =
    known && (ends === true || isAtEnd) && !pending && !isGiven(body.invoice_items) && !isGiven(details.items)
  if (isEmpty || isOver || isEnding)
    stripe.refuse(`No upcoming invoices for customer: ${customer?.id ?? ''}`, {
      ...{ status: 404, reason: 'invoice_upcoming_none' },
    })
  for (const one of listOf(body.invoice_items)) {
    const { quantity = 1, unit_amount = 0, description = null, discountable = true, metadata = {} } = one
    const price = wantedPrice(stripe, one)
    const amount = one.amount ?? (price ? costOf(price, quantity) : numberOf(quantity) * numberOf(unit_amount))
    records.invoiceitems.create({
      ...{ amount, quantity, customer: customer?.id, date: unix, discountable, metadata },
      currency: one.currency ?? price?.currency ?? known?.currency ?? 'usd',
      description: description ?? productNameOf(stripe, price),
      period: one.period ?? { start: unix, end: unix },
      ...(price && { pricing: pricingOf(price) }),
    })
  }
  const billed = known
    ? previewChange(stripe, changeItems(stripe, known, details.items))
    : previewNew(stripe, customer, items)
  return {
    ...without(
      records.invoices.get(billed.latest_invoice),
      'asked_at confirmation_secret line_rates overdue_at placed_rates sent_at uncredited',
    ),
    ...{ id: `upcoming_in_${stripe.letters(24)}`, status: 'draft', billing_reason: 'upcoming' },
  }
}

function previewChange(stripe: Stripe, given: Kept): Kept {
  const {
    cancel_at = null,
    cancel_now,
    proration_behavior,
    trial_end = null,
  } = fieldsOf(stripe.body.subscription_details)
  if (trial_end === 'now' && given.status === 'trialing') return restart(stripe, given)
  const sub = numberOf(trial_end) > 0 ? moveTrial(stripe, given, { trial_end }) : given
  const proration = prorationOf(stripe)
  // an end within the period gives back its rest, a later one shortens the period that it is in
  const from = cancel_now === true ? proration.from : numberOf(cancel_at)
  const isOver = from > 0 && from < numberOf(sub.renews_at)
  if (isOver && !proration.isOff)
    for (const item of itemsOf(stripe, sub)) creditUnused(stripe, sub, item, { ...proration, from })
  if (isOver || proration_behavior === 'always_invoice')
    return bill(stripe, sub, { reason: 'subscription_update', isPart: true })
  return turn(stripe, from > 0 ? stripe.records.subscriptions.update(sub.id, { cancel_at }) : sub)
}

function previewNew(stripe: Stripe, customer: Kept | undefined, items: Json | undefined): Kept {
  const { start_date, trial_end = null } = fieldsOf(stripe.body.subscription_details)
  const made = stripe.records.subscriptions.create({
    ...{ customer: customer?.id, status: 'incomplete', start_date: start_date ?? stripe.unix },
    automatic_tax: { enabled: inside(stripe.body, 'automatic_tax.enabled') ?? false },
  })
  const begun = numberOf(trial_end) > 0 ? startTrial(stripe, made, { trial_end }) : made
  const sub = useDiscounts(stripe, addItems(stripe, begun, items))
  if (isGiven(start_date))
    for (const { id, price } of itemsOf(stripe, sub)) {
      const { interval, interval_count } = fieldsOf(fieldsOf(price).recurring)
      const current_period_end = after(start_date, interval_count, interval)
      stripe.records.subscription_items.update(id, { current_period_start: start_date, current_period_end })
    }
  return bill(stripe, sub, { reason: 'subscription_create' })
}

/** Another amount or price of a line. */
function repriced(stripe: Stripe): Fields {
  const { body } = stripe
  const draft = stripe.own('invoices', stripe.path.invoice)
  const line = linesOf(draft).find(({ id }) => id === stripe.path.line_item_id)
  if (line === undefined)
    return stripe.refuse(`No such invoice line item: '${stripe.path.line_item_id}'`, {
      ...{ status: 404, reason: 'resource_missing', param: 'line_item_id' },
    })
  if (draft.status !== 'draft') notEditable(stripe, FINALIZED)
  const price = pricedBy(stripe, body)
  const each = Number(price?.unit_amount_decimal ?? inside(line, 'pricing.unit_amount_decimal') ?? 0)
  const quantity = body.quantity ?? line.quantity
  const changed = {
    ...line,
    ...((isGiven(body.quantity) || price) && { amount: Math.round(numberOf(quantity) * each) }),
    ...(price && { pricing: pricingOf(price) }),
    ...without(body, 'discounts expand price_data pricing tax_amounts tax_rates'),
  }
  const data = linesOf(draft).map((one) => (one.id === line.id ? changed : one))
  return linesOf(setLines(stripe, draft, data)).find(({ id }) => id === line.id) ?? changed
}

export const invoices: Operations = {
  'POST /v1/invoices': createInvoice,
  'POST /v1/invoices/{invoice}': (stripe) => {
    const { body, records } = stripe
    const { status } = stripe.own('invoices')
    const made = stripe.next()
    const settled = SETTLED.filter((name) => body[name] !== undefined)
    if (status !== 'draft' && settled.length > 0) notEditable(stripe, FINALIZED)
    const invoice = records.invoices.update(made.id, {
      ...{ ...dueDate(stripe), ...shippedBy(stripe) },
      ...(body.default_tax_rates !== undefined && { default_tax_rates: ratesOf(stripe, body.default_tax_rates) }),
    })
    const discounted = useDiscounts(stripe, invoice)
    return status === 'draft' ? totalInvoice(stripe, discounted) : discounted
  },
  'DELETE /v1/invoices/{invoice}': (stripe) => {
    const { id, status } = stripe.own('invoices')
    if (status !== 'draft') notEditable(stripe, 'You can only delete draft invoices.')
    stripe.next()
    for (const part of stripe.oldest('invoiceitems', { invoice: id })) stripe.records.invoiceitems.remove(part.id)
  },
  'POST /v1/invoices/{invoice}/finalize': (stripe) => {
    const invoice = stripe.own('invoices')
    if (invoice.status !== 'draft')
      notEditable(stripe, "This invoice is already finalized, you can't re-finalize a non-draft invoice.")
    return finalizeInvoice(stripe, invoice)
  },
  'POST /v1/invoices/{invoice}/pay': payNow,
  'POST /v1/invoices/{invoice}/void': (stripe) => {
    const invoice = stripe.own('invoices')
    const { status } = invoice
    if (!isOneOf(status, 'open', 'uncollectible'))
      notEditable(stripe, `You can only pass in open or uncollectible invoices. This invoice isn't: it is ${status}.`)
    return voidInvoice(stripe, invoice)
  },
  'POST /v1/invoices/{invoice}/mark_uncollectible': (stripe) => {
    const invoice = stripe.own('invoices')
    if (invoice.status !== 'open') notEditable(stripe, 'You can only mark open invoices as uncollectible.')
    return writeOff(stripe, invoice)
  },
  'POST /v1/invoices/{invoice}/send': (stripe) => {
    const invoice = stripe.own('invoices')
    if (invoice.collection_method !== 'send_invoice')
      stripe.refuse("You can only manually send an invoice if its collection method is 'send_invoice'.")
    const { id } = invoice.status === 'draft' ? finalizeInvoice(stripe, invoice) : invoice
    return stripe.records.invoices.update(id, { sent_at: stripe.unix })
  },
  'POST /v1/invoices/create_preview': (stripe) => stripe.preview(() => preview(stripe)),
  'GET /v1/invoices/{invoice}/lines': (stripe) => stripe.pageOf(stripe.own('invoices').lines),
  'POST /v1/invoices/{invoice}/lines/{line_item_id}': repriced,
  'POST /v1/invoices/{invoice}/add_lines': (stripe) => layLines(stripe, ownDraft(stripe), stripe.body.lines),
  'POST /v1/invoices/{invoice}/update_lines': (stripe) => {
    const draft = ownDraft(stripe)
    const sent = listOf(stripe.body.lines)
    const data = linesOf(draft).map((line) =>
      merged(
        line,
        sent.find(({ id }) => id === line.id),
      ),
    )
    return setLines(stripe, draft, data)
  },
  'POST /v1/invoices/{invoice}/remove_lines': (stripe) => {
    const draft = ownDraft(stripe)
    const gone = listOf(stripe.body.lines)
    const isGone = ({ id }: Fields) => gone.some((one) => one.id === id)
    for (const line of linesOf(draft).filter(isGone)) {
      const item = itemOf(line)
      const isKept = gone.some(({ id, behavior }) => id === line.id && behavior === 'unassign')
      if (isKept) stripe.change('invoiceitems', item, { invoice: null })
      else if (stripe.records.invoiceitems.get(item)) stripe.records.invoiceitems.remove(item)
    }
    return setLines(
      stripe,
      draft,
      linesOf(draft).filter((line) => !isGone(line)),
    )
  },
  'POST /v1/invoices/{invoice}/attach_payment': (stripe) => {
    const { body, records } = stripe
    const invoice = stripe.own('invoices')
    const intent = records.payment_intents.get(body.payment_intent)
    if (intent === undefined) return stripe.absent('payment_intent', body.payment_intent, 'payment_intent')
    if (invoice.status !== 'open')
      stripe.refuse(`You can only attach a payment to an open invoice: this one is ${invoice.status}.`)
    const isPaid = intent.status === 'succeeded'
    if (isPaid)
      for (const known of stripe.oldest('invoice_payments', { invoice: invoice.id, status: 'open' }))
        cancelPayment(stripe, known)
    records.invoice_payments.create({
      ...{ amount_requested: invoice.amount_due, currency: invoice.currency, invoice: invoice.id, is_default: false },
      payment: { type: 'payment_intent', payment_intent: intent.id },
    })
    return isPaid && numberOf(invoice.amount_remaining) <= numberOf(intent.amount_received)
      ? markPaid(stripe, invoice)
      : invoice
  },
}

/** Refuses to change an item whose invoice is final. */
function checkItem(stripe: Stripe, { invoice }: Kept): void {
  const target = stripe.records.invoices.get(invoice)
  if (target && target.status !== 'draft')
    notEditable(
      stripe,
      `This invoice item cannot be changed, because its invoice ${target.id} is not a draft any more.`,
    )
}

/** Changes the line of an item, or removes it. */
function layAgain(stripe: Stripe, { id, invoice, tax_rates }: Kept, fresh?: Fields): void {
  const target = stripe.records.invoices.get(invoice)
  const line = linesOf(target).find((one) => itemOf(one) === id)
  if (target === undefined || line === undefined) return
  const data = linesOf(target).flatMap((one) => (one.id !== line.id ? [one] : fresh ? [{ ...one, ...fresh }] : []))
  setLines(stripe, target, data, { [textOf(line.id)]: tax_rates ?? [] })
}

export const invoiceItems: Operations = {
  'POST /v1/invoiceitems': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    const { currency } = currencyOf(stripe)
    stripe.need('customer')
    const { subscription, unit_amount_decimal: each } = body
    const price = pricedBy(stripe, body)
    const quantity = body.quantity ?? 1
    const amount =
      body.amount ??
      (isGiven(each) ? amountOf({ unit_amount_decimal: each }, numberOf(quantity)) : costOf(price, quantity, currency))
    const part = records.invoiceitems.update(made.id, {
      ...(isGiven(subscription) && {
        parent: { type: 'subscription_details', subscription_details: { subscription, subscription_item: null } },
      }),
      ...{ amount, currency: currency ?? price?.currency ?? 'usd', date: unix },
      discountable: body.discountable ?? numberOf(amount) >= 0,
      ...(isGiven(body.tax_rates) && { tax_rates: ratesOf(stripe, body.tax_rates) }),
      ...{ period: body.period ?? { start: unix, end: unix }, quantity, quantity_decimal: `${quantity}` },
      // Stripe makes a price and a product that are not active
      pricing: pricingOf(
        price ?? {
          ...{ id: stripe.id('price_'), product: `prod_${stripe.letters(14)}`, unit_amount_decimal: `${amount}` },
        },
      ),
      description: made.description ?? productNameOf(stripe, price),
    })
    const target = records.invoices.get(part.invoice)
    if (target && target.status !== 'draft')
      notEditable(
        stripe,
        `This invoice is no longer editable: it is ${target.status}. Invoice items can be added to draft invoices only.`,
        'invoice',
      )
    if (target && target.currency !== part.currency)
      stripe.refuse(
        `The currency of the invoice item (${part.currency}) must be that of the invoice (${target.currency}).`,
        { param: 'currency' },
      )
    keepCurrency(stripe, part)
    const discounted = useDiscounts(stripe, part)
    if (target) addLines(stripe, target, [discounted])
    return discounted
  },
  'POST /v1/invoiceitems/{invoiceitem}': (stripe) => {
    const { body, records } = stripe
    const before = stripe.own('invoiceitems')
    const made = stripe.next()
    checkItem(stripe, before)
    const price = pricedBy(stripe, body)
    const each = body.unit_amount_decimal ?? price?.unit_amount_decimal ?? inside(made, 'pricing.unit_amount_decimal')
    const isRepriced = isGiven(body.quantity) || isGiven(body.unit_amount_decimal) || price !== undefined
    const amount = isRepriced ? Math.round(numberOf(made.quantity) * numberOf(each)) : made.amount
    const pricing = price ? pricingOf(price) : made.pricing
    const repriced = records.invoiceitems.update(made.id, {
      amount,
      pricing: isGiven(body.amount) ? merged(pricing, { unit_amount_decimal: decimalText(amount) }) : pricing,
      ...(body.tax_rates !== undefined && { tax_rates: ratesOf(stripe, body.tax_rates) }),
    })
    const part = useDiscounts(stripe, repriced)
    const { description, discountable, discounts, metadata, period, quantity } = part
    layAgain(stripe, part, {
      ...filled({ amount: part.amount, discountable, discounts, metadata, period, pricing: part.pricing, quantity }),
      description: description ?? null,
    })
    return part
  },
  'DELETE /v1/invoiceitems/{invoiceitem}': (stripe) => {
    const part = stripe.own('invoiceitems')
    checkItem(stripe, part)
    stripe.next()
    layAgain(stripe, part)
  },
}
