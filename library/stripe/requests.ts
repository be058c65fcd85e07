import type { Operations, Stripe } from './stripe.ts'

const NESTED = 'items discounts trial_end cancel_at billing_cycle_anchor default_tax_rates'

/** Parameters that handlers read, and that records do not keep as they are sent. With spaces between. */
export const OWN_PARAMETERS: Readonly<Record<string, string>> = {
  'POST /v1/prices': 'currency_options',
  'POST /v1/prices/{price}': 'currency_options',
  'POST /v1/payment_methods': 'card customer payment_method',
  'POST /v1/test_helpers/confirmation_tokens': 'payment_method payment_method_data',
  'POST /v1/charges': 'source',
  'POST /v1/subscriptions': NESTED,
  'POST /v1/subscriptions/{subscription_exposed_id}': NESTED,
  'POST /v1/subscription_items': 'price discounts tax_rates',
  'POST /v1/subscription_items/{item}': 'price discounts tax_rates',
  'POST /v1/invoiceitems': 'pricing period discounts tax_rates',
  'POST /v1/invoiceitems/{invoiceitem}': 'tax_rates discounts pricing price_data',
  'POST /v1/invoices': 'discounts subscription default_tax_rates',
  'POST /v1/invoices/{invoice}': 'discounts default_tax_rates',
  'POST /v1/checkout/sessions': 'line_items discounts shipping_options',
  'POST /v1/checkout/sessions/{session}': 'shipping_options',
  'POST /v1/disputes/{dispute}': 'evidence',
  'POST /v1/payment_links': 'line_items',
  'POST /v1/tax/calculations': 'line_items shipping_cost',
  'POST /v1/credit_notes': 'lines credit_amount refund_amount',
  'POST /v1/subscription_schedules': 'phases start_date',
  'POST /v1/subscription_schedules/{schedule}': 'phases proration_behavior',
  'POST /v1/quotes': 'line_items discounts',
  'POST /v1/quotes/{quote}': 'line_items',
  'POST /v1/plans': 'product',
  'POST /v1/tax/registrations': 'active_from',
  'POST /v1/tax/registrations/{id}': 'active_from expires_at',
  'POST /v1/files': 'file',
}

/** Operations that do with a request what the API does, and nothing else. */
export const plain: Operations = Object.fromEntries(
  [
    'POST /v1/tax_rates',
    'POST /v1/tax_rates/{tax_rate}',
    'POST /v1/shipping_rates',
    'POST /v1/shipping_rates/{shipping_rate}',
    'POST /v1/payment_methods/{id}',
    'POST /v1/charges/{charge}',
    'POST /v1/refunds/{refund}',
    'POST /v1/coupons/{coupon}',
    'POST /v1/promotion_codes/{promotion_code}',
    'POST /v1/topups/{topup}',
    'POST /v1/payouts/{payout}',
    'POST /v1/customers/{customer}/balance_transactions/{transaction}',
    'POST /v1/transfers/{transfer}',
    'POST /v1/credit_notes/{id}',
    'POST /v1/terminal/readers/{reader}',
    'POST /v1/terminal/configurations',
    'POST /v1/terminal/configurations/{configuration}',
    'POST /v1/terminal/locations',
    'POST /v1/terminal/locations/{location}',
    'POST /v1/issuing/authorizations/{authorization}',
    'POST /v1/issuing/transactions/{transaction}',
  ].map((name) => [name, (stripe: Stripe) => stripe.next()] as const),
)
