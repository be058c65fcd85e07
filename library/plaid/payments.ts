import { type Fields, fieldsOf, type Kept } from '../openai/context.ts'
import { type Context, notifyAt, operation, refuseWith, type Work } from './context.ts'

const recipientOf = (context: Context, id: unknown = context.body.recipient_id): Kept =>
  context.records.recipients.get(String(id)) ??
  refuseWith(context, 'INVALID_FIELD', 'recipient_id must be of a recipient')

const paymentOf = (context: Context, id: unknown = context.body.payment_id): Kept =>
  context.records.payments.get(String(id)) ?? refuseWith(context, 'INVALID_FIELD', 'payment_id must be of a payment')

const toRecipient = ({ id, ...recipient }: Kept): Fields => ({ recipient_id: id, ...recipient })
const toPayment = ({ id, ...payment }: Kept): Fields => ({ payment_id: id, ...payment })

const verificationOf = (context: Context): Kept =>
  context.records.verifications.get(String(context.body.identity_verification_id)) ??
  refuseWith(context, 'INVALID_FIELD', 'identity_verification_id must be of an identity verification')

const STEPS =
  'accept_tos verify_sms kyc_check documentary_verification selfie_check watchlist_screening risk_check'.split(' ')
const stepsOf = (first: string, others: string): Fields =>
  Object.fromEntries(STEPS.map((name, at) => [name, at === 0 ? first : others]))

/** The attempts of a client's user, newest first. */
const attemptsOf = ({ records }: Work, { client_user_id, template_id }: Fields): Kept[] =>
  [...records.verifications].filter(
    (one) => one.client_user_id === client_user_id && fieldsOf(one.template).id === template_id,
  )

function begin(context: Context, previous_attempt_id: string | null): Fields {
  const { body, id, now, origin, records } = context
  const { client_user_id = null, template_id = '', is_shareable, user = {} } = body
  const made = id('idv_')
  return records.verifications.create({
    id: made,
    client_user_id,
    created_at: now.toISOString(),
    completed_at: null,
    previous_attempt_id,
    shareable_url: is_shareable === true ? `${origin}/verify/${made}?key=${id()}` : null,
    template: { id: template_id, version: 1 },
    user: {
      phone_number: null,
      date_of_birth: null,
      email_address: null,
      name: null,
      address: null,
      id_number: null,
      ...fieldsOf(user),
    },
    status: 'active',
    steps: stepsOf('active', 'waiting_for_prerequisite'),
    documentary_verification: null,
    selfie_check: null,
    kyc_check: null,
    risk_check: null,
    verify_sms: null,
    watchlist_screening_id: null,
    beacon_user_id: null,
    user_id: null,
    redacted_at: null,
  })
}

/** What a person does in Link for a payment, or a verification: it is executed, or succeeds. */
export function completeInLink(context: Context, { payment_id, verifies, metadata }: Kept): boolean {
  const { now, records } = context
  const { webhook } = fieldsOf(metadata)
  const payment = records.payments.get(String(payment_id))
  if (payment !== undefined) {
    const [old_payment_status, status, timestamp] = [
      payment.status ?? null,
      'PAYMENT_STATUS_EXECUTED',
      now.toISOString(),
    ]
    records.payments.update(payment.id, { status, last_status_update: timestamp })
    notifyAt(context, webhook, 'PAYMENT_INITIATION', 'PAYMENT_STATUS_UPDATE', {
      payment_id: payment.id,
      old_payment_status,
      new_payment_status: status,
      original_reference: payment.reference ?? null,
      timestamp,
      error: null,
    })
  }
  const active =
    verifies == null ? undefined : attemptsOf(context, fieldsOf(verifies)).find((one) => one.status === 'active')
  if (active !== undefined) {
    const steps = stepsOf('success', 'success')
    records.verifications.update(active.id, { status: 'success', completed_at: now.toISOString(), steps })
    notifyAt(context, webhook, 'IDENTITY_VERIFICATION', 'STATUS_UPDATED', { identity_verification_id: active.id })
  }
  return payment !== undefined || verifies != null
}

const screeningOf = (context: Context): Kept =>
  context.records.screenings.get(String(context.body.watchlist_screening_id)) ??
  refuseWith(context, 'INVALID_FIELD', 'watchlist_screening_id must be of a screening')

/** The person of the sandbox who is on a list. */
const LISTED = /^aleksey potemkin$/i

