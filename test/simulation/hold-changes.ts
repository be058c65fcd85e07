import { connect } from 'node:net'
import { startService } from '../../src/service.ts'

/*
 * A process of its own: changes one record by 1 MB, as often as its argument says, while a client follows the events and never reads one. Prints
 * how far memory grew at most, in MB, after garbage was collected.
 */
const CHANGES = Number(process.argv[2])
const BYTES = 1_000_000

const service = await startService()
const headers = { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' }
const made = await fetch(`${service.url}/v1/simulations`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ library: 'task-tracker' }),
})
const { id, url, apiKey } = (await made.json()) as { id: string; url: string; apiKey: string }
const keyed = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const listed = await fetch(`${url}/v1/tasks?limit=1`, { headers: keyed })
const { data } = (await listed.json()) as { data: { id: string }[] }

const stream = connect(Number(new URL(service.url).port), '127.0.0.1').pause()
stream.write(
  `GET /v1/simulations/${id}/activity?kinds=change HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers.authorization}\r\n\r\n`,
)

const before = await heldBytes()
let most = 0
for (let change = 0; change < CHANGES; change++) {
  const description = `${change} `.padEnd(BYTES, 'x')
  const body = JSON.stringify({ description })
  const answer = await fetch(`${url}/v1/tasks/${data[0]?.id}`, { method: 'PATCH', headers: keyed, body })
  if (answer.status !== 200) throw new Error(`Expected 200, got ${answer.status}.`)
  await answer.arrayBuffer()
  if (change % 10 === 0) most = Math.max(most, await heldBytes())
}
most = Math.max(most, await heldBytes())
process.stdout.write(`${Math.round((most - before) / 1_000_000)}\n`)
stream.destroy()
await service.close()

/** What is left after two collections: what the first one frees outside of the heap is not counted at once. */
async function heldBytes(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
