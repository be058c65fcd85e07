import { expect, test } from '@jest/globals'
import { createSimulation } from 'backlot'
import { orderNotice } from '../src/order-notice.js'

test('tells whose order was shipped', async () => {
  await using crm = await createSimulation('crm')
  await crm.fastForward({ days: 2 })
  const { data } = await crm.expectWebhook('order.updated', { data: { object: { status: 'shipped' } } })

  const notice = await orderNotice((path) => crm.fetch(path), data.object)

  expect(notice).toMatch(/^The order of .+ is shipped\.$/)
})
