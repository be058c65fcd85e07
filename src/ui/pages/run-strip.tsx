import type { BehaviourRule } from '../../protocol/behaviour.ts'
import type { PlanRuns } from '../../protocol/plan-runs.ts'

const WIDTH = 1_000
const ROW = 18

/** Future runs as a drawing, a line per rule. The list of next runs has the same facts in words. */
export function RunStrip({
  rules,
  upcoming,
  from,
  to,
}: {
  rules: readonly BehaviourRule[]
  upcoming: PlanRuns['upcoming']
  /** World time, milliseconds. */
  from: number
  to: number
}) {
  const shown = rules.filter(({ id }) => upcoming.some(({ ruleId }) => ruleId === id)).slice(0, 12)
  if (shown.length === 0) return null
  const x = (at: string) => ((Date.parse(at) - from) / (to - from)) * WIDTH
  return (
    <svg
      class="run-strip"
      viewBox={`0 0 ${WIDTH} ${shown.length * ROW}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      height={shown.length * ROW}
    >
      {shown.map(({ id }, row) => (
        <g key={id}>
          <path class="run-line" d={`M0 ${row * ROW + ROW / 2}H${WIDTH}`} />
          {upcoming
            .filter(({ ruleId }) => ruleId === id)
            .map(({ at }) => (
              <path class="run-mark" key={at} d={`M${x(at).toFixed(1)} ${row * ROW + 4}v${ROW - 8}`} />
            ))}
        </g>
      ))}
    </svg>
  )
}
