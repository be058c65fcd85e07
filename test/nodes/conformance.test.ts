import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdAgainst } from '../conformance/house.ts'
import { SECTIONS } from '../conformance/sections.ts'
import { firstLine, startCli } from '../conformance/served-target.ts'
import { ACCOUNTS, type Target } from '../conformance/target.ts'
import { findPostgres, startPostgres } from '../store/postgres.ts'
import { RoundRobin } from './round-robin.ts'

const LOG = 'each node has the request log of what it answered'
const COUNTS = 'nodes tell each other once a second what they have counted'

/** What a balancer that knows no simulations shows of state that is not shared (docs/hosting.md, Several nodes). */
const BREAKS = new Map([
  ['reset empties the event log and keeps the request log', LOG],
  ['pathPattern matches by a trailing * wildcard, exactly without one', LOG],
  ['logs has method, path, status, duration, source IP and operation of each request', LOG],
  ['logs show of a key its prefix alone, in a query too', LOG],
  ['logs reads the latest 100 requests, newest first', LOG],
  ['a request can be read with headers, body, its answer and what it changed', LOG],
  ['a body of the log is cut to its first 16 KiB, and bytes that are no text are base64', LOG],
  ['no key is shown whole in a request, as HTTP Basic neither', LOG],
  ['logs can be read by page, status and operation', LOG],
  [
    'with validation: warn, a request that does not fit is let through; the log says what is wrong with it, as with one refused',
    LOG,
  ],
  ['past requestLimit the simulated API answers 429 with Retry-After', COUNTS],
  ['usage answers with plan, status, credit, requests and simulations with their limits', COUNTS],
])

/** Two nodes over one database; each connection goes to the other node than the one before. */
const nodesTarget: Target = {
  name: 'served from two nodes',
  can: new Set(['accounts', 'extensions', 'restrict']),
  breaks: BREAKS,
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

it('names rules that there are', () => {
  const titles: string[] = []
  for (const { declare } of SECTIONS) declare((title) => titles.push(title))

  expect([...BREAKS.keys()].filter((title) => !titles.includes(title))).toEqual([])
})
