import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Command } from 'commander'
import { slugOf } from '../names/words.ts'
import type { OperationSummary } from '../protocol/inspection.ts'
import { modelFileText } from './model-lines.ts'
import { includeOption, readModel } from './read-document.ts'
import { printLines } from './terminal.ts'
import { typesText } from './types.ts'

/** Adds `backlot init` to the program. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('write a folder for your own API: its model, handlers, types, and a test that passes')
    .argument('<description>', 'an OpenAPI description (JSON or YAML)')
    .argument('[folder]', 'the folder (default: test/apis/ and the name of the API)')
    .addOption(includeOption())
    .action(runInit)
}

async function runInit(source: string, given: string | undefined, flags: { include?: string[] }): Promise<void> {
  const [{ inspectModel }, { CompiledApi }] = await Promise.all([
    import('../service/simulated-api/inspect-model.ts'),
    import('../service/simulated-api/compiled/compiled-api.ts'),
  ])
  const { document, model } = await readModel(source, flags)
  const { operations } = inspectModel(new CompiledApi(model))
  const slug = slugOf(model.title) || 'own'
  const folder = given === undefined ? join('test/apis', slug) : relative('.', given) || '.'
  const unclear = operations.filter((one) => one.unclear)
  const spec = relative('.', source)
  const files = {
    'model.yaml': await modelFileText(document, model, unclear),
    'handlers.ts': HANDLERS,
    'types.ts': await typesText(document, model),
    [`${slug}.test.ts`]: testText(operations, { spec, folder, include: flags.include, isVitest: await hasVitest() }),
  }
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    await writeFile(file, text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
      const fact = cause.code === 'EEXIST' ? 'it is there already. Name another folder, or remove it' : cause.message
      throw new Error(`Failed to write "${file}": ${fact}.`, { cause })
    })
  }
  printLines([
    `Wrote ${folder}/ with ${Object.keys(files).join(', ')}.`,
    unclear.length === 0
      ? `It is clear what each of the ${operations.length} operations does.`
      : `What ${unclear.length} of ${operations.length} operations do is unclear: look at model.yaml.`,
    '',
    'Lines for AGENTS.md:',
    '',
    `- Tests use backlot as ${model.title}, from ${spec} and ${folder}. Its pages are in node_modules/backlot/docs: begin with with/coding-agents.md.`,
    `- What an operation does is a line of ${folder}/model.yaml, or a function in handlers.ts. \`npx backlot inspect ${spec} --library ${folder} --unclear --json\` lists guesses, each with its \`line\`.`,
    '- Run the tests with BACKLOT_STRICT=1: it fails for answers that are guessed.',
  ])
}

/** Handlers without any. */
const HANDLERS = [
  "import { handlers } from 'backlot/handlers'",
  "import type { Api } from './types.ts'",
  '',
  "/** What operations do beyond their description: 'POST /bookings': ({ body, create }) => create({ ...body, total: 2 }) */",
  'export default handlers<Api>({})',
  '',
].join('\n')

/** Whether the project in this folder has Vitest. */
const hasVitest = async (): Promise<boolean> =>
  (await readFile('package.json', 'utf8').catch(() => '')).includes('"vitest"')

/** A test of the first list, or of the simulation alone. */
function testText(
  operations: readonly OperationSummary[],
  of: { spec: string; folder: string; include: string[] | undefined; isVitest: boolean },
): string {
  const list = operations.find(({ kind, path, method }) => kind === 'list' && method === 'GET' && !path.includes('{'))
  const [path, status] = list === undefined ? ['/nothing', 404] : [list.path, 200]
  const include = of.include === undefined ? '' : `include: [${of.include.map((one) => `'${one}'`).join(', ')}], `
  const source = `{ spec: '${of.spec}', ${include}library: './${of.folder}' }`
  const title = `answers ${status} to GET ${path}`
  const lines = of.isVitest
    ? [
        "import { useSimulation } from 'backlot/vitest'",
        "import { expect, it } from 'vitest'",
        '',
        `const api = useSimulation(${source})`,
        '',
        `it('${title}', async () => {`,
      ]
    : [
        "import assert from 'node:assert/strict'",
        "import { it } from 'node:test'",
        "import { createSimulation } from 'backlot'",
        '',
        `it('${title}', async () => {`,
        `  await using api = await createSimulation(${source})`,
        '',
      ]
  const expected = of.isVitest ? `expect(response.status).toBe(${status})` : `assert.equal(response.status, ${status})`
  return [...lines, `  const response = await api.fetch('${path}')`, '', `  ${expected}`, '})', ''].join('\n')
}
