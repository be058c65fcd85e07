import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ExampleProject, RUNNERS } from './example-projects.ts'
import { bin, runCommand } from './run-command.ts'
import { browserEnvironment, projectFolder } from './run-project.ts'

/** A project, or some files of one. */
export interface ProjectRow {
  name: string
  cwd: string
  runner: ExampleProject['runner']
  args: readonly string[]
}

/** How each test ended, by its name. */
export type Outcomes = ReadonlyMap<string, string>

/** An inner project, or some files of it. */
export function innerRow(project: string, runner: ProjectRow['runner'], ...args: string[]): ProjectRow {
  return { name: ['projects', project, ...args].join('/'), cwd: projectFolder(project), runner, args }
}

/** The inner projects that run in the same way wherever their simulations are. */
export const INNER_ROWS: readonly ProjectRow[] = [
  innerRow('vitest', 'vitest', 'suites'),
  innerRow('vitest', 'vitest', 'failing'),
  innerRow('vitest-plugin', 'vitest'),
  innerRow('node-test', 'node', 'simulation.test.mjs'),
  innerRow('playwright', 'playwright', 'playwright/tests'),
  innerRow('playwright', 'playwright', 'failing'),
  innerRow('playwright', 'playwright', 'limits'),
]

/** Runs a row to its end. Rejects where it leaves no report. @param work folder for what it writes */
export async function outcomesOf(
  { runner, args, cwd, name }: ProjectRow,
  work: string,
  env: Readonly<Record<string, string>>,
): Promise<Outcomes> {
  const file = join(work, 'report.json')
  rmSync(file, { force: true })
  const reporting: Record<ProjectRow['runner'], readonly string[]> = {
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
      BACKLOT_KEPT: join(work, 'kept.jsonl'),
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

function read(file: string, runner: ProjectRow['runner']): Outcomes {
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
