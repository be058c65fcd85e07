import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandRun, runCommand } from './run-command.ts'
import { CLI } from './serve.ts'

/** Runs the built `backlot` in an empty folder, with pipes for a terminal. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandRun> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-cli-'))
  try {
    return await runCommand(process.execPath, [CLI, ...args], { cwd: folder, env: { NO_COLOR: undefined, ...env } })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
