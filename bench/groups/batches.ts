import { createSimulation } from '../../src/index.ts'
import { atMost, type BenchRow } from '../bench-row.ts'

const INPUTS = 100

/** Processor time of a batch of a library entry, next to that of its items one by one. */
export async function run(): Promise<BenchRow[]> {
  await using simulation = await createSimulation('hubspot')
  const post = async (path: string, body: object) => {
    const answer = await simulation.fetch(path, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`Failed to create records: ${answer.status} ${await answer.text()}`)
  }
  let count = 0
  const input = () => ({ properties: { email: `person${count++}@example.com`, firstname: 'Ada' } })
  await post('/crm/v3/objects/contacts', input())
  const single = await cpuMs(async () => {
    for (let at = 0; at < INPUTS; at++) await post('/crm/v3/objects/contacts', input())
  })
  const inputs = Array.from({ length: INPUTS }, input)
  const batch = await cpuMs(() => post('/crm/v3/objects/contacts/batch/create', { inputs }))
  return [
    atMost({
      name: `batch of ${INPUTS} creations`,
      value: batch,
      unit: 'ms',
      most: Math.round(2 * single),
      floor: single,
    }),
  ]
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
