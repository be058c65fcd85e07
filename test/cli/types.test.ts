import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DESCRIPTIONS, hasDescriptions, installedDescription } from '../descriptions.ts'
import { LONG_LIMITS } from '../support/example-projects.ts'
import { runCli } from '../support/run-cli.ts'
import { bin, runCommand } from '../support/run-command.ts'

const root = join(import.meta.dirname, '../..')
const cli = join(root, 'dist/cli.js')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-types-'))
})
afterAll(() => rm(folder, { recursive: true }))

const types = (...args: string[]) => runCli(['types', ...args], {}, folder)

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

it('writes types of library entries', async () => {
  for (const slug of ['task-tracker', 'payments', 'crm']) {
    const { exitCode, output } = await types(slug, '-o', `${slug}.ts`)

    expect(output).toMatch(new RegExp(`^Wrote ${slug}.ts: \\d+ operations, \\d+ collections.\n$`))
    expect(exitCode).toBe(0)
  }
})

it('prints control characters and marks of direction of a description as escapes', async () => {
  const name = 'a\u001b[2Jb\u202ec'
  const schema = { type: 'object', properties: { [name]: { type: 'string' } } }
  const content = { 'application/json': { schema } }
  const paths = { '/notes': { get: { responses: { 200: { description: 'Shown', content } } } } }
  await writeFile(
    join(folder, 'escapes.json'),
    JSON.stringify({ openapi: '3.1.0', info: { title: name, version: '1' }, paths }),
  )

  const { output } = await types('escapes.json')

  expect(output).toContain('a\\u001b[2Jb\\u202ec')
  expect(output).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
})

it('lets records have any fields where the description shows a text in their place', async () => {
  const content = { 'text/plain': { schema: { type: 'string' } }, 'application/json': { schema: { type: 'string' } } }
  const get = { responses: { 200: { description: 'Shown', content } } }
  const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string', enum: ['a', 'b'] } }]
  const paths = { '/notes/{name}': { get, delete: { responses: { 204: { description: 'Gone' } } }, parameters } }
  await writeFile(
    join(folder, 'notes.json'),
    JSON.stringify({ openapi: '3.1.0', info: { title: 'N', version: '1' }, paths }),
  )

  const { output } = await types('notes.json')

  expect(output).toContain('"notes": { [name: string]: unknown }')
})

it('writes types of real descriptions', async () => {
  const installed = ['2.0/json/petstore.json', '3.0/json/star-trek.json', '3.1/json/train-travel.json']
  const further = ['gitea.json', 'figma.yaml', 'workos.yaml', 'redocly-cafe-32.yaml']
  const paths = [
    ...installed.map(installedDescription),
    ...(hasDescriptions ? further.map((file) => join(DESCRIPTIONS, file)) : []),
  ]
  for (const [at, path] of paths.entries()) expect((await types(path, '-o', `real-${at}.ts`)).exitCode).toBe(0)
})

it('prints the types without an output file', async () => {
  const { exitCode, output } = await types('crm')

  expect(exitCode).toBe(0)
  expect(output).toContain('export interface paths {')
  expect(output).toContain('export interface Api {')
})

it('writes no text of a description outside of its comment', async () => {
  const end = "1 */ console.log('out')\n/*"
  const paths = { '/a': { get: { summary: end, responses: { 200: { description: 'ok' } } } } }
  const description = { openapi: '3.1.0', info: { title: end, version: end }, paths }
  await writeFile(join(folder, 'comments.json'), JSON.stringify(description))

  const { output } = await types('comments.json')

  const lines = output.split('\n').filter((text) => text.includes('console.log'))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^\s*\/\*\*(?:(?!\*\/).)*\*\/$/)
})

it('writes each component once, and refers to it with null, with more fields and as one of several', async () => {
  const schemas = {
    Owner: { type: 'object', properties: { id: { type: 'string' }, pets: { type: 'array', items: ref('Pet') } } },
    Pet: {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: {
        propertyName: 'kind',
        mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
      },
    },
    Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
    Dog: {
      type: 'object',
      required: ['kind'],
      properties: {
        kind: { type: 'string' },
        owner: { allOf: [ref('Owner')], nullable: true },
        walker: { nullable: true, anyOf: [{ type: 'string' }, ref('Owner')] },
        trainer: { allOf: [ref('Owner'), { type: 'object', properties: { since: { type: 'string' } } }] },
      },
    },
  }
  const content = { 'application/json': { schema: { type: 'array', items: ref('Pet') } } }
  const paths = { '/pets': { get: { responses: { 200: { description: 'ok', content } } } } }
  const description = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths, components: { schemas } }
  await writeFile(join(folder, 'pets.json'), JSON.stringify(description))
  await types('pets.json', '-o', 'pets.ts')
  await writeFile(
    join(folder, 'use-pets.ts'),
    `import type { components } from './pets.ts'
     type Schemas = components['schemas']
     export function speak(pet: Schemas['Pet']): number | string {
       if (pet.kind === 'cat') return pet.lives ?? 9
       const { owner, walker, trainer } = pet
       const since: string | undefined = trainer?.since
       const id: string | undefined = owner === null ? 'none' : owner?.id
       return typeof walker === 'string' ? walker : (walker?.id ?? since ?? id ?? '')
     }\n`,
  )

  const written = await readFile(join(folder, 'pets.ts'), 'utf8')

  expect(written.match(/"lives"\?: number/g)).toHaveLength(1)
  expect(written).toContain(`"owner"?: components['schemas']["Owner"] | null`)
})

