import { expect, it } from 'vitest'
import { loadEntry } from '../../src/library/load-entry.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { CompiledApi } from '../../src/service/simulated-api/compiled/compiled-api.ts'
import type { ApiRequest } from '../../src/service/simulated-api/exchange.ts'
import { SimulatedApi } from '../../src/service/simulated-api/simulated-api.ts'
import { SimulationCore } from '../../src/service/simulation/core.ts'
import { StaleReads } from '../../src/service/simulation/stale-reads.ts'
import type { Change } from '../../src/service/world/change.ts'
import { World } from '../../src/service/world/world.ts'
import { START, toCommand } from './core-session.ts'

const HOUR_MS = 3_600_000
const entry = await loadEntry('task-tracker')
const model = readDescription(entry?.openapi ?? {})
const api = new CompiledApi(model)
const dataset = createDataset(model, { seed: 'stale', epoch: START, volume: { labels: 0 }, seedRecords: {} })
const label = (name: string): Change => ({ type: 'created', collection: 'labels', key: name, record: {}, scope: {} })

it('keeps changes no longer than a rule looks back, though nobody reads', () => {
  const followers: World[] = []
  const stale = new StaleReads(model, new World(model, dataset), (world) => {
    followers.push(world)
    return new SimulatedApi({ api, world, seed: 'stale', validation: 'strict', strictParents: false })
  })
  stale.watch([
    { id: 'hour', lagMs: HOUR_MS },
    { id: 'day', lagMs: 24 * HOUR_MS },
  ])

  for (let hour = 0; hour < 30; hour++) stale.follow(label(`l${hour}`), START + hour * HOUR_MS)

  expect(followers.map((world) => world.count('labels'))).toEqual([29, 6])
  stale.apiAt('hour', START + 29 * HOUR_MS)
  stale.apiAt('day', START + 5 * HOUR_MS)
  expect(followers.map((world) => world.count('labels'))).toEqual([30, 6])
})

it('forgets changes that were taken back because time could not be caught up', () => {
  const steps = [{ kind: 'create' as const, collection: 'labels', count: 3 }]
  let heard = 0
  const core = new SimulationCore({
    api,
    dataset,
    seed: 'stale',
    epoch: START,
    createdAt: START,
    validation: 'strict',
    strictParents: false,
    access: { ipRestrictionEnabled: false, ipAllowlist: [] },
    plan: { rules: [{ id: 'r', name: 'r', everySeconds: 3_600, enabled: true, steps }] },
    countRequest: () => true,
    isHeard: () => {
      if (++heard === 3) throw new Error('no more')
      return true
    },
  })
  core.execute({ at: START, kind: 'issue-key', name: 'test', key: 'svc_sim_00000000' })
  const rule = { name: 'r', kind: 'staleRead' as const, method: 'GET', pathPattern: '/labels', config: { lagMs: 0 } }
  core.execute({ at: START, kind: 'add-rule', rule })

  expect(() => core.execute({ at: START + HOUR_MS, kind: 'tick' })).toThrow('no more')
  const { request } = toCommand(core, { kind: 'list', number: 1, text: '' }, START) as { request: ApiRequest }
  const { response } = core.execute({ at: START + HOUR_MS, kind: 'request', request: { ...request, path: '/labels' } })

  expect(response.status).toBe(200)
  expect(JSON.parse(String(response.body)).data).toHaveLength(3)
})
