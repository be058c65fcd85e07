import { execFile } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Path of a command of the repository's own packages. */
export function bin(name: string): string {
  return join(root, 'node_modules/.bin', name)
}

/** The environment without what this very test run brought into it. */
export function cleanEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const mine = /^(VITEST|BACKLOT_|NODE_OPTIONS|TEST$|NODE_ENV$|FORCE_COLOR$)/
  const outside = Object.entries(process.env).filter(([name]) => !mine.test(name))
  return { ...Object.fromEntries(outside), NO_COLOR: '1', ...extra }
}

/** Runs a command to its end: its status, and everything that it printed. */
export function runCommand(
  command: string,
  args: string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const { cwd, env } = options
    execFile(command, args, { cwd, env: cleanEnvironment(env) }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: stdout + stderr })
    })
  })
}