it('writes types of schemas that hold themselves, null and places', async () => {
  const schemas = {
    Json: {
      anyOf: [
        { type: ['string', 'number', 'boolean', 'null'] },
        { type: 'array', items: ref('Json') },
        { type: 'object', additionalProperties: ref('Json') },
      ],
    },
    Filter: { type: 'array', items: { oneOf: [{ type: 'string' }, ref('Filter')] } },
    Mood: { type: ['string', 'null'], enum: ['good', null] },
    Spot: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    Pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 2 },
    Node: {
      type: 'object',
      required: ['id', 'undeclared'],
      properties: {
        id: { type: 'string' },
        up: { anyOf: [ref('Node'), { type: 'null' }], description: 'above it' },
        data: ref('Json'),
        filter: ref('Filter'),
        mood: ref('Mood'),
        spot: ref('Spot'),
        pair: ref('Pair'),
      },
    },
    Bag: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' } },
      additionalProperties: { type: 'number' },
    },
  }
  const get = (name: string) => ({
    get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: ref(name) } } } } },
  })
  const paths = { '/node': get('Node'), '/bag': get('Bag') }
  const description = { openapi: '3.1.0', info: { title: 'Nodes', version: '1' }, paths, components: { schemas } }
  await writeFile(join(folder, 'nodes.json'), JSON.stringify(description))
  await types('nodes.json', '-o', 'nodes.ts')
  await writeFile(
    join(folder, 'use-nodes.ts'),
    `import type { components } from './nodes.ts'
     type Schemas = components['schemas']
     const json: Schemas['Json'] = { a: [1, 'b', null, { c: [true] }] }
     const filter: Schemas['Filter'] = ['a', ['b', ['c']]]
     const spot: Schemas['Spot'] = ['a', 1]
     const pair: Schemas['Pair'] = ['a', 1, { more: true }]
     export const node: Schemas['Node'] = { id: 'n', undeclared: 1, up: null, data: json, filter, mood: null, spot, pair }
     export const above: string | undefined = node.up?.up?.id
     export const bag: Schemas['Bag'] = { id: 'b', apples: 2 }
     export const apples: string | number | undefined = bag.apples
     // @ts-expect-error the second place is a number
     export const wrong: Schemas['Spot'] = ['a', 'b']\n`,
  )

  const written = await readFile(join(folder, 'nodes.ts'), 'utf8')

  expect(written).toContain(`"up"?: components['schemas']["Node"] | null`)
})

it('has written types that a compiler accepts with the strictest settings', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: 'es2024',
    module: 'nodenext',
    types: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))

  const { exitCode, output } = await runCommand(bin('tsc'), ['-p', '.', '--checkers', '1'], { cwd: folder })

  const written = ['task-tracker.ts', 'payments.ts', 'crm.ts', 'real-0.ts', 'real-2.ts', 'use-pets.ts', 'use-nodes.ts']
  expect(await readdir(folder)).toEqual(expect.arrayContaining(written))
  expect([exitCode, output]).toEqual([0, ''])
})

it('says what to do about an unknown source', async () => {
  const { exitCode, output } = await types('no-such-thing')

  expect(exitCode).toBe(1)
  expect(output).toContain('Failed to read "no-such-thing": there is no such file and no library entry of that slug.')
})

it('gives a typed client and a typed simulation in the example', async () => {
  const cwd = join(root, 'examples/typed-client')
  const written = await runCommand(process.execPath, [cli, 'types', 'task-tracker', '-o', 'src/api.ts'], { cwd })
  const checked = await runCommand(bin('tsc'), ['-p', '.', '--checkers', '1'], { cwd })
  const tested = await runCommand(bin('vitest'), ['run', ...LONG_LIMITS.vitest], { cwd })

  expect(written.exitCode, written.output).toBe(0)
  expect(checked.output).toBe('')
  expect(tested.exitCode, tested.output).toBe(0)
})

it('writes only the types of the paths that `--include` names', async () => {
  const { exitCode, output } = await types('task-tracker', '--include', '/labels*')
  const misspelt = await types('task-tracker', '--include', '/lables')

  expect(exitCode, output).toBe(0)
  expect(output).toMatch(/"\/labels\/\{\w+\}": \{/)
  expect(output).not.toContain('"/tasks": {')
  expect(misspelt.output).toContain('got "/lables", which fits none of its')
})
