import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { load } from 'js-yaml'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addInspectCommand } from '../../src/cli/inspect.ts'
import { modelFileText } from '../../src/cli/model-lines.ts'
import { withModelFile } from '../../src/protocol/model-extension.ts'
import { modelFile } from '../../src/protocol/model-file.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { toModelDocument } from '../../src/service/openapi/write-model.ts'
import { CompiledApi } from '../../src/service/simulated-api/compiled/compiled-api.ts'
import { inspectModel } from '../../src/service/simulated-api/inspect-model.ts'
import { realDescriptions } from '../descriptions.ts'
import { answers, describeApi, object } from './describe-api.ts'

let folder: string
let output: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inspect-'))
  output = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text)
    return true
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

async function inspect(...args: string[]): Promise<void> {
  const program = new Command().exitOverride()
  addInspectCommand(program)
  await program.parseAsync(['node', 'backlot', 'inspect', ...args])
}

function writeTasks(): string {
  const task = object({ id: 'string', status: 'string' })
  const queries = ['status', 'limit'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
  const file = join(folder, 'tasks.json')
  writeFileSync(
    file,
    JSON.stringify(
      describeApi({
        '/tasks': { get: { ...answers({ type: 'array', items: task }), parameters: queries } },
        '/tasks/{id}': { get: answers(task), post: 1 },
      }),
    ),
  )
  return file
}

it('prints aligned tables, warnings and how sure the effects are, without colours in a pipe', async () => {
  await inspect(writeTasks())

  expect(output.split('\n')).toEqual([
    'Test 1',
    '',
    'COLLECTION  ID  STATUS  PARENT  EVENTS',
    'tasks       id  status  -       task.created, .updated, .deleted',
    '',
    'METHOD  PATH         KIND  OF     SURE     RULE       SETS  QUERY',
    'GET     /tasks       list  tasks  certain  list             status, limit',
    'GET     /tasks/{id}  read  tasks  certain  item-read',
    '',
    'warning /paths/~1tasks~1{id}/post was skipped: it is not an object.',
    '',
    '2 operations: 2 certain.',
    '',
  ])
})

it('names the query parameters that a list does not understand', async () => {
  const shelf = object({ id: 'string', state: 'string', opens: { type: 'string', format: 'date' } })
  const queries = ['states', 'startDate', 'mood', 'sort', 'page'].map((name) => ({ name, in: 'query', schema: {} }))
  const file = join(folder, 'shelves.json')
  writeFileSync(
    file,
    JSON.stringify(
      describeApi({
        '/shelves': { get: { ...answers({ type: 'array', items: shelf }), parameters: queries } },
        '/shelves/{id}': { get: answers(shelf) },
      }),
    ),
  )

  await inspect(file)

  expect(output).toContain('states, startDate, mood (ignored), sort, page\n')
})

it('knows the parameters of a filter object by their fields', async () => {
  const parcel = object({ id: 'string', state: 'string' })
  const queries = ['filter[state]', 'filter[mood]'].map((name) => ({ name, in: 'query', schema: {} }))
  const file = join(folder, 'parcels.json')
  writeFileSync(
    file,
    JSON.stringify(
      describeApi({ '/parcels': { get: { ...answers({ type: 'array', items: parcel }), parameters: queries } } }),
    ),
  )

  await inspect(file)

  expect(output).toContain('filter[state], filter[mood] (ignored)\n')
})

/** Bookings, whose actions set a status and a time, take a field of the body, or do nothing. */
function writeBookings(): string {
  const at = { type: 'string', format: 'date-time' }
  const status = { type: 'string', enum: ['open', 'cancelled'] }
  const booking = object({ id: 'string', status, cancelled_at: at, cancel_reason: 'string' })
  const body = {
    requestBody: { content: { 'application/json': { schema: object({ reason: 'string', tone: 'string' }) } } },
  }
  const file = join(folder, 'bookings.json')
  const paths = {
    '/bookings': { get: answers({ type: 'array', items: booking }) },
    '/bookings/{id}': { get: answers(booking) },
    '/bookings/{id}/cancel': { post: { ...answers(booking), ...body } },
    '/bookings/{id}/salute': { post: answers(booking) },
    '/weather': { post: { responses: { 204: { description: 'ok' } } } },
  }
  writeFileSync(file, JSON.stringify(describeApi(paths)))
  return file
}

it('shows what each action sets, and which sets nothing', async () => {
  await inspect(writeBookings(), '--json')

  expect(JSON.parse(output).operations).toMatchObject([
    { kind: 'list', sets: [], unclear: false },
    { kind: 'read', sets: [], unclear: false },
    {
      kind: 'action',
      sets: ['status -> cancelled', 'cancelled_at = now', 'cancel_reason = body.reason'],
      unclear: false,
    },
    { kind: 'action', sets: [], unclear: true },
    { kind: 'example', sets: [], unclear: true },
  ])
})

it('lists only the unclear operations, which the last line counts', async () => {
  const file = writeBookings()
  await inspect(file)
  const all = output
  output = ''

  await inspect(file, '--unclear')

  expect(all).toContain('example, 1 without an effect: look at these 2 with `--unclear`.\n')
  expect(output.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  '))).toEqual([
    'METHOD  PATH  KIND  OF  SURE  RULE  SETS  QUERY',
    expect.stringMatching(/^POST {2}\/bookings\/{id}\/salute {2}action {2}bookings .* changes nothing$/),
    'POST  /weather  example  -  example  none',
    '',
    expect.stringMatching(/^5 operations: .*: look at these 2\.$/),
    '',
  ])
})

