import { describe, expect, it } from 'vitest'
import { runStoreNodes } from '../../bench/chaos/store-nodes.ts'
import { findPostgres } from './postgres.ts'

// `npm run chaos -- store --seconds 60` goes on for longer.

describe.skipIf(findPostgres() === undefined)('two nodes over PostgreSQL', () => {
  it('lose nothing, double nothing and show nothing old while nodes, connections and the database fail', async () => {
    const found = await runStoreNodes({ seconds: 8, seed: 'test' })

    expect(found).toMatchObject({ lost: [], doubled: [], violations: [] })
    expect(found?.creations).toBeGreaterThan(10)
    expect(found?.crossReads).toBeGreaterThan(5)
  }, 120_000)

  it('would be noticed if they did not ask for the head', async () => {
    const preload = new URL('../../bench/chaos/never-ask-for-heads.ts', import.meta.url).href

    const found = await runStoreNodes({ seconds: 2, seed: 'control', preload, settleMs: 500 })

    expect(found?.violations).not.toEqual([])
  }, 120_000)
})
