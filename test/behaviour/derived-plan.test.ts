import { expect, it } from 'vitest'
import type { BehaviourPlan } from '../../src/protocol/behaviour.ts'
import { startForTest } from '../management/start-for-test.ts'
import { object, string } from '../simulated-api/describe-api.ts'
import { describeThings } from '../simulation/resource.ts'

it.each([
  ['Twilio challenges', ['pending', 'expired', 'approved', 'denied'], 'pending>approved pending>expired'],
  ['NetBox circuits', ['planned', 'active', 'decommissioned'], 'planned>active planned>decommissioned'],
  ['parcels', ['SENT', 'RECEIVED', 'RETURNED'], 'SENT>RECEIVED SENT>RETURNED'],
  ['debts', ['draft', 'open', 'paid', 'uncollectible'], 'draft>open open>paid draft>uncollectible'],
  ['tables', ['booked', 'seated', 'left', 'noShow'], 'booked>seated seated>left booked>noShow'],
  ['tariffs', ['trialing', 'active', 'paused', 'past_due'], 'trialing>active trialing>paused'],
])('records of %s leave the ordinary life only at its beginning', async (_, statuses, steps) => {
  const { create, call } = await startForTest()
  const thing = object({ id: string({ readOnly: true }), status: string({ enum: statuses }) }, ['id', 'status'])
  const { id } = await create({ spec: JSON.stringify(describeThings(thing)) })

  const plan: BehaviourPlan = (await call('GET', `/v1/simulations/${id}/behaviour`)).body

  const progress = plan.rules.flatMap((rule) =>
    rule.steps.flatMap((step) => (step.kind === 'transition' ? [step] : [])),
  )
  expect(progress.map(({ from, to }) => `${from}>${to}`).join(' ')).toBe(steps)
})
