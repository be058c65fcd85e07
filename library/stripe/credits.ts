import { linesOf } from './invoicing.ts'
import {
  type Fields,
  inside,
  isGiven,
  type Json,
  type Kept,
  listOf,
  numberOf,
  type Operations,
  type Stripe,
  sumOf,
} from './stripe.ts'

/** The grants of a customer that can pay now, the oldest first. */
const grantsOf = (stripe: Stripe, customer: Json | undefined): Kept[] =>
  stripe.oldest(
    'credit_grants',
    (grant) => grant.customer === customer && numberOf(grant.left) > 0 && numberOf(grant.ends_at) > stripe.unix,
  )

/** Credits pay for metered lines, in the order of their priority. */
export function applyCredits(stripe: Stripe, given: Kept): Kept {
  const { records, unix } = stripe
  const isMetered = (line: Fields) => {
    const price = records.prices.get(inside(line, 'pricing.price_details.price'))
    return inside(price, 'recurring.usage_type') === 'metered'
  }
  const metered = sumOf(linesOf(given).filter(isMetered), 'amount')
  let invoice = records.invoices.update(given.id, { uncredited: Math.min(metered, numberOf(given.total)) })
  const grants = grantsOf(stripe, given.customer)
  for (const { id, amount, customer, left } of grants.toSorted((a, b) => numberOf(a.priority) - numberOf(b.priority))) {
    const { currency = null, uncredited } = invoice
    if (numberOf(uncredited) <= 0 || inside(amount, 'monetary.currency') !== currency) continue
    const used = Math.min(numberOf(left), numberOf(uncredited))
    const less = (name: string, least = Number.NEGATIVE_INFINITY) => Math.max(numberOf(invoice[name]) - used, least)
    const moved = records.credit_balance_transactions.create({
      ...{ type: 'debit', credit_grant: id, customer, effective_at: unix },
      debit: {
        type: 'credits_applied',
        amount: { type: 'monetary', monetary: { currency, value: used } },
        credits_applied: { invoice: invoice.id, invoice_line_item: linesOf(invoice)[0]?.id ?? null },
      },
    })
    records.credit_grants.update(id, { left: numberOf(left) - used })
    const credited = { amount: used, credit_balance_transaction: moved.id, type: 'credit_balance_transaction' }
    invoice = records.invoices.update(invoice.id, {
      ...{ uncredited: less('uncredited'), total: less('total'), total_excluding_tax: less('total_excluding_tax') },
      ...{ amount_due: less('amount_due', 0), amount_remaining: less('amount_remaining', 0) },
      total_pretax_credit_amounts: [...listOf(invoice.total_pretax_credit_amounts), credited],
    })
  }
  return invoice
}

/** Ends a grant, which has not ended yet. */
function endGrant(stripe: Stripe, name: 'expires_at' | 'voided_at', done: string): Kept {
  const { records, unix } = stripe
  const { id, ends_at, voided_at } = stripe.own('credit_grants')
  if (isGiven(voided_at) || numberOf(ends_at) <= unix)
    stripe.refuse(`This credit grant cannot be ${done}: it is already ${isGiven(voided_at) ? 'voided' : 'expired'}.`)
  return records.credit_grants.update(id, { [name]: unix, ends_at: unix, updated: unix, left: 0 })
}

export const credits: Operations = {
  'POST /v1/billing/credit_grants': (stripe) => {
    const { body, records, unix } = stripe
    const made = stripe.next()
    const left = inside(body, 'amount.monetary.value')
    if (isGiven(left) && numberOf(left) < 1)
      stripe.refuse('This value must be greater than or equal to 1.', { param: 'amount[monetary][value]' })
    const grant = records.credit_grants.update(made.id, {
      left,
      ends_at: body.expires_at ?? made.ends_at,
      effective_at: body.effective_at ?? unix,
      updated: unix,
      test_clock: records.customers.get(body.customer)?.test_clock,
    })
    records.credit_balance_transactions.create({
      ...{
        type: 'credit',
        credit: {
          ...{ type: 'credits_granted', amount: grant.amount ?? null, credits_application_invoice_voided: null },
        },
        credit_grant: grant.id,
      },
      ...{ customer: grant.customer, effective_at: grant.effective_at },
    })
    return grant
  },
  'POST /v1/billing/credit_grants/{id}': (stripe) => {
    const { body, records, unix } = stripe
    const ends = numberOf(body.expires_at) > 0 && { ends_at: body.expires_at }
    return records.credit_grants.update(stripe.next().id, { updated: unix, ...ends })
  },
  'POST /v1/billing/credit_grants/{id}/expire': (stripe) => endGrant(stripe, 'expires_at', 'expired'),
  'POST /v1/billing/credit_grants/{id}/void': (stripe) => endGrant(stripe, 'voided_at', 'voided'),
  'GET /v1/billing/credit_balance_summary': (stripe) => {
    const { query, records } = stripe
    const owner = records.customers.get(query.customer)
    if (owner === undefined) return stripe.absent('customer', query.customer, 'customer')
    const wanted = inside(query, 'filter.credit_grant')
    const chosen = grantsOf(stripe, owner.id).filter(({ id }) => !isGiven(wanted) || id === wanted)
    const currency = inside(chosen[0], 'amount.monetary.currency') ?? 'usd'
    const amount = { type: 'monetary', monetary: { currency, value: sumOf(chosen, 'left') } }
    return {
      object: 'billing.credit_balance_summary',
      balances: [{ available_balance: amount, ledger_balance: amount }],
      ...{ customer: owner.id, customer_account: null, livemode: false },
    }
  },
}
