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
    record: 'Customer',
    noun: 'customer',
    plural: 'customers',
    tag: 'Customers',
    filters: [filter('email', 'Only the customer with this address', { type: 'string', format: 'email' })],
  }),
  ...collectionPaths(style, 'payment_method_id', {
    path: '/customers/{customer_id}/payment_methods',
    record: 'PaymentMethod',
    noun: 'payment method',
    plural: 'payment methods',
    tag: 'Payment methods',
    operations: ['list', 'create'],
  }),
  ...collectionPaths(style, 'payment_method_id', {
    path: '/payment_methods',
    record: 'PaymentMethod',
    noun: 'payment method',
    plural: 'payment methods',
    tag: 'Payment methods',
    operations: ['read', 'delete'],
  }),
}

const payments = {
  ...collectionPaths(style, 'payment_id', {
    path: '/payments',
    record: 'Payment',
    noun: 'payment',
    plural: 'payments',
    tag: 'Payments',
    filters: [byStatus('Payment'), byCustomer],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...action('/payments/{payment_id}/capture', 'capture', 'payment', 'Payment', 'Payments'),
  ...action('/payments/{payment_id}/cancel', 'cancel', 'payment', 'Payment', 'Payments'),
  ...collectionPaths(style, 'refund_id', {
    path: '/refunds',
    record: 'Refund',
    noun: 'refund',
    plural: 'refunds',
    tag: 'Refunds',
    filters: [byStatus('Refund'), byPayment],
    operations: ['list', 'create', 'read'],
  }),
  ...collectionPaths(style, 'dispute_id', {
    path: '/disputes',
    record: 'Dispute',
    noun: 'dispute',
    plural: 'disputes',
    tag: 'Disputes',
    filters: [byStatus('Dispute'), byPayment],
    operations: ['list', 'read'],
  }),
}

const billing = {
  ...collectionPaths(style, 'invoice_id', {
    path: '/invoices',
    record: 'Invoice',
    noun: 'invoice',
    plural: 'invoices',
    tag: 'Invoices',
    filters: [byStatus('Invoice'), byCustomer],
  }),
  ...action('/invoices/{invoice_id}/finalize', 'finalize', 'invoice', 'Invoice', 'Invoices'),
  ...action('/invoices/{invoice_id}/pay', 'pay', 'invoice', 'Invoice', 'Invoices'),
  ...action('/invoices/{invoice_id}/void', 'void', 'invoice', 'Invoice', 'Invoices'),
  ...collectionPaths(style, 'plan_id', {
    path: '/plans',
    record: 'Plan',
    noun: 'plan',
    plural: 'plans',
    tag: 'Plans',
    filters: [byStatus('Plan')],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...collectionPaths(style, 'subscription_id', {
    path: '/subscriptions',
    record: 'Subscription',
    noun: 'subscription',
    plural: 'subscriptions',
    tag: 'Subscriptions',
    filters: [byStatus('Subscription'), byCustomer],
    operations: ['list', 'create', 'read', 'update'],
  }),
  ...action('/subscriptions/{subscription_id}/cancel', 'cancel', 'subscription', 'Subscription', 'Subscriptions'),
}

const treasury = {
  ...collectionPaths(style, 'payout_id', {
    path: '/payouts',
    record: 'Payout',
    noun: 'payout',
    plural: 'payouts',
    tag: 'Payouts',
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

function action(path: string, verb: string, noun: string, record: string, tag: string): JsonObject {
  const id = `${verb}${record}`
  const summary = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${noun === 'invoice' ? 'an' : 'a'} ${noun}`
  return actionPath(style, path, { id, summary, tag, record })
}
