import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/**
 * The machine's clock, which counts how often it is read. Long work of a service reads it after each step, to end its turn of the
 * event loop when others have waited long enough: many reads are many places where others go first, on any machine.
 */
export class CountingClock implements Clock {
  looks = 0

  readonly now = (): number => systemClock.now()

  readonly monotonic = (): number => {
    this.looks++
    return systemClock.monotonic()
  }
}
