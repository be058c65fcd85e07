import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, startPostgres } from '../../test/store/postgres.ts'
import { atLeastOfFloor, atMost, type BenchRow, informative, median } from '../bench-row.ts'
import { type Load, startLoad } from '../http/start-load.ts'
import { type Serve, startServe } from '../http/start-serve.ts'
import { pgInsertsPerSecond, sqliteInsertsPerSecond } from '../store/insert-floors.ts'

const ROUNDS = 3
const ROUND_MS = 1_000
/** What is compiled for a creation is done after some 20,000 of them: no client that is alone makes so many. A loaded machine takes longer for them. */
const WARM_UP = { creations: 20_000, runs: 4, connections: 32, durationMs: 4_000 }
const MANY = 50
const CLIENTS = [1, 32, 128]

/** A service with one or many simulations. */
interface Loaded {
  readonly name: string
  readonly port: number
  readonly simulations: readonly Simulated[]
}

/** One of its simulations, with a key. */
interface Simulated {
  readonly slug: string
  readonly key: string
}

/**
 * What a store costs a request over HTTP: creations and reads, one simulation and 50, against `backlot serve` in memory and against
 * bare inserts into the same kind of store, in the same run.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-store-'))
  const bin = findPostgres()
  const postgres = bin === undefined ? undefined : await startPostgres(bin)
  using load = startLoad()
  const rows: BenchRow[] = []
  try {
    for (const count of [1, MANY]) {
      await using memory = await startServe()
      await using sqlite = await startServe(['--store', join(folder, `${count}.db`)])
      await using pg = postgres && (await startServe(['--store', await postgres.createDatabase()]))
      const loaded: Loaded[] = [await prepare('memory', memory, count), await prepare('SQLite', sqlite, count)]
      if (pg !== undefined) loaded.push(await prepare('PostgreSQL', pg, count))
      for (const one of loaded) await warmUp(load, one)
      const pgFloor =
        bin === undefined || postgres === undefined
          ? undefined
          : pgInsertsPerSecond(bin, await postgres.createDatabase())
      for (const clients of CLIENTS) {
        const measured = await measure(load, loaded, { clients, request: create, floor: pgFloor })
        const [inMemory = 0, inFile = 0, inDatabase] = measured.rates
        const name = (store: string) =>
          `${store}: POST, ${count} simulation${count === 1 ? '' : 's'}, ${clients} client${clients === 1 ? '' : 's'}`
        const unit = 'requests/s'
        const toMemory = { name: name('SQLite'), value: inFile, unit, floor: inMemory }
        const least = count === 1 ? 0.5 : 0.35
        rows.push(clients === 32 ? atLeastOfFloor({ ...toMemory, least }) : informative(toMemory))
        const inserts = await sqliteInsertsPerSecond(join(folder, `floor-${count}-${clients}.db`), clients)
        rows.push(informative({ name: `${name('SQLite')}, raw inserts`, value: inFile, unit, floor: inserts }))
        if (inDatabase === undefined) continue
        const leastOfFloor = PG_TARGETS[count === 1 ? 'one' : 'many'][clients] ?? 0
        const toFloor = { name: name('PostgreSQL'), value: inDatabase, unit, floor: measured.floor }
        rows.push(atLeastOfFloor({ ...toFloor, least: leastOfFloor }))
        if (clients > 1) continue
        // A single client of the floor waits for the whole time between two of its inserts.
        const addedMs = (measured.p50s[2] ?? Number.NaN) - 1_000 / measured.floor
        rows.push(atMost({ name: `${name('PostgreSQL')}, added p50`, value: addedMs, unit: 'ms', most: 0.3 }))
      }
      if (count === 1) {
        const [inMemory = 0, inFile = 0, inDatabase] = (await measure(load, loaded, { clients: 32, request: read }))
          .rates
        const unit = 'requests/s'
        rows.push(informative({ name: 'SQLite: GET, 32 clients', value: inFile, unit, floor: inMemory }))
        if (inDatabase !== undefined) {
          const row = { name: 'PostgreSQL: GET, checked, 32 clients', value: inDatabase, unit, floor: inMemory }
          rows.push(atLeastOfFloor({ ...row, least: 0.7 }))
        }
      }
    }
  } finally {
    await postgres?.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return rows
}

/** Parts of the `pgbench` script: one row per commit. */
const PG_TARGETS: Readonly<Record<'one' | 'many', Readonly<Record<number, number>>>> = {
  one: { 1: 0.4, 32: 0.7, 128: 1.5 },
  many: { 1: 0.25, 32: 0.35, 128: 0.7 },
}

async function prepare(name: string, serve: Serve, count: number): Promise<Loaded> {
  const simulations: Simulated[] = []
  for (let at = 0; at < count; at++) {
    const made = (await serve.call('POST', '/simulations', { library: 'task-tracker' })) as {
      slug: string
      apiKey: string
    }
    simulations.push({ slug: made.slug, key: made.apiKey })
  }
  return { name, port: serve.port, simulations }
}

async function warmUp(load: Load, one: Loaded): Promise<void> {
  const { creations, runs, connections, durationMs } = WARM_UP
  for (let run = 0, made = 0; run < runs && made < creations; run++) {
    const { requestsPerSecond } = await load.run({ ...orderOf(one, create), connections, durationMs })
    made += (requestsPerSecond * durationMs) / 1_000
  }
}

/** The requests to the services in turn, and other work in each turn. */
interface Measuring {
  readonly clients: number
  readonly request: (simulation: Simulated) => string
  readonly floor?: ((clients: number) => number) | undefined
}

/** Requests per second of each service and of the floor: the median of rounds in which all take turns, so that all have the same machine load. */
async function measure(
  load: Load,
  loaded: readonly Loaded[],
  { clients, request, floor }: Measuring,
): Promise<{ rates: number[]; p50s: number[]; floor: number }> {
  const rates: number[][] = loaded.map(() => [])
  const p50s: number[][] = loaded.map(() => [])
  const floors: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, one] of loaded.entries()) {
      const order = { ...orderOf(one, request), connections: clients, durationMs: ROUND_MS }
      const { requestsPerSecond, p50Ms } = await load.run(order)
      // The first one warms up.
      if (round === 0) continue
      rates[at]?.push(requestsPerSecond)
      p50s[at]?.push(p50Ms)
    }
    if (round > 0 && floor !== undefined) floors.push(floor(clients))
  }
  return { rates: rates.map(median), p50s: p50s.map(median), floor: median(floors) }
}

/** The load sleeps: a database and a service need both processors of a machine that has two. */
const orderOf = ({ port, simulations }: Loaded, request: (simulation: Simulated) => string) => ({
  port,
  requests: simulations.map(request),
  sleeps: true,
})

const BODY = JSON.stringify({ name: 'Bench', key: 'BENCH' })

function create({ slug, key }: Simulated): string {
  const head = `POST /s/${slug}/v1/projects HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n`
  return `${head}content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`
}

const read = ({ slug, key }: Simulated): string =>
  `GET /s/${slug}/v1/projects?limit=5 HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`
