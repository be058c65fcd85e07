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
import { address, createdAt, key, recordId, updatedAt } from './fields.ts'

/** Stages of a deal, in the order of the pipeline. */
export const DEAL_STAGES = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost']

/** States of an order, in the order of fulfilment. */
export const ORDER_STATUSES = ['pending', 'confirmed', 'shipped', 'delivered', 'cancelled']

const currency = choice('Currency, ISO 4217', ['EUR', 'USD', 'GBP'])
const sku = { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$', description: 'Article number' }
const productNames = [
  'Cordless drill 18 V',
  'Torque wrench',
  'Work light',
  'Safety gloves',
  'Bit set, 32 pieces',
  'Workbench',
  'Laser level',
  'Impact driver',
  'Tool trolley',
  'Dust extractor',
]

const deal = recordSchemas('Deal', {
  description: 'A chance to sell. It moves through the stages until it is `won` or `lost`.',
  properties: {
    id: recordId,
    name: text('Name', [
      'Workshop equipment 2027',
      'Framework contract',
      'Second site',
      'Pilot, 20 seats',
      'Renewal with upgrade',
      'Replacement of hand tools',
      'Maintenance package',
    ]),
    stage: withDefault(choice('Where it stands', DEAL_STAGES), 'lead'),
    companyId: key('Company'),
    contactId: nullable(key('Contact')),
    ownerId: nullable(key('User who looks after it')),
    amount: minorUnits('Expected worth', 25_000_000, 100_000),
    currency,
    winPercent: withDefault(integer('Chance to win it, in percent', 0, 100), 20),
    expectedCloseDate: formatted('date', 'Day it should be decided'),
    lostReason: withDefault(nullable(choice('Why it was lost', ['price', 'competitor', 'no_budget', 'timing'])), null),
    closedAt: momentOf('When it was won or lost'),
    createdAt,
    updatedAt,
  },
  required: ['name', 'companyId', 'amount', 'currency'],
})

const product = {
  Product: object(
    {
      id: recordId,
      sku,
      name: text('Name', productNames),
      unitPrice: minorUnits('Price of one', 150_000),
      currency,
      inStock: integer('Pieces in the warehouse', 0, 500),
      active: flag('Whether it can be ordered'),
      createdAt,
      updatedAt,
    },
    'Something that is sold.',
  ),
}

const line = object({
  sku,
  name: text('Name', productNames),
  quantity: integer('How many', 1, 20),
  unitPrice: minorUnits('Price of one', 150_000),
  amount: minorUnits('quantity × unitPrice', 3_000_000),
})

const order = recordSchemas('Order', {
  description: 'What a company ordered. It is `pending`, `confirmed`, `shipped`, then `delivered`.',
  properties: {
    id: recordId,
    number: readOnly({ type: 'string', pattern: '^SO-[0-9]{6}$', description: 'Number on the papers' }),
    status: withDefault(choice('State', ORDER_STATUSES), 'pending'),
    companyId: key('Company'),
    contactId: nullable(key('Contact who ordered')),
    dealId: nullable(key('Deal it came from')),
    currency,
    lines: listOf(line, 'What was ordered', { minItems: 1, maxItems: 4 }),
    subtotal: readOnly(minorUnits('Sum of the lines', 12_000_000)),
    tax: readOnly(minorUnits('Tax on it', 3_000_000)),
    total: readOnly(minorUnits('subtotal + tax', 15_000_000)),
    shippingAddress: address,
    trackingNumber: readOnly(
      withDefault(
        nullable({
          type: 'string',
          pattern: '^[A-Z]{2}[0-9]{9}DE$',
          description: 'Of the carrier, once it is shipped',
        }),
        null,
      ),
    ),
    shippedAt: momentOf('When it left the warehouse'),
    deliveredAt: momentOf('When it arrived'),
    createdAt,
    updatedAt,
  },
  required: ['companyId', 'currency', 'lines'],
})

/** Schemas of what is sold: deals, products, orders. */
export const sales: JsonObject = { ...deal, ...product, ...order }
