import type { JsonObject } from '../../protocol/json.ts'
import {
  choice,
  component,
  flag,
  formatted,
  integer,
  listOf,
  minorUnits,
  nullable,
  object,
  readOnly,
  recordSchemas,
  text,
  withDefault,
} from '../schema-fragments.ts'
import { billing } from './billing-schemas.ts'
import { createdAt, currency, LARGEST_AMOUNT, metadata, prefixedId, updatedAt } from './fields.ts'

const customer = recordSchemas('Customer', {
  description: 'A person or a company that pays.',
  properties: {
    id: readOnly(prefixedId('cus')),
    name: text('Full name or company name'),
    email: formatted('email', 'Address for receipts'),
    phone: nullable(text('Telephone number, with the country code')),
    status: withDefault(choice('State', ['active', 'archived']), 'active'),
    address: object({
      line1: text('Street and number'),
      city: text('City'),
      postal_code: text('Postal code'),
      country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'Country, ISO 3166-1' },
    }),
    currency,
    balance: readOnly({
      default: 0,
      type: 'integer',
      description: 'Credit (below 0) or debt (above 0), in minor units',
      minimum: -50_000,
      maximum: 50_000,
    }),
    default_payment_method_id: nullable(prefixedId('pm')),
    metadata,
    created_at: createdAt,
    updated_at: updatedAt,
  },
  required: ['email'],
})

const paymentMethod = recordSchemas('PaymentMethod', {
  description: 'What a customer pays with.',
  properties: {
    id: readOnly(prefixedId('pm')),
    customer_id: readOnly(prefixedId('cus')),
    type: choice('Kind', ['card']),
    card: object({
      brand: choice('Card network', ['visa', 'mastercard', 'amex', 'maestro']),
      last4: { type: 'string', pattern: '^[0-9]{4}$', description: 'Last four digits' },
      exp_month: integer('Month of expiry', 1, 12),
      exp_year: integer('Year of expiry', 2027, 2034),
    }),
    created_at: createdAt,
    updated_at: updatedAt,
  },
  required: ['type', 'card'],
})

const payment = recordSchemas('Payment', {
  description: 'Money taken from a customer. It is `processing` until the network answers.',
  properties: {
    id: readOnly(prefixedId('pay')),
    amount: minorUnits('Amount', LARGEST_AMOUNT),
    currency,
    status: readOnly(
      withDefault(
        choice('State', ['succeeded', 'processing', 'requires_action', 'requires_capture', 'failed', 'canceled']),
        'processing',
      ),
    ),
    customer_id: prefixedId('cus'),
    invoice_id: nullable(prefixedId('inv')),
    payment_method_id: nullable(prefixedId('pm')),
    capture_method: withDefault(choice('When the money is taken', ['automatic', 'manual']), 'automatic'),
    description: nullable(
      text('For the dashboard', ['Order 10482', 'Annual plan', 'Top-up', 'Event ticket', 'Spare parts']),
    ),
    statement_descriptor: nullable({
      ...text('On the bank statement', ['NORDWIND SHOP', 'ACME TOOLS', 'KANBIRD']),
      maxLength: 22,
    }),
    risk: readOnly(
      object({ level: choice('Verdict', ['normal', 'elevated', 'highest']), score: integer('Score', 0, 99) }),
    ),
    metadata,
    created_at: createdAt,
    updated_at: updatedAt,
  },
  required: ['amount', 'currency', 'customer_id'],
})

const refund = recordSchemas('Refund', {
  description: 'Money given back.',
  properties: {
    id: readOnly(prefixedId('ref')),
    payment_id: prefixedId('pay'),
    amount: minorUnits('Amount', LARGEST_AMOUNT),
    currency: readOnly(currency),
    reason: withDefault(choice('Why', ['requested_by_customer', 'duplicate', 'fraudulent']), 'requested_by_customer'),
    status: readOnly(withDefault(choice('State', ['succeeded', 'pending', 'failed']), 'pending')),
    metadata,
    created_at: createdAt,
    updated_at: updatedAt,
  },
  required: ['payment_id', 'amount'],
})

const payout = {
  Payout: object(
    {
      id: prefixedId('po'),
      amount: minorUnits('Amount', LARGEST_AMOUNT * 10),
      currency,
      status: choice('State', ['paid', 'in_transit', 'pending', 'failed']),
      arrival_date: formatted('date', 'Day the money arrives'),
      destination: object({
        bank_name: text('Bank', ['Hansebank', 'Banque du Midi', 'First Harbour Bank']),
        last4: { type: 'string', pattern: '^[0-9]{4}$', description: 'Last digits of the account' },
      }),
      created_at: createdAt,
      updated_at: updatedAt,
    },
    'Money sent to your bank account.',
  ),
}

const dispute = {
  Dispute: object(
    {
      id: prefixedId('dp'),
      payment_id: prefixedId('pay'),
      amount: minorUnits('Amount', LARGEST_AMOUNT),
      currency,
      reason: choice('Why', [
        'product_not_received',
        'fraudulent',
        'duplicate',
        'product_unacceptable',
        'unrecognized',
      ]),
      status: choice('State', ['needs_response', 'under_review', 'won', 'lost']),
      is_charge_refundable: flag('Whether a refund would still end it'),
      evidence_due_at: formatted('date-time', 'Until when evidence is accepted'),
      created_at: createdAt,
      updated_at: updatedAt,
    },
    'A payment that the customer contests.',
  ),
}

const balance = {
  Balance: object(
    {
      available: listOf(component('schemas/Money'), 'What can be paid out', { minItems: 1, maxItems: 2 }),
      pending: listOf(component('schemas/Money'), 'What is not settled yet', { minItems: 1, maxItems: 2 }),
    },
    'Your money here.',
  ),
  Money: object({ amount: minorUnits('Amount', LARGEST_AMOUNT * 100), currency }),
}

const error = {
  Error: object({
    error: object(
      {
        type: choice('Family', [
          'invalid_request',
          'authentication',
          'not_found',
          'rate_limit',
          'card_error',
          'api_error',
        ]),
        code: text('What went wrong', ['parameter_invalid', 'resource_missing', 'key_invalid']),
        message: text('The same in words'),
        param: { type: ['string', 'null'], description: 'Parameter that does not fit' },
      },
      undefined,
      ['param'],
    ),
  }),
}

/** A page of records. The id of its last record is `starting_after` of the next one. */
export function page(record: string): JsonObject {
  return object({
    object: { const: 'list' },
    data: listOf(component(`schemas/${record}`), 'Records of this page'),
    has_more: flag('Whether there are more after these'),
  })
}

/** `components.schemas`, record by record. */
export const schemas: JsonObject = {
  ...customer,
  ...paymentMethod,
  ...payment,
  ...refund,
  ...billing,
  ...payout,
  ...dispute,
  ...balance,
  ...error,
}
