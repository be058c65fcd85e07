import { describeApi } from '../describe-api.ts'
import type { LibraryEntry } from '../library-entry.ts'
import { integer, text } from '../schema-fragments.ts'
import { behaviour } from './behaviour.ts'
import { paths } from './paths.ts'
import { schemas } from './schemas.ts'

const description = 'Customers, payments, refunds, invoices with lines, plans, subscriptions, payouts and disputes.'

/** Ledgerline, a payment service: snake_case, prefixed ids, pages by record, money in minor units, bearer or basic. */
export const payments: LibraryEntry = {
  slug: 'payments',
  name: 'Ledgerline Payments API',
  provider: 'Ledgerline',
  vertical: 'payments',
  description,
  openapi: describeApi({
    info: { title: 'Ledgerline Payments API', version: '2026-09-01', description },
    server: 'https://api.ledgerline.example/v2',
    tags: [
      'Customers',
      'Payment methods',
      'Payments',
      'Refunds',
      'Disputes',
      'Invoices',
      'Plans',
      'Subscriptions',
      'Payouts',
      'Balance',
    ],
    security: {
      secretKey: { type: 'http', scheme: 'bearer', description: 'Your secret key' },
      basicKey: { type: 'http', scheme: 'basic', description: 'Your secret key as user, without a password' },
    },
    paging: {
      Limit: {
        name: 'limit',
        in: 'query',
        description: 'Records in a page',
        schema: { ...integer('Size', 1, 100), default: 10 },
      },
      StartingAfter: {
        name: 'starting_after',
        in: 'query',
        description: 'Id of the record before',
        schema: text('Id'),
      },
      EndingBefore: { name: 'ending_before', in: 'query', description: 'Id of the record after', schema: text('Id') },
    },
    paths,
    schemas,
  }),
  behaviour,
  volume: {
    customers: 60,
    payment_methods: 75,
    payments: 200,
    refunds: 15,
    disputes: 6,
    invoices: 90,
    plans: 6,
    subscriptions: 40,
    payouts: 30,
  },
}
