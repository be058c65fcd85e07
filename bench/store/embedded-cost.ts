import { fork } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { startService as Start } from '../../src/service/start.ts'
import { startLoad } from '../http/start-load.ts'

/*
 * `node bench/store/embedded-cost.ts dist other/dist`: what a request to a service in memory costs by the second build, of what it costs by the
 * first. Both run in one process and are loaded in turn, in lots so short that the system leaves many of them alone; the thread's processor time
 * counts. Of two copies of one build some processes say 0.99 and some 1.01, as their code lies, so that several processes are asked, half of them in the other order.
 */
const { values, positionals } = parseArgs({
  options: {
    processes: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '400' },
    ms: { type: 'string', default: '15' },
  },
  allowPositionals: true,
})
const ACCOUNT_KEY = 'svc_acc_0123456789abcdef'
const BODY = JSON.stringify({ name: 'Bench', key: 'BENCH' })
const KINDS = ['GET', 'POST'] as const
/** The least disturbed lots. */
const LEAST = 0.1

interface Build {
  readonly port: number
  readonly slug: string
  readonly key: string
}

/** Microseconds of lots, by build. */
type Lots = readonly [number[], number[]]
type Found = Readonly<Record<(typeof KINDS)[number], Lots>>

if (positionals.length !== 2) throw new Error(`Expected two folders of builds, got ${positionals.length}.`)
if (process.send === undefined) await ask()
else process.send(await measure(positionals))
process.exit(0)

async function ask(): Promise<void> {
  const ratios = { GET: [] as number[], POST: [] as number[] }
  for (let at = 0; at < Number(values.processes); at++) {
    const isTurned = at % 2 === 1
    const folders = isTurned ? positionals.toReversed() : positionals
    const child = fork(import.meta.filename, [...folders, '--rounds', values.rounds, '--ms', values.ms])
    const [found] = (await once(child, 'message')) as [Found]
    for (const kind of KINDS) {
      const [first, second] = found[kind].map((lots) => quantile(lots, LEAST)) as [number, number]
      ratios[kind].push(isTurned ? first / second : second / first)
      console.log(`${kind}: ${first.toFixed(1)} and ${second.toFixed(1)} us a request${isTurned ? ', turned' : ''}`)
    }
  }
  for (const kind of KINDS) {
    const [low, middle, high] = [0, 0.5, 1].map((part) => quantile(ratios[kind], part).toFixed(3))
    console.log(`${kind}: ratio of the least ${middle} (${low} to ${high} in ${ratios[kind].length} processes)`)
  }
}

async function measure(folders: readonly string[]): Promise<Found> {
  const builds = await Promise.all(folders.map(startBuild))
  using load = startLoad()
  const found: Found = { GET: [[], []], POST: [[], []] }
  for (const kind of KINDS) {
    for (const build of builds) await microsOf(build, kind, { durationMs: 3_000, connections: 32 })
    for (let round = 0; round < Number(values.rounds); round++) {
      // The order alternates, since garbage of the first may be collected during the second.
      const lot = { durationMs: Number(values.ms), connections: 4 }
      for (const at of round % 2 === 0 ? [0, 1] : [1, 0])
        found[kind][at]?.push(await microsOf(builds[at] as Build, kind, lot))
    }
  }
  return found

  /** Processor time of this thread for each request. */
  async function microsOf(
    { port, slug, key }: Build,
    kind: (typeof KINDS)[number],
    lot: { readonly durationMs: number; readonly connections: number },
  ): Promise<number> {
    const head = `${kind} /s/${slug}/v1/projects${kind === 'GET' ? '?limit=5' : ''} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`
    const body = `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`
    const requests = [head + (kind === 'GET' ? '\r\n' : body)]
    const before = process.threadCpuUsage()
    const { requestsPerSecond } = await load.run({ port, requests, ...lot, sleeps: true })
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / ((requestsPerSecond * lot.durationMs) / 1_000)
  }
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

function quantile(all: readonly number[], part: number): number {
  const sorted = all.toSorted((left, right) => left - right)
  return sorted[Math.floor(part * (sorted.length - 1))] as number
}
