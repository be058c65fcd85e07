import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { answers, describeApi, object } from '../openapi/describe-api.ts'
import { startForTest } from './start-for-test.ts'

it('reads a description on a machine that is busy with something else', async () => {
  // Each look at the clock finds that another second has passed.
  let ms = 0
  const clock = { now: systemClock.now, monotonic: () => (ms += 1_000) }
  const { create } = await startForTest({ runtime: { clock } })
  const list = answers({ type: 'array', items: object({ id: 'string' }) })
  const paths = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`/things${at}`, { get: list }]))

  const { url } = await create({ spec: JSON.stringify(describeApi(paths)) })

  expect(url).toMatch(/^http/)
})

it('turns a clock forward on a machine that is busy with something else', async () => {
  let ms = 0
  const clock = { now: systemClock.now, monotonic: () => (ms += 1_000) }
  const { call, create } = await startForTest({ runtime: { clock } })
  const { id } = await create()

  const { status, text } = await call('POST', `/v1/simulations/${id}/fast-forward`, { hours: 720 })

  expect([status, text]).toEqual([200, expect.stringContaining('"changes"')])
})
