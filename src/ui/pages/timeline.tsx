import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf } from '../data/address.ts'
import { filterWordsOf, MOST_WORD_ROWS } from '../data/complete-filter.ts'
import { parseFilterLine, prepareTexts } from '../data/filter-line.ts'
import type { LiveSimulation } from '../data/live.ts'
import { searchOf, usePath, useQuery, useQueryValue } from '../data/location.tsx'
import { report } from '../data/report.ts'
import { filterFieldsOf, ROWS, type Row } from '../data/rows.ts'
import { worldMs } from '../data/time-text.ts'
import { FilterBox } from '../parts/filter-box.tsx'
import { Icon } from '../parts/icon.tsx'
import { useKeys } from '../parts/key-sheet.tsx'
import { NoMatch } from '../parts/no-match.tsx'
import { OlderRows } from '../parts/older-rows.tsx'
import { activityColumns, RowList } from '../parts/row-list.tsx'
import { Split } from '../parts/split.tsx'
import { ChainDetail } from './chain.tsx'
import { ActivityCells } from './timeline-row.tsx'

const KINDS = [
  { kind: 'change', name: 'Changes', icon: 'change' },
  { kind: 'request', name: 'Requests', icon: 'request' },
  { kind: 'delivery', name: 'Deliveries', icon: 'delivery' },
  ...(report === undefined
    ? []
    : ([
        { kind: 'receipt', name: 'Received', icon: 'check' },
        { kind: 'turn', name: 'Clock', icon: 'clock' },
      ] as const)),
] as const

const COLUMNS = activityColumns('Time', 'What', 'Subject', 'Details', 'Cause')

/** All activity of a simulation, newest first. */
export function TimelinePage({ live }: { live: LiveSimulation }) {
  const [filter, setFilter] = useQueryValue('f')
  const [hidden, setHidden] = useQueryValue('hide')
  const [at] = useQueryValue('at')
  const close = usePath() + searchOf({ ...useQuery(), at: '' })
  const [isAtTop, setIsAtTop] = useState(true)
  const { isPaused, toggle } = usePause()
  const total = live.total.value
  // Rows do not move while they are read: new ones are added only when the list is at its top and not paused.
  const shown = useRef(total)
  if (!isPaused && isAtTop) shown.current = total
  const shownTotal = shown.current

  const hiddenKinds = hidden.split(',').filter(Boolean)
  const rows = useMemo(() => {
    const passes = parseFilterLine(filter, ROWS)
    const known = live.rows.slice(0, Math.max(0, live.rows.length - (live.total.value - shownTotal)))
    const isShown = (row: Row) => !hiddenKinds.includes(row.kind) && passes(row)
    return (filter === '' && hidden === '' ? known : known.filter(isShown)).toReversed()
  }, [live, shownTotal, filter, hidden, live.older.value])
  const waiting = total - shownTotal
  // Rendered on its own and at the first row, not at each letter of a filter.
  const isEmpty = total === 0
  const bars = useMemo(() => <HourBars live={live} isEmpty={isEmpty} />, [live, isEmpty])
  const render = useCallback(
    (row: Row, { tabIndex }: { tabIndex: number }) => <ActivityCells row={row} live={live} tabIndex={tabIndex} />,
    [live],
  )

  const list = (
    <>
      <div class="tools">
        <FilterBox
          value={filter}
          onChange={setFilter}
          example="type:invoice.* status:>=400 cause:fast-forward"
          shown={`${rows.length.toLocaleString('en')} of ${Math.min(total, live.rows.length).toLocaleString('en')}`}
          onFocus={() => prepareTexts(live.rows, ROWS)}
          words={() => filterWordsOf(live.rows.slice(-MOST_WORD_ROWS), ROWS)}
        />
        {bars}
        <div class="toggles" role="group" aria-label="Kinds">
          {KINDS.map(({ kind, name, icon }) => {
            const isOn = !hiddenKinds.includes(kind)
            const others = hiddenKinds.filter((other) => other !== kind)
            return (
              <button
                type="button"
                class="toggle"
                key={kind}
                aria-pressed={isOn}
                onClick={() => setHidden((isOn ? [...others, kind] : others).join(','))}
              >
                <Icon name={icon} />
                {name}
              </button>
            )
          })}
        </div>
        {report === undefined && (
          <button
            type="button"
            class="toggle live-toggle"
            aria-label="Pause live"
            aria-pressed={isPaused}
            onClick={toggle}
          >
            <Icon name={isPaused ? 'play' : 'pause'} />
            <span>Pause live</span>
          </button>
        )}
      </div>
      {waiting > 0 && (
        <button
          type="button"
          class="new-rows"
          onClick={() => {
            document.querySelector('.rows-body')?.scrollTo({ top: 0 })
            if (isPaused) toggle()
            setIsAtTop(true)
          }}
        >
          {waiting.toLocaleString('en')} new
        </button>
      )}
      <RowList
        name="timeline"
        items={rows}
        label="Timeline"
        columns={COLUMNS}
        keyOf={({ key }) => key}
        openKey={at === '' ? undefined : rows.find(({ key }) => key.split(' ')[1] === at)?.key}
        onAtTop={setIsAtTop}
        render={render}
        empty={
          total > 0 ? (
            <NoMatch line={filter} rows={live.rows} fieldsOf={filterFieldsOf} setFilter={setFilter} />
          ) : (
            <NothingYet live={live} />
          )
        }
      />
      <OlderRows live={live} />
    </>
  )
  return <Split list={list} detail={at === '' ? undefined : <ChainDetail live={live} id={at} close={close} />} />
}

/** Pauses the page, not the simulation. */
function usePause() {
  const [isPaused, setIsPaused] = useState(false)
  const toggle = () => setIsPaused((was) => !was)
  useKeys(({ key }) => {
    if (key === '.') toggle()
  })
  return { isPaused, toggle }
}

function NothingYet({ live }: { live: LiveSimulation }) {
  const detail = live.detail.value
  if (detail === undefined || !live.isLoaded.value) return <div class="bars" aria-busy="true" />
  return (
    <>
      <h2>Nothing has happened yet</h2>
      <p>
        Requests, changes and deliveries of <b>{detail.name}</b> appear here as they happen. Send it a request, or turn
        its clock.
      </p>
      <pre class="json">
        <code>{detail.curl}</code>
      </pre>
      <p>
        Its records are <a href={addressOf(live.slug, 'requests')}>reached by requests</a>: {detail.collections.length}{' '}
        collections with {detail.collections.reduce((sum, { records }) => sum + records, 0).toLocaleString('en')}{' '}
        records.
      </p>
    </>
  )
}

const MINUTE_MS = 60_000
const BARS = 60
const HEIGHT = 20
const EVERY_MS = 1_000

/** Activity in each minute of the last hour of world time: rendered once a second and at the first row, not at each row. */
function HourBars({ live }: { live: LiveSimulation; isEmpty: boolean }) {
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
