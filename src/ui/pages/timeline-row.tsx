import type { ComponentChildren } from 'preact'
import type { Json } from '../../protocol/json.ts'
import { countText } from '../data/count-text.ts'
import type { FieldDifference } from '../data/json-value.ts'
import type { LiveSimulation } from '../data/live.ts'
import { usePath, useQuery } from '../data/location.tsx'
import { DELIVERY_STATES, type DeliveryRow, type RequestRow, type Row } from '../data/rows.ts'
import { roughSpan, spanText } from '../data/time-text.ts'
import { Chip, StatusChip } from '../parts/chip.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'

/** Most attempts of a delivery. */
export const MOST_ATTEMPTS = 6

export function ActivityCells({ row, live, tabIndex }: { row: Row; live: LiveSimulation; tabIndex: number }) {
  const [query, path] = [useQuery(), usePath()]
  const id = row.key.split(' ')[1] ?? ''
  const href = `${path}?${new URLSearchParams({ ...query, at: id })}`
  const { icon, what, where, how, by } = cellsOf(row, live)
  return (
    <>
      <RowCell name="time">
        <Time iso={row.at} />
      </RowCell>
      <RowCell name="what">
        <Icon name={icon} />
        <a class="row-link" href={href} data-open tabIndex={tabIndex}>
          {what}
        </a>
      </RowCell>
      <RowCell name="where">{where}</RowCell>
      <RowCell name="how">{how}</RowCell>
      <RowCell name="by">{by}</RowCell>
    </>
  )
}

export function RowCell({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <span role="cell" class={`cell-${name}`}>
      {typeof children === 'string' ? <span class="ellipsis">{children}</span> : children}
    </span>
  )
}

interface Cells {
  readonly icon: IconName
  readonly what: ComponentChildren
  readonly where: ComponentChildren
  readonly how: ComponentChildren
  readonly by: ComponentChildren
}

function cellsOf(row: Row, live: LiveSimulation): Cells {
  switch (row.kind) {
    case 'change': {
      const { event, differences } = row
      return {
        icon: 'change',
        what: event.type,
        where: <code>{event.data.id}</code>,
        how: <Differences differences={differences} object={event.data.object} />,
        by: event.quiet ? `${event.cause}, quiet` : event.cause,
      }
    }
    case 'request':
      return requestCells(row)
    case 'delivery':
      return deliveryCells(row, live)
    case 'burst': {
      const { changes, requests, deliveries, byType } = row.burst
      const counts = Object.entries(byType).toSorted(([, left], [, right]) => right - left)
      return {
        icon: 'burst',
        what: 'too much to show one by one',
        where: `${(changes + requests + deliveries).toLocaleString('en')} left out`,
        how: counts.map(([type, count]) => `${type} ${count.toLocaleString('en')}`).join(' · '),
        by: '',
      }
    }
    case 'turn': {
      const { hours, changes } = row.turn
      return {
        icon: 'clock',
        what: 'Clock turned',
        where: spanText(hours * 3_600_000),
        how: countText(changes, 'change'),
        by: 'the test',
      }
    }
    case 'receipt': {
      const { name, status, refusal, recordId, attempts } = row.receipt
      return {
        icon: refusal === null ? 'check' : 'alert',
        what: name,
        where: <StatusChip status={status} />,
        how: refusal === null ? `received${attempts > 1 ? `, ${attempts} requests` : ''}` : `refused: ${refusal}`,
        by: recordId === null ? 'the sink' : <code>{recordId}</code>,
      }
    }
  }
}

/** The differences of a change from the last known record. */
function Differences({ differences, object }: { differences: readonly FieldDifference[] | undefined; object: Json }) {
  if (object === null) return null
  if (differences === undefined) return <span class="faint">{statusOf(object)}</span>
  return <DifferenceList differences={differences.slice(0, 3)} />
}

/** Each field with its value before and after. */
export function DifferenceList({ differences = [] }: { differences: readonly FieldDifference[] | undefined }) {
  return (
    <>
      {differences.slice(0, 6).map(({ field, before, after }) => (
        <span class="difference" key={field}>
          <span class="faint">{field}</span> {short(before)} → <b>{short(after)}</b>
        </span>
      ))}
    </>
  )
}

function statusOf(object: Json): string {
  const status = typeof object === 'object' && object !== null && 'status' in object ? object.status : undefined
  return typeof status === 'string' ? status : ''
}

export function short(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** How a request was answered: its time, its operation, and whether a rule acted. */
export function AnswerFacts({ entry: { durationMs, operation, ruleId } }: Pick<RequestRow, 'entry'>) {
  return (
    <>
      {durationMs !== null && (
        <span class="faint keep">{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>
      )}{' '}
      <span class="ellipsis">{operation ?? 'no such operation'}</span>
      {ruleId !== null && <Chip tone="accent">rule</Chip>}
    </>
  )
}

function requestCells({ entry }: RequestRow): Cells {
  const { method, path, status, operation, key, changes } = entry
  return {
    icon: 'request',
    what: (
      <>
        <b class="method">{method}</b> {path}
      </>
    ),
    where: <StatusChip status={status} />,
    how: (
      <>
        <AnswerFacts entry={entry} />
        {changes.length > 0 && <Chip>{countText(changes.length, 'change')}</Chip>}
      </>
    ),
    by: key === null ? (operation === null ? '' : 'no key') : `key ${key}`,
  }
}

function deliveryCells({ delivery }: DeliveryRow, live: LiveSimulation): Cells {
  const { event, attempts, state, nextAttemptAt, webhookId } = delivery
  const url = live.webhooks.value.find(({ id }) => id === webhookId)?.url
  const last = attempts.at(-1)
  return {
    icon: 'delivery',
    what: event.type,
    where: last?.status ? <StatusChip status={last.status} /> : <Chip tone={DELIVERY_STATES[state]}>{state}</Chip>,
    how: (
      <>
        <span class="faint keep">to</span> {url === undefined ? 'a webhook that is gone' : URL.parse(url)?.host}
        {state !== 'delivered' && (
          <span class="faint">
            attempt {attempts.length} of {MOST_ATTEMPTS}
            {nextAttemptAt !== null && `, next in ${roughSpan(Date.parse(nextAttemptAt) - Date.now())}`}
          </span>
        )}
      </>
    ),
    by: last?.error ?? <code>{event.recordId}</code>,
  }
}
