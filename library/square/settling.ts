import {
  amountOf,
  type Fields,
  fieldsOf,
  isoOf,
  type Json,
  type Kept,
  listOf,
  type Square,
  sumOf,
  textOf,
} from './square.ts'

/** What is still due of the payment requests of an invoice. */
interface Settled {
  readonly requests: Fields[]
  /** The first that is not paid. */
  readonly next: Fields | undefined
  /** What is due of it. */
  readonly money: Fields | null
  readonly isAutomatic: boolean
}

const openOf = ({ computed_amount_money: due, total_completed_amount_money: done }: Fields): number =>
  amountOf(due) - amountOf(done)

/** The payment requests of an invoice when `left` is still due. */
export function settled(of: Json | undefined, left: number): Settled {
  const all = listOf(of)
  let rest = sumOf(all.map(({ computed_amount_money: due }) => amountOf(due))) - left
  const requests = all.map((request): Fields => {
    const paid = Math.min(rest, amountOf(request.computed_amount_money))
    rest -= paid
    return { ...request, total_completed_amount_money: { ...fieldsOf(request.computed_amount_money), amount: paid } }
  })
  const next = requests.find((request) => openOf(request) > 0)
  return {
    ...{ requests, next },
    money: next ? { ...fieldsOf(next.computed_amount_money), amount: openOf(next) } : null,
    isAutomatic: next?.automatic_payment_source === 'CARD_ON_FILE',
  }
}

/** What is due next of an invoice, as it is shown. */
export const nextMoneyOf = ({ next_payment_amount_money: money = null, payment_requests }: Fields): Json => {
  if (amountOf(money) <= 0) return money
  const open = listOf(payment_requests)
    .map(openOf)
    .find((amount) => amount > 0)
  return open === undefined ? money : { ...fieldsOf(money), amount: open }
}

/** When the card on file of the next payment request is charged. */
export const chargeOf = (square: Square, { isAutomatic, next }: Settled): Fields =>
  isAutomatic ? { charge_at: isoOf(next?.due_date ?? square.day) ?? isoOf(square.day) ?? null } : {}

/** Notes a payment of an invoice's order. @param left what is still due */
export function billPaid(square: Square, bill: Kept, left: number): void {
  const due = settled(bill.payment_requests, left)
  square.change('invoices', bill, {
    ...{ status: left <= 0 ? 'PAID' : 'PARTIALLY_PAID', ...chargeOf(square, due) },
    ...{ next_payment_amount_money: due.money, payment_requests: due.requests },
  })
}

/** Who gets an invoice. */
export function recipientOf(customer: Fields | undefined): Fields | null {
  if (customer === undefined) return null
  const { id, given_name, family_name, email_address, phone_number, company_name, address } = customer
  const known = Object.entries({ given_name, family_name, email_address, phone_number, company_name, address })
  return {
    customer_id: textOf(id),
    ...Object.fromEntries(known.flatMap(([name, value]) => (value == null ? [] : [[name, value]]))),
  }
}
