import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'

/** Work due at one time. */
interface Task<Work> {
  readonly dueAt: number
  readonly work: Work
}

/** Work due on the delivery clock, which follows real time and can be advanced, but never by a fast-forward of the world. */
export class DeliverySchedule<Work> {
  /** Offset from this machine's clock. */
  offsetMs = 0
  readonly #runtime: Runtime
  /** In total order of due time, then of addition: the earliest is last. */
  #tasks: Task<Work>[] = []
  readonly #timer: WakeTimer
  #timerDueAt: number | undefined
  #stoppedAt: number | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#timer = new WakeTimer(runtime.startTimer)
  }

  /** Milliseconds since the epoch. */
  get now(): number {
    return this.#stoppedAt ?? this.#runtime.clock.now() + this.offsetMs
  }

  /** Adds work due after `delayMs`; returns the due time. */
  add(delayMs: number, work: Work): number {
    return this.addAt(this.now + delayMs, work)
  }

  addAt(dueAt: number, work: Work): number {
    let low = 0
    let high = this.#tasks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#tasks[middle] as Task<Work>).dueAt > dueAt) low = middle + 1
      else high = middle
    }
    this.#tasks.splice(low, 0, { dueAt, work })
    return dueAt
  }

  /** Removes the matching work. Returns whether there was any. */
  remove(matches: (work: Work) => boolean): boolean {
    const kept = this.#tasks.filter(({ work }) => !matches(work))
    const isFound = kept.length < this.#tasks.length
    this.#tasks = kept
    return isFound
  }

  takeDue(): Work | undefined {
    const dueAt = this.#nextDueAt
    return dueAt !== undefined && dueAt <= this.now ? this.#tasks.pop()?.work : undefined
  }

  /** Takes the next work due by `target`, with the stopped clock advanced to its time. */
  turnToNext(target: number): Work | undefined {
    const dueAt = this.#nextDueAt
    if (dueAt === undefined || dueAt > target) return undefined
    this.stopAt(dueAt)
    return this.#tasks.pop()?.work
  }

  /** Stops at `time`, or at the current time if that is later. */
  stopAt(time: number): void {
    this.#stoppedAt = Math.max(this.now, time)
  }

  /** Continues from the current time. */
  resume(): void {
    if (this.#stoppedAt === undefined) return
    this.offsetMs = this.#stoppedAt - this.#runtime.clock.now()
    this.#stoppedAt = undefined
  }

  /** Calls `onDue` when the next work is due in real time. */
  startTimer(onDue: () => void): void {
    const dueAt = this.#nextDueAt
    if (dueAt === this.#timerDueAt) return
    this.stopTimer()
    if (dueAt === undefined) return
    this.#timerDueAt = dueAt
    this.#timer.wakeIn(dueAt - this.now, () => {
      this.#timerDueAt = undefined
      onDue()
    })
  }

  stopTimer(): void {
    this.#timer.stop()
    this.#timerDueAt = undefined
  }

  clear(): void {
    this.#tasks = []
  }

  get #nextDueAt(): number | undefined {
    return this.#tasks.at(-1)?.dueAt
  }
}
