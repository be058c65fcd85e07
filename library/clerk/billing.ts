import {
  type Clerk,
  type ClerkRequest,
  type Fields,
  INSTANCE,
  isMissing,
  type Kept,
  msOf,
  type Operations,
  textOf,
  without,
} from './clerk.ts'

const moneyOf = (amount: number): Fields => ({
  amount,
  amount_formatted: (amount / 100).toFixed(2),
  currency: 'USD',
  currency_symbol: '$',
})

const toPlan = (plan: Kept): Fields => ({
  object: 'commerce_plan',
  description: null,
  is_recurring: true,
  publicly_visible: true,
  features: [],
  avatar_url: null,
  ...without(plan, 'amount payer'),
  for_payer_type: plan.payer ?? '',
  has_base_fee: plan.amount !== 0,
  fee: moneyOf(Number(plan.amount)),
  annual_fee: null,
  annual_monthly_fee: null,
  free_trial_enabled: !isMissing(plan.free_trial_days),
})

/** An item of a subscription with its plan. */
const withPlan = (item: Fields, plan: Kept): Fields => ({
  object: 'commerce_subscription_item',
  instance_id: INSTANCE,
  past_due_at: null,
  ...item,
  plan_id: plan.id,
  plan: toPlan(plan),
  amount: moneyOf(Number(plan.amount)),
})

const toItem = (item: Kept, clerk: ClerkRequest): Fields => ({
  lifetime_paid: null,
  ...withPlan(item, clerk.find('plans', item.plan_id)),
})

/** The subscription of a payer: to the free plan, where it has none. */
function subscriptionOf(clerk: ClerkRequest, { id, created_at = 0 }: Kept, payer: 'user' | 'org'): Fields {
  const free = clerk.records.plans.find({ payer, is_default: true }) ?? clerk.gone('plan', `free_${payer}`)
  const items = clerk.having('subscription_items', 'payer_id', id).filter(({ status }) => status !== 'ended')
  const times = { created_at, updated_at: created_at }
  const freeItem = {
    id: `csub_item_${id}`,
    status: 'active',
    plan_period: 'month',
    payer_id: id,
    period_start: created_at,
    period_end: null,
    is_free_trial: false,
    ended_at: null,
    canceled_at: null,
    ...times,
  }
  return {
    object: 'commerce_subscription',
    id: `csub_${id}`,
    instance_id: INSTANCE,
    status: 'active',
    payer_id: id,
    ...times,
    active_at: created_at,
    past_due_at: null,
    eligible_for_free_trial: false,
    subscription_items: items.length > 0 ? items.map((item) => toItem(item, clerk)) : [withPlan(freeItem, free)],
  }
}

/** A month later is the same day, or the last day of a shorter month. */
function monthAfter({ now }: Clerk): number {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(now).setUTCMonth(month, Math.min(now.getUTCDate(), last))
}

export const billing: Operations = {
  'GET /v1/billing/plans': (clerk) => {
    const payer = clerk.param('payer_type')
    const found = clerk.records.plans.where(payer === '' ? {} : { payer }).reverse()
    return clerk.list(
      found.toSorted((left, right) => Number(left.amount) - Number(right.amount)),
      toPlan,
    )
  },
  'GET /v1/users/{user_id}/billing/subscription': (clerk) => subscriptionOf(clerk, clerk.find('users'), 'user'),
  'GET /v1/organizations/{organization_id}/billing/subscription': (clerk) =>
    subscriptionOf(clerk, clerk.organization, 'org'),
  'DELETE /v1/billing/subscription_items/{item_id}': (clerk) => {
    const item = clerk.find('subscription_items')
    const end = clerk.query.end_now === 'true' ? { status: 'ended', ended_at: clerk.ms } : { status: 'canceled' }
    return toItem(clerk.records.subscription_items.update(item, { ...end, canceled_at: clerk.ms }), clerk)
  },
  'POST /v1/billing/subscription_items/{item_id}/extend_free_trial': (clerk) => {
    const item = clerk.find('subscription_items')
    clerk.need('extend_to')
    if (item.is_free_trial === false)
      clerk.refuse({
        code: 'subscription_item_not_on_free_trial',
        text: 'no free trial',
        long: 'This subscription item is not on a free trial.',
      })
    const long = 'extend_to is invalid: expected a time.'
    const invalid = { code: 'form_param_format_invalid', text: 'is invalid', long, name: 'extend_to' }
    const period_end = msOf(clerk.body.extend_to) ?? clerk.refuse(invalid)
    return toItem(clerk.records.subscription_items.update(item, { period_end }), clerk)
  },
  // A checkout that is paid.
  'POST /v1/test_helpers/billing/subscription_items': (clerk) => {
    const { payer_id, plan: slug } = clerk.body
    const plan = clerk.records.plans.find({ slug: textOf(slug) }) ?? clerk.gone('plan', slug)
    const item = clerk.create('subscription_items', {
      payer_id: textOf(payer_id),
      plan_id: plan.id,
      period_start: clerk.ms,
      period_end: monthAfter(clerk),
      is_free_trial: !isMissing(plan.free_trial_days),
    })
    return toItem(item, clerk)
  },
}
