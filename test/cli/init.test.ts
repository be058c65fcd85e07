import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { answers, describeApi, object } from '../openapi/describe-api.ts'
import { bin, runCommand } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'

const root = join(import.meta.dirname, '../..')
const room = object({ id: 'string', state: { type: 'string', enum: ['free', 'taken'] } }, { required: ['id', 'state'] })
const spec = describeApi({
  '/rooms': { get: answers({ type: 'array', items: room }) },
  '/rooms/{id}': { get: answers(room) },
  '/rooms/{id}/salute': { post: answers(room) },
})

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-init-'))
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(root, join(folder, 'node_modules/backlot'), 'junction')
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'inn.json'), JSON.stringify({ ...spec, info: { title: 'Inn', version: '1' } }))
})
afterEach(() => rmSync(folder, { recursive: true }))

const init = (...args: string[]) =>
  runCommand(process.execPath, [CLI, 'init', ...args], { cwd: folder, env: { NO_COLOR: '1' } })

it('writes a folder with what is unclear, typed handlers and a test that passes, and lines for agents', async () => {
  const { exitCode, output } = await init('inn.json')

  const written = join(folder, 'test/apis/inn')
  const tested = await runCommand(process.execPath, ['--test', join(written, 'inn.test.ts')], { cwd: folder })
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  const typed = await runCommand(
    bin('tsc'),
    [...options, '--allowImportingTsExtensions', '--skipLibCheck', join(written, 'handlers.ts')],
    { cwd: folder },
  )
  expect([exitCode, output]).toEqual([0, expect.stringContaining('What 1 of 3 operations do is unclear')])
  expect(output).toContain('- Run the tests with BACKLOT_STRICT=1: it fails for answers that are guessed.\n')
  expect(readdirSync(written)).toEqual(['handlers.ts', 'inn.test.ts', 'model.yaml', 'types.ts'])
  expect(readFileSync(join(written, 'model.yaml'), 'utf8')).toContain('  POST /rooms/{id}/salute: { act: rooms }\n')
  expect([tested.exitCode, tested.output]).toEqual([0, expect.stringContaining('answers 200 to GET /rooms')])
  expect(typed.output).toBe('')
})

it('writes a test for Vitest where the project has it, and never over a file', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "devDependencies": { "vitest": "5" } }')

  await init('inn.json', 'apis/own')
  const again = await init('inn.json', 'apis/own')

  expect(readFileSync(join(folder, 'apis/own/inn.test.ts'), 'utf8')).toContain(
    "const api = useSimulation({ spec: 'inn.json', library: './apis/own' })",
  )
  expect([again.exitCode, again.stderr]).toEqual([
    1,
    'Failed to write "apis/own/model.yaml": it is there already. Name another folder, or remove it.\n',
  ])
})
