import type { HeavySizes, HeavyWork } from './heavy-works.ts'
import type { RunningService } from './running-service.ts'

/** What a heavy work cost another simulation. */
export interface Delay {
  /** Processor time of the longest turn. */
  readonly turnMs: number
  /** Places in its work where others could go first. */
  readonly steps: number
  /** Longest wait for an answer, by the wall. */
  readonly waitMs: number
  /** How long the work took. */
  readonly workMs: number
  readonly pings: number
  /** Statuses of the other simulation, other than 200. */
  readonly failed: readonly number[]
}

const PAUSE_MS = 2

/** Does a heavy work in one simulation, and asks another one for a record again and again meanwhile. */
export async function delayOthers(service: RunningService, heavy: HeavyWork, sizes: HeavySizes): Promise<Delay> {
  const other = await service.create({ library: 'task-tracker', behaviour: [] })
  const simulation = await service.create(heavy.creation?.(sizes) ?? { library: 'task-tracker' })
  await other.call('GET', '/v1/tasks?limit=1')
  await simulation.call('GET', '/nothing')
  await heavy.prepare?.(simulation, sizes, service)
  const body = heavy.body?.(sizes) ?? ''
  const failed: number[] = []
  let isDone = false
  let waitMs = 0
  let pings = 0
  const ping = async () => {
    while (!isDone) {
      const start = performance.now()
      const { status } = await other.call('GET', '/v1/tasks?limit=1')
      waitMs = Math.max(waitMs, performance.now() - start)
      pings++
      if (status !== 200) failed.push(status)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  await service.begin()
  const pinging = ping()
  const start = performance.now()
  const answer = await heavy.work(simulation, body, service, sizes)
  if (process.env.SHOW) console.log(JSON.stringify(answer)?.slice(0, 200))
  const workMs = performance.now() - start
  isDone = true
  await pinging
  const { longestTurnMs: turnMs, steps } = await service.end()
  await Promise.all([simulation.manage('DELETE', ''), other.manage('DELETE', '')])
  return { turnMs, steps, waitMs, workMs, pings, failed }
}
