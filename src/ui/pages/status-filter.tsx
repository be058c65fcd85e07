import type { JsonObject } from '../../protocol/json.ts'
import type { ValueCounts } from '../../protocol/reads.ts'
import { nestedValue } from '../data/json-value.ts'
import type { LiveSimulation } from '../data/live.ts'
import { simulationPath } from '../data/service.ts'
import { useAnswer } from '../data/use-answer.ts'

/** A button for each status. The service counts them where the page does not have all records. */
export function StatusFilter({
  live,
  name,
  records,
  isLarge,
  field,
  filter,
  setFilter,
}: {
  live: LiveSimulation
  name: string
  /** Undefined until they are read. */
  records: readonly JsonObject[] | undefined
  /** Whether the page does not have all records. */
  isLarge: boolean
  field: string | null
  filter: string
  setFilter: (value: string) => void
}) {
  if (field === null) return null
  const picks = { field, filter, setFilter }
  if (isLarge) return <CountedStatuses live={live} name={name} {...picks} />
  const groups = Map.groupBy(records ?? [], (record) => String(nestedValue(record, field) ?? 'null'))
  return <StatusPicks counts={[...groups].map(([value, { length }]) => [value, length])} {...picks} />
}

interface StatusPicksProps {
  readonly field: string
  readonly filter: string
  readonly setFilter: (value: string) => void
}

function CountedStatuses({ live, name, ...picks }: StatusPicksProps & { live: LiveSimulation; name: string }) {
  const below = `/collections/${encodeURIComponent(name)}/counts?${new URLSearchParams({ field: picks.field })}`
  const { answer } = useAnswer<ValueCounts>(simulationPath(live.slug, below), live.revision.value)
  return <StatusPicks counts={Object.entries(answer?.data ?? {})} {...picks} />
}

function StatusPicks({
  counts,
  field,
  filter,
  setFilter,
}: StatusPicksProps & { counts: readonly (readonly [value: string, records: number])[] }) {
  if (counts.length < 2 || counts.length > 12) return null
  return (
    <div class="tools status-filter" role="group" aria-label={field}>
      {counts.map(([value, count]) => {
        const term = `${field}:${/\s/.test(value) ? JSON.stringify(value) : value}`
        const isOn = filter === term
        return (
          <button
            type="button"
            class="pick"
            key={value}
            aria-pressed={isOn}
            onClick={() => setFilter(isOn ? '' : term)}
          >
            {value} <b>{count.toLocaleString('en')}</b>
          </button>
        )
      })}
    </div>
  )
}
