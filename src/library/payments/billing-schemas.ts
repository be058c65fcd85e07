import type { JsonObject } from '../../protocol/json.ts'
import {
  choice,
  flag,
  formatted,
  integer,
  listOf,
  minorUnits,
  momentOf,
  nullable,
  object,
  readOnly,
  recordSchemas,
  text,
  withDefault,
} from '../schema-fragments.ts'
import { createdAt, currency, LARGEST_AMOUNT, metadata, prefixedId, updatedAt } from './fields.ts'

const line = object({
  description: text('What is charged', [
    'Team plan, monthly',
    'Additional seats',
    'Implementation workshop',
    'Priority support',
    'Data transfer',
    'Hardware token',
  ]),
  quantity: integer('How many', 1, 12),
  unit_amount: minorUnits('Price of one', 40_000),
  amount: minorUnits('quantity × unit_amount', LARGEST_AMOUNT),
})

const invoice = recordSchemas('Invoice', {
  description:
    'What a customer owes: `draft`, `open` once it is finalized, `overdue` when its day has passed, then `paid`.',
  properties: {
    id: readOnly(prefixedId('inv')),
    number: readOnly({ type: 'string', pattern: '^INV-[0-9]{6}$', description: 'Number on the document' }),
    status: readOnly(
      withDefault(choice('State', ['paid', 'open', 'draft', 'overdue', 'void', 'uncollectible']), 'draft'),
    ),
    customer_id: prefixedId('cus'),
    subscription_id: nullable(prefixedId('sub')),
    currency,
    lines: listOf(line, 'What is charged', { minItems: 1, maxItems: 4 }),
    subtotal: readOnly(minorUnits('Sum of the lines', LARGEST_AMOUNT * 4)),
    tax: readOnly(minorUnits('Tax on it', LARGEST_AMOUNT)),
    total: readOnly(minorUnits('subtotal + tax', LARGEST_AMOUNT * 5)),
    memo: nullable(
      text('Note on the document', ['Thank you for your business.', 'Purchase order 4711.', 'Net 14 days.']),
    ),
    due_at: formatted('date-time', 'When it has to be paid by'),
    paid_at: momentOf('When it was paid'),
    payment_page_url: readOnly(formatted('uri', 'Page where the customer can pay')),
    metadata,
    created_at: createdAt,
    updated_at: updatedAt,
  },
  required: ['customer_id', 'currency', 'lines'],
})

const plan = recordSchemas('Plan', {
  description: 'What can be subscribed to.',
  properties: {
    id: readOnly(prefixedId('plan')),
    name: text('Name', ['Starter', 'Team', 'Business', 'Scale', 'Enterprise', 'Non-profit']),
    amount: minorUnits('Price of one period', 99_900),
    currency,
    interval: choice('Length of a period', ['month', 'year']),
    trial_days: withDefault(integer('Days that are free', 0, 30), 0),
    status: withDefault(choice('Whether it can be bought', ['active', 'archived']), 'active'),
    features: listOf(
      text('Feature', ['Unlimited projects', 'Single sign-on', 'Audit log', 'Priority support', 'Own domain']),
      'What it includes',
      { maxItems: 4, uniqueItems: true },
    ),
    created_at: createdAt,
    updated_at: updatedAt,
  },
  required: ['name', 'amount', 'currency', 'interval'],
})

const subscription = recordSchemas('Subscription', {
  description: 'A customer on a plan.',
  properties: {
    id: readOnly(prefixedId('sub')),
    customer_id: prefixedId('cus'),
    plan_id: prefixedId('plan'),
    status: readOnly(withDefault(choice('State', ['active', 'trialing', 'past_due', 'paused', 'canceled']), 'active')),
    quantity: withDefault(integer('Seats', 1, 50), 1),
    cancel_at_period_end: withDefault(flag('Whether it ends with the current period'), false),
    current_period_start: readOnly(formatted('date-time', 'Begin of the current period')),
    current_period_end: readOnly(formatted('date-time', 'End of the current period')),
    trial_ends_at: nullable(formatted('date-time', 'End of the trial')),
    canceled_at: momentOf('When it ended'),
    metadata,
    created_at: createdAt,
    updated_at: updatedAt,
  },
  required: ['customer_id', 'plan_id'],
})

/** Schemas of what recurs: invoices, plans, subscriptions. */
export const billing: JsonObject = { ...invoice, ...plan, ...subscription }
