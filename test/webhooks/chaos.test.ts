import { expect, it } from 'vitest'
import { runWebhookChaos } from '../../bench/chaos/webhooks.ts'

it('loses nothing while the sink restarts, answers 500, drops connections and hangs', async () => {
  const summary = await runWebhookChaos({ deliveries: 500, seed: 'tests' })

  expect(summary.problems).toEqual([])
  expect(summary).toMatchObject({ deliveries: 500, failed: expect.any(Number) })
  expect(summary.delivered + summary.failed).toBe(500)
  expect(summary.failed).toBeGreaterThanOrEqual(2)
  expect(summary.attempts).toBeGreaterThan(500)
})

it('notices a delivery that is lost', async () => {
  const { problems } = await runWebhookChaos({ deliveries: 250, seed: 'tests', fault: 'loss' })

  expect(problems).toContainEqual(expect.stringMatching(/counts as delivered and never came$/))
})
