import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHROMIUM_ARGS } from './chromium-args.ts'
import { LONG_LIMITS } from './example-projects.ts'
import { runCommand } from './run-command.ts'

/** What an inner project did. */
export interface ProjectRun {
  exitCode: number | null
  /** stdout and stderr, without colours. */
  output: string
  /** What fixtures announced, in order. */
  announced: { type: string; id: string; simulation: string; mode: string }[]
  /** Files that were written about failed tests, by their names. */
  reports: Record<string, string>
}

const PROJECTS = fileURLToPath(new URL('../fixture/projects/', import.meta.url))
const require = createRequire(import.meta.url)

/** The folder of an inner project. */
export const projectFolder = (name: string): string => join(PROJECTS, name)

const RUNNERS = {
  vitest: [join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs'), 'run', ...LONG_LIMITS.vitest],
  playwright: [
    join(dirname(require.resolve('@playwright/test/package.json')), 'cli.js'),
    'test',
    ...LONG_LIMITS.playwright,
  ],
} as const

/** Arguments and environment with which an inner project is run by its real runner. */
export function commandFor(runner: keyof typeof RUNNERS, args: readonly string[]): string[] {
  return [...RUNNERS[runner], ...args]
}

/** The Chromium that inner Playwright projects take: CHROMIUM_PATH, else the system's, else Playwright's own; and its options. */
export function browserEnvironment(): Record<string, string> {
  const found = process.env.CHROMIUM_PATH ?? ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)
  return { CHROMIUM_ARGS: CHROMIUM_ARGS.join(' '), ...(found !== undefined && { CHROMIUM_PATH: found }) }
}

/** Runs files of an inner project with the real runner in a process of its own. */
export async function runProject(
  runner: keyof typeof RUNNERS,
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ProjectRun> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-trace-'))
  const trace = join(folder, 'trace.jsonl')
  const reports = join(folder, 'reports')
  try {
    const { exitCode, output } = await runCommand(process.execPath, commandFor(runner, args), {
      cwd: projectFolder(name),
      env: {
        BACKLOT_TEST_TRACE: trace,
        BACKLOT_KEPT: join(folder, 'kept.jsonl'),
        BACKLOT_REPORTS: reports,
        ...env,
      },
    })
    return { exitCode, output, announced: readTrace(trace), reports: readFiles(reports) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readFiles(folder: string): Record<string, string> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function readTrace(file: string): ProjectRun['announced'] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch {
    return []
  }
}

/** Ids that were created and never deleted. */
export function leftBehind({ announced }: ProjectRun): string[] {
  const ids = (type: string) => announced.filter((message) => message.type === type).map(({ id }) => id)
  const deleted = new Set(ids('deleted'))
  return ids('created').filter((id) => !deleted.has(id))
}
