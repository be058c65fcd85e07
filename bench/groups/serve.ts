import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject, pack } from '../../test/packaging/packed-project.ts'
import { atMost, atMostOfFloor, type BenchRow, median } from '../bench-row.ts'

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
  return [atMostOfFloor({ name: 'cold start of serve', ...pair, unit: 'ms', most: 3 }), ...(await npxRows())]
}

/** `npx backlot stripe` in a project that has the packed package: the processor time of all its processes until the printed address. */
async function npxRows(): Promise<BenchRow[]> {
  if (process.platform !== 'linux') return []
  await using packed = await pack()
  await using project = await createProject(packed.tarball, [])
  const times: number[] = []
  for (let round = 0; round < PROCESSES; round++) {
    const child = spawn('npx', ['--no-install', 'backlot', 'stripe', '--json', '--port', '0'], {
      cwd: project.folder,
      env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await firstUrl(child)
    times.push(processorMsOfGroup(child.pid ?? 0))
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  // The first one compiles.
  return [atMost({ name: 'processor of npx backlot stripe', value: median(times.slice(1)), unit: 'ms', most: 1_000 })]
}

/** Linux counts in ticks of 10 ms. */
function processorMsOfGroup(group: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const fields = pids.flatMap((pid) => {
    const path = `/proc/${pid}/stat`
    // Others end meanwhile.
    return existsSync(path)
      ? [
          readFileSync(path, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' '),
        ]
      : []
  })
  const own = fields.filter(([, , processGroup]) => Number(processGroup) === group)
  return own.flatMap((field) => field.slice(11, 15)).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
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
