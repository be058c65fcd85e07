import { findPostgres, startPostgres, type TestPostgres } from '../../test/store/postgres.ts'
import { ServedNode } from './served-node.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { type LoadSummary, ThingsLoad, wait } from './things-load.ts'
import { WrongClocks } from './wrong-clocks.ts'

/** Observations of clients of two nodes. */
export interface NodesSummary extends LoadSummary {
  /** Number of faults of each kind, in nodes, connections and the database. */
  readonly nemesis: Readonly<Record<string, number>>
}

/** Duration of the run, and a fault of the service. */
interface NodesOptions {
  readonly seconds: number
  readonly seed: string
  /** Module that breaks the service, for a control. */
  readonly preload?: string
  /** Time limit for the remaining deliveries. */
  readonly settleMs?: number
  /** Pause of each client after a response, so that a long run costs little. */
  readonly paceMs?: number
  /** The only things that are done: `stop` is a rolling restart. @default all */
  readonly deeds?: readonly string[]
  /** How far the clocks of the nodes are off, seconds. */
  readonly clocks?: readonly number[]
}

/**
 * Serves from two nodes over one PostgreSQL, each behind a proxy of its own; each second something is done to a node, a connection or the
 * database, drawn from `seed`. Undefined where PostgreSQL is not installed.
 */
export async function runStoreNodes(options: NodesOptions): Promise<NodesSummary | undefined> {
  const bin = findPostgres()
  if (bin === undefined) return undefined
  const postgres = await startPostgres(bin)
  try {
    return await runNodesOver(postgres, options)
  } finally {
    await postgres.close()
  }
}

/** {@link runStoreNodes} with a server that keeps running. */
export async function runNodesOver(postgres: TestPostgres, options: NodesOptions): Promise<NodesSummary> {
  const url = await postgres.createDatabase()
  const proxies = [new TcpProxy(postgres.port), new TcpProxy(postgres.port)]
  const clocks = new WrongClocks()
  const nodes = await Promise.all(
    proxies.map(async (proxy, at) => {
      const behind = url.replace(`:${postgres.port}/`, `:${await proxy.listen()}/`)
      const seconds = options.clocks?.[at]
      return new ServedNode(behind, options.preload, seconds === undefined ? {} : clocks.by(seconds))
    }),
  )
  const load = new ThingsLoad(() => nodes.map((node) => node.url), options.seed, options)
  const nemesis: Record<string, number> = {}
  const deeds: Readonly<Record<string, (node: ServedNode, proxy: TcpProxy) => Promise<void>>> = {
    kill: async (node) => {
      await node.kill()
      await node.start()
    },
    stop: async (node) => {
      await node.stop()
      await node.start()
    },
    freeze: async (node) => {
      node.freeze(true)
      await wait(1_500)
      node.freeze(false)
    },
    'restart the database': async () => postgres.restart(),
    hold: async (_node, proxy) => {
      proxy.hold(true)
      await wait(1_000)
      proxy.hold(false)
    },
    drop: async (_node, proxy) => proxy.cut(false),
    reset: async (_node, proxy) => proxy.cut(true),
    refuse: async (_node, proxy) => {
      proxy.refuse(true)
      await wait(700)
      proxy.refuse(false)
    },
    slow: async (_node, proxy) => {
      proxy.slow(50)
      await wait(1_000)
      proxy.slow(0)
    },
  }
  try {
    for (const node of nodes) await node.start()
    await load.start()
    const end = performance.now() + options.seconds * 1_000
    while (performance.now() < end) {
      await wait(1_000)
      // A control has found its fault.
      if (options.preload !== undefined && load.hasViolations) break
      const names = options.deeds ?? Object.keys(deeds)
      const name = names[Math.floor(load.draw() * names.length)] as string
      const at = Math.floor(load.draw() * nodes.length)
      nemesis[name] = (nemesis[name] ?? 0) + 1
      await deeds[name]?.(nodes[at] as ServedNode, proxies[at] as TcpProxy)
    }
    await wait(500)
    await load.stop()
    await load.look()
    for (const node of nodes) {
      await node.kill()
      await node.start()
    }
    const count = Object.values(nemesis).reduce((sum, one) => sum + one, 0)
    return { ...(await load.check(count)), nemesis }
  } finally {
    for (const node of nodes) await node.kill()
    await load.stop()
    load.close()
    for (const proxy of proxies) proxy.close()
    clocks.close()
  }
}
