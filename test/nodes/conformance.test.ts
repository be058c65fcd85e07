import { describe } from 'vitest'
import { startService } from '../../src/service.ts'
import { holdAgainst } from '../conformance/rule.ts'
import { SECTIONS } from '../conformance/sections.ts'
import { ACCOUNTS, type Target } from '../conformance/target.ts'
import { findPostgres, startPostgres } from '../store/postgres.ts'
import { RoundRobin } from './round-robin.ts'

/** Two nodes over one database; each connection goes to the other node than the one before. They are of this process, so that both reach its sinks. */
const nodesTarget: Target = {
  name: 'served from two nodes',
  can: new Set(['accounts', 'sink', 'extensions', 'restrict']),
  start: async () => {
    const postgres = await startPostgres(findPostgres() ?? '')
    const store = await postgres.createDatabase()
    const start = () => startService({ https: true, addresses: 'path', accounts: ACCOUNTS, store })
    const nodes = await Promise.all([start(), start()])
    const balancer = new RoundRobin(nodes.map(({ url }) => Number(new URL(url).port)))
    return {
      url: `https://127.0.0.1:${await balancer.listen()}`,
      accountKey: nodes[0].accountKey,
      // Each node has a certificate of its own.
      ca: nodes.map(({ ca }) => ca).join('\n'),
      exemptSink: (sink) => {
        const ends = nodes.map((node) => node.exemptSink(sink))
        return () => {
          for (const end of ends) end()
        }
      },
      close: async () => {
        await balancer[Symbol.asyncDispose]()
        await Promise.all(nodes.map((node) => node.close()))
        await postgres.close()
      },
    }
  },
}

describe.skipIf(findPostgres() === undefined)('conformance', () => holdAgainst(nodesTarget, SECTIONS))
