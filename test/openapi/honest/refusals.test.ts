import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, MOMENT, oneOf, type Resource, TEXT } from './resource.ts'

const simulation = simulations()

const parcels: Resource = {
  fields: { state: oneOf('booked', 'collected', 'delivered', 'cancelled'), collected_at: MOMENT, cancelled_at: MOMENT },
  actions: {
    'POST /collect': { responses: { 409: 'The parcel is not in a state that allows this' } },
    'POST /cancel': { responses: { 409: 'Conflict' } },
  },
}
const claims: Resource = {
  fields: { status: oneOf('SUBMITTED', 'APPROVED', 'REJECTED', 'PAID_OUT') },
  actions: {
    'POST /approve': { responses: { 422: 'Only submitted claims can be approved' } },
    'POST /reject': { responses: { 422: 'The claim was approved or paid out already' } },
    'POST /review': { responses: { 422: 'Validation Error' } },
  },
}
const memberships: Resource = {
  fields: {
    status: oneOf('trial', 'active', 'paused', 'expired'),
    autoRenew: { type: 'boolean' },
    archived: { type: 'boolean' },
  },
  actions: {
    'POST /pause': { description: 'Pauses it. Must be active.', responses: { 409: 'Wrong state' } },
    'POST /resume': { responses: { 409: 'Wrong state' } },
    'POST /archive': { responses: { 409: 'Already archived' } },
    'POST /expire': {},
  },
}
// Public descriptions of bookings ("Cancel a pending booking", 409 "Booking not in PENDING state"), of training blocks
// ("Pause an active training block", 422 "Block is not active"), of reservations ("Cancel a pending reservation", 409
// "Reservation is not PENDING"), Gitea ("Submit a pending review") and Spree ("Captures a pending payment").
const members: Resource = {
  fields: { status: oneOf('trial', 'active', 'frozen', 'left') },
  actions: {
    'POST /freeze': { description: 'Freezes an active member.', responses: { 409: 'Conflict' } },
    'POST /leave': { description: 'Ends a membership.', responses: { 409: 'Conflict' } },
    'POST /activate': { description: 'Activates a trial or frozen member.', responses: { 409: 'Conflict' } },
  },
}

it.each([
  ['parcels', parcels, 'state', 'booked', ['cancel 200', 'cancel 409', 'collect 409']],
  ['parcels', parcels, 'state', 'booked', ['collect 200', 'collect 409', 'cancel 200']],
  ['parcels', parcels, 'state', 'delivered', ['collect 409', 'cancel 409']],
  ['claims', claims, 'status', 'SUBMITTED', ['approve 200', 'approve 422', 'reject 422']],
  ['claims', claims, 'status', 'PAID_OUT', ['approve 422', 'reject 422']],
  ['memberships', memberships, 'status', 'trial', ['pause 409', 'resume 200', 'pause 200', 'resume 200']],
  ['members', members, 'status', 'trial', ['freeze 409', 'activate 200', 'freeze 200', 'activate 200']],
  ['members', members, 'status', 'left', ['activate 409', 'freeze 409']],
  ['memberships', memberships, 'status', 'expired', ['pause 409', 'resume 409', 'expire 200', 'expire 200']],
] as const)('%s refuse actions in the wrong state as declared (%#)', async (plural, resource, field, from, actions) => {
  const call = await simulation.of(describeResources({ [plural]: resource }))
  const { body } = await call(`POST /${plural}`, { [field]: from })

  const got: string[] = []
  for (const action of actions) {
    const [verb = ''] = action.split(' ')
    got.push(`${verb} ${(await call(`POST /${plural}/${body.id}/${verb}`)).status}`)
  }

  expect(got).toEqual(actions)
})

it('names the status, and those that an action accepts', async () => {
  const call = await simulation.of(describeResources({ claims }))
  const { body } = await call('POST /claims', { status: 'PAID_OUT' })

  const refused = await call(`POST /claims/${body.id}/approve`)

  expect(JSON.stringify(refused.body)).toContain(
    `Failed to approve claim \\"${body.id}\\": its \`status\` is PAID_OUT. It must be SUBMITTED.`,
  )
})

