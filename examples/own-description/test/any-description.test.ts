import { useSimulation } from 'backlot/vitest'
import { expect, it } from 'vitest'
import { description } from '../description.ts'

const api = useSimulation({ spec: description })

it('has collections that hold what they say', async () => {
  for (const { name, records } of api.collections) {
    expect(await api.records(name, { limit: 100 }), name).toHaveLength(Math.min(records, 100))
  }
})

it('lives: time passes, records change, webhooks tell', async () => {
  const { changes } = await api.fastForward({ days: 2 })
  await api.webhooks.settled()

  if (api.collections.every(({ records }) => records === 0)) return
  const webhook = await api.expectWebhook('*')
  expect(changes).toBeGreaterThan(0)
  expect(api.events).toContain(webhook.type)
})
