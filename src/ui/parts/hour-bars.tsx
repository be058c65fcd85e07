import { useEffect, useState } from 'preact/hooks'
import type { LiveSimulation } from '../data/live.ts'
import type { Row } from '../data/rows.ts'
import { worldMs } from '../data/time-text.ts'

const MINUTE_MS = 60_000
const BARS = 60
const HEIGHT = 20
const EVERY_MS = 1_000

/** Activity in each minute of the last hour of world time: rendered once a second and at the first row, not at each row. */
export function HourBars({ live }: { live: LiveSimulation; isEmpty: boolean }) {
  const [, redraw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const counts = countMinutes(live.rows, worldMs(live.clock.peek()))
  const most = Math.max(...counts)
  const all = counts.reduce((sum, count) => sum + count, 0)
  const label = `Last hour: ${all.toLocaleString('en')} in all, ${most.toLocaleString('en')} at most in a minute`
  const bar = (count: number, at: number) => {
    const height = count === 0 ? 1 : Math.max(2, Math.round((count / most) * HEIGHT))
    return `M${at * 2} ${HEIGHT}v${-height}h1.5v${height}z`
  }
  return (
    <span class="hour-bars" role="img" aria-label={label} title={label}>
      <svg
        viewBox={`0 0 ${BARS * 2} ${HEIGHT}`}
        width={BARS * 2}
        height={HEIGHT}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={counts.map(bar).join('')} />
      </svg>
      <span aria-hidden="true">last hour</span>
    </span>
  )
}

/** Number of activities in each of the last minutes, the latest last. A burst counts its omitted ones. */
function countMinutes(rows: readonly Row[], nowMs: number): number[] {
  const counts = new Array<number>(BARS).fill(0)
  const first = Math.floor(nowMs / MINUTE_MS) - BARS + 1
  for (let index = rows.length - 1; index >= 0; index--) {
    const row = rows[index] as Row
    const at = Math.floor(Date.parse(row.at) / MINUTE_MS) - first
    if (at < 0) break
    // After the clock moves back, earlier activity is in the future.
    if (at < BARS) counts[at] = (counts[at] ?? 0) + sizeOf(row)
  }
  return counts
}

const sizeOf = (row: Row): number =>
  row.kind === 'burst' ? row.burst.changes + row.burst.requests + row.burst.deliveries : 1
