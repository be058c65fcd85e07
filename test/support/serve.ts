import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ManagementClient } from '../../src/client/management-client.ts'
import { cleanEnvironment } from './run-command.ts'

/** The built command line. */
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** A `backlot serve` in a process of its own. */
export interface Served extends AsyncDisposable {
  url: string
  accountKey: string
  pid: number | undefined
  /** What points a suite, or a command, at it. */
  env: Record<string, string>
  client: ManagementClient
}

/** Services of tests that ran out of time before they ended them: they hold the output of this process, and so its runner. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `backlot serve --json` and resolves when it is ready. */
export async function serve(args: readonly string[] = []): Promise<Served> {
  const child = spawn(process.execPath, [CLI, 'serve', '--port', '0', '--json', ...args], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  void closed.then(() => running.delete(child))
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (bytes) => {
      text += bytes
      if (text.includes('\n')) resolve(text)
    })
    child.on('close', (code) => reject(new Error(`backlot serve ended with ${code}: ${text}`)))
  })
  const { url, accountKey } = JSON.parse(line) as { url: string; accountKey: string }
  const client = new ManagementClient({ baseUrl: url, accountKey })
  return {
    url,
    accountKey,
    pid: child.pid,
    env: { BACKLOT_URL: url, BACKLOT_ACCOUNT_KEY: accountKey },
    client,
    async [Symbol.asyncDispose]() {
      await client.close()
      child.kill('SIGTERM')
      await closed
    },
  }
}
