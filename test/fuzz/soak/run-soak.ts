import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { CreatedSimulation } from '../../../src/protocol/simulation.ts'
import { onLoopback } from '../../support/on-loopback.ts'
import { type ProcessFigures, toWords } from '../../support/process-watch.ts'
import { Caller } from './caller.ts'
import { breakOff, readSlowly, useSimulations } from './clients.ts'
import type { ServiceMessage } from './service.ts'
import type { SoakFault } from './soak-faults.ts'

interface SoakOptions {
  seconds: number
  faults: readonly SoakFault[]
}

/** What a run came to: one line, and what was wrong. */
export interface SoakReport {
  line: string
  problems: string[]
}

const USERS = 16
const SLOW_READERS = 4
const KILLED_CLIENTS = 4
/** How much more memory the service may hold at the end than after the warm-up, when all simulations are gone. */
export const MOST_GROWTH_MB = 50
const WARM_UP_SHARE = 0.1
/** One delivery in this many is answered 500. */
const FAILS = 20

/** Loads a service in a process of its own for `seconds` with all that users do, and with clients that misbehave. */
export async function runSoak({ seconds, faults }: SoakOptions): Promise<SoakReport> {
  const child = fork(new URL('service.ts', import.meta.url), faults)
  const { url, accountKey } = await receiveMessage(child, 'ready')
  await using endpoint = await openEndpoint()
  const caller = await Caller.open({ url, accountKey, endpoint: endpoint.url })
  await load(caller, seconds * WARM_UP_SHARE * 1_000)
  const begun = receiveMessage(child, 'begun')
  child.send('begin')
  await begun
  if (faults.includes('answer')) await answerStrangely(caller)
  await load(caller, seconds * (1 - WARM_UP_SHARE) * 1_000)
  await caller.close()
  const ended = receiveMessage(child, 'ended')
  child.send('end')
  const { figures, leaked } = await ended
  const problems = [...toProblems(figures, leaked), ...[...caller.faults].map((found) => found.join(': '))]
  const errors = [...caller.counts].sort().map(([status, count]) => `${status} x ${count}`)
  const line =
    `soak: ${caller.requests} requests in ${seconds} s, ${endpoint.count()} deliveries; errors ${errors.join(', ') || 'none'}; ` +
    `${toWords(figures)}; ${leaked.length === 0 ? 'no' : leaked.join(', ')} leaked handles; ${problems.length} problems`
  return { line, problems }
}

async function load(caller: Caller, ms: number): Promise<void> {
  caller.openFor(ms)
  await Promise.all([
    ...Array.from({ length: USERS }, (_, user) => useSimulations(caller, user)),
    ...Array.from({ length: SLOW_READERS }, () => readSlowly(caller)),
    ...Array.from({ length: KILLED_CLIENTS }, () => breakOff(caller)),
  ])
}

/** Lets a simulation answer a status that no description of it has. */
async function answerStrangely(caller: Caller): Promise<void> {
  const made = await caller.manage<CreatedSimulation>('POST', '/simulations', { library: 'task-tracker' })
  if (made === undefined) return
  const rule = { name: 'strange', kind: 'error', method: '*', pathPattern: '*', config: { status: 418 } }
  await caller.manage('POST', `/simulations/${made.id}/rules`, rule)
  await caller.simulated(made, 'GET', '/tasks')
  await caller.manage('DELETE', `/simulations/${made.id}`)
}

function toProblems({ startMb, endMb }: ProcessFigures, leaked: readonly string[]): string[] {
  const grown = endMb - startMb
  return [
    ...(grown > MOST_GROWTH_MB ? [`memory grew by ${grown.toFixed(0)} MB, more than ${MOST_GROWTH_MB}`] : []),
    ...(leaked.length > 0 ? [`left after close: ${leaked.join(', ')}`] : []),
  ]
}

/** Waits for a message of a kind. Rejects where the service ends before. */
function receiveMessage<Kind extends ServiceMessage['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<ServiceMessage, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: ServiceMessage) => {
      if (message.kind === kind) resolve(message as Extract<ServiceMessage, { kind: Kind }>)
    }
    child.once('message', onMessage)
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
  })
}

/** Takes webhooks, and refuses some. */
async function openEndpoint(): Promise<{ url: string; count: () => number } & AsyncDisposable> {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(++count % FAILS === 0 ? 500 : 204).end()
  })
  const listening = await onLoopback(server)
  return { ...listening, url: `${listening.url}/`, count: () => count }
}
