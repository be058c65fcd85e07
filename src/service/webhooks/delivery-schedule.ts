import type { Runtime } from '../../runtime/runtime.ts'
import { WakeTimer } from '../../runtime/timers.ts'

/** What is due at one time. */
interface Task<Work> {
  readonly dueAt: number
  readonly work: Work
}

/**
 * What is due on the delivery clock: a clock that moves with real time and can be turned forward, never by a fast-forward
 * of the world.
 */
export class DeliverySchedule<Work> {
  readonly #runtime: Runtime
  /** In a total order, of due time and then of addition: the one that is due first is last. */
  #tasks: Task<Work>[] = []
  readonly #timer: WakeTimer
  #timerDueAt: number | undefined
  #offsetMs = 0
  #stoppedAt: number | undefined

  constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.#timer = new WakeTimer(runtime.startTimer)
  }

  /** Milliseconds since the epoch. */
  get now(): number {
    return this.#stoppedAt ?? this.#runtime.clock.now() + this.#offsetMs
  }

  /** How far it is ahead of this machine's clock. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  set offsetMs(ms: number) {
    this.#offsetMs = ms
  }

  /** Adds what is due after `delayMs`; returns when that is. */
  add(delayMs: number, work: Work): number {
    return this.addAt(this.now + delayMs, work)
  }

  /** Adds what is due at a time. */
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

  /** Takes away the work that is meant. Returns whether there was any. */
  remove(isMeant: (work: Work) => boolean): boolean {
    const kept = this.#tasks.filter(({ work }) => !isMeant(work))
    const isFound = kept.length < this.#tasks.length
    this.#tasks = kept
    return isFound
  }

  /** Takes what is due now. */
  takeDue(): Work | undefined {
    const dueAt = this.#nextDueAt
    return dueAt !== undefined && dueAt <= this.now ? this.#tasks.pop()?.work : undefined
  }

  /** Takes what is due next, where it is due by `target`, with the stopped clock turned to its time. */
  turnToNext(target: number): Work | undefined {
    const dueAt = this.#nextDueAt
    if (dueAt === undefined || dueAt > target) return undefined
    this.stopAt(dueAt)
    return this.#tasks.pop()?.work
  }

  /** Stands still at `time`, or where it is when that is later. */
  stopAt(time: number): void {
    this.#stoppedAt = Math.max(this.now, time)
  }

  /** Goes on from where it stands. */
  resume(): void {
    if (this.#stoppedAt === undefined) return
    this.#offsetMs = this.#stoppedAt - this.#runtime.clock.now()
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
