import type { NewBehaviourRule } from '../../protocol/behaviour.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A sales team at work: leads come in, deals move on, orders are fulfilled, meetings take place, contacts go stale. */
export const behaviour: NewBehaviourRule[] = [
  {
    id: 'leads-come-in',
    name: 'New contacts',
    everySeconds: 3 * HOUR,
    steps: [
      {
        kind: 'create',
        collection: 'contacts',
        count: 1,
        values: { status: 'new', lastContactedAt: null },
        maxRecords: 10_000,
      },
    ],
  },
  {
    id: 'companies-come-and-stay',
    name: 'New companies become customers',
    everySeconds: DAY,
    steps: [
      { kind: 'transition', collection: 'companies', from: 'prospect', to: { customer: 4, former: 1 }, fraction: 0.1 },
      { kind: 'transition', collection: 'companies', from: 'lead', to: 'prospect', fraction: 0.15 },
      { kind: 'create', collection: 'companies', count: 1, maxRecords: 2_000 },
    ],
  },
  {
    id: 'contacts-warm-up',
    name: 'Contacts are called and qualified',
    everySeconds: 2 * HOUR,
    steps: [
      {
        kind: 'transition',
        collection: 'contacts',
        from: 'qualified',
        to: { customer: 2, unsubscribed: 1 },
        fraction: 0.02,
      },
      { kind: 'transition', collection: 'contacts', from: 'contacted', to: 'qualified', fraction: 0.04 },
      { kind: 'transition', collection: 'contacts', from: 'new', to: 'contacted', fraction: 0.1 },
    ],
  },
  {
    id: 'deals-move',
    name: 'Deals move through their stages',
    everySeconds: 6 * HOUR,
    steps: [
      {
        kind: 'transition',
        collection: 'deals',
        field: 'stage',
        from: 'negotiation',
        to: { won: 3, lost: 2 },
        fraction: 0.08,
      },
      {
        kind: 'transition',
        collection: 'deals',
        field: 'stage',
        from: 'proposal',
        to: { negotiation: 3, lost: 1 },
        fraction: 0.08,
      },
      { kind: 'transition', collection: 'deals', field: 'stage', from: 'qualified', to: 'proposal', fraction: 0.1 },
      { kind: 'transition', collection: 'deals', field: 'stage', from: 'lead', to: 'qualified', fraction: 0.1 },
      { kind: 'create', collection: 'deals', count: 1, values: { stage: 'lead', lostReason: null }, maxRecords: 5_000 },
    ],
  },
  {
    id: 'decided-deals',
    name: 'Decided deals have no chance left open',
    everySeconds: 6 * HOUR,
    steps: [
      {
        kind: 'update',
        collection: 'deals',
        where: { stage: 'won', winPercent: { lt: 100 } },
        fraction: 1,
        set: { winPercent: 100, lostReason: null },
      },
      {
        kind: 'update',
        collection: 'deals',
        where: { stage: 'lost', winPercent: { gt: 0 } },
        fraction: 1,
        set: { winPercent: 0 },
      },
    ],
  },
  {
    id: 'orders-come-in',
    name: 'Companies order',
    everySeconds: 2 * HOUR,
    steps: [
      {
        kind: 'create',
        collection: 'orders',
        count: 1,
        values: { status: 'pending' },
        maxRecords: 10_000,
      },
    ],
  },
  {
    id: 'orders-are-fulfilled',
    name: 'Orders are confirmed, shipped and delivered',
    everySeconds: HOUR,
    steps: [
      { kind: 'transition', collection: 'orders', from: 'shipped', to: 'delivered', fraction: 0.05 },
      { kind: 'transition', collection: 'orders', from: 'confirmed', to: 'shipped', fraction: 0.1 },
      { kind: 'transition', collection: 'orders', from: 'pending', to: { confirmed: 12, cancelled: 1 }, fraction: 0.3 },
    ],
  },
  {
    id: 'parcels-are-traced',
    name: 'Shipped orders get a tracking number',
    everySeconds: HOUR,
    steps: [
      {
        kind: 'update',
        collection: 'orders',
        where: { status: 'shipped', trackingNumber: null },
        fraction: 1,
        regenerate: ['trackingNumber'],
      },
    ],
  },
  {
    id: 'meetings-take-place',
    name: 'Planned activities take place or are missed',
    everySeconds: HOUR,
    steps: [
      {
        kind: 'create',
        collection: 'activities',
        count: 1,
        values: { status: 'planned', outcome: null },
        maxRecords: 5_000,
      },
      {
        kind: 'transition',
        collection: 'activities',
        from: 'planned',
        to: { completed: 9, cancelled: 1 },
        fraction: 0.03,
      },
      {
        kind: 'expire',
        collection: 'activities',
        field: 'dueAt',
        olderThanSeconds: 2 * DAY,
        where: { status: 'planned' },
        action: { to: 'missed', field: 'status' },
      },
    ],
  },
  {
    id: 'meetings-are-minuted',
    name: 'What came of a meeting is written down',
    everySeconds: HOUR,
    steps: [
      {
        kind: 'update',
        collection: 'activities',
        where: { status: 'completed', outcome: null },
        fraction: 1,
        regenerate: ['outcome'],
      },
    ],
  },
  {
    id: 'stock-moves',
    name: 'Stock goes down and up',
    everySeconds: 4 * HOUR,
    steps: [
      {
        kind: 'increment',
        collection: 'products',
        field: 'inStock',
        by: { min: -12, max: 10 },
        clampMin: 0,
        fraction: 0.2,
      },
    ],
  },
  {
    id: 'people-are-looked-after',
    name: 'Contacts without an owner get one',
    everySeconds: DAY,
    steps: [
      {
        kind: 'relate',
        collection: 'contacts',
        field: 'ownerId',
        target: 'users',
        where: { ownerId: null },
        fraction: 0.5,
      },
      { kind: 'create', collection: 'notes', count: 3, values: { pinned: false }, maxRecords: 5_000 },
    ],
  },
  {
    id: 'tidying-up',
    name: 'Unsubscribed contacts and cancelled activities are removed',
    everySeconds: DAY,
    steps: [
      {
        kind: 'delete',
        collection: 'contacts',
        where: { status: 'unsubscribed' },
        fraction: 0.1,
        onDependents: 'setNull',
      },
      { kind: 'delete', collection: 'activities', where: { status: 'cancelled' }, fraction: 0.2 },
    ],
  },
]
