import { expect, it } from 'vitest'
import { runStoreKills } from '../../bench/chaos/store-kills.ts'

// `npm run chaos -- store` kills 20 times.

it('has everything that it has answered after kill -9, once', async () => {
  const { creations, writes, events, lost, doubled, violations } = await runStoreKills({ kills: 2, seed: 'test' })

  expect({ lost, doubled, violations }).toEqual({ lost: [], doubled: [], violations: [] })
  expect(creations).toBeGreaterThan(5)
  expect(writes).toBeGreaterThan(1)
  expect(events).toBeGreaterThan(5)
})

it('would notice a store that answers before it writes', async () => {
  const preload = new URL('../../bench/chaos/answer-before-write.ts', import.meta.url).href

  // A kill may come when everything answered has just been written.
  let faults = 0
  for (let run = 0; run < 8 && faults === 0; run++) {
    const { lost, violations } = await runStoreKills({ kills: 1, seed: `control ${run}`, preload })
    faults = lost.length + violations.length
  }

  expect(faults).toBeGreaterThan(0)
})

it('would notice a store that forgets what webhooks are to be sent', async () => {
  const preload = new URL('../../bench/chaos/forget-outbox.ts', import.meta.url).href

  const { lost, violations } = await runStoreKills({ kills: 0, seed: 'outbox', preload })

  expect(lost.length + violations.length).toBeGreaterThan(0)
})
