import { intentOf } from './intents.ts'
import { linesOf } from './invoicing.ts'
import { markPaid } from './paying.ts'
import {
  type Fields,
  inside,
  isGiven,
  isOneOf,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  type Stripe,
  shareOf,
  sumOf,
} from './stripe.ts'
import { ratesOf, taxPart } from './taxes.ts'

/** A number of a body, or of the text of a query. */
const numberIn = (value: Json | undefined): number | null => (isGiven(value) ? Number(value) : null)

const USUAL: Fields = {
  ...{ object: 'credit_note_line_item', discount_amount: 0, discount_amounts: [], livemode: false },
  ...{ pretax_credit_amounts: [], tax_rates: [], taxes: [] },
}

/** A line of a note: of one of the invoice, or of its own. */
function toLine(stripe: Stripe, invoice: Kept, sent: Fields): Fields {
  const { invoice_line_item = null, metadata = {}, type = 'invoice_line_item' } = sent
  const price = sent.unit_amount ?? sent.unit_amount_decimal
  const [amount, quantity, unit_amount] = [sent.amount, sent.quantity, price].map(numberIn)
  const line = linesOf(invoice).find(({ id }) => id === invoice_line_item)
  const own = line
    ? shareOf(line.amount, quantity ?? line.quantity, line.quantity)
    : Math.round(numberOf(unit_amount) * numberOf(quantity))
  const credited = amount ?? own
  const discount_amounts = listOf(line?.discount_amounts).map((off) => ({
    ...off,
    amount: shareOf(off.amount, credited, line?.amount),
  }))
  const discount_amount = sumOf(discount_amounts, 'amount')
  const tax_rates = ratesOf(stripe, sent.tax_rates)
  const taxes = line
    ? listOf(line.taxes).map((tax) => ({
        ...tax,
        amount: shareOf(tax.amount, credited, line.amount),
        taxable_amount: shareOf(tax.taxable_amount, credited, line.amount),
      }))
    : tax_rates.map((rate) => taxPart(credited, rate))
  return {
    ...{ ...USUAL, id: stripe.id('cnli_'), amount: credited, invoice_line_item, metadata, type },
    ...{ discount_amount, discount_amounts, tax_rates, taxes },
    ...{ description: sent.description ?? line?.description ?? null, quantity: quantity ?? null },
    ...{ unit_amount: numberIn(sent.unit_amount), unit_amount_decimal: isGiven(price) ? `${price}` : null },
  }
}

/** Parts of all lines, one of each discount or rate. */
const joined = (lines: readonly Fields[], name: string, key: string): Fields[] =>
  [
    ...Map.groupBy(
      lines.flatMap((line) => listOf(line[name])),
      (part) => inside(part, key),
    ).values(),
  ].map((same) => ({
    ...{ ...same[0], amount: sumOf(same, 'amount') },
    ...(same[0]?.taxable_amount !== undefined && { taxable_amount: sumOf(same, 'taxable_amount') }),
  }))

/** The line of a note of an amount alone. */
const wholeLine = (stripe: Stripe, amount: number): Fields => ({
  ...{ ...USUAL, id: stripe.id('cnli_'), amount, description: null, invoice_line_item: null, metadata: {} },
  ...{ quantity: 1, type: 'custom_line_item', unit_amount: amount, unit_amount_decimal: `${amount}` },
})

/** The refunds that were made before, and that a note tells of. */
const refundsOf = (stripe: Stripe, sent: Fields): Fields[] =>
  listOf(sent.refunds).map(({ refund = null, amount_refunded }) => {
    const { amount = null } =
      stripe.records.refunds.get(refund) ?? stripe.absent('refund', refund, 'refunds[0][refund]')
    return {
      ...{ amount_refunded: numberIn(amount_refunded) ?? amount, payment_record_refund: null, refund, type: 'refund' },
    }
  })

/** Refuses a note that its invoice cannot have. */
function check(stripe: Stripe, invoice: Kept, amount: number, sent: Fields): void {
  if (!isOneOf(invoice.status, 'open', 'paid'))
    stripe.refuse(
      `You can only create a credit note for an invoice that is open or paid: this one is ${invoice.status}.`,
      { param: 'invoice' },
    )
  const isPaid = invoice.status === 'paid'
  const ways = [sent.refund_amount, sent.credit_amount, sent.out_of_band_amount].map(numberOf)
  const back = ways.reduce((sum, way) => sum + way, sumOf(refundsOf(stripe, sent), 'amount_refunded'))
  if (isPaid && back !== amount)
    stripe.refuse(
      `The sum of credit_amount, refund_amount, out_of_band_amount and refunds must equal the amount of the credit note, ${amount}: the invoice is paid. It is ${back}.`,
    )
  const creditable = isPaid
    ? numberOf(invoice.amount_paid) - numberOf(invoice.post_payment_credit_notes_amount)
    : numberOf(invoice.amount_remaining)
  if (amount > creditable)
    stripe.refuse(
      `The amount of the credit note, ${amount}, is more than can be credited on the invoice, ${creditable}.`,
      { param: 'amount' },
    )
}

