import { type Context, fieldsOf, type Kept, refused, textOf, toPage } from './context.ts'
import type { Operations } from './stripe.ts'

/** The types of events that an endpoint may have, by what they are about. */
const TYPES: Readonly<Record<string, string>> = {
  'account.application': 'authorized deauthorized',
  'account.external_account': 'created deleted updated',
  account: 'updated',
  application_fee: 'created refunded',
  'application_fee.refund': 'updated',
  'apps.install': 'created deleted updated',
  balance: 'available',
  balance_settings: 'updated',
  'billing.alert': 'triggered',
  'billing.credit_balance_transaction': 'created',
  'billing.credit_grant': 'created updated',
  'billing.meter': 'created deactivated reactivated updated',
  'billing_portal.configuration': 'created updated',
  'billing_portal.session': 'created',
  capability: 'updated',
  cash_balance: 'funds_available',
  charge: 'captured expired failed pending refunded succeeded updated',
  'charge.dispute': 'closed created funds_reinstated funds_withdrawn updated',
  'charge.refund': 'updated',
  'checkout.session': 'async_payment_failed async_payment_succeeded completed expired',
  'climate.order': 'canceled created delayed delivered product_substituted',
  'climate.product': 'created pricing_updated',
  coupon: 'created deleted updated',
  credit_note: 'created updated voided',
  customer: 'created deleted updated',
  'customer.discount': 'created deleted updated',
  'customer.source': 'created deleted expiring updated',
  'customer.subscription':
    'created deleted paused pending_update_applied pending_update_expired resumed trial_will_end updated',
  'customer.tax_id': 'created deleted updated',
  customer_cash_balance_transaction: 'created',
  'entitlements.active_entitlement_summary': 'updated',
  file: 'created',
  'financial_connections.account':
    'account_numbers_updated created deactivated disconnected expected_deactivation_date_updated reactivated refreshed_balance refreshed_ownership refreshed_transactions supported_payment_method_types_updated upcoming_account_number_expiry upcoming_deactivation',
  'financial_connections.authorization': 'expected_deactivation_date_updated upcoming_deactivation',
  'identity.verification_session': 'canceled created processing redacted requires_input verified',
  invoice:
    'created deleted finalization_failed finalized marked_uncollectible overdue overpaid paid payment_action_required payment_attempt_required payment_failed payment_succeeded sent upcoming updated voided will_be_due',
  invoice_payment: 'paid',
  invoiceitem: 'created deleted',
  issuing_authorization: 'created request updated',
  issuing_card: 'created updated',
  issuing_cardholder: 'created updated',
  issuing_dispute: 'closed created funds_reinstated funds_rescinded submitted updated',
  issuing_personalization_design: 'activated deactivated rejected updated',
  issuing_token: 'created updated',
  issuing_transaction: 'created purchase_details_receipt_updated updated',
  mandate: 'updated',
  payment_intent:
    'amount_capturable_updated canceled created partially_funded payment_failed processing requires_action succeeded',
  payment_link: 'created updated',
  payment_method: 'attached automatically_updated detached updated',
  payout: 'canceled created failed paid reconciliation_completed updated',
  person: 'created deleted updated',
  plan: 'created deleted updated',
  price: 'created deleted updated',
  product: 'created deleted updated',
  promotion_code: 'created updated',
  quote: 'accepted canceled created finalized',
  'radar.early_fraud_warning': 'created updated',
  refund: 'created failed updated',
  'reporting.report_run': 'failed succeeded',
  'reporting.report_type': 'updated',
  'reserve.hold': 'created updated',
  'reserve.plan': 'created disabled expired updated',
  'reserve.release': 'created',
  review: 'closed opened',
  setup_intent: 'canceled created requires_action setup_failed succeeded',
  'sigma.scheduled_query_run': 'created',
  source: 'canceled chargeable failed mandate_notification refund_attributes_required',
  'source.transaction': 'created updated',
  subscription_schedule: 'aborted canceled completed created expiring released updated',
  'tax.settings': 'updated',
  tax_rate: 'created updated',
  'terminal.reader': 'action_failed action_succeeded action_updated',
  'test_helpers.test_clock': 'advancing created deleted internal_failure ready',
  'three_d_secure.authentication':
    'canceled challenge_started errored failed requires_challenge requires_submission succeeded',
  topup: 'canceled created failed reversed succeeded',
  transfer: 'created reversed updated',
  'treasury.credit_reversal': 'created posted',
  'treasury.debit_reversal': 'completed created initial_credit_granted',
  'treasury.financial_account': 'closed created features_status_updated',
  'treasury.inbound_transfer': 'canceled created failed succeeded',
  'treasury.outbound_payment':
    'canceled created expected_arrival_date_updated failed posted returned tracking_details_updated',
  'treasury.outbound_transfer':
    'canceled created expected_arrival_date_updated failed posted returned tracking_details_updated',
  'treasury.received_credit': 'created failed succeeded',
  'treasury.received_debit': 'created',
}

/** Refuses an endpoint that asks for events that there are not. */
function check(context: Context): undefined {
  const asked = Array.isArray(context.body.enabled_events) ? context.body.enabled_events : []
  for (const [at, type] of asked.entries()) {
    const [, about = '', verb = ''] = /^(.*)\.(\w+)$/.exec(String(type)) ?? []
    const isV2 = String(type).startsWith('v2.')
    if (type !== '*' && !isV2 && !TYPES[about]?.split(' ').includes(verb))
      refused(
        context,
        `enabled_events[${at}]`,
        `Invalid enabled_events[${at}]: must be one of the types of https://docs.stripe.com/api/events/types, or *. You passed "${type}".`,
      )
  }
}

/** A way to pay is on or off as it is preferred. */
function preferMeans(context: Context): Kept {
  const kept = context.next() as Kept
  const means = Object.keys(context.body).filter((name) => 'display_preference' in fieldsOf(context.body[name]))
  const preferred = means.map((name) => {
    const { preference = 'none' } = fieldsOf(fieldsOf(fieldsOf(context.body)[name]).display_preference)
    const value = preference === 'none' ? 'on' : preference
    return [name, { available: value === 'on', display_preference: { overridable: null, preference, value } }]
  })
  return context.records.payment_method_configurations.update(kept.id, Object.fromEntries(preferred))
}

export const endpoints = {
  'POST /v1/payment_method_configurations': preferMeans,
  'POST /v1/payment_method_configurations/{configuration}': preferMeans,
  'GET /v1/events': (context: Context) => {
    const type = textOf(context.query.type)
    if (!type.endsWith('.*')) return undefined
    const events = context.records.events.where((event) => textOf(event.type).startsWith(type.slice(0, -1)))
    return toPage(context, '/v1/events', events)
  },
}

export const webhookEndpoints: Operations = {
  'POST /v1/webhook_endpoints': (stripe) => {
    check(stripe.of)
    const { id } = stripe.next()
    stripe.need('url enabled_events')
    stripe.checkUrls('url')
    const secret = `whsec_${stripe.letters(32)}`
    const { connect: _, ...shown } = stripe.records.webhook_endpoints.update(id, { secret, status: 'enabled' })
    // the answer to a creation alone has the secret
    return stripe.of.respond({ body: shown })
  },
  'POST /v1/webhook_endpoints/{webhook_endpoint}': (stripe) => {
    check(stripe.of)
    const { id } = stripe.next()
    const { disabled } = stripe.body
    const status = disabled === true ? 'disabled' : disabled === false ? 'enabled' : undefined
    return stripe.records.webhook_endpoints.update(id, { status })
  },
}