it('writes the unclear operations as lines of a model file, each below its reason', async () => {
  const entry = join(folder, 'bookings')

  await inspect(writeBookings(), '--write', entry)

  expect(output).toBe(`Wrote ${join(entry, 'model.yaml')} with 2 lines.\n`)
  expect(readFileSync(join(entry, 'model.yaml'), 'utf8').split('\n')).toEqual([
    '# Correct what is wrong: a line that stays says that it is so. node_modules/backlot/docs/model.md has the grammar.',
    'operations:',
    expect.stringMatching(/^ {2}# changes nothing, by the rule /),
    '  POST /bookings/{id}/salute: { act: bookings }',
    '  # example: nothing is known of it',
    '  POST /weather: example',
    '',
  ])
  await expect(inspect(writeBookings(), '--write', entry)).rejects.toThrow('model.yaml": there is one. Add the `line`')
})

it('writes nothing where nothing is unclear, and every operation with --all', async () => {
  const file = writeTasks()

  await inspect(file, '--write', join(folder, 'clear'))
  await inspect(file, '--write', join(folder, 'all'), '--all')

  expect(output).toContain('Nothing is unclear, so nothing was written.')
  expect(existsSync(join(folder, 'clear'))).toBe(false)
  expect(readFileSync(join(folder, 'all/model.yaml'), 'utf8')).toContain('  GET /tasks: { list: tasks }\n')
})

/** What a model does, without the reasons. */
function meaningOf(model: ApiModel): unknown {
  const { operations, ...rest } = inspectModel(new CompiledApi(model))
  const { collections } = toModelDocument(model)
  const same = operations.map(({ rule: _, confidence: __, unclear: ___, line: ____, ...one }) => one)
  return {
    ...rest,
    summary: '',
    operations: same,
    keys: Object.entries(collections).map(([name, { id, parent }]) => [name, id.field, parent]),
  }
}

it.for(realDescriptions)('reads the written lines of %s back as the same model', async ([, path]) => {
  const document = await parseDescription(readFileSync(path, 'utf8'))
  const model = readDescription(document)
  const { operations } = inspectModel(new CompiledApi(model))
  const unclear = operations.filter((one) => one.unclear)

  const texts = await Promise.all([unclear, operations].map((some) => modelFileText(document, model, some)))
  const read = texts.map((text) => readDescription(withModelFile(document, modelFile.parse(load(text)))))

  for (const one of read) expect(meaningOf(one)).toEqual(meaningOf(model))
})

it('refuses what no simulation is made of, in the same words', async () => {
  await expect(inspect(folder)).rejects.toThrow(
    `Failed to read library entry "${folder}": it has no openapi.json or openapi.yaml.`,
  )
  await expect(inspect('https://api.example/openapi.json')).rejects.toThrow('addresses are not fetched')
  await expect(inspect('strip')).rejects.toThrow('no library entry of that slug. Did you mean "stripe"? Run')
})

it('reads what is too large for a service, and says so', async () => {
  const file = join(folder, 'big.json')
  const schema = { type: 'string', enum: Array.from({ length: 1_000 }, (_, at) => `${at}${'x'.repeat(5_100)}`) }
  const content = { 'application/json': { schema } }
  const paths = { '/word': { get: { responses: { 200: { description: 'ok', content } } } } }
  writeFileSync(file, JSON.stringify({ openapi: '3.0.3', info: { title: 'Big', version: '1' }, paths }))

  await inspect(file)

  expect(output).toMatch(
    /warning Expected the description to have at most 5,000,000 bytes without its prose and examples/,
  )
})

it('prints the same as one line of JSON', async () => {
  await inspect(writeTasks(), '--json')

  expect(JSON.parse(output)).toMatchObject({
    title: 'Test',
    summary: '2 certain',
    collections: [
      {
        name: 'tasks',
        id: 'id',
        statusField: 'status',
        parent: null,
        events: ['task.created', 'task.updated', 'task.deleted'],
      },
    ],
    operations: [
      { kind: 'list', subject: 'tasks', query: ['status', 'limit'], unread: [], unclear: false },
      { kind: 'read', query: [] },
    ],
    model: {
      collections: { tasks: { id: { field: ['id'] } } },
      operations: { 'GET /tasks': { effect: { kind: 'list', collection: 'tasks' } } },
    },
  })
})

it('knows the entries of the library', async () => {
  await inspect('task-tracker', '--json')

  expect(JSON.parse(output)).toMatchObject({
    collections: expect.arrayContaining([expect.objectContaining({ name: 'tasks' })]),
  })
})

it('shows the sign-in of an entry, with its records on one line', async () => {
  await inspect('apple')

  expect(output).toMatch(/^Its sign-in keeps users, .*signing_keys\.$/m)
  expect(output).not.toContain('COLLECTION')
  expect(output).toMatch(/^POST +\/auth\/token +signIn /m)
})

it('says where descriptions are to be found', async () => {
  await expect(inspect(join(folder, 'gone.yaml'))).rejects.toThrow(
    /^Failed to read ".*gone\.yaml": there is no such file and no library entry of that slug\. Run `npx backlot library` for the slugs\.$/,
  )
})
