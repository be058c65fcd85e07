import { startTimer } from '../../../runtime/timers.ts'
import type { Delta } from '../core/core-state.ts'

/** Why an answer that was held back may leave, or need not. */
export type HoldEnd = 'over' | 'released' | 'left'

/** Answers that response rules hold back. All of them can be let go at once. */
export class Holds {
  readonly #waiting = new Set<(end: HoldEnd) => void>()

  /**
   * Waits until the time is over, everything is let go, or the client has left.
   *
   * @param ms Infinity: until everything is let go
   * @param left aborts when the client leaves
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

  /** Whether answers are held back now. */
  get areWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** Lets everything go that is held now; what is held later waits for the next call. */
  release(): void {
    for (const end of this.#waiting) end('released')
  }
}

/** Whether what another node has changed lets go of what is held: a rule was removed, or the data was put back. */
export function endsHolds({ isWhole, world, settings }: Delta): boolean {
  return isWhole === true || world.fromStart || (settings.rules ?? []).some(([, rule]) => rule === null)
}
