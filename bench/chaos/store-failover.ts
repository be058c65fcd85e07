import { connectPg, findPostgres, type Standby, startPostgres, type TestPostgres } from '../../test/store/postgres.ts'
import { ServedNode } from './served-node.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { type LoadSummary, ThingsLoad, wait } from './things-load.ts'

/** How long the nodes may take until one has written what the database forgets, and then more than that. */
const PASS_MS = 60_000

/** What clients of two nodes saw whose database failed over to its standby. */
export interface FailoverSummary extends LoadSummary {
  /** Time of the standby's promotion, during which no request can be answered. */
  readonly promotionMs: number
}

interface FailoverOptions {
  readonly seconds: number
  readonly seed: string
  /** Module that breaks the service, for a control. */
  readonly preload?: string
  /** How long deliveries may take in the end. */
  readonly settleMs?: number
  /** How long each client rests after an answer. */
  readonly paceMs?: number
}

/** Two nodes over a database that fails over, and what is done to them. */
interface Failing {
  readonly postgres: TestPostgres
  readonly standby: Standby
  /** Stands before the database. */
  readonly proxy: TcpProxy
  /** Stands between the database and its standby. */
  readonly replication: TcpProxy
  readonly nodes: readonly ServedNode[]
  readonly load: ThingsLoad
  /** Those of the nodes that the clients ask. */
  asked: readonly ServedNode[]
}

/**
 * Serves from two nodes over a PostgreSQL with a synchronous standby, under one address. Halfway the primary ends without a word, the standby is
 * promoted, and the address leads to it. Undefined where PostgreSQL is not installed.
 */
export function runStoreFailover(options: FailoverOptions): Promise<FailoverSummary | undefined> {
  return failOver(options, false, async (failing) => {
    await wait(options.seconds * 500)
    const promotionMs = await promote(failing, () => {})
    await wait(options.seconds * 500)
    return promotionMs
  })
}

/**
 * The same with a standby that hears nothing of the last commits, so that the database forgets them. One node stands still meanwhile, until
 * the other one has written more than was forgotten: the numbers of its commits then tell it nothing.
 */
export function runLosingFailover(options: FailoverOptions): Promise<FailoverSummary | undefined> {
  return failOver(options, true, async (failing) => {
    const { postgres, standby, replication, nodes, load } = failing
    const [sleeper, worker] = nodes as [ServedNode, ServedNode]
    await wait(options.seconds * 300)
    const since = load.now()
    await untilReceived(postgres, standby)
    replication.refuse(true)
    await wait(options.seconds * 200)
    // Something that the database then forgets, however slow the machine is.
    const { creations } = load.acknowledged
    const latest = performance.now() + PASS_MS
    while (load.acknowledged.creations === creations && performance.now() < latest) await wait(20)
    failing.asked = [worker]
    sleeper.freeze(true)
    const forgotten = await headAt(postgres.port)
    const promotionMs = await promote(failing, () => load.forget(since))
    const end = performance.now() + PASS_MS
    while ((await headAt(standby.port)) <= forgotten && performance.now() < end) await wait(20)
    sleeper.freeze(false)
    failing.asked = nodes
    await wait(options.seconds * 500)
    return promotionMs
  })
}

async function failOver(
  options: FailoverOptions,
  mayLag: boolean,
  run: (failing: Failing) => Promise<number>,
): Promise<FailoverSummary | undefined> {
  const bin = findPostgres()
  if (bin === undefined) return undefined
  const postgres = await startPostgres(bin)
  const [proxy, replication] = [new TcpProxy(postgres.port), new TcpProxy(postgres.port)]
  const standby = await postgres.startStandby({ through: await replication.listen(), mayLag })
  const address = (await postgres.createDatabase()).replace(`:${postgres.port}/`, `:${await proxy.listen()}/`)
  const nodes = [new ServedNode(address, options.preload), new ServedNode(address, options.preload)]
  const load = new ThingsLoad(() => failing.asked.map((node) => node.url), options.seed, options)
  const failing: Failing = { postgres, standby, proxy, replication, nodes, load, asked: nodes }
  try {
    for (const node of nodes) await node.start()
    await load.start()
    const promotionMs = await run(failing)
    await load.stop()
    await load.look()
    for (const node of nodes) {
      await node.stop()
      await node.start()
    }
    return { ...(await load.check(1)), promotionMs }
  } finally {
    for (const node of nodes) await node.kill()
    await load.stop()
    load.close()
    proxy.close()
    replication.close()
    await standby.close()
    await postgres.close()
  }
}

/** The primary ends, and the address leads to its standby. Returns how long that took. */
async function promote({ postgres, standby, proxy }: Failing, beforeItLeads: () => void): Promise<number> {
  await postgres.stop()
  const stoppedAt = performance.now()
  await standby.promote()
  const promotionMs = Math.round(performance.now() - stoppedAt)
  beforeItLeads()
  proxy.lead(standby.port)
  return promotionMs
}

/** The number of the latest commit of the one simulation. */
async function headAt(port: number): Promise<number> {
  return Number(await askOne(port, 'select max(head) as one from backlot.journal_head'))
}

/** Resolves when a standby has all that its primary has now. */
async function untilReceived(primary: TestPostgres, standby: Standby): Promise<void> {
  const written = String(await askOne(primary.port, 'select pg_current_wal_lsn() as one'))
  const received = `select pg_last_wal_receive_lsn() >= '${written}'::pg_lsn as one`
  while ((await askOne(standby.port, received)) !== true) await wait(20)
}

async function askOne(port: number, query: string): Promise<unknown> {
  const client = await connectPg(`postgres://postgres@127.0.0.1:${port}/test1`)
  const { rows } = await client.query<{ one: unknown }>(query)
  await client.end()
  return rows[0]?.one
}
