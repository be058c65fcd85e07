/** `npm test`: every check of this repository, one line for each, the whole output of those that fail. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
  /** Whether it is a Vitest run, whose tests are counted. */
  counts?: boolean
}

const vitest = (name: string, args: string[]): Step => ({
  name,
  command: 'vitest',
  args: ['run', ...args],
  counts: true,
})
/** Checks in sequence; the checks of one row run at once. */
const STEPS: Step[][] = [
  [
    { name: 'format', command: 'biome', args: ['format', '.'] },
    { name: 'lint', command: 'biome', args: ['lint', '.'] },
    // Before the types: `bench/` imports the package by its name.
    { name: 'build', command: 'npm', args: ['run', 'build'] },
  ],
  [
    // Beside tests, which wait for a quarter of their time.
    { name: 'types', command: 'tsc', args: ['-p', '.'] },
    { name: 'public types', command: 'npm', args: ['run', 'api', '--', '--check'] },
    vitest('unit', ['--project=!whole']),
  ],
  // Conformance, inner projects, examples and packaging: in one run, so that none waits for the longest file of another.
  [vitest('whole runs', ['--project=whole'])],
  [{ name: 'dashboard', command: 'playwright', args: ['test', '-c', 'test/ui'] }],
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
  const env = { ...process.env, CHROMIUM_PATH: chromium(), ...(colors.isColorSupported && { FORCE_COLOR: '1' }) }
  const total: Outcome = { passed: 0, failed: 0 }
  if (findPostgres() === undefined) {
    process.stdout.write('PostgreSQL is not installed (BACKLOT_TEST_POSTGRES): tests of stores in it are skipped.\n')
  }
  for (const row of STEPS) {
    const report = join(folder, 'report.json')
    for (const { passed, failed } of await Promise.all(row.map((step) => run(step, env, report)))) {
      total.passed += passed
      total.failed += failed
    }
  }
  rmSync(folder, { recursive: true, force: true })
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
  rmSync(report, { force: true })
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
