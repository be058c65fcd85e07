import { startTimer } from '../../../runtime/timers.ts'
import type { Delta } from '../core/core-state.ts'

/** Why a delayed answer is sent, or is no longer needed. */
export type HoldEnd = 'over' | 'released' | 'left'

/** Answers delayed by response rules, and streamed ones. All can be released or cut at once. */
export class Holds {
  readonly #waiting = new Set<(end: HoldEnd) => void>()
  readonly #streamed = new Set<() => void>()

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

  /** Calls `cut` when the data of a streamed answer is replaced or deleted. Call the returned function at its end. */
  stream(cut: () => void): () => void {
    this.#streamed.add(cut)
    return () => this.#streamed.delete(cut)
  }

  /** Whether any answer is delayed or streamed now. */
  get areWaiting(): boolean {
    return this.#waiting.size + this.#streamed.size > 0
  }

  /** Releases all currently delayed answers; later ones wait for the next call. */
  release(): void {
    for (const end of this.#waiting) end('released')
  }

  /** {@link release}; also cuts the streamed answers. */
  end(): void {
    this.release()
    for (const cut of this.#streamed) cut()
  }

  /** After another node's changes: as after the same changes by this one. */
  follow({ isWhole, world, settings }: Delta): void {
    if (isWhole === true || world.fromStart) this.end()
    else if ((settings.rules ?? []).some(([, rule]) => rule === null)) this.release()
  }
}
