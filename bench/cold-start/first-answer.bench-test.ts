import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'

// Both runs import the doors of dist/ through the package's own name, as a user's suite does.
it('answers a first request', async () => {
  const started = performance.now()
  const { simulation: fixture } = await import('backlot/vitest')
  const { createSimulation } = await import('backlot')
  const first = await createSimulation('task-tracker')
  const answer = await first.fetch('/tasks')
  const firstMs = performance.now() - started
  expect(fixture).toBeTypeOf('function')
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as { data: { projectId: string }[] }

  const again = performance.now()
  const second = await createSimulation('task-tracker')
  const secondMs = performance.now() - again
  expect((await second.fetch('/tasks')).status).toBe(200)

  const waits: number[] = []
  for (let change = 0; change < 200; change++) {
    const changed = performance.now()
    await first.fetch('/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: `Task ${change}`, projectId: data[0]?.projectId }),
    })
    await first.expectWebhook('task.created')
    waits.push(performance.now() - changed)
  }

  await second.delete()
  await first.delete()
  appendFileSync(process.env.BENCH_OUT as string, `${JSON.stringify({ firstMs, secondMs, waits: waits.slice(20) })}\n`)
})
