import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { atMostOfFloor, type BenchRow, median } from '../bench-row.ts'

const PROCESSES = 10
const SERVE = [fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), 'serve', '--json', '--port', '0']
const FLOOR = [fileURLToPath(new URL('../http/first-answer-floor.mjs', import.meta.url))]
const ACCOUNT_KEY = 'svc_acc_0123456789abcdef0123456789abcdef'

/** From the start of a process to its first answer: `backlot serve` and its library against bare `node:http`. */
export async function run(): Promise<BenchRow[]> {
  const pairs: { value: number; floor: number }[] = []
  for (let process = 0; process < PROCESSES; process++) {
    pairs.push({ floor: await firstAnswerMs(FLOOR), value: await firstAnswerMs(SERVE) })
  }
  const middle = median(pairs.map(({ value, floor }) => value / floor))
  const pair = pairs.find(({ value, floor }) => value / floor === middle) as { value: number; floor: number }
  return [atMostOfFloor({ name: 'cold start of serve', ...pair, unit: 'ms', most: 3 })]
}

async function firstAnswerMs(command: readonly string[]): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BACKLOT_ACCOUNT_KEY: ACCOUNT_KEY },
  })
  const url = await firstUrl(child)
  const answer = await fetch(`${url}/v1/library`, { headers: { authorization: `Bearer ${ACCOUNT_KEY}` } })
  const body = await answer.text()
  const ms = performance.now() - started
  child.kill()
  if (child.exitCode === null) await once(child, 'exit')
  if (!answer.ok) throw new Error(`Failed to read the library: ${answer.status} ${body}`)
  return ms
}

/** The address in the first line that a process prints. */
async function firstUrl({ stdout }: ChildProcess): Promise<string> {
  for await (const chunk of stdout ?? []) {
    const { url } = JSON.parse(String(chunk)) as { url: string }
    return url
  }
  throw new Error('Failed to start `backlot serve`: it ended without a line.')
}
