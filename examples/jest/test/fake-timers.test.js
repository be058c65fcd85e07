import { expect, jest, test } from '@jest/globals'
import { createSimulation } from 'backlot'

test('answers and delivers while every timer is faked', async () => {
  await using crm = await createSimulation('crm')
  jest.useFakeTimers()
  const [company] = await crm.records('companies')

  const answer = await crm.fetch(`/companies/${company.id}`, { method: 'DELETE' })
  const webhook = await crm.expectWebhook('company.deleted')
  jest.useRealTimers()

  expect(answer.ok).toBe(true)
  expect(webhook.data.id).toBe(String(company.id))
})