it('refuses to set flags that are set', async () => {
  const call = await simulation.of(describeResources({ memberships }))
  const { body } = await call('POST /memberships', { status: 'active', archived: false })

  const first = await call(`POST /memberships/${body.id}/archive`)
  const second = await call(`POST /memberships/${body.id}/archive`)

  expect([first.status, first.body.archived, second.status]).toEqual([200, true, 409])
})

it('leaves the record as it is', async () => {
  const call = await simulation.of(describeResources({ parcels }))
  const { body } = await call('POST /parcels', { state: 'booked' })
  const cancelled = await call(`POST /parcels/${body.id}/cancel`)

  await call(`POST /parcels/${body.id}/cancel`)

  expect((await call(`GET /parcels/${body.id}`)).body).toEqual(cancelled.body)
})

/** The description of one resource, whose changes and deletions have refusals and prose of their own. */
function describeChanges(plural: string, values: string[], changes: JsonObject, more: JsonObject = {}): JsonObject {
  const described = describeResources({ [plural]: { fields: { status: oneOf(...values), note: TEXT } } }, more)
  const item = (described.paths as JsonObject)[`/${plural}/{id}`] as JsonObject
  const { get, patch } = item as { get: JsonObject; patch: { responses: JsonObject } }
  const responses = { ...patch.responses, ...(changes.responses as JsonObject) }
  const written = { ...changes, responses }
  item.patch = { ...patch, ...written }
  item.delete = { ...written, responses: { ...(get.responses as JsonObject), ...responses } }
  return described
}

// Lob ("you can only update a campaign in the `pending_approval` status"), Adyen ("only possible while the order has the
// status Placed") and PayPal ("You cannot update an order with the COMPLETED status") limit changes in prose.
it.each([
  ['campaigns', 'You can only update a campaign in the `pending_approval` status.', { 422: 'Error' }, 'running', 422],
  ['orders', 'Updating is only possible while the order has the status **Placed**.', { 422: 'Invalid' }, 'sent', 422],
  ['drafts', '', { 409: 'Not a draft' }, 'sent', 409],
  ['cases', 'A closed case cannot be changed.', { 409: 'Conflict' }, 'closed', 409],
  ['cases', 'For an active case, you can make only updates of notes.', { 409: 'Conflict' }, 'open', 200],
  ['cases', 'The status cannot be changed from active to open.', { 409: 'Conflict' }, 'active', 200],
  ['cases', 'A closed case cannot be changed.', {}, 'closed', 200],
])('changes of %s are refused as declared: %s', async (plural, description, texts, status, expected) => {
  const values = ['pending_approval', 'placed', 'draft', 'open', 'running', 'sent', 'active', 'closed']
  const responses = Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, { description: text }]))
  const call = await simulation.of(describeChanges(plural, values, { description, responses }))
  const { body } = await call(`POST /${plural}`, { status, note: 'a' })

  const patched = await call(`PATCH /${plural}/${body.id}`, { note: 'b' })
  const deleted = await call(`DELETE /${plural}/${body.id}`)

  expect([patched.status, deleted.status]).toEqual([expected, expected])
})

it('model.yaml limits a deletion to statuses', async () => {
  const operations = { 'DELETE /cases/{id}': { delete: 'cases', from: ['open'], otherwise: 423 } }
  const call = await simulation.of(describeChanges('cases', ['open', 'closed'], {}, { 'x-backlot': { operations } }))
  const { body } = await call('POST /cases', { status: 'closed' })

  const refused = await call(`DELETE /cases/${body.id}`)

  expect(refused.status).toBe(423)
  expect(JSON.stringify(refused.body)).toContain(`Failed to delete case \\"${body.id}\\": its \`status\` is closed.`)
})
