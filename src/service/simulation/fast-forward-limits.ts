import { badRequest } from '../../protocol/errors.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { toIso } from '../../runtime/date-text.ts'

/** Records that the steps of one fast-forward may look at. */
const MOST_LOOKED_AT = 1_000_000_000

/** What runs of the plan came to. */
export interface RunTotals {
  changes: number
  /** Records that steps have looked at. */
  looked: number
}

/** Throws `bad_request` where a fast-forward makes too many changes or takes too long. */
export function refuseTooMuch({ changes, looked }: RunTotals): void {
  const most = LIMITS.fastForwardChanges
  if (changes <= most && looked <= MOST_LOOKED_AT) return
  const excess =
    changes > most
      ? `it would make more than ${most.toLocaleString('en-US')} changes`
      : `its steps would look at more than ${MOST_LOOKED_AT.toLocaleString('en-US')} records`
  throw badRequest(
    `Failed to fast-forward: ${excess}, so nothing was changed. Ask for fewer hours, or set a slower behaviour plan.`,
  )
}

/** The error of a fast-forward to a time after the last of a world. */
export function pastTheEnd(now: number): Error {
  const [last, got] = [LIMITS.worldTimeMs, now].map((ms) => toIso(ms).slice(0, -14))
  return badRequest(
    `Failed to fast-forward: the time of a simulation ends on ${last}, and this one is at ${got}. Reset it, or create one with an earlier \`epoch\`.`,
  )
}
