import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { CountingClock } from '../support/counting-clock.ts'

const RECORDS = 30_000
const folder = mkdtempSync(join(tmpdir(), 'backlot-turns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('takes many turns while a large simulation of a store is saved and put back', async () => {
  const store = join(mkdtempSync(join(folder, 'run-')), 'store.db')
  const clock = new CountingClock()
  const { call, create } = await startForTest({ addresses: 'path', store, runtime: { clock } })
  const { id } = await create({ library: 'task-tracker', volume: { tasks: RECORDS } })
  const touching = { everySeconds: 3_600, steps: [{ kind: 'touch', collection: 'tasks', count: RECORDS / 4 }] }
  await call('PUT', `/v1/simulations/${id}/behaviour`, { rules: [touching] })
  await call('POST', `/v1/simulations/${id}/fast-forward`, { hours: 4 })

  const before = clock.looks
  const { body } = await call('POST', `/v1/simulations/${id}/snapshots`)
  const { status } = await call('POST', `/v1/simulations/${id}/snapshots/${body.id}/restore`)

  expect(status).toBe(200)
  expect(clock.looks - before).toBeGreaterThan(1_000)
})
