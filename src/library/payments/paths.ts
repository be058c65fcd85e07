import type { JsonObject } from '../../protocol/json.ts'
import type { ApiStyle } from '../operation-fragments.ts'
import { actionPath, collectionPaths, filter, operation } from '../operation-fragments.ts'
import { component } from '../schema-fragments.ts'
import { prefixedId } from './fields.ts'
import { page } from './schemas.ts'

const PREFIXES: Readonly<Record<string, string>> = {
  customer_id: 'cus',
  payment_method_id: 'pm',
  payment_id: 'pay',
  refund_id: 'ref',
  invoice_id: 'inv',
  plan_id: 'plan',
  subscription_id: 'sub',
  payout_id: 'po',
  dispute_id: 'dp',
}

const style: ApiStyle = {
  page,
  paging: ['Limit', 'StartingAfter', 'EndingBefore'],
  invalidStatus: '400',
  key: (parameter) => prefixedId(PREFIXES[parameter] ?? parameter),
}

const byCustomer = filter('customer_id', 'Only those of this customer', prefixedId('cus'))
const byPayment = filter('payment_id', 'Only those of this payment', prefixedId('pay'))
const byStatus = (record: string) =>
  filter('status', 'Only those in this state', component(`schemas/${record}/properties/status`))

const customers = {
  ...collectionPaths(style, 'customer_id', {
    path: '/customers',
    noun: 'customer',
    filters: [filter('email', 'Only the customer with this address', { type: 'string', format: 'email' })],
  }),
  ...collectionPaths(style, 'payment_method_id', {
    path: '/customers/{customer_id}/payment_methods',
    noun: 'payment method',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'payment_method_id', {
    path: '/payment_methods',
    noun: 'payment method',
    operations: ['read', 'delete'],
  }),
}

const payments = {
  ...collectionPaths(style, 'payment_id', {
    path: '/payments',
    noun: 'payment',
    filters: [byStatus('Payment'), byCustomer],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...actionPath(style, '/payments/{payment_id}/capture', { noun: 'payment', tag: 'Payments' }),
  ...actionPath(style, '/payments/{payment_id}/cancel', { noun: 'payment', tag: 'Payments' }),
  ...collectionPaths(style, 'refund_id', {
    path: '/refunds',
    noun: 'refund',
    filters: [byStatus('Refund'), byPayment],
    operations: ['list', 'create', 'read'],
  }),
  ...collectionPaths(style, 'dispute_id', {
    path: '/disputes',
    noun: 'dispute',
    filters: [byStatus('Dispute'), byPayment],
    operations: ['list', 'read'],
  }),
}

const billing = {
  ...collectionPaths(style, 'invoice_id', {
    path: '/invoices',
    noun: 'invoice',
    filters: [byStatus('Invoice'), byCustomer],
  }),
  ...actionPath(style, '/invoices/{invoice_id}/finalize', { noun: 'invoice', tag: 'Invoices' }),
  ...actionPath(style, '/invoices/{invoice_id}/pay', { noun: 'invoice', tag: 'Invoices' }),
  ...actionPath(style, '/invoices/{invoice_id}/void', { noun: 'invoice', tag: 'Invoices' }),
  ...collectionPaths(style, 'plan_id', {
    path: '/plans',
    noun: 'plan',
    filters: [byStatus('Plan')],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...collectionPaths(style, 'subscription_id', {
    path: '/subscriptions',
    noun: 'subscription',
    filters: [byStatus('Subscription'), byCustomer],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...actionPath(style, '/subscriptions/{subscription_id}/cancel', { noun: 'subscription', tag: 'Subscriptions' }),
}

const treasury = {
  ...collectionPaths(style, 'payout_id', {
    path: '/payouts',
    noun: 'payout',
    filters: [byStatus('Payout')],
    operations: ['list', 'read'],
  }),
  '/balance': {
    get: operation(style, {
      id: 'getBalance',
      summary: 'Get the balance',
      tag: 'Balance',
      answer: component('schemas/Balance'),
    }),
  },
}

/** `paths`, area by area. */
export const paths: JsonObject = { ...customers, ...payments, ...billing, ...treasury }