/** Payments that a person confirms in Link, and verifications of people. */
export const payments = {
  'POST /payment_initiation/recipient/create': operation(['name'], (context) => {
    const { name = null, iban = null, bacs = null, address = null } = context.body
    if (iban === null && bacs === null) refuseWith(context, 'MISSING_FIELDS', 'iban or bacs')
    const id = `recipient-id-sandbox-${context.id()}`
    context.records.recipients.create({ id, name, iban, bacs, address })
    return { recipient_id: id }
  }),
  'POST /payment_initiation/recipient/get': operation(['recipient_id'], (context) => toRecipient(recipientOf(context))),
  'POST /payment_initiation/recipient/list': operation([], ({ records }) => ({
    recipients: [...records.recipients].map(toRecipient),
    next_cursor: null,
  })),
  'POST /payment_initiation/payment/create': operation(['recipient_id', 'reference', 'amount'], (context) => {
    const { body, now, records } = context
    const { reference = null, amount, schedule = null } = body
    const { id: recipient_id, iban = null, bacs = null } = recipientOf(context)
    const { value, currency } = fieldsOf(amount)
    if (typeof value !== 'number' || value <= 0) refuseWith(context, 'INVALID_FIELD', 'amount.value must be positive')
    if (typeof currency !== 'string') refuseWith(context, 'MISSING_FIELDS', 'amount.currency')
    const status = 'PAYMENT_STATUS_INPUT_NEEDED'
    const id = `payment-id-sandbox-${context.id()}`
    const facts = { amount: amount ?? null, recipient_id, reference, adjusted_reference: null, schedule, iban, bacs }
    const open = { refund_details: null, refund_ids: null, amount_refunded: null, scheme: null, error: null }
    records.payments.create({ id, status, ...facts, ...open, last_status_update: now.toISOString() })
    return { payment_id: id, status }
  }),
  'POST /payment_initiation/payment/get': operation(['payment_id'], (context) => toPayment(paymentOf(context))),
  'POST /payment_initiation/payment/reverse': operation(['payment_id', 'idempotency_key', 'reference'], (context) => {
    const payment = paymentOf(context)
    const { value: paid = null, currency = null } = fieldsOf(payment.amount)
    const { value: refunded = 0 } = fieldsOf(payment.amount_refunded)
    const left = Math.round(100 * (Number(paid) - Number(refunded))) / 100
    const { value = left } = fieldsOf(context.body.amount)
    if (payment.status !== 'PAYMENT_STATUS_EXECUTED')
      refuseWith(context, 'INVALID_FIELD', 'payment_id must be of a payment that is executed')
    if (Number(value) <= 0 || Number(value) > left)
      refuseWith(context, 'INVALID_FIELD', `amount.value must be at most ${left}, which is not yet refunded`)
    const refund_id = `wallet-transaction-id-sandbox-${context.id()}`
    const ids = [payment.refund_ids ?? []].flat()
    const amount_refunded = { currency, value: Math.round(100 * (Number(refunded) + Number(value))) / 100 }
    context.records.payments.update(payment.id, { refund_ids: [...ids, refund_id], amount_refunded })
    return { refund_id, status: 'INITIATED' }
  }),
  'POST /payment_initiation/payment/list': operation([], ({ records }) => ({
    payments: [...records.payments].map(toPayment),
    next_cursor: null,
  })),
  'POST /identity_verification/create': operation(['is_shareable', 'template_id', 'gave_consent'], (context) => {
    const [made] = context.body.is_idempotent === true ? attemptsOf(context, context.body) : []
    return made ?? begin(context, null)
  }),
  'POST /identity_verification/get': operation(['identity_verification_id'], verificationOf),
  'POST /identity_verification/list': operation(['template_id', 'client_user_id'], (context) => ({
    identity_verifications: attemptsOf(context, context.body),
    next_cursor: null,
  })),
  'POST /watchlist_screening/individual/create': operation(['search_terms'], (context) => {
    const { client_user_id = null, search_terms } = context.body
    const terms = fieldsOf(search_terms)
    if (typeof terms.legal_name !== 'string') refuseWith(context, 'MISSING_FIELDS', 'search_terms.legal_name')
    const usual = { date_of_birth: null, document_number: null, country: null, version: 1 }
    const audit_trail = { source: 'api', dashboard_user_id: null, timestamp: context.now.toISOString() }
    const status = LISTED.test(String(terms.legal_name)) ? 'pending_review' : 'cleared'
    const facts = { client_user_id, assignee: null, status, search_terms: { ...usual, ...terms }, audit_trail }
    return context.records.screenings.create({ id: context.id('scr_'), ...facts })
  }),
  'POST /watchlist_screening/individual/get': operation(['watchlist_screening_id'], screeningOf),
  'POST /watchlist_screening/individual/list': operation(['watchlist_program_id'], ({ body, records }) => ({
    watchlist_screenings: [...records.screenings].filter(
      (one) =>
        fieldsOf(one.search_terms).watchlist_program_id === body.watchlist_program_id &&
        ['client_user_id', 'status', 'assignee'].every((name) => body[name] == null || one[name] === body[name]),
    ),
    next_cursor: null,
  })),
  'POST /watchlist_screening/individual/update': operation(['watchlist_screening_id'], (context) => {
    const { id, search_terms, ...known } = screeningOf(context)
    const { search_terms: terms, status = known.status, assignee, client_user_id = known.client_user_id } = context.body
    const version = Number(fieldsOf(search_terms).version) + (terms == null ? 0 : 1)
    return context.records.screenings.update(id, {
      status: status ?? null,
      assignee: assignee ?? known.assignee ?? null,
      client_user_id: client_user_id ?? null,
      search_terms: { ...fieldsOf(search_terms), ...fieldsOf(terms), version },
    })
  }),
  'POST /identity_verification/retry': operation(['template_id', 'client_user_id', 'strategy'], (context) => {
    const [last] = attemptsOf(context, context.body)
    if (last === undefined) refuseWith(context, 'INVALID_FIELD', 'client_user_id must be of an earlier attempt')
    if (last.status === 'active') context.records.verifications.update(last.id, { status: 'canceled' })
    return begin(context, last.id)
  }),
}
