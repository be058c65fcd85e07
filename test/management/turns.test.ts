import { expect, it } from 'vitest'
import { HOSTILE_SHAPES } from '../openapi/hostile/hostile-descriptions.ts'
import { Turns } from '../openapi/hostile/turns.ts'
import { startForTest } from './start-for-test.ts'

/** Processor time that others may have to wait for. */
const MOST_TURN_MS = 100
/** The same where an answer of megabytes is written at the end. All its records together take more. */
const MOST_ANSWER_TURN_MS = 300
const RARE = { kind: 'touch', collection: 'tasks', count: 1, where: { title: 'nobody has this title' } }
const EVERY_SECOND = { rules: times(5, () => ({ everySeconds: 1, steps: [RARE] })) }

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

const shape = (name: string, size: number): string => HOSTILE_SHAPES[name]?.write(size, 1) ?? ''

it('takes short turns while a simulation is fast-forwarded', async () => {
  const { call, create } = await startForTest()
  const { id } = await create()
  await call('PUT', `/v1/simulations/${id}/behaviour`, EVERY_SECOND)
  await call('POST', `/v1/simulations/${id}/fast-forward`, { hours: 0.25 })

  const turns = new Turns()
  const { status } = await call('POST', `/v1/simulations/${id}/fast-forward`, { hours: 2 })

  expect(status).toBe(200)
  expect(turns.end()).toBeLessThan(MOST_TURN_MS)
})

it('takes short turns while a large description is read', async () => {
  const { create } = await startForTest()
  await create({ spec: shape('collections over a shared schema', 20) })
  const spec = shape('collections over a shared schema', 400)

  const turns = new Turns()
  const { url } = await create({ spec })

  expect(url).toMatch(/^http/)
  expect(turns.end()).toBeLessThan(MOST_TURN_MS)
})

it('takes short turns while it makes a page of large records', async () => {
  const { create } = await startForTest()
  const spec = shape('two required properties a level', 100)
  const { url, apiKey } = await create({ spec })
  const ask = () => fetch(`${url}/things`, { headers: { authorization: `Bearer ${apiKey}` } })
  await (await fetch(`${url}/account`, { headers: { authorization: `Bearer ${apiKey}` } })).text()

  const turns = new Turns()
  const first = await (await ask()).text()
  const longest = turns.end()
  const again = await (await ask()).text()

  expect(first.length).toBeGreaterThan(1_000_000)
  expect(again).toBe(first)
  expect(longest).toBeLessThan(MOST_ANSWER_TURN_MS)
})
