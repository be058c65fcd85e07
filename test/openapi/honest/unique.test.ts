import { expect, it } from 'vitest'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, oneOf, type Resource, TEXT } from './resource.ts'

const simulation = simulations()

const readers: Resource = {
  fields: { name: TEXT, email: { type: 'string', format: 'email' } },
  creation: { 409: 'There is a reader with this email' },
}
const routes: Resource = {
  fields: { code: { type: 'string', description: 'Unique in the network' }, name: TEXT },
  creation: { 409: 'Conflict' },
}
const plots: Resource = {
  fields: { plotNumber: TEXT, use: oneOf('field', 'meadow') },
  creation: { 409: 'plot number exists' },
}
const permits: Resource = { fields: { name: TEXT, code: TEXT }, creation: { 409: 'Conflict' } }
// As rswag and Scramble write the validation of Rails and Laravel.
const donors: Resource = { fields: { name: TEXT, email: TEXT }, creation: { 422: 'email has already been taken' } }

it.each([
  ['readers', readers, { name: 'Ada', email: 'ada@example.com' }, { email: 'bob@example.com' }, 409],
  ['routes', routes, { name: 'North', code: 'N1' }, { code: 'N2' }, 409],
  ['plots', plots, { use: 'field', plotNumber: '7b' }, { plotNumber: '8' }, 409],
  ['donors', donors, { name: 'Ada', email: 'ada@example.com' }, { email: 'bob@example.com' }, 422],
  ['permits', permits, { name: 'Dig', code: 'D' }, { code: 'E' }, 201],
] as const)('%s have a unique field where the description names it', async (plural, resource, sent, other, again) => {
  const call = await simulation.of(describeResources({ [plural]: resource }))

  const first = await call(`POST /${plural}`, sent)
  const second = await call(`POST /${plural}`, sent)
  const third = await call(`POST /${plural}`, { ...sent, ...other })

  expect([first.status, second.status, third.status]).toEqual([201, again, 201])
})
