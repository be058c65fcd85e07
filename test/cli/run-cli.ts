import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanEnvironment } from '../fixtures/run-project.ts'
import { CLI } from '../fixtures/serve.ts'

/** What a command did. */
export interface CliRun {
  exitCode: number | null
  stdout: string
  stderr: string
}

/** Runs the built `backlot` in an empty folder, with pipes for a terminal. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-cli-'))
  try {
    const { NO_COLOR: _, ...clean } = cleanEnvironment(env)
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: folder,
      env: clean,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const run: CliRun = { exitCode: null, stdout: '', stderr: '' }
    child.stdout.on('data', (bytes) => {
      run.stdout += bytes
    })
    child.stderr.on('data', (bytes) => {
      run.stderr += bytes
    })
    run.exitCode = await new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    return run
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
