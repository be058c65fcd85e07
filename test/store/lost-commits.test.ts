import { describe, expect, it } from 'vitest'
import { runLosingFailover } from '../../bench/chaos/store-failover.ts'
import { findPostgres } from './postgres.ts'

// `npm run chaos -- store` goes on for longer, without a rest.

describe.skipIf(findPostgres() === undefined)(
  'two nodes over a database that failed over to a standby that lags',
  () => {
    it('serve what the standby has, and give no event an id of one that was forgotten', async () => {
      const found = await runLosingFailover({ seconds: 4, seed: 'test', paceMs: 10 })

      expect(found).toMatchObject({ lost: [], doubled: [], violations: [] })
      expect(found?.forgotten).toBeGreaterThan(0)
    })

    it('would be noticed if they identified commits by their number alone', async () => {
      const preload = new URL('../../bench/chaos/forget-tips.ts', import.meta.url).href

      const found = await runLosingFailover({ seconds: 4, seed: 'control', paceMs: 10, preload, settleMs: 500 })

      expect(found?.violations).toContain('a node showed other records than a fresh one')
    })
  },
)
