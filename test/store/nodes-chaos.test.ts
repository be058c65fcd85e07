import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runNodesOver } from '../../bench/chaos/store-nodes.ts'
import { findPostgres, startPostgres, type TestPostgres } from './postgres.ts'

// Clients rest after each answer, so that other tests run beside. `npm run chaos -- store --seconds 60` goes on for longer, without a rest.

const bin = findPostgres()

describe.skipIf(bin === undefined)('two nodes over PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres(bin as string)
  })
  afterAll(() => postgres?.close())

  it('lose nothing, double nothing and show nothing old while nodes, connections and the database fail', async () => {
    const found = await runNodesOver(postgres, { seconds: 20, seed: 'test', paceMs: 25 })

    expect(found).toMatchObject({ lost: [], doubled: [], violations: [] })
    expect(found.creations).toBeGreaterThan(10)
    expect(found.crossReads).toBeGreaterThan(5)
  })

  it('would be noticed if they did not ask for the head', async () => {
    const preload = new URL('../../bench/chaos/never-ask-for-heads.ts', import.meta.url).href

    // It ends with the first fault that it finds.
    const found = await runNodesOver(postgres, { seconds: 120, seed: 'control', preload, settleMs: 500 })

    expect(found.violations).not.toEqual([])
  })
})
