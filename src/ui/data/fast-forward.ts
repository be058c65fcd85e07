import { addressOf } from './address.ts'
import type { LiveSimulation } from './live.ts'
import { attempt, notify } from './notices.ts'
import { call, simulationPath } from './service.ts'
import { spanText } from './time-text.ts'
import { MOST_HOURS } from './turning.ts'

/** Progress of a fast-forward in several parts. */
export interface TurnProgress {
  readonly done: number
  readonly of: number
  readonly changes: number
}

/** Fast-forwards in parts within the service's limit, and reports the result. `signal` ends it between two parts. */
export async function fastForward(
  live: LiveSimulation,
  hours: number,
  onProgress: (progress: TurnProgress) => void = () => {},
  signal?: AbortSignal,
): Promise<void> {
  let changes = 0
  let done = 0
  onProgress({ done, of: hours, changes })
  await attempt(async () => {
    while (done < hours && signal?.aborted !== true) {
      // The rest must not be less than the minimum of one call.
      const part = hours - done <= MOST_HOURS ? hours - done : Math.min(MOST_HOURS, hours - done - 1)
      const path = simulationPath(live.slug, '/fast-forward')
      changes += (await call<{ changes: number }>('POST', path, { hours: part })).changes
      done += part
      onProgress({ done, of: hours, changes })
    }
    // Another node than the streaming one may have turned the clock.
    await live.refresh()
    const text = `Fast-forwarded ${spanText(done * 3_600_000)}: ${changes.toLocaleString('en')} changes.`
    notify(text, { label: 'View', href: `${addressOf(live.slug)}?f=cause:fast-forward` })
  })
}
