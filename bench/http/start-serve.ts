import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** `backlot serve` of dist/, as a user runs it. */
export interface Serve extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  readonly accountKey: string
  /** Calls the management API: `call('POST', '/simulations', {...})`. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
}

export async function startServe(flags: readonly string[] = []): Promise<Serve> {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
  const child = spawn(process.execPath, [cli, 'serve', '--json', '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { url, accountKey } = JSON.parse(await firstLine(child)) as { url: string; accountKey: string }
  return {
    port: Number(new URL(url).port),
    pid: child.pid as number,
    accountKey,
    call: async (method, path, body) => {
      const answer = await fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${accountKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`Failed to ${method} ${path}: ${answer.status} ${text}`)
      return text === '' ? undefined : (JSON.parse(text) as unknown)
    },
    [Symbol.asyncDispose]: async () => {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += String(chunk)
    if (text.includes('\n')) return text
  }
  throw new Error('Failed to start `backlot serve`: it ended without a line.')
}
