import type { NewBehaviourRule } from '../../protocol/behaviour.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A shop that sells: payments settle, invoices fall due and are paid, subscriptions renew or lapse, money is paid out. */
export const behaviour: NewBehaviourRule[] = [
  {
    id: 'customers-sign-up',
    name: 'New customers',
    everySeconds: 8 * HOUR,
    steps: [{ kind: 'create', collection: 'customers', count: 1, values: { balance: 0 }, maxRecords: 5_000 }],
  },
  {
    id: 'customers-pay',
    name: 'Payments come in',
    everySeconds: 30 * MINUTE,
    steps: [{ kind: 'create', collection: 'payments', count: 1, values: { status: 'processing' }, maxRecords: 20_000 }],
  },
  {
    id: 'payments-settle',
    name: 'The network answers',
    everySeconds: 10 * MINUTE,
    steps: [
      {
        kind: 'transition',
        collection: 'payments',
        from: 'processing',
        to: { succeeded: 92, failed: 8 },
        fraction: 0.4,
      },
      {
        kind: 'transition',
        collection: 'payments',
        from: 'requires_action',
        to: { processing: 4, canceled: 1 },
        fraction: 0.05,
      },
      {
        kind: 'transition',
        collection: 'payments',
        from: 'requires_capture',
        to: { succeeded: 12, canceled: 1 },
        fraction: 0.01,
      },
    ],
  },
  {
    id: 'invoices-are-issued',
    name: 'Invoices are written and sent',
    everySeconds: 6 * HOUR,
    steps: [
      { kind: 'transition', collection: 'invoices', from: 'draft', to: 'open', fraction: 0.4 },
      { kind: 'create', collection: 'invoices', count: 1, values: { status: 'draft' }, maxRecords: 5_000 },
    ],
  },
  {
    id: 'invoices-fall-due',
    name: 'Open invoices become overdue',
    everySeconds: HOUR,
    steps: [
      {
        kind: 'expire',
        collection: 'invoices',
        field: 'due_at',
        olderThanSeconds: 0,
        where: { status: 'open' },
        action: { to: 'overdue', field: 'status' },
      },
    ],
  },
  {
    id: 'invoices-are-paid',
    name: 'Customers pay, some of them late',
    everySeconds: 4 * HOUR,
    steps: [
      {
        kind: 'transition',
        collection: 'invoices',
        from: 'overdue',
        to: { paid: 15, uncollectible: 1 },
        fraction: 0.08,
      },
      { kind: 'transition', collection: 'invoices', from: 'open', to: 'paid', fraction: 0.015 },
    ],
  },
  {
    id: 'subscriptions-live',
    name: 'Trials convert, cards expire, customers leave',
    everySeconds: 12 * HOUR,
    steps: [
      {
        kind: 'transition',
        collection: 'subscriptions',
        from: 'past_due',
        to: { active: 5, canceled: 1 },
        fraction: 0.3,
      },
      {
        kind: 'transition',
        collection: 'subscriptions',
        from: 'trialing',
        to: { active: 3, canceled: 1 },
        fraction: 0.05,
      },
      {
        kind: 'transition',
        collection: 'subscriptions',
        from: 'paused',
        to: { active: 2, canceled: 1 },
        fraction: 0.05,
      },
      { kind: 'transition', collection: 'subscriptions', from: 'active', to: 'past_due', fraction: 0.01 },
      { kind: 'create', collection: 'subscriptions', count: 1, values: { status: 'trialing' }, maxRecords: 5_000 },
    ],
  },
  {
    id: 'seats-grow',
    name: 'Teams add seats',
    everySeconds: DAY,
    steps: [
      {
        kind: 'increment',
        collection: 'subscriptions',
        field: 'quantity',
        by: { min: 1, max: 3 },
        clampMax: 50,
        where: { status: 'active' },
        fraction: 0.05,
      },
    ],
  },
  {
    id: 'refunds-run',
    name: 'Money goes back',
    everySeconds: 8 * HOUR,
    steps: [
      { kind: 'transition', collection: 'refunds', from: 'pending', to: { succeeded: 30, failed: 1 }, fraction: 0.8 },
      { kind: 'create', collection: 'refunds', count: 1, values: { status: 'pending' }, maxRecords: 5_000 },
    ],
  },
  {
    id: 'payouts-arrive',
    name: 'Money is paid out once a day',
    everySeconds: DAY,
    steps: [
      { kind: 'transition', collection: 'payouts', from: 'in_transit', to: { paid: 40, failed: 1 }, fraction: 1 },
      { kind: 'transition', collection: 'payouts', from: 'pending', to: 'in_transit', fraction: 1 },
      { kind: 'create', collection: 'payouts', count: 1, values: { status: 'pending' }, maxRecords: 2_000 },
    ],
  },
  {
    id: 'disputes-run',
    name: 'Payments are contested and decided',
    everySeconds: 2 * DAY,
    steps: [
      { kind: 'transition', collection: 'disputes', from: 'under_review', to: { won: 2, lost: 3 }, fraction: 0.5 },
      { kind: 'transition', collection: 'disputes', from: 'needs_response', to: 'under_review', fraction: 0.6 },
      { kind: 'create', collection: 'disputes', count: 1, values: { status: 'needs_response' }, maxRecords: 500 },
    ],
  },
  {
    id: 'tidying-up',
    name: 'Forgotten drafts and old cards are removed',
    everySeconds: DAY,
    steps: [
      { kind: 'delete', collection: 'invoices', where: { status: 'draft' }, minAgeSeconds: 2 * DAY, fraction: 0.25 },
      { kind: 'delete', collection: 'payment_methods', fraction: 0.005, onDependents: 'setNull' },
    ],
  },
]
