import { type Runtime, systemRuntime } from '../../src/runtime/runtime.ts'
import { nextTurn } from '../../src/runtime/timers.ts'

interface Timer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A runtime whose time stands still until everything waits for it, and then goes on to the next timer. */
export class VirtualTime {
  readonly runtime: Runtime
  #now = Date.UTC(2026, 0, 5)
  #order = 0
  #timers: Timer[] = []

  constructor() {
    const clock = { now: () => this.#now, monotonic: () => this.#now }
    let ids = 0
    this.runtime = {
      ...systemRuntime,
      clock,
      uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
      startTimer: (ms, run) => this.#add(ms, run),
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason)
          const cancel = this.#add(ms, resolve)
          signal?.addEventListener('abort', () => {
            cancel()
            reject(signal.reason)
          })
        }),
    }
  }

  /** Runs until `work` is done; rejects where it waits for nothing that time can bring. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    for (let idle = 0; ; ) {
      // Slices and announcements take turns of the real event loop.
      for (let turn = 0; turn < 3 && !isDone; turn++) await nextTurn()
      if (isDone) return done
      idle = this.#runNext() ? 0 : idle + 1
      if (idle > 1_000) throw new Error('Everything waits, and no timer is left.')
    }
  }

  #runNext(): boolean {
    const next = this.#timers.toSorted((left, right) => left.at - right.at || left.order - right.order)[0]
    if (next === undefined) return false
    this.#timers = this.#timers.filter((timer) => timer !== next)
    this.#now = Math.max(this.#now, next.at)
    next.run()
    return true
  }

  #add(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }
}
