import type { ComponentChildren } from 'preact'
import type { Json } from '../../protocol/json.ts'
import type { FieldDifference } from '../data/json-value.ts'
import type { LiveSimulation } from '../data/live.ts'
import { usePath, useQuery } from '../data/location.tsx'
import {
  type ChangeRow,
  DELIVERY_STATES,
  type DeliveryRow,
  type ReceiptRow,
  type RequestRow,
  type Row,
  type TurnRow,
} from '../data/rows.ts'
import { roughSpan, spanText } from '../data/time-text.ts'
import { Chip, StatusChip } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'

/** Most attempts of a delivery. */
export const MOST_ATTEMPTS = 6

export function ActivityCells({ row, live, tabIndex }: { row: Row; live: LiveSimulation; tabIndex: number }) {
  const [query, path] = [useQuery(), usePath()]
  const id = row.key.split(' ')[1] ?? ''
  const href = `${path}?${new URLSearchParams({ ...query, at: id })}`
  const link = (text: ComponentChildren) => (
    <a class="row-link" href={href} data-open tabIndex={tabIndex}>
      {text}
    </a>
  )
  const cells = cellsOf(row, live, link)
  return (
    <>
      <RowCell name="time">
        <Time iso={row.at} />
      </RowCell>
      <RowCell name="what">{cells.what}</RowCell>
      <RowCell name="where">{cells.where}</RowCell>
      <RowCell name="how">{cells.how}</RowCell>
      <RowCell name="by">{cells.by}</RowCell>
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
  readonly what: ComponentChildren
  readonly where: ComponentChildren
  readonly how: ComponentChildren
  readonly by: ComponentChildren
}

function cellsOf(row: Row, live: LiveSimulation, link: (text: ComponentChildren) => ComponentChildren): Cells {
  switch (row.kind) {
    case 'change':
      return changeCells(row, link)
    case 'request':
      return requestCells(row, link)
    case 'delivery':
      return deliveryCells(row, live, link)
    case 'burst': {
      const { changes, requests, deliveries, byType } = row.burst
      const counts = Object.entries(byType).toSorted(([, left], [, right]) => right - left)
      return {
        what: (
          <>
            <Icon name="burst" />
            {link('too much to show one by one')}
          </>
        ),
        where: `${(changes + requests + deliveries).toLocaleString('en')} left out`,
        how: counts.map(([type, count]) => `${type} ${count.toLocaleString('en')}`).join(' · '),
        by: '',
      }
    }
    case 'turn':
      return turnCells(row, link)
    case 'receipt':
      return receiptCells(row, link)
  }
}

function turnCells({ turn }: TurnRow, link: (text: ComponentChildren) => ComponentChildren): Cells {
  return {
    what: (
      <>
        <Icon name="clock" />
        {link('Clock turned')}
      </>
    ),
    where: spanText(turn.hours * 3_600_000),
    how: `${turn.changes.toLocaleString('en')} ${turn.changes === 1 ? 'change' : 'changes'}`,
    by: 'the test',
  }
}

function receiptCells({ receipt }: ReceiptRow, link: (text: ComponentChildren) => ComponentChildren): Cells {
  const { name, status, refusal, recordId, attempts } = receipt
  return {
    what: (
      <>
        <Icon name={refusal === null ? 'check' : 'alert'} />
        {link(name)}
      </>
    ),
    where: <StatusChip status={status} />,
    how: refusal === null ? `received${attempts > 1 ? `, ${attempts} requests` : ''}` : `refused: ${refusal}`,
    by: recordId === null ? 'the sink' : <code>{recordId}</code>,
  }
}

function changeCells({ event, differences }: ChangeRow, link: (text: ComponentChildren) => ComponentChildren): Cells {
  return {
    what: (
      <>
        <Icon name="change" />
        {link(event.type)}
      </>
    ),
    where: <code>{event.data.id}</code>,
    how: <Differences differences={differences} object={event.data.object} />,
    by: event.quiet ? `${event.cause}, quiet` : event.cause,
  }
}

/** The differences of a change from the last known record. */
function Differences({ differences, object }: { differences: readonly FieldDifference[] | undefined; object: Json }) {
  if (object === null) return null
  if (differences === undefined) return <span class="faint">{statusOf(object)}</span>
  return (
    <>
      {differences.slice(0, 3).map(({ field, before, after }) => (
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

function requestCells({ entry }: RequestRow, link: (text: ComponentChildren) => ComponentChildren): Cells {
  const { method, path, status, durationMs, operation, key, ruleId, changes } = entry
  return {
    what: (
      <>
        <Icon name="request" />
        {link(
          <>
            <b class="method">{method}</b> {path}
          </>,
        )}
      </>
    ),
    where: <StatusChip status={status} />,
    how: (
      <>
        {durationMs !== null && (
          <span class="faint keep">{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</span>
        )}{' '}
        <span class="ellipsis">{operation ?? 'no such operation'}</span>
        {ruleId !== null && <Chip tone="accent">rule</Chip>}
        {changes.length > 0 && (
          <Chip>
            {changes.length} {changes.length === 1 ? 'change' : 'changes'}
          </Chip>
        )}
      </>
    ),
    by: key === null ? (operation === null ? '' : 'no key') : `key ${key}`,
  }
}

function deliveryCells(
  { delivery }: DeliveryRow,
  live: LiveSimulation,
  link: (text: ComponentChildren) => ComponentChildren,
): Cells {
  const { event, attempts, state, nextAttemptAt, webhookId } = delivery
  const url = live.webhooks.value.find(({ id }) => id === webhookId)?.url
  const last = attempts.at(-1)
  return {
    what: (
      <>
        <Icon name="delivery" />
        {link(event.type)}
      </>
    ),
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
