import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { firstLine, startCli } from '../conformance/served-target.ts'

/*
 * `npm run soak [-- --minutes 10]`: `backlot serve` in another process under full load: records are listed, read, created, changed
 * and deleted, time is turned, simulations come and go. Ends with 1 at an answer that is not a 2xx, or when memory grows.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const DURATION_MS = Number(values.minutes) * 60_000
const CONNECTIONS = 32
/** Memory is compared from here on: before, caches fill and code is compiled. */
const WARM_SHARE = 0.25
const MAX_GROWTH_SHARE = 0.2

const child = startCli(['serve', '--json', '--port', '0'])
const { url, accountKey } = JSON.parse(await firstLine(child)) as { url: string; accountKey: string }
const pool = new Pool(url, { connections: CONNECTIONS })
const startedAt = performance.now()
const elapsed = () => performance.now() - startedAt
let requests = 0
const errors = new Map<string, number>()

async function call(method: string, path: string, key: string, body?: unknown): Promise<Record<string, unknown>> {
  requests++
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await pool.request({
    method: method as 'GET',
    path,
    headers: { authorization: `Bearer ${key}`, ...json },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) {
    const name = `${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')} ${answer.statusCode} ${text.slice(0, 200)}`
    errors.set(name, (errors.get(name) ?? 0) + 1)
  }
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** One user: a simulation of its own for a few hundred requests, then another. */
async function live(user: number): Promise<void> {
  for (let life = 0; elapsed() < DURATION_MS; life++) {
    const made = await call('POST', '/v1/simulations', accountKey, { library: 'task-tracker', seed: `${user}-${life}` })
    const [id, key] = [String(made.id), String(made.apiKey)]
    const root = `/s/${made.slug}/v1`
    const { data } = (await call('GET', `${root}/projects`, key)) as { data: { id: string }[] }
    for (let turn = 0; turn < 200 && elapsed() < DURATION_MS; turn++) {
      await call('GET', `${root}/tasks?limit=20`, key)
      const task = await call('POST', `${root}/tasks`, key, { title: `Task ${turn}`, projectId: data[0]?.id })
      await call('GET', `${root}/tasks/${task.id}`, key)
      await call('PATCH', `${root}/tasks/${task.id}`, key, { status: 'done' })
      await call('DELETE', `${root}/tasks/${task.id}`, key)
      if (turn % 50 === 49) await call('POST', `/v1/simulations/${id}/fast-forward`, accountKey, { hours: 24 })
    }
    await call('GET', `/v1/simulations/${id}/events`, accountKey)
    await call('DELETE', `/v1/simulations/${id}`, accountKey)
  }
}

/** Resident memory of the service, in MB. */
function residentMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024
}

async function watch(): Promise<number[]> {
  const samples: number[] = []
  while (elapsed() < DURATION_MS) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, DURATION_MS / 20)))
    if (elapsed() > DURATION_MS * WARM_SHARE) samples.push(residentMb())
  }
  return samples
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const [samples] = await Promise.all([watch(), ...Array.from({ length: CONNECTIONS }, (_, user) => live(user))])
await pool.close()
child.kill('SIGTERM')
const third = Math.floor(samples.length / 3)
const [early, late] = [median(samples.slice(0, third)), median(samples.slice(-third))]
const perSecond = Math.round((requests / elapsed()) * 1_000)
process.stdout.write(
  `${requests} requests in ${values.minutes} min (${perSecond} a second), ${[...errors.values()].reduce((a, b) => a + b, 0)} errors; ` +
    `memory ${early.toFixed(0)} MB early, ${late.toFixed(0)} MB late\n`,
)
for (const [name, count] of errors) process.stdout.write(`  ${count} x ${name}\n`)
process.exitCode = errors.size === 0 && late < early * (1 + MAX_GROWTH_SHARE) ? 0 : 1
