import type { JournaledMap } from '../../world/journaled-map.ts'

/**
 * The simulated world's time: real time plus all fast-forwards. It stops while the simulation is paused. Pure: real
 * time (milliseconds since the Unix epoch) is an argument.
 */
export class WorldClock {
  /** `offsetMs`: world time minus real time. `stoppedAt`: world time of a stopped clock. */
  readonly #state: JournaledMap<number>

  /** A clock with world time `epoch` at real time `real`. */
  constructor(state: JournaledMap<number>, { real, epoch }: { real: number; epoch: number }) {
    this.#state = state
    state.set('offsetMs', epoch - real)
  }

  /** World time, in milliseconds since the Unix epoch. */
  now(real: number): number {
    return this.#state.get('stoppedAt') ?? real + (this.#state.get('offsetMs') ?? 0)
  }

  get isPaused(): boolean {
    return this.#state.has('stoppedAt')
  }

  /** Sets the time; a paused clock stays paused. */
  set(real: number, now: number): void {
    this.#state.set('offsetMs', now - real)
    if (this.isPaused) this.#state.set('stoppedAt', now)
  }

  pause(real: number): void {
    if (!this.isPaused) this.#state.set('stoppedAt', this.now(real))
  }

  /** Continues from the current time. */
  resume(real: number): void {
    if (!this.isPaused) return
    this.#state.set('offsetMs', this.now(real) - real)
    this.#state.delete('stoppedAt')
  }
}
