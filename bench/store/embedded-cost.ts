import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { startService as Start } from '../../src/service/start.ts'
import { startLoad } from '../http/start-load.ts'

/*
 * `node bench/store/embedded-cost.ts dist other/dist`: what a request to a service in memory costs by the second build, of what it costs by the
 * first. Both run in this process and are loaded in turn, so that neighbours and the machine's pace meet both; the thread's processor time counts.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '60' }, ms: { type: 'string', default: '150' } },
  allowPositionals: true,
})
const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'
const BODY = JSON.stringify({ name: 'Bench', key: 'BENCH' })
const CONNECTIONS = 32
const WARM_UP_MS = 4_000

const builds = await Promise.all(positionals.map(startBuild))
if (builds.length !== 2) throw new Error(`Expected two folders of builds, got ${builds.length}.`)
using load = startLoad()
for (const kind of ['GET', 'POST'] as const) {
  for (const build of builds) await microsOf(build, kind, WARM_UP_MS)
  const ratios: number[] = []
  const micros: number[][] = [[], []]
  for (let round = 0; round < Number(values.rounds); round++) {
    // The one that is first changes, since what it leaves to be collected may meet the other.
    const order = round % 2 === 0 ? [0, 1] : [1, 0]
    const found = [0, 0]
    for (const at of order) found[at] = await microsOf(builds[at] as Build, kind, Number(values.ms))
    for (const [at, value] of found.entries()) micros[at]?.push(value)
    ratios.push((found[1] as number) / (found[0] as number))
  }
  const [first, second] = micros.map((all) => quantile(all, 0.5).toFixed(1))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(3))
  const least = quantile(micros[1] as number[], 0.05) / quantile(micros[0] as number[], 0.05)
  console.log(
    `${kind}: ${first} and ${second} us a request; ratio ${middle} (${low} to ${high} in half of ${ratios.length} pairs), of the least ${least.toFixed(3)}`,
  )
}
process.exit(0)

interface Build {
  readonly port: number
  readonly slug: string
  readonly key: string
}

async function startBuild(folder: string): Promise<Build> {
  const { startService } = (await import(pathToFileURL(`${folder}/service.js`).href)) as { startService: typeof Start }
  const { url } = await startService({ addresses: 'path', accounts: [{ keys: [{ key: ACCOUNT_KEY }] }] })
  const answer = await fetch(`${url}/v1/simulations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ACCOUNT_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ library: 'task-tracker' }),
  })
  const { slug, apiKey } = (await answer.json()) as { slug: string; apiKey: string }
  return { port: Number(new URL(url).port), slug, key: apiKey }
}

/** Processor time of this thread for each request. */
async function microsOf({ port, slug, key }: Build, kind: 'GET' | 'POST', durationMs: number): Promise<number> {
  const head = `${kind} /s/${slug}/v1/projects${kind === 'GET' ? '?limit=5' : ''} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`
  const body = `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`
  const requests = [head + (kind === 'GET' ? '\r\n' : body)]
  const before = process.threadCpuUsage()
  const { requestsPerSecond } = await load.run({ port, requests, connections: CONNECTIONS, durationMs, sleeps: true })
  const { user, system } = process.threadCpuUsage()
  return (user + system - before.user - before.system) / ((requestsPerSecond * durationMs) / 1_000)
}

function quantile(all: readonly number[], part: number): number {
  const sorted = all.toSorted((left, right) => left - right)
  return sorted[Math.floor(part * (sorted.length - 1))] as number
}
