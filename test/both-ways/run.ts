/**
 * `npm run both-ways`: runs all examples and all inner projects embedded, and again, unchanged, against one `backlot serve
 * --allow-private-webhooks 127.0.0.1/32`. Every test must end in the same way in both. Words after `--` choose rows.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXAMPLE_PROJECTS, type ExampleProject, exampleFolder, RUNNERS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'
import { browserEnvironment, projectFolder } from '../support/run-project.ts'
import { type Served, serve } from '../support/serve.ts'

/** A project, or some files of one. */
interface Row {
  name: string
  cwd: string
  runner: ExampleProject['runner']
  args: readonly string[]
}

/** How each test ended, by its name. */
type Outcomes = ReadonlyMap<string, string>

const ROWS: readonly Row[] = [
  ...[...EXAMPLE_PROJECTS, { folder: 'typed-client', runner: 'vitest' } as const].map(({ folder, runner }) => ({
    name: `examples/${folder}`,
    cwd: exampleFolder(folder),
    runner,
    args: [],
  })),
  inner('vitest', 'vitest', 'suites'),
  inner('vitest', 'vitest', 'failing'),
  inner('vitest-plugin', 'vitest'),
  inner('node-test', 'node', 'simulation.test.mjs'),
  inner('playwright', 'playwright', 'tests'),
  inner('playwright', 'playwright', 'failing'),
  inner('playwright', 'playwright', 'limits'),
]

function inner(project: string, runner: Row['runner'], ...args: string[]): Row {
  return { name: ['projects', project, ...args].join('/'), cwd: projectFolder(project), runner, args }
}

const words = process.argv.slice(2)
const rows = ROWS.filter(({ name }) => words.every((word) => name.includes(word)))
const work = mkdtempSync(join(tmpdir(), 'backlot-both-ways-'))
await using served = await serve(['--allow-private-webhooks', '127.0.0.1/32'])
let differences = 0
for (const row of rows) {
  const embedded = await run(row, {})
  const hosted = await run(row, served.env)
  const told = [...compare(embedded, hosted), ...(await findLeft(row, served))]
  differences += told.length
  const count = `${embedded.size} ${embedded.size === 1 ? 'test' : 'tests'}`
  process.stdout.write(`${told.length === 0 ? 'same  ' : 'DIFFER'}  ${row.name.padEnd(28)} ${count}\n`)
  for (const line of told) process.stdout.write(`        ${line}\n`)
}
rmSync(work, { recursive: true, force: true })
process.stdout.write(differences === 0 ? 'All the same.\n' : `${differences} differences.\n`)
process.exitCode = differences === 0 ? 0 : 1

async function run({ runner, args, cwd, name }: Row, env: Readonly<Record<string, string>>): Promise<Outcomes> {
  const file = join(work, 'report.json')
  rmSync(file, { force: true })
  const reporting: Record<Row['runner'], readonly string[]> = {
    vitest: ['--reporter=json', `--outputFile=${file}`],
    playwright: ['--reporter=json'],
    node: ['--test-reporter=tap', `--test-reporter-destination=${file}`],
    jest: ['--json', `--outputFile=${file}`],
  }
  const [command, ...first] = RUNNERS[runner]
  const all = [...first, ...reporting[runner], ...args]
  const { output } = await runCommand(bin(command), all, {
    cwd,
    env: {
      ...browserEnvironment(),
      BACKLOT_LEDGER: join(work, 'ledger.jsonl'),
      BACKLOT_REPORTS: join(work, 'reports'),
      BACKLOT_TEST_OUTPUT: join(work, 'results'),
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      ...env,
    },
  })
  const outcomes = read(file, runner)
  if (outcomes.size === 0) throw new Error(`Failed to run ${name}: there is no report of it.\n${output}`)
  return outcomes
}

function read(file: string, runner: Row['runner']): Outcomes {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return new Map()
  }
  if (runner === 'node') {
    return new Map([...text.matchAll(/^ *(not ok|ok) \d+ - (.*)$/gm)].map(([, end = '', name = '']) => [name, end]))
  }
  const report = JSON.parse(text)
  return new Map(runner === 'playwright' ? report.suites.flatMap(readSuite) : report.testResults.flatMap(readFile))
}

interface PlaywrightSuite {
  title: string
  specs: { title: string; ok: boolean }[]
  suites?: PlaywrightSuite[]
}

function readSuite({ title, specs, suites = [] }: PlaywrightSuite): [name: string, end: string][] {
  const own = specs.map((spec): [string, string] => [`${title} › ${spec.title}`, spec.ok ? 'passed' : 'failed'])
  return [...own, ...suites.flatMap(readSuite)]
}

interface FileResult {
  name: string
  assertionResults: { fullName: string; status: string }[]
}

/** Vitest's report is like Jest's. */
function readFile({ name, assertionResults }: FileResult): [name: string, end: string][] {
  const file = name.split(/[\\/]/).at(-1)
  return assertionResults.map(({ fullName, status }) => [`${file} › ${fullName}`, status])
}

function compare(embedded: Outcomes, hosted: Outcomes): string[] {
  const names = new Set([...embedded.keys(), ...hosted.keys()])
  return [...names]
    .filter((name) => embedded.get(name) !== hosted.get(name))
    .map((name) => `${name}: ${embedded.get(name) ?? 'not run'} embedded, ${hosted.get(name) ?? 'not run'} hosted`)
}

/** Simulations that a row left at the service, which it then loses. One that a test keeps on purpose has its own test. */
async function findLeft({ args }: Row, { client }: Served): Promise<string[]> {
  const left = await client.listSimulations()
  for (const { id } of left) await client.deleteSimulation(id)
  return args.includes('failing') ? [] : left.map(({ name }) => `left behind: ${name}`)
}
