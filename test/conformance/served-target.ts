import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CLI } from '../support/serve.ts'
import { ACCOUNTS, type Target } from './target.ts'

/** `backlot serve` in another process. Its webhooks reach no sink of ours: there it is a service like any other. */
export const servedTarget = createTarget('served', () => [])

/** The same over a SQLite file. */
export const storedTarget = createTarget('served from a file', (folder) => ['--store', join(folder, 'backlot.db')])

function createTarget(name: string, flagsIn: (folder: string) => string[]): Target {
  return {
    name,
    can: new Set(['accounts', 'extensions', 'restrict']),
    start: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'backlot-conformance-'))
      const config = join(folder, 'backlot.config.json')
      await writeFile(config, JSON.stringify({ accounts: ACCOUNTS }))
      const child = startCli(['serve', '--https', '--port', '0', '--json', '--config', config, ...flagsIn(folder)])
      const { url, accountKey, ca } = JSON.parse(await firstLine(child)) as Record<string, string>
      return {
        url: url as string,
        accountKey: accountKey as string,
        ca,
        close: async () => {
          child.kill('SIGTERM')
          const code = await new Promise((resolve) => child.once('exit', resolve))
          await rm(folder, { recursive: true })
          if (code !== 0) throw new Error(`Expected \`backlot serve\` to exit with 0 on SIGTERM, got ${code}.`)
        },
      }
    },
  }
}

/** Starts the built command line. */
export function startCli(args: readonly string[], variables: Readonly<Record<string, string>> = {}): ChildProcess {
  const { BACKLOT_ACCOUNT_KEY: _, ...env } = process.env
  return spawn(process.execPath, [CLI, ...args], {
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** The first line that a child prints; rejects when it ends before. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout) createInterface(child.stdout).once('line', resolve)
    child.once('exit', (code) => reject(new Error(`The child ended with ${code} before it printed a line.`)))
  })
}
