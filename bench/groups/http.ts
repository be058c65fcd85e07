import { atLeastOfFloor, atMost, type BenchRow, informative, median } from '../bench-row.ts'
import { cpuSeconds, residentMb } from '../http/process-figures.ts'
import { kindOf, type Scenario, type Sending, scenariosOf, TASKS, type Task } from '../http/scenarios.ts'
import { type FixedAnswer, type Floor, startFloor } from '../http/start-floor.ts'
import { type Load, startLoad } from '../http/start-load.ts'
import { type Serve, startServe } from '../http/start-serve.ts'

const ROUNDS = 15
const ROUND_MS = 500
/** V8 has compiled the code of a creation after some 20,000 of them. */
const WARM_UP_ROUNDS = 6
const CONNECTIONS = 32
/** Records that one read of the management API gives at most. */
const PAGE = 500

interface Round {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly cpuMicros: number | undefined
}

interface Pair {
  readonly bare: Round
  readonly ours: Round
}

interface Parts {
  readonly serve: Serve
  readonly floor: Floor
  readonly load: Load
  readonly slug: string
  readonly key: string
}

/**
 * The simulated API of `backlot serve` over HTTP, with its key, allow-list, response rules and log on, against bare
 * `node:http`; server and load are processes of their own.
 */
export async function run(): Promise<BenchRow[]> {
  await using serve = await startServe()
  const atStart = residentMb(serve.pid)
  using floor = await startFloor()
  using load = startLoad()
  const parts: Parts = { serve, floor, load, ...(await simulate(serve)) }
  const rows: BenchRow[] = []
  for (const scenario of scenariosOf(await readTasks(parts))) rows.push(...(await measure(parts, scenario)))
  const loaded = residentMb(serve.pid)
  if (atStart !== undefined)
    rows.push(atMost({ name: 'memory of serve at start', value: atStart, unit: 'MB', most: 90 }))
  if (loaded !== undefined) rows.push(atMost({ name: 'memory of serve loaded', value: loaded, unit: 'MB', most: 130 }))
  return rows
}

async function simulate(serve: Serve): Promise<{ slug: string; key: string }> {
  const created = (await serve.call('POST', '/simulations', {
    library: 'task-tracker',
    volume: { tasks: TASKS },
    ipRestrictionEnabled: true,
  })) as { id: string; slug: string; apiKey: string }
  const config = { latencyMs: 50 }
  for (const pathPattern of ['/projects*', '/labels', '/users/*']) {
    const rule = { name: pathPattern, kind: 'latency', method: '*', pathPattern, config }
    await serve.call('POST', `/simulations/${created.id}/rules`, rule)
  }
  return { slug: created.slug, key: created.apiKey }
}

async function readTasks({ serve, slug }: Parts): Promise<Task[]> {
  const tasks: Task[] = []
  for (let offset = 0; offset < TASKS; offset += PAGE) {
    const path = `/simulations/${slug}/records/tasks?limit=${PAGE}&offset=${offset}`
    tasks.push(...((await serve.call('GET', path)) as { data: Task[] }).data)
  }
  return tasks
}

async function measure(parts: Parts, scenario: Scenario): Promise<BenchRow[]> {
  const { serve, floor, slug } = parts
  const ours = scenario.requests.map((request) => toText(parts, request))
  const bare = await prepareFloor(parts, scenario.requests)
  const turn = async (
    port: number,
    pid: number,
    requests: readonly string[],
    connections: number,
    durationMs: number,
  ) => {
    const before = cpuSeconds(pid)
    const { requestsPerSecond, p50Ms } = await parts.load.run({ port, requests, connections, durationMs })
    const after = cpuSeconds(pid)
    if (scenario.resets && pid === serve.pid) await serve.call('POST', `/simulations/${slug}/reset`)
    const used = before === undefined || after === undefined ? undefined : after - before
    return { requestsPerSecond, p50Ms, cpuMicros: used && (used * 1e6) / ((requestsPerSecond * durationMs) / 1000) }
  }
  const both = async (connections: number, durationMs: number): Promise<Pair> => ({
    bare: await turn(floor.port, floor.pid, bare, connections, durationMs),
    ours: await turn(serve.port, serve.pid, ours, connections, durationMs),
  })
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await both(CONNECTIONS, ROUND_MS)
  const rounds: Pair[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await both(CONNECTIONS, ROUND_MS))
  const alone: Pair[] = []
  for (let round = 0; round < ROUNDS; round++) alone.push(await both(1, ROUND_MS / 2))
  return toRows(scenario, rounds, alone)
}

/** Makes the floor write an answer of each kind among `requests`, and returns the requests that ask for them. */
async function prepareFloor(parts: Parts, requests: readonly Sending[]): Promise<string[]> {
  const answers = new Map<string, FixedAnswer>()
  for (const request of requests) {
    if (!answers.has(kindOf(request))) answers.set(kindOf(request), await ask(parts, request))
  }
  await parts.floor.set([...answers.values()])
  const kinds = [...answers.keys()]
  return requests.map((request) => toText(parts, { ...request, path: `/${kinds.indexOf(kindOf(request))}` }, ''))
}

function toRows({ name, least }: Scenario, rounds: readonly Pair[], alone: readonly Pair[]): BenchRow[] {
  const requests = middlePair(rounds, ({ requestsPerSecond }) => requestsPerSecond)
  const cpu = middlePair(rounds, ({ cpuMicros }) => cpuMicros)
  const p50 = middlePair(alone, ({ p50Ms }) => p50Ms * 1000)
  const unit = 'µs'
  return [
    ...(requests ? [atLeastOfFloor({ name, ...requests, unit: 'requests/s', least })] : []),
    ...(cpu ? [informative({ name: `${name}, CPU a request`, ...cpu, unit })] : []),
    ...(p50 ? [informative({ name: `${name}, one client, p50`, ...p50, unit })] : []),
  ]
}

/** The measurements of the round with the median ratio, so that both had the same load of the machine. */
function middlePair(
  pairs: readonly Pair[],
  read: (round: Round) => number | undefined,
): { value: number; floor: number } | undefined {
  const both = pairs.flatMap(({ bare, ours }) => {
    const [value, floor] = [read(ours), read(bare)]
    return value === undefined || floor === undefined ? [] : [{ value, floor }]
  })
  const middle = median(both.map(({ value, floor }) => value / floor))
  return both.find(({ value, floor }) => value / floor === middle)
}

async function ask({ serve, slug, key }: Parts, { method, path, body }: Sending): Promise<FixedAnswer> {
  const answer = await fetch(`http://127.0.0.1:${serve.port}/s/${slug}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Failed to ${method} ${path}: ${answer.status} ${text}`)
  return { status: answer.status, body: text }
}

function toText({ slug, key }: Parts, { method, path, body }: Sending, root = `/s/${slug}`): string {
  const sent =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${root}${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n${sent}\r\n${body ?? ''}`
}
