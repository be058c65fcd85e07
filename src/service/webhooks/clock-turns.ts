import type { DueDelivery } from './delivery-queue.ts'
import type { Dispatcher } from './dispatcher.ts'

/** Advances of the delivery clock, one after the other. */
export class ClockTurns {
  readonly #dispatcher: Dispatcher
  #turning: Promise<unknown> | undefined

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  /**
   * Advances the stopped clock by `ms`, from due time to due time, and waits for each real attempt, `most` at most. The
   * timer and other advances wait meanwhile; it starts when nothing is in progress.
   */
  async turn({ ms, most }: { ms: number; most: number }): Promise<{ attempts: number }> {
    const { schedule, underWay } = this.#dispatcher
    while (this.#turning) await this.#turning
    schedule.stopTimer()
    underWay.isTurning = true
    const turning = this.#turn(ms, most).finally(() => {
      schedule.resume()
      this.#turning = undefined
      underWay.isTurning = false
      this.#dispatcher.noteChange()
    })
    this.#turning = turning
    return { attempts: await turning }
  }

  async #turn(ms: number, most: number): Promise<number> {
    const { schedule, underWay } = this.#dispatcher
    await underWay.quiet()
    schedule.stopAt(schedule.now)
    const target = schedule.now + ms
    let attempts = 0
    while (attempts < most && !this.#dispatcher.isClosed) {
      const retry = this.#takeRetry(target)
      if (!retry) break
      attempts++
      await this.#dispatcher.attempt(retry.queue, retry.delivery)
      await underWay.quiet()
    }
    if (Number.isFinite(target)) schedule.stopAt(target)
    return attempts
  }

  /** The earliest retry due by `target`, with the clock at its time. Skips held deliveries. */
  #takeRetry(target: number): Pick<DueDelivery, 'queue' | 'delivery'> | undefined {
    const { queues, schedule } = this.#dispatcher
    for (;;) {
      for (const queue of queues.values()) {
        const delivery = queue.isActive ? queue.due.shift() : undefined
        if (delivery) return { queue, delivery }
      }
      const due = schedule.turnToNext(target)
      if (due === undefined) return undefined
      due.queue.makeDue(due.delivery, due.isReordered)
    }
  }
}
