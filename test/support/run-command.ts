import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '../..')

/** What ties a process to the test run that started it. */
const MINE = /^(VITEST|VITE_|TEST|NODE_ENV|NODE_OPTIONS|BACKLOT_|CI$|GITHUB_|DEBUG|FORCE_COLOR)/

/** Variables to add; `undefined` takes one away. */
type Environment = Readonly<Record<string, string | undefined>>

/** What a command did. */
export interface CommandRun {
  /** null after a signal. */
  exitCode: number | null
  stdout: string
  stderr: string
  /** Both, in the order in which they came, without colours. */
  output: string
}

/** Path of a command of the packages in a folder. @default the repository's own */
export function bin(name: string, folder: string = root): string {
  return join(folder, 'node_modules/.bin', process.platform === 'win32' ? `${name}.cmd` : name)
}

/** The environment without what this very test run brought into it. */
export function cleanEnvironment(extra: Environment = {}): NodeJS.ProcessEnv {
  const outside = Object.entries(process.env).filter(([name]) => !MINE.test(name))
  return { ...Object.fromEntries(outside), NO_COLOR: '1', ...extra }
}

/** Runs a command to its end in a clean environment, with `env` added to it. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Environment },
): Promise<CommandRun> {
  const env = cleanEnvironment(options.env)
  // Windows starts such a file by a shell alone, and a shell takes blanks for the end of an argument.
  const shell = command.endsWith('.cmd')
  const words = shell ? [command, ...args].map((word) => `"${word}"`) : [command, ...args]
  const child = spawn(words[0] ?? '', words.slice(1), {
    cwd: options.cwd,
    env,
    shell,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run: CommandRun = { exitCode: null, stdout: '', stderr: '', output: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (bytes) => {
      run[stream] += bytes
      run.output += bytes
    })
  }
  run.exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { ...run, output: stripVTControlCharacters(run.output) }
}
