import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { ChangeEvent } from '../../src/protocol/event.ts'
import type { SimulationCore } from '../../src/service/simulation/core/core.ts'
import { startForTest } from '../management/start-for-test.ts'
import { createCore, START } from './core-session.ts'

/** What the logs keep of records and bodies, and what may wait for a reader of the event stream. */
const MOST_MB = 28

it('keeps no more of large changes than 28 MB, with a client that follows and never reads', () => {
  const script = fileURLToPath(new URL('hold-changes.ts', import.meta.url))

  const run = spawnSync(process.execPath, ['--expose-gc', script, '40'], { encoding: 'utf8' })

  expect(run.stderr).toBe('')
  expect(Number(run.stdout)).toBeLessThan(MOST_MB)
})

it('leaves out the oldest records first, and says so', async () => {
  const { call, create } = await startForTest()
  const { id, url, apiKey } = await create()
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const list = (await (await fetch(`${url}/v1/tasks?limit=2`, { headers })).json()) as { data: { id: string }[] }
  const [one, two] = list.data.map((task) => `${url}/v1/tasks/${task.id}`) as [string, string]
  await fetch(two, { method: 'DELETE', headers })
  await fetch(one, { method: 'PATCH', headers, body: JSON.stringify({ description: 'small' }) })
  for (let change = 0; change < 5; change++) {
    const description = `${change} `.padEnd(2_000_000, 'x')
    expect((await fetch(one, { method: 'PATCH', headers, body: JSON.stringify({ description }) })).status).toBe(200)
  }

  const events = ((await call('GET', `/v1/simulations/${id}/events`)).body as { data: ChangeEvent[] }).data
  const requests = (await call('GET', `/v1/simulations/${id}/logs?detail=true&limit=7`)).body as {
    data: { changes: ChangeEvent[] }[]
  }

  const shown = events.map(({ type, omitted = false, data }) => [type, omitted, data.object === null])
  expect(shown).toEqual([
    ['task.updated', false, false],
    ['task.updated', false, false],
    ['task.updated', false, false],
    ['task.updated', true, true],
    ['task.updated', true, true],
    ['task.updated', true, true],
    ['task.deleted', false, true],
  ])
  expect(requests.data.flatMap(({ changes }) => changes)).toEqual(events)
})

it('leaves out the same records in a core that was stored and loaded, and takes back what a journal undoes', () => {
  const [core, copy] = [createCore({ plan: { rules: [] } }), createCore({ plan: { rules: [] } })]
  const id = core.world.collection('tasks').pickKey(0) as string
  const change = (target: SimulationCore, number: number) => {
    const fields = { description: `${number} `.padEnd(1_500_000, 'x') }
    const edit = { kind: 'update', collection: 'tasks', id, fields } as const
    target.execute({ kind: 'edit-record', at: START + number, edit, isQuiet: false })
  }
  for (let number = 1; number <= 7; number++) change(core, number)
  const before = core.dump()

  core.begin()
  for (let number = 8; number <= 14; number++) change(core, number)
  core.undo()
  const undone = core.dump()
  copy.apply(JSON.parse(JSON.stringify(before)))
  for (let number = 8; number <= 11; number++) for (const target of [core, copy]) change(target, number)

  expect(undone).toEqual(before)
  expect(copy.dump().events).toEqual(core.dump().events)
  expect(core.events().map(({ omitted = false }) => omitted)).toEqual([
    ...[false, false, false, false, false],
    ...[true, true, true, true, true, true],
  ])
})
