import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { runCommand as runWords } from '../../src/cli/program.ts'
import { type CommandRun, cleanEnvironment } from './run-command.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command line in this process, where a process of its own would spend a second to start, with pipes for a terminal: in `folder` or an
 * empty one. Calls wait for each other: a process has one environment. `test/cli` has real processes too.
 */
export function runCli(args: readonly string[], env: Environment = {}, folder?: string): Promise<CommandRun> {
  const run = last.then(() => (folder === undefined ? runApart(args, env) : runIn(folder, args, env)))
  last = run.catch(() => {})
  return run
}

type Environment = Readonly<Record<string, string>>

async function runApart(args: readonly string[], env: Environment): Promise<CommandRun> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-cli-'))
  try {
    return await runIn(folder, args, env)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runIn(folder: string, args: readonly string[], env: Environment): Promise<CommandRun> {
  const [outside, cwd, exitCode] = [{ ...process.env }, process.cwd(), process.exitCode]
  const run: CommandRun = { exitCode: null, stdout: '', stderr: '', output: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      run[stream] += text
      run.output += text
      return true
    }),
  )
  try {
    setEnvironment(cleanEnvironment({ NO_COLOR: undefined, ...env }))
    process.chdir(folder)
    process.exitCode = undefined
    run.exitCode = (await runWords(args)) ?? Number(process.exitCode ?? 0)
  } finally {
    setEnvironment(outside)
    process.chdir(cwd)
    process.exitCode = exitCode
    for (const spy of spies) spy.mockRestore()
  }
  return run
}

function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name]
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value
}