/** Gives the money of a paid invoice back: to the balance of the customer, or to the card. */
function giveBack(stripe: Stripe, note: Kept, invoice: Kept, sent: Fields): void {
  const { records } = stripe
  const { id, currency, customer } = note
  const credited = numberOf(sent.credit_amount)
  const payer = records.customers.get(customer)
  if (credited > 0 && payer) {
    const ending_balance = numberOf(payer.balance) - credited
    const moved = records.customer_balance_transactions.create({
      ...{ amount: 0 - credited, credit_note: id, currency, customer, ending_balance, invoice: invoice.id },
      type: 'credit_note',
    })
    records.customers.update(payer.id, { balance: ending_balance })
    records.credit_notes.update(id, { customer_balance_transaction: moved.id })
  }
  const refunds = refundsOf(stripe, sent)
  records.credit_notes.update(id, { refunds })
  const amount = numberOf(sent.refund_amount)
  if (amount <= 0) return
  const intent = intentOf(stripe, invoice.id)
  const charge = records.charges.get(intent?.latest_charge)
  const refund = records.refunds.create({
    ...{ amount, charge: charge?.id ?? null, currency, payment_intent: intent?.id ?? null, status: 'succeeded' },
  })
  stripe.change('charges', charge?.id, {
    amount_refunded: numberOf(charge?.amount_refunded) + amount,
    refunds_made: numberOf(charge?.refunds_made) + 1,
  })
  records.credit_notes.update(id, {
    refunds: [...refunds, { amount_refunded: amount, payment_record_refund: null, refund: refund.id, type: 'refund' }],
  })
}

/** Writes a credit note on its invoice. @param sent of a body, or of a query */
function writeNote(stripe: Stripe, made: Kept, sent: Fields): Kept {
  const { records, unix } = stripe
  const invoice = records.invoices.get(sent.invoice)
  if (invoice === undefined) return stripe.absent('invoice', sent.invoice, 'invoice')
  const lines = listOf(sent.lines).map((line) => toLine(stripe, invoice, line))
  const [subtotal, discount_amount] = [sumOf(lines, 'amount'), sumOf(lines, 'discount_amount')]
  const total_taxes = joined(lines, 'taxes', 'tax_rate_details.tax_rate')
  const taxBy = (behavior: string) =>
    sumOf(
      total_taxes.filter(({ tax_behavior }) => tax_behavior === behavior),
      'amount',
    )
  const [over, within] = [taxBy('exclusive'), taxBy('inclusive')]
  const shipping_cost = isGiven(sent.shipping_cost) ? (invoice.shipping_cost ?? null) : null
  const amount_shipping = numberOf(inside(shipping_cost, 'amount_total'))
  const amount = numberIn(sent.amount) ?? subtotal - discount_amount + over + amount_shipping
  const goods = amount - over - amount_shipping
  const number = records.credit_notes.count({ invoice: invoice.id })
  check(stripe, invoice, amount, sent)
  const isPaid = invoice.status === 'paid'
  const note = records.credit_notes.update(made.id, {
    ...{ amount, total: amount, total_excluding_tax: amount - over - within, total_taxes, discount_amount },
    ...{ subtotal: goods + discount_amount, discount_amounts: joined(lines, 'discount_amounts', 'discount') },
    ...{ subtotal_excluding_tax: goods + discount_amount - within, amount_shipping, shipping_cost },
    effective_at: made.effective_at ?? unix,
    lines: {
      ...{
        object: 'list',
        data: lines.length > 0 || shipping_cost ? lines : [wholeLine(stripe, amount)],
        has_more: false,
      },
      url: `/v1/credit_notes/${made.id}/lines`,
    },
    ...{ currency: invoice.currency, customer: invoice.customer, number: `${invoice.number}-CN-0${number}` },
    pdf: `https://pay.stripe.example/credit_notes/${made.id}/pdf`,
    type: isPaid ? 'post_payment' : 'pre_payment',
    ...{ pre_payment_amount: isPaid ? 0 : amount, post_payment_amount: isPaid ? amount : 0 },
  })
  const after = (name: string, change: number) => ({ [name]: numberOf(invoice[name]) + change })
  if (isPaid) {
    giveBack(stripe, note, invoice, sent)
    records.invoices.update(invoice.id, after('post_payment_credit_notes_amount', amount))
  } else {
    const rest = { ...after('amount_remaining', -amount), ...after('amount_due', -amount) }
    const due = records.invoices.update(invoice.id, { ...after('pre_payment_credit_notes_amount', amount), ...rest })
    if (due.amount_remaining === 0) markPaid(stripe, due)
  }
  return stripe.fresh('credit_notes', note)
}

/** A note that is not kept. */
const preview = (stripe: Stripe): Kept =>
  stripe.preview(() => {
    const { invoice, memo, reason } = stripe.query
    return writeNote(stripe, stripe.records.credit_notes.create({ invoice, memo, reason }), stripe.query)
  })

export const creditNotes: Operations = {
  'POST /v1/credit_notes': (stripe) => writeNote(stripe, stripe.next(), stripe.body),
  'GET /v1/credit_notes/preview': preview,
  'GET /v1/credit_notes/preview/lines': (stripe) => stripe.pageOf(preview(stripe).lines),
  'GET /v1/credit_notes/{credit_note}/lines': (stripe) => stripe.pageOf(stripe.own('credit_notes').lines),
  'POST /v1/credit_notes/{id}/void': (stripe) => {
    const { records, unix } = stripe
    const { id, status, type, amount, invoice } = stripe.own('credit_notes')
    if (status === 'void') stripe.refuse('This credit note is already voided.')
    const of = records.invoices.get(invoice)
    if (of?.status !== 'open') stripe.refuse('You can only void a credit note if the associated invoice is open.')
    if (type === 'pre_payment' && of)
      records.invoices.update(of.id, {
        pre_payment_credit_notes_amount: numberOf(of.pre_payment_credit_notes_amount) - numberOf(amount),
        amount_remaining: numberOf(of.amount_remaining) + numberOf(amount),
        amount_due: numberOf(of.amount_due) + numberOf(amount),
      })
    return records.credit_notes.update(id, { status: 'void', voided_at: unix })
  },
}
