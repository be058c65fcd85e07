import type { ClockReading } from '../../protocol/reads.ts'
import { report } from './report.ts'

/** World time as known to the page, with the page's own time of the reading. */
export interface KnownClock extends ClockReading {
  readonly learntAt: number
}

/** World time now, in milliseconds. */
export function worldMs(clock: KnownClock | undefined): number {
  if (clock === undefined) return Date.now()
  return Date.parse(clock.now) + (clock.paused || report !== undefined ? 0 : Date.now() - clock.learntAt)
}
