import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { holdAgainst } from '../conformance/house.ts'
import { SECTIONS } from '../conformance/sections.ts'
import { firstLine, startCli } from '../conformance/served-target.ts'
import { ACCOUNTS, type Target } from '../conformance/target.ts'
import { findPostgres, startPostgres } from '../store/postgres.ts'
import { RoundRobin } from './round-robin.ts'

/** Two nodes over one database; each connection goes to the other node than the one before. */
const nodesTarget: Target = {
  name: 'served from two nodes',
  can: new Set(['accounts', 'extensions', 'restrict']),
  start: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backlot-nodes-'))
    const config = join(folder, 'accounts.json')
    writeFileSync(config, JSON.stringify({ accounts: ACCOUNTS }))
    const postgres = await startPostgres(findPostgres() ?? '')
    const store = await postgres.createDatabase()
    const args = ['serve', '--https', '--port', '0', '--json', '--config', config, '--store', store]
    const nodes = [startCli(args), startCli(args)]
    const ready = await Promise.all(nodes.map(async (node) => JSON.parse(await firstLine(node))))
    const balancer = new RoundRobin(ready.map(({ url }) => Number(new URL(url).port)))
    return {
      url: `https://127.0.0.1:${await balancer.listen()}`,
      accountKey: ready[0].accountKey,
      // Each node has a certificate of its own.
      ca: ready.map(({ ca }) => ca).join('\n'),
      close: async () => {
        await balancer[Symbol.asyncDispose]()
        for (const node of nodes) node.kill('SIGTERM')
        await Promise.all(nodes.map((node) => new Promise((resolve) => node.once('exit', resolve))))
        await postgres.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

describe.skipIf(findPostgres() === undefined)('conformance', () => holdAgainst(nodesTarget, SECTIONS))
