import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { startForTest } from './start-for-test.ts'

const STEP = { kind: 'touch', collection: 'tasks', count: 1, where: { title: 'nobody has this title' } }

/** A plan with a run in every second, which changes next to nothing. */
const EVERY_SECOND = { rules: [{ everySeconds: 1, steps: [STEP] }] }

/** Keeps a fast-forward of a month at work for longer than any test lasts. */
const ENDLESS = {
  rules: Array.from({ length: 50 }, () => ({ everySeconds: 1, steps: Array.from({ length: 20 }, () => STEP) })),
}

it('answers 503 with Retry-After when a simulation stays busy for longer than a request waits', async () => {
  // Nothing waits here, and time stands, so that no catch-up keeps the simulation busy before the fast-forward.
  const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 5) }
  const { call, create } = await startForTest({ runtime: { sleep: () => Promise.resolve(), clock } })
  const made = await create()
  const part = `/v1/simulations/${made.id}`
  // The plan is refused too while the new simulation is still queued.
  await expect.poll(async () => (await call('PUT', `${part}/behaviour`, ENDLESS)).status).toBe(200)
  const ask = () => fetch(`${made.url}/v1/tasks`, { headers: { authorization: `Bearer ${made.apiKey}` } })
  await ask()
  const turned = call('POST', `${part}/fast-forward`, { hours: 720 })
  await expect.poll(async () => (await call('GET', `${part}/records/tasks`)).status).toBe(503)

  const [records, detail, simulated] = await Promise.all([
    call('GET', `${part}/records/tasks`),
    call('GET', part),
    ask(),
  ])
  await call('DELETE', part)

  expect((await turned).text).toContain('was deleted')
  expect([records.status, records.headers.get('retry-after'), records.body.error.code]).toEqual([
    503,
    '1',
    'unavailable',
  ])
  expect(records.body.error.message).toBe('The simulation is busy (fast-forwarding). Try again in a second.')
  expect([simulated.status, simulated.headers.get('retry-after')]).toEqual([503, '1'])
  expect(detail.status).toBe(200)
})

it('deletes a simulation in the middle of a fast-forward', async () => {
  const { call, create } = await startForTest()
  const made = await create()
  const part = `/v1/simulations/${made.id}`
  await call('PUT', `${part}/behaviour`, ENDLESS)
  const turned = call('POST', `${part}/fast-forward`, { hours: 720 })

  const deleted = await call('DELETE', part)

  expect(deleted.status).toBe(204)
  expect((await turned).text).toContain('was deleted')
  expect((await call('GET', part)).status).toBe(404)
})

it('lets other simulations answer while one is fast-forwarded', async () => {
  const { call, create } = await startForTest()
  const [busy, idle] = [await create(), await create()]
  await call('PUT', `/v1/simulations/${busy.id}/behaviour`, EVERY_SECOND)
  let isTurned = false
  const turned = call('POST', `/v1/simulations/${busy.id}/fast-forward`, { hours: 240 }).then(() => {
    isTurned = true
  })

  const { status } = await fetch(`${idle.url}/v1/tasks`, { headers: { authorization: `Bearer ${idle.apiKey}` } })
  const wasTurned = isTurned
  await turned

  expect([status, wasTurned]).toEqual([200, false])
})

it('lets requests go that are held back when their rule is removed, and when the simulation is deleted', async () => {
  const { call, create } = await startForTest()
  const hold = async () => {
    const made = await create()
    const part = `/v1/simulations/${made.id}`
    const config = { latencyMs: 300_000, latencyJitterMs: 0 }
    const rule = { name: 'Slow', kind: 'latency', method: '*', pathPattern: '*', config }
    const { id } = (await call('POST', `${part}/rules`, rule)).body
    const answer = fetch(`${made.url}/v1/tasks`, { headers: { authorization: `Bearer ${made.apiKey}` } })
    const logged = async () => (await call('GET', `${part}/logs`)).body.data
    await expect.poll(async () => (await logged())[0]).toMatchObject({ status: null, durationMs: null, ruleId: id })
    return { part, ruleId: id, answer, logged }
  }
  const [first, second] = [await hold(), await hold()]

  await call('DELETE', `${first.part}/rules/${first.ruleId}`)
  await call('DELETE', second.part)

  expect((await first.answer).status).toBe(200)
  await expect.poll(async () => (await first.logged())[0].status).toBe(200)
  expect([200, 'cut']).toContain(
    await second.answer.then(
      ({ status }) => status,
      () => 'cut',
    ),
  )
})
