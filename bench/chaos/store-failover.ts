import { findPostgres, startPostgres } from '../../test/store/postgres.ts'
import { ServedNode } from './served-node.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { type LoadSummary, ThingsLoad, wait } from './things-load.ts'

/** Observations of clients of two nodes during a failover of the database. */
export interface FailoverSummary extends LoadSummary {
  /** Time of the standby's promotion, during which no request can be answered. */
  readonly promotionMs: number
}

/**
 * Serves from two nodes over a PostgreSQL with a synchronous standby, under one address. Halfway the primary ends without a word, the standby is
 * promoted, and the address leads to it. Undefined where PostgreSQL is not installed.
 */
export async function runStoreFailover(options: {
  readonly seconds: number
  readonly seed: string
}): Promise<FailoverSummary | undefined> {
  const bin = findPostgres()
  if (bin === undefined) return undefined
  const postgres = await startPostgres(bin)
  const url = await postgres.createDatabase()
  const standby = await postgres.startStandby()
  const proxy = new TcpProxy(postgres.port)
  const address = url.replace(`:${postgres.port}/`, `:${await proxy.listen()}/`)
  const nodes = [new ServedNode(address, undefined), new ServedNode(address, undefined)]
  const load = new ThingsLoad(() => nodes.map((node) => node.url), options.seed)
  try {
    for (const node of nodes) await node.start()
    await load.start()
    await wait(options.seconds * 500)
    await postgres.stop()
    const stoppedAt = performance.now()
    await standby.promote()
    const promotionMs = Math.round(performance.now() - stoppedAt)
    proxy.lead(standby.port)
    await wait(options.seconds * 500)
    await load.stop()
    for (const node of nodes) {
      await node.kill()
      await node.start()
    }
    return { ...(await load.check(1)), promotionMs }
  } finally {
    for (const node of nodes) await node.kill()
    await load.stop()
    load.close()
    proxy.close()
    await standby.close()
    await postgres.close()
  }
}
