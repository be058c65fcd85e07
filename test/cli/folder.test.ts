import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'

const TASKS = `openapi: 3.1.0
info: { title: Tasks, version: '1' }
paths:
  /tasks:
    get: { responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Task' } } } } } } }
  /tasks/{id}/finish:
    post: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { 200: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Task' } } } } } }
components:
  schemas:
    Task: { type: object, required: [id, state], properties: { id: { type: string }, state: { type: string, enum: [open, over] } } }
`
const MODEL = `operations:
  GET /tasks: { list: tasks }
  POST /tasks/{id}/finish: { act: tasks, from: [open], to: over }
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-folder-'))
  mkdirSync(join(folder, 'lines'))
  writeFileSync(join(folder, 'tasks.yaml'), TASKS)
  writeFileSync(join(folder, 'lines/model.yaml'), MODEL)
})
afterEach(() => rmSync(folder, { recursive: true }))

const backlot = (...args: string[]) => runCli(args, {}, folder)

it('is laid over a description by inspect and types', async () => {
  const inspected = await backlot('inspect', 'tasks.yaml', '--library', './lines')
  const typed = await backlot('types', 'tasks.yaml', '--library', './lines')

  expect(inspected.stdout).toContain('2 declared')
  expect(typed.stdout).toContain('"tasks":')
})

it('is inspected, typed and checked where it has a description', async () => {
  writeFileSync(join(folder, 'lines/openapi.yaml'), TASKS)

  const inspected = await backlot('inspect', './lines')
  const typed = await backlot('types', './lines')
  const checked = await backlot('library', 'check', './lines')

  expect(inspected.stdout).toContain('2 declared')
  expect([typed.exitCode, checked.exitCode]).toEqual([0, 0])
})

it('names file and line of its faults in each command', async () => {
  writeFileSync(join(folder, 'lines/model.yaml'), MODEL.replace('to: over', 'to: ovr'))
  const fault = 'lines/model.yaml, line 3: Expected `state` to be one of open, over, got "ovr". Did you mean "over"?'

  const inspected = await backlot('inspect', 'tasks.yaml', '--library', 'lines')
  writeFileSync(join(folder, 'lines/openapi.yaml'), TASKS)
  const others = await Promise.all([backlot('types', 'lines'), backlot('library', 'check', 'lines')])

  for (const { exitCode, stderr } of [inspected, ...others])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(fault)])
})

it('is served over a description', async () => {
  await using served = await serve([
    join(folder, 'tasks.yaml'),
    ...['--library-folder', join(folder, 'lines'), '--slug', 'tasks', '--key', 'svc_sim_folderfolder'],
  ])
  const ask = (method: string, path: string) =>
    fetch(`${served.url}/s/tasks${path}`, { method, headers: { authorization: 'Bearer svc_sim_folderfolder' } })

  const tasks = (await (await ask('GET', '/tasks')).json()) as { id: string; state: string }[]
  const open = tasks.find(({ state }) => state === 'open')
  const over = tasks.find(({ state }) => state === 'over')
  const answers = await Promise.all([open, over].map((task) => ask('POST', `/tasks/${task?.id}/finish`)))

  expect(answers.map(({ status }) => status)).toEqual([200, 409])
})

it('has the handlers of its folder when it is served over a description', async () => {
  const handlers = "export default { 'POST /tasks/{id}/finish': ({ record }) => ({ ...record, id: 'handled' }) }"
  writeFileSync(join(folder, 'lines/handlers.ts'), handlers)
  await using served = await serve([
    join(folder, 'tasks.yaml'),
    ...['--library-folder', join(folder, 'lines'), '--slug', 'tasks', '--key', 'svc_sim_folderfolder'],
  ])
  const ask = async (method: string, path: string) => {
    const headers = { authorization: 'Bearer svc_sim_folderfolder' }
    return (await fetch(`${served.url}/s/tasks${path}`, { method, headers })).json()
  }

  const [task] = (await ask('GET', '/tasks')) as { id: string }[]
  const finished = await ask('POST', `/tasks/${task?.id}/finish`)

  expect(finished).toMatchObject({ id: 'handled' })
})

it('is refused for several descriptions, and where there is none', async () => {
  const alone = await backlot('serve', '--library-folder', './lines', '--check')
  const missing = await backlot('serve', 'tasks.yaml', '--library-folder', './liens', '--check')

  expect(alone.stderr).toContain('./lines has no openapi.json or openapi.yaml, so that it belongs to one description')
  expect(missing.stderr).toContain('liens": there is none.')
})
