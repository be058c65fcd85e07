import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createSimulation } from 'backlot'
import { orderNotice } from '../src/order-notice.js'

let crm
beforeAll(async () => {
  crm = await createSimulation('crm')
})
beforeEach(() => crm.beginTest())
afterEach(() => crm.endTest())
afterAll(() => crm?.delete())

test('goes without the name while the shop is down', async () => {
  await using _outage = await crm.goOffline()

  const notice = await orderNotice((path) => crm.fetch(path), { companyId: 'any', status: 'pending' })

  expect(notice).toBe('The order is pending.')
})

test('has no outage any more', async () => {
  expect((await crm.fetch('/companies')).status).toBe(200)
})
