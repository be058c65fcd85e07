import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sleep } from '../../src/runtime/timers.ts'

/** What a long run came to in one process. */
export interface ProcessFigures {
  /** Memory that is held after garbage was collected, heap and what belongs to it: when the watch began, and now. */
  startMb: number
  endMb: number
  /** Most of it that was seen between, garbage included. */
  peakMb: number
  /** How long the event loop was kept from turning. */
  pauseP99Ms: number
  pauseMaxMs: number
}

const SAMPLE_MS = 100

/** Watches memory and event loop of this process, from `begin` on. */
export class ProcessWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: 5 })
  #startMb = 0
  #peakMb = 0

  async begin(): Promise<void> {
    this.#startMb = await heldMb()
    this.#delay.enable()
    setInterval(() => {
      this.#peakMb = Math.max(this.#peakMb, usedMb())
    }, SAMPLE_MS).unref()
  }

  async read(): Promise<ProcessFigures> {
    const [pauseP99Ms, pauseMaxMs] = [this.#delay.percentile(99) / 1e6, this.#delay.max / 1e6]
    const endMb = await heldMb()
    return { startMb: this.#startMb, peakMb: Math.max(this.#peakMb, endMb), endMb, pauseP99Ms, pauseMaxMs }
  }
}

/** The figures as a line shows them. */
export function toWords({ startMb, peakMb, endMb, pauseP99Ms, pauseMaxMs }: ProcessFigures): string {
  const memory = [startMb, peakMb, endMb].map((mb) => mb.toFixed(0)).join('/')
  return `memory ${memory} MB at start/peak/end; pauses p99 ${pauseP99Ms.toFixed(0)} ms, max ${pauseMaxMs.toFixed(0)} ms`
}

/** Sockets, servers and timers of this process, by kind. */
export function countHandles(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) {
    if (/^(TCP|TLS)|Timeout|GetAddrInfo/.test(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}

/** Handles that are left over two seconds after the end: closed ones and timers of the runner have gone by then. */
export async function waitForHandles(before: ReadonlyMap<string, number>): Promise<string[]> {
  let left: string[] = []
  for (let turn = 0; turn < 400; turn++) {
    left = [...countHandles()].flatMap(([kind, count]) =>
      count > (before.get(kind) ?? 0) ? [`${count - (before.get(kind) ?? 0)} ${kind}`] : [],
    )
    if (left.length === 0) break
    await sleep(5)
  }
  return left
}

/** What is left after two collections: what the first one frees outside of the heap is not counted at once. */
async function heldMb(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < 2; round++) {
    collect()
    await sleep(20)
  }
  return usedMb()
}

function usedMb(): number {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000_000
}
