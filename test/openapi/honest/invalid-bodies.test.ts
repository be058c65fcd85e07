import { expect, it } from 'vitest'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, WHOLE } from './resource.ts'

const simulation = simulations()

it.each([
  ['PayPal', 'violates schema', 'semantically incorrect, or failed business validation.', 400],
  ['WorkOS', 'Bad Request', 'The matched installation uses a different auth method than this endpoint expects.', 400],
  ['Intercom', 'bad request - invalid number', 'Has Dependant Object', 400],
  ['a shop', 'Bad request', 'The voucher does not exist', 400],
  ['Adyen', 'Bad Request', 'Unprocessable Entity - a request validation error.', 422],
  ['Coolify', 'Invalid token.', 'Validation error.', 422],
])('the texts of %s decide how an invalid body is refused', async (_, bad, unprocessable, status) => {
  const vouchers = { fields: { amount: { ...WHOLE, minimum: 1 } }, creation: { 400: bad, 422: unprocessable } }
  const call = await simulation.of(describeResources({ vouchers }))

  const refused = await call('POST /vouchers', { amount: 0 })

  expect(refused.status).toBe(status)
})
