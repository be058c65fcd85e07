import { addressOf } from './address.ts'
import type { LiveSimulation } from './live.ts'
import { attempt, notify } from './notices.ts'
import { call, simulationPath } from './service.ts'
import { spanText } from './time-text.ts'

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
    while (hours - done > ROUNDING && signal?.aborted !== true) {
      const part = Math.min(MOST_HOURS, hours - done)
      const path = simulationPath(live.slug, '/clock')
      changes += (await call<{ changes: number }>('POST', path, { seconds: Math.max(1, part * 3_600) })).changes
      done += part
      onProgress({ done, of: hours, changes })
    }
    // Another node than the streaming one may have turned the clock.
    await live.refresh()
    const text = `Fast-forwarded ${spanText(done * 3_600_000)}: ${changes.toLocaleString('en')} changes.`
    notify(text, { label: 'View', href: `${addressOf(live.slug)}?f=cause:fast-forward` })
  })
}

/** Errors of binary fractions, in hours. */
const ROUNDING = 1e-6

/** Bounds of one fast-forward, in hours. */
export const LEAST_HOURS = 1 / 3_600
export const MOST_HOURS = 720

const UNITS: Readonly<Record<string, number>> = { w: 168, d: 24, h: 1, m: 1 / 60, min: 1 / 60, s: 1 / 3_600 }

/** Hours from now to the user's text: a duration (`3d 4h`) or a time, by default in UTC. A sentence for an invalid text. */
export function hoursUntil(text: string, nowMs: number): number | string {
  const typed = text.trim()
  const hours = lengthOf(typed) ?? (momentOf(typed) - nowMs) / 3_600_000
  if (Number.isNaN(hours)) return `Expected a length such as 3d 4h, or a date such as 2026-12-24 18:00, got "${typed}".`
  if (hours >= LEAST_HOURS) return hours
  return `Expected at least a second ahead of the world's time, got ${Math.round(hours * 3_600)} s.`
}

function lengthOf(text: string): number | undefined {
  const parts = text.match(/\d+(?:\.\d+)?\s*(?:w|d|h|min|m|s)\b/gi)
  if (parts === null || parts.join('').replace(/\s/g, '') !== text.replace(/^\+|[\s,]/g, '')) return undefined
  return parts.reduce((sum, part) => {
    const unit = part.replace(/[\d.\s]/g, '').toLowerCase()
    return sum + Number.parseFloat(part) * (UNITS[unit] ?? 0)
  }, 0)
}

function momentOf(text: string): number {
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(text)
  const iso = text.replace(' ', 'T')
  return Date.parse(hasZone ? iso : `${/T\d/.test(iso) ? iso : `${iso}T00:00`}Z`)
}
