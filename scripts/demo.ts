/** `npm run demo`: runs the examples against the embedded service and prints what happened in them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import colors from 'picocolors'
import type { Announcement } from '../src/fixture/announce.ts'
import { findChromium } from './find-chromium.ts'
import { type NodeTool, nodeTool } from './node-tool.ts'

interface Example {
  title: string
  folder: string
  command: NodeTool
  args: string[]
}

const EXAMPLES: Example[] = [
  { title: 'Vitest, a club whose members pay by Stripe', folder: 'stripe', command: 'vitest', args: ['run'] },
  { title: 'Vitest, an order sync against the CRM', folder: 'vitest', command: 'vitest', args: ['run'] },
  { title: 'Vitest, a description of your own', folder: 'own-description', command: 'vitest', args: ['run'] },
  { title: 'Playwright, the same club in Chromium', folder: 'stripe', command: 'playwright', args: ['test'] },
  { title: 'Playwright, a task board in Chromium', folder: 'playwright', command: 'playwright', args: ['test'] },
]

const root = join(import.meta.dirname, '..')

function main(): void {
  const chromium = prepare()
  const outcomes = EXAMPLES.map((example) => runExample(example, chromium))
  const announcements = outcomes.flatMap((outcome) => outcome.announcements)
  const made = new Set(announcements.filter(({ type }) => type === 'created').map(({ id }) => id))
  const left = [...made].filter((id) => !announcements.some((other) => other.type === 'deleted' && other.id === id))
  const failed = outcomes.filter(({ passed }) => !passed).length
  const deleted = left.length === 0 ? `all ${made.size} deleted` : `${left.length} NOT deleted: ${left.join(', ')}`
  const examples =
    failed === 0 ? `${EXAMPLES.length} examples passed` : `${failed} of ${EXAMPLES.length} examples FAILED`
  print(`\n${colors.bold(`${made.size} simulations made, ${deleted}; ${examples}.`)}`)
  process.exitCode = failed === 0 && left.length === 0 && made.size > 0 ? 0 : 1
}

/** Builds the package, makes it known to the examples and returns a Chromium. */
function prepare(): string {
  try {
    const started = performance.now()
    const build = spawnSync(...nodeTool('npm', ['run', 'build']), { cwd: root, encoding: 'utf8' })
    if (build.status !== 0) throw new Error(`Failed to build:\n${build.stdout}${build.stderr}`)
    const chromium = findChromium()
    print(line('built', `dist/, Chromium is ${chromium}`, performance.now() - started))
    return chromium
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

function runExample(example: Example, chromium: string): { passed: boolean; announcements: Announcement[] } {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-demo-'))
  const record = join(folder, 'announcements.jsonl')
  const { BACKLOT_URL: _url, BACKLOT_ACCOUNT_KEY: _key, ...outside } = process.env
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(...nodeTool(example.command, example.args), {
    cwd: join(root, 'examples', example.folder),
    encoding: 'utf8',
    env: {
      ...outside,
      CHROMIUM_PATH: chromium,
      BACKLOT_DEMO_RECORD: record,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'record-announcements.ts'))}`,
    },
  })
  const announcements = readAnnouncements(record)
  rmSync(folder, { recursive: true })

  const passed = status === 0
  print(`\n${(passed ? colors.green : colors.red)(colors.bold(example.title))}`)
  for (const announcement of announcements) print(`  ${announcement.type.padEnd(17)}${announcement.source}`)
  print(line(passed ? 'passed' : 'FAILED', `examples/${example.folder}`, performance.now() - started))
  if (!passed) print(`${stdout}${stderr}`)
  return { passed, announcements }
}

function readAnnouncements(file: string): Announcement[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((text) => JSON.parse(text) as Announcement)
}

function line(what: string, fact: string, durationMs: number): string {
  return `  ${what.padEnd(17)}${fact.padEnd(62)}${colors.dim(`${durationMs.toFixed(0).padStart(6)} ms`)}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

main()
