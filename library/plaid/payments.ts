import { fieldsOf, type Kept, nulls, operation, type PlaidRequest, renamed } from './plaid.ts'

const toRecipient = renamed('recipient_id')
const toPayment = renamed('payment_id')

/** A person confirms in Link the payment of a token. @returns whether it has one */
export function payPayment(plaid: PlaidRequest, { payment_id, metadata }: Kept): boolean {
  const payment = plaid.records.payments.get(String(payment_id))
  if (payment === undefined) return false
  const [new_payment_status, timestamp] = ['PAYMENT_STATUS_EXECUTED', plaid.now.toISOString()]
  plaid.records.payments.update(payment.id, { status: new_payment_status, last_status_update: timestamp })
  const { id, status: old_payment_status = null, reference: original_reference = null } = payment
  const dates = nulls('original_start_date adjusted_start_date error')
  const facts = { payment_id: id, old_payment_status, new_payment_status, original_reference, timestamp, ...dates }
  plaid.notifyAt(fieldsOf(metadata).webhook, 'PAYMENT_INITIATION', 'PAYMENT_STATUS_UPDATE', facts)
  return true
}

/** Payments that a person confirms in Link. */
export const payments = {
  'POST /payment_initiation/recipient/create': operation(['name'], (plaid) => {
    const { name = null, iban = null, bacs = null, address = null } = plaid.body
    if (iban === null && bacs === null) plaid.refuse('MISSING_FIELDS', 'iban or bacs')
    const id = `recipient-id-sandbox-${plaid.id()}`
    plaid.records.recipients.create({ id, name, iban, bacs, address })
    return { recipient_id: id }
  }),
  'POST /payment_initiation/recipient/get': operation(['recipient_id'], (plaid) =>
    toRecipient(plaid.known('recipients', 'recipient_id')),
  ),
  'POST /payment_initiation/recipient/list': operation([], (plaid) =>
    plaid.pageByCursor('recipients', [...plaid.records.recipients], toRecipient),
  ),
  'POST /payment_initiation/payment/create': operation(['recipient_id', 'reference', 'amount'], (plaid) => {
    const { body, now, records } = plaid
    const { reference = null, amount, schedule = null } = body
    const { id: recipient_id, iban = null, bacs = null } = plaid.known('recipients', 'recipient_id')
    const { value, currency } = fieldsOf(amount)
    if (typeof value !== 'number' || value <= 0) plaid.invalid('amount.value must be positive')
    if (typeof currency !== 'string') plaid.refuse('MISSING_FIELDS', 'amount.currency')
    plaid.among('currency', 'GBP EUR PLN SEK DKK NOK', fieldsOf(amount), 'amount.')
    const status = 'PAYMENT_STATUS_INPUT_NEEDED'
    const id = `payment-id-sandbox-${plaid.id()}`
    const facts = { amount: amount ?? null, recipient_id, reference, adjusted_reference: null, schedule, iban, bacs }
    const open = { refund_details: null, refund_ids: null, amount_refunded: null, scheme: null, error: null }
    records.payments.create({ id, status, ...facts, ...open, last_status_update: now.toISOString() })
    return { payment_id: id, status }
  }),
  'POST /payment_initiation/payment/get': operation(['payment_id'], (plaid) =>
    toPayment(plaid.known('payments', 'payment_id')),
  ),
  'POST /payment_initiation/payment/reverse': operation(['payment_id', 'idempotency_key', 'reference'], (plaid) => {
    const payment = plaid.known('payments', 'payment_id')
    const { value: paid = null, currency = null } = fieldsOf(payment.amount)
    const { value: refunded = 0 } = fieldsOf(payment.amount_refunded)
    const left = Math.round(100 * (Number(paid) - Number(refunded))) / 100
    const { value = left } = fieldsOf(plaid.body.amount)
    if (payment.status !== 'PAYMENT_STATUS_EXECUTED') plaid.invalid('payment_id must be of a payment that is executed')
    if (Number(value) <= 0 || Number(value) > left)
      plaid.invalid(`amount.value must be at most ${left}, which is not yet refunded`)
    const refund_id = `wallet-transaction-id-sandbox-${plaid.id()}`
    const ids = [payment.refund_ids ?? []].flat()
    const amount_refunded = { currency, value: Math.round(100 * (Number(refunded) + Number(value))) / 100 }
    plaid.records.payments.update(payment.id, { refund_ids: [...ids, refund_id], amount_refunded })
    return { refund_id, status: 'INITIATED' }
  }),
  'POST /payment_initiation/payment/list': operation([], (plaid) =>
    plaid.pageByCursor('payments', [...plaid.records.payments], toPayment, 10, 200),
  ),
}
