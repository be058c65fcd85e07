import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { request } from 'undici'
import { serve } from '../support/serve.ts'

const BYTES = 1_000_000

/**
 * Changes one record of a `backlot serve` by 1 MB, again and again, while a client follows the events and never reads one; where it is not
 * watched, a client is connected that follows nothing. Resolves with how many megabytes the process took more than before at its
 * peak, garbage included; NaN where the system does not tell.
 */
export async function peakOfUnreadChanges(changes: number, { isWatched = true } = {}): Promise<number> {
  await using served = await serve()
  const { url, accountKey, pid } = served
  const made = await served.client.createSimulation({ library: 'task-tracker' })
  const headers = { authorization: `Bearer ${made.apiKey}`, 'content-type': 'application/json' }
  const { body } = await request(`${made.url}/v1/tasks?limit=1`, { headers })
  const [task] = ((await body.json()) as { data: { id: string }[] }).data
  const before = megabytesOf(pid, 'VmRSS')
  const stream = connect(Number(new URL(url).port), '127.0.0.1').pause()
  if (isWatched)
    stream.write(
      `GET /v1/simulations/${made.id}/activity?kinds=change HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${accountKey}\r\n\r\n`,
    )
  for (let change = 0; change < changes; change++) {
    const description = `${change} `.padEnd(BYTES, 'x')
    const answer = await request(`${made.url}/v1/tasks/${task?.id}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ description }),
    })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`Expected 200, got ${answer.statusCode}.`)
  }
  stream.destroy()
  return megabytesOf(pid, 'VmHWM') - before
}

function megabytesOf(pid: number | undefined, name: string): number {
  if (process.platform !== 'linux') return Number.NaN
  const line = new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) / 1_024
}
