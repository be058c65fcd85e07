/** `npm test`: every check of this repository, one line for each, the whole output of those that fail. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import colors from 'picocolors'
import { findPostgres } from '../test/store/postgres.ts'
import { findChromium } from './find-chromium.ts'
import { type NodeTool, nodeTool } from './node-tool.ts'

interface Step {
  name: string
  command: NodeTool
  args: string[]
  /** The check that ends before it begins. */
  after?: string
  /** Whether it is a Vitest run, whose tests are counted. */
  counts?: boolean
}

const vitest = (name: string, after: string, args: string[]): Step => ({
  name,
  command: 'vitest',
  args: ['run', ...args],
  after,
  counts: true,
})
/** Those with nothing to wait for run at once. Tests wait for a third of their time, so two runs of them fill two cores. */
const STEPS: Step[] = [
  { name: 'format', command: 'biome', args: ['format', '.'] },
  { name: 'lint', command: 'biome', args: ['lint', '.'] },
  // Before the types: `bench/` imports the package by its name.
  { name: 'build', command: 'npm', args: ['run', 'build'] },
  { name: 'dashboard', command: 'playwright', args: ['test', '-c', 'test/ui'], after: 'build' },
  vitest('unit', 'build', ['--project=!whole']),
  // Conformance, inner projects, examples and packaging: in one run, so that none waits for the longest file of another.
  vitest('whole runs', 'dashboard', ['--project=whole']),
  // Each of several checkers computes the types of all: four take a seventh more processor time than one.
  { name: 'types', command: 'tsc', args: ['-p', '.', '--checkers', '1'], after: 'build' },
  { name: 'public types', command: 'npm', args: ['run', 'api', '--', '--check'], after: 'types' },
]

interface Outcome {
  passed: number
  failed: number
}

/** How a command ended. */
interface Result {
  readonly succeeded: boolean
  readonly output: string
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-test-'))
  // PostgreSQL runs as another user, who has to reach its folder in this one.
  chmodSync(folder, 0o711)
  const env = {
    ...process.env,
    // What tests and their tools leave goes with it.
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
    CHROMIUM_PATH: chromium(),
    // Hundreds of processes load the same files.
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
    // TypeScript, which is written in Go, collects garbage less often: an eighth of its processor time.
    GOGC: '400',
    ...(colors.isColorSupported && { FORCE_COLOR: '1' }),
  }
  const total: Outcome = { passed: 0, failed: 0 }
  if (findPostgres() === undefined) {
    process.stdout.write('PostgreSQL is not installed (BACKLOT_TEST_POSTGRES): tests of stores in it are skipped.\n')
  }
  const outcomes = new Map<string, Promise<Outcome>>()
  for (const step of STEPS) {
    const before = outcomes.get(step.after ?? '') ?? Promise.resolve()
    outcomes.set(
      step.name,
      before.then(() => run(step, env, join(folder, `${step.name}.json`))),
    )
  }
  for (const { passed, failed } of await Promise.all(outcomes.values())) {
    total.passed += passed
    total.failed += failed
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
  process.exitCode = total.failed > 0 ? 1 : 0
}

function chromium(): string {
  try {
    return findChromium()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

async function run(step: Step, env: NodeJS.ProcessEnv, report: string): Promise<Outcome> {
  const started = performance.now()
  const args = step.counts
    ? [...step.args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    : step.args
  const result = await runTool(step.command, args, env)
  const outcome = step.counts ? countTests(result, report) : countOne(result)
  const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(8)
  const mark = outcome.failed === 0 ? colors.green('pass') : colors.red('FAIL')
  const tests = step.counts ? `${outcome.passed} passed, ${outcome.failed} failed` : ''
  process.stdout.write(`${mark}  ${step.name.padEnd(15)} ${colors.dim(seconds)}  ${tests}\n`)
  if (outcome.failed > 0) process.stdout.write(`${result.output}\n`)
  return outcome
}

async function runTool(tool: NodeTool, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Result> {
  const child = spawn(...nodeTool(tool, args), { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const status = await new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(`${error}`))
    child.on('close', (code, signal) => resolve(code ?? `It ended with ${signal}.`))
  })
  const reason = typeof status === 'string' ? `\n${status}` : ''
  return { succeeded: status === 0, output: Buffer.concat(chunks).toString() + reason }
}

function countOne({ succeeded }: Result): Outcome {
  return succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** Tests by Vitest's own report. A run that ends badly without a failed test (an error outside of one) is a failure too. */
function countTests({ succeeded }: Result, report: string): Outcome {
  let outcome: Outcome = { passed: 0, failed: 0 }
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    outcome = { passed: numPassedTests, failed: numFailedTests }
  } catch {
    // Without a report Vitest failed early; its status shows that.
  }
  return succeeded || outcome.failed > 0 ? outcome : { ...outcome, failed: 1 }
}

await main()
