import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { Random } from '../../src/runtime/random.ts'
import { createCore, run, START, toCommand } from './core-session.ts'
import { openSimulation } from './open-simulation.ts'

/** Kinds of commands, the frequent ones more than once. */
const KINDS = [
  'create',
  'create',
  'update',
  'update',
  'delete',
  'list',
  'list',
  'list',
  'fast-forward',
  'set-behaviour',
  'pause',
  'resume',
  'reset',
  'tick',
]

/** Runs `count` commands that depend on `seed` alone and hashes everything that the simulation answered. */
async function playSession(count: number): Promise<string> {
  const clock = { real: Date.UTC(2026, 2, 1), now: () => clock.real, monotonic: systemClock.monotonic }
  await using simulation = await openSimulation(
    { library: 'task-tracker', seed: 'session', epoch: '2026-03-01T00:00:00Z' },
    { runtime: { clock } },
  )
  const hash = createHash('sha256')
  const random = Random.for('session')
  const known: string[] = []
  const call = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await simulation.call(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    hash.update(`${method} ${path} ${answer.status} ${text}\n`)
    if (method === 'POST' && answer.status < 300) known.push((JSON.parse(text) as { id: string }).id)
  }
  for (let command = 0; command < count; command++) {
    clock.real += 1_000
    const draw = random.integer(0, 9)
    const id = known.length > 0 ? random.pick(known) : 'none'
    if (draw < 3) await call('POST', '/projects', { name: `Project ${command}`, key: `P${command}` })
    else if (draw < 6) await call('GET', `/tasks?limit=${random.integer(1, 20)}`)
    else if (draw < 7) await call('PATCH', `/projects/${id}`, { name: `Renamed ${command}` })
    else if (draw < 8) await call('DELETE', `/projects/${id}`)
    else if (draw < 9) await call('GET', `/projects/${id}`)
    else await simulation.manage('POST', '/fast-forward', { hours: 0.25 })
  }
  for (const path of ['/events', '/records/tasks?limit=500', '/records/projects?limit=500']) {
    hash.update(JSON.stringify((await simulation.manage('GET', path)).body))
  }
  return hash.digest('hex')
}

it('answers a session over sockets with the same bytes every time', async () => {
  expect(await playSession(300)).toBe(await playSession(300))
})

it('gives the same state, events and answers after 10,000 commands', () => {
  const play = (): string => {
    const core = createCore()
    const random = Random.for('ten thousand')
    const hash = createHash('sha256')
    for (let step = 1; step <= 10_000; step++) {
      const draft = { kind: random.pick(KINDS), number: random.integer(0, 1_000), text: `text ${step}` }
      hash.update(JSON.stringify(run(core, toCommand(core, draft, START + step * 60_000)) ?? null))
    }
    return hash.update(JSON.stringify([core.dump(), core.events()])).digest('hex')
  }

  expect(play()).toBe(play())
})

it('generates other data for another seed', async () => {
  await using first = await openSimulation({ library: 'crm', seed: 'one' })
  await using second = await openSimulation({ library: 'crm', seed: 'two' })

  expect((await first.manage('GET', '/records/companies')).body).not.toEqual(
    (await second.manage('GET', '/records/companies')).body,
  )
})
