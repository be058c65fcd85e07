import { expect, it } from 'vitest'
import { runStoreKills } from '../../bench/chaos/store-kills.ts'
import { SyncedFolder } from '../../bench/chaos/synced-folder.ts'

// `npm run chaos -- store` loses power 20 times. Skipped where it cannot be known what was synced.

it.skipIf(!SyncedFolder.isPossible)(
  'has everything that it has answered after a loss of power, once',
  async () => {
    const found = await runStoreKills({ kills: 3, seed: 'power', durability: 'power' })

    expect(found).toMatchObject({ lost: [], doubled: [], violations: [] })
    expect(found.creations).toBeGreaterThan(5)
    expect(found.events).toBeGreaterThan(5)
  },
  90_000,
)

it.skipIf(!SyncedFolder.isPossible)(
  'would notice answers that wait for no disk',
  async () => {
    const { lost, violations } = await runStoreKills({
      kills: 0,
      seed: 'control',
      durability: 'process',
      settleMs: 500,
    })

    expect(lost.length + violations.length).toBeGreaterThan(0)
  },
  90_000,
)
