import { startTimer } from '../../../runtime/timers.ts'
import type { Delta } from '../core/core-state.ts'

/** Why a delayed answer is sent, or is no longer needed. */
export type HoldEnd = 'over' | 'released' | 'left'

/** Answers delayed by response rules. All can be released at once. */
export class Holds {
  readonly #waiting = new Set<(end: HoldEnd) => void>()

  /**
   * Waits until the time is over, all answers are released, or the client has disconnected.
   *
   * @param ms Infinity: until the release
   * @param left aborts when the client disconnects
   */
  wait(ms: number, left: AbortSignal): Promise<HoldEnd> {
    return new Promise((resolve) => {
      const cancel = ms === Number.POSITIVE_INFINITY ? undefined : startTimer(ms, () => end('over'))
      const onLeft = () => end('left')
      const end = (reason: HoldEnd) => {
        cancel?.()
        this.#waiting.delete(end)
        left.removeEventListener('abort', onLeft)
        resolve(reason)
      }
      this.#waiting.add(end)
      left.addEventListener('abort', onLeft)
    })
  }

  /** Whether any answer is delayed now. */
  get areWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Releases all currently delayed answers; later ones wait for the next call. */
  release(): void {
    for (const end of this.#waiting) end('released')
  }
}

/** Whether another node's changes release delayed answers: a rule was removed, or the data was restored. */
export function endsHolds({ isWhole, world, settings }: Delta): boolean {
  return isWhole === true || world.fromStart || (settings.rules ?? []).some(([, rule]) => rule === null)
}
