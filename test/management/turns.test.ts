import { expect, it } from 'vitest'
import { HOSTILE_SHAPES } from '../openapi/hostile/hostile-descriptions.ts'
import { CountingClock } from '../support/counting-clock.ts'
import { startForTest } from './start-for-test.ts'

const RARE = { kind: 'touch', collection: 'tasks', count: 1, where: { title: 'nobody has this title' } }
const EVERY_SECOND = { rules: Array.from({ length: 5 }, () => ({ everySeconds: 1, steps: [RARE] })) }

const shape = (name: string, size: number): string => HOSTILE_SHAPES[name]?.write(size, 1) ?? ''

/** A service, and how often its long work offered others to go first. */
async function start() {
  const clock = new CountingClock()
  const { call, create } = await startForTest({ runtime: { clock } })
  const stepsOf = async (work: () => Promise<unknown>) => {
    const before = clock.looks
    await work()
    return clock.looks - before
  }
  return { call, create, stepsOf }
}

it('takes many turns while a simulation is fast-forwarded', async () => {
  const { call, create, stepsOf } = await start()
  const { id } = await create()
  await call('PUT', `/v1/simulations/${id}/behaviour`, EVERY_SECOND)

  const steps = await stepsOf(() => call('POST', `/v1/simulations/${id}/fast-forward`, { hours: 2 }))

  // One for each run of a rule.
  expect(steps).toBeGreaterThanOrEqual(5 * 2 * 3_600)
})

it('takes many turns while a large description is read', async () => {
  const { create, stepsOf } = await start()
  const few = await stepsOf(() => create({ spec: shape('collections over a shared schema', 20) }))

  const many = await stepsOf(() => create({ spec: shape('collections over a shared schema', 400) }))

  expect(many - few).toBeGreaterThan(380 * 20)
})

it('takes many turns while it makes a page of large records', async () => {
  const { create, stepsOf } = await start()
  const spec = shape('two required properties a level', 100)
  const { url, apiKey } = await create({ spec })
  const ask = () => fetch(`${url}/things`, { headers: { authorization: `Bearer ${apiKey}` } })
  await (await fetch(`${url}/account`, { headers: { authorization: `Bearer ${apiKey}` } })).text()

  let first = ''
  const steps = await stepsOf(async () => {
    first = await (await ask()).text()
  })
  const again = await (await ask()).text()

  expect(first.length).toBeGreaterThan(1_000_000)
  expect(again).toBe(first)
  expect(steps).toBeGreaterThan(40)
})
