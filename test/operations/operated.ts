import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { startCli } from '../conformance/served-target.ts'

/** A `backlot serve --json --ops-port 0` of a test. */
export interface OperatedServe {
  readonly child: ChildProcess
  readonly url: string
  readonly opsUrl: string
  readonly accountKey: string
  readonly simulations: readonly { id: string; url: string; apiKey: string }[]
  /** What it has printed after the first line. */
  readonly lines: string[]
  manage(method: string, path: string, body?: unknown): Promise<Response>
  /** One of the metrics; 0 where it is not shown. */
  metric(sample: string): Promise<number>
  /** Ends it by a signal; resolves with its exit code. */
  stop(): Promise<number | null>
}

export async function startOperatedServe(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<OperatedServe> {
  const child = startCli(['serve', '--port', '0', '--ops-port', '0', '--json', ...args], variables)
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  const first = await new Promise<string>((resolve, reject) => {
    if (child.stdout) createInterface(child.stdout).on('line', (line) => lines.push(line) === 1 && resolve(line))
    child.once('exit', (code) => reject(new Error(`The service ended with ${code} before it was ready.`)))
  })
  lines.shift()
  const { url, opsUrl, accountKey, simulations = [] } = JSON.parse(first)
  return {
    child,
    url,
    opsUrl,
    accountKey,
    simulations,
    lines,
    manage: (method, path, body) =>
      fetch(`${url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${accountKey}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    metric: async (sample) => {
      const text = await (await fetch(`${opsUrl}/metrics`)).text()
      const line = text.split('\n').find((shown) => shown.startsWith(`${sample} `))
      return line === undefined ? 0 : Number(line.slice(sample.length + 1))
    },
    stop: () => {
      child.kill('SIGTERM')
      return new Promise((resolve) => child.once('exit', resolve))
    },
  }
}
