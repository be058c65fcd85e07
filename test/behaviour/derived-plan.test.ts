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

// Resend's domain claims, Twilio's challenges, WorkOS' invitations.
it.each([
  ['date-time', '2030-01-01T00:10:00.000Z', { hours: 1 }],
  ['date', '2030-01-01', { hours: 25 }],
])('records expire at their %s, as long as they are open', async (format, expiresAt, time) => {
  const { create, call } = await startForTest()
  const status = string({ enum: ['pending', 'accepted', 'expired'] })
  const thing = object({ id: string({ readOnly: true }), status, expiresAt: string({ format }) }, ['id', 'status'])
  const { id, url, apiKey } = await create({
    spec: JSON.stringify(describeThings(thing)),
    volume: { things: 0 },
    epoch: '2030-01-01T00:00:00.000Z',
  })
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const made = async (body: unknown) => {
    const answer = await fetch(`${url}/things`, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await answer.json()) as { id: string }).id
  }
  const statuses = ['pending', 'pending', 'pending', 'pending', 'accepted']
  const ids = await Promise.all(statuses.map((one) => made({ status: one, expiresAt })))
  const { rules }: BehaviourPlan = (await call('GET', `/v1/simulations/${id}/behaviour`)).body
  expect(rules.flatMap(({ steps }) => steps.map((step) => ('to' in step ? step.to : step.kind)))).toContain('expire')
  expect(rules.flatMap(({ steps }) => steps.map((step) => ('to' in step ? step.to : '')))).not.toContain('expired')

  await call('POST', `/v1/simulations/${id}/fast-forward`, time)

  const shown = await Promise.all(
    ids.map(async (one) => (await fetch(`${url}/things/${one}`, { headers })).json() as Promise<{ status: string }>),
  )
  const after = shown.map((one) => one.status)
  // Some are accepted in time.
  expect([after.includes('expired'), after.includes('pending'), after.at(-1)]).toEqual([true, false, 'accepted'])
})
