import { invalidRequest } from '../../../protocol/errors.ts'
import { grouped } from '../../../protocol/grouped.ts'
import { LIMITS } from '../../../protocol/limits.ts'

/** The selected events of the log, newest first. */
export interface EventSelection {
  readonly limit: number
  /** Only requests before the one with this id. */
  readonly before?: string | undefined
  /** Kind, or `task.*`. */
  readonly type?: string | undefined
  readonly collection?: string | undefined
  readonly recordId?: string | undefined
}

/** The latest 100. */
export const LATEST_EVENTS: EventSelection = { limit: LIMITS.latestEvents }

export function noEvent(id: string | undefined): Error {
  const kept = grouped(LIMITS.keptEvents)
  return invalidRequest(
    `Expected \`before\` to be the id of one of the latest ${kept} events of this simulation, got ${JSON.stringify(id)}.`,
  )
}
