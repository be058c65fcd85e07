import { expect, it } from 'vitest'
import { createSimulation, type Simulation } from '../../src/index.ts'

/** How many records of a collection stand where. */
async function countBy(simulation: Simulation, collection: string, field: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (let offset = 0; ; offset += 500) {
    const records = await simulation.records(collection, { limit: 500, offset })
    for (const record of records) counts[String(record[field])] = (counts[String(record[field])] ?? 0) + 1
    if (records.length < 500) return counts
  }
}

const MOST_CHANGES_OF_A_MONTH = 50_000
/** How long the deliveries of a month may take on a machine that does much else. */
const QUEUE_MS = 50_000

it('has a team that finishes its tasks', async () => {
  await using tracker = await createSimulation('task-tracker', { webhooks: false })
  const before = await countBy(tracker, 'tasks', 'status')

  const { changes } = await tracker.fastForward({ days: 30 })

  const after = await countBy(tracker, 'tasks', 'status')
  expect(after.done).toBeGreaterThan(before.done ?? 0)
  expect(after.todo).toBeGreaterThan(0)
  expect(after.in_progress).toBeGreaterThan(0)
  expect(changes).toBeLessThan(MOST_CHANGES_OF_A_MONTH)
})

it('has invoices that become overdue and are paid', async () => {
  await using payments = await createSimulation('payments', { webhooks: { events: ['invoice.updated'] } })

  const { changes } = await payments.fastForward({ days: 30 })
  await payments.webhooks.settled({ withinMs: QUEUE_MS })

  const overdue = await payments.expectWebhook('invoice.updated', { data: { object: { status: 'overdue' } } })
  await payments.expectWebhook('invoice.updated', { recordId: overdue.data.id, data: { object: { status: 'paid' } } })
  expect(changes).toBeLessThan(MOST_CHANGES_OF_A_MONTH)
})

it('has invoices that become overdue for as long as its clock is turned', async () => {
  await using payments = await createSimulation('payments', { webhooks: { events: ['invoice.updated'] } })
  const overdue: number[] = []

  for (let span = 0; span < 6; span++) {
    const seen = payments.webhooks.all().length
    await payments.fastForward({ days: 10 })
    await payments.webhooks.settled({ withinMs: QUEUE_MS })
    const since = payments.webhooks.all().slice(seen)
    overdue.push(since.filter(({ data }) => (data.object as { status?: string } | null)?.status === 'overdue').length)
  }

  expect(Math.min(...overdue)).toBeGreaterThanOrEqual(2)
})

it('has deals that are won and lost and orders that arrive', async () => {
  await using crm = await createSimulation('crm', { webhooks: false })
  const deals = await countBy(crm, 'deals', 'stage')
  const orders = await countBy(crm, 'orders', 'status')

  const { changes } = await crm.fastForward({ days: 30 })

  const dealsAfter = await countBy(crm, 'deals', 'stage')
  expect(dealsAfter.won).toBeGreaterThan(deals.won ?? 0)
  expect(dealsAfter.lost).toBeGreaterThan(deals.lost ?? 0)
  expect((await countBy(crm, 'orders', 'status')).delivered).toBeGreaterThan(orders.delivered ?? 0)
  expect(changes).toBeLessThan(MOST_CHANGES_OF_A_MONTH)
})

it.each(['task-tracker', 'payments', 'crm'])('changes %s in all three ways within two weeks', async (slug) => {
  await using simulation = await createSimulation(slug)

  await simulation.fastForward({ days: 14 })

  await simulation.expectWebhook(/\.created$/, { withinMs: QUEUE_MS })
  await simulation.expectWebhook(/\.updated$/, { withinMs: QUEUE_MS })
  await simulation.expectWebhook(/\.deleted$/, { withinMs: QUEUE_MS })
})
