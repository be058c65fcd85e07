import type { ChangeEvent } from '../../protocol/event.ts'
import { addressOf } from '../data/address.ts'
import type { LiveSimulation } from '../data/live.ts'
import {
  type ChainRow,
  type ChangeRow,
  DELIVERY_STATES,
  type DeliveryRow,
  type ReceiptRow,
  type RequestRow,
  type Row,
  type TurnRow,
} from '../data/rows.ts'
import { simulationPath } from '../data/service.ts'
import { spanText } from '../data/time-text.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Chip, StatusChip } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { JsonView } from '../parts/json-view.tsx'
import { Detail, Facts } from '../parts/split.tsx'
import { Time } from '../parts/time.tsx'
import { DifferenceList, MOST_ATTEMPTS } from './timeline-row.tsx'

/** A chain of causes: a request, its changes, their deliveries. */
interface Chain {
  readonly request: RequestRow | undefined
  readonly changes: readonly ChangeRow[]
  readonly deliveries: readonly DeliveryRow[]
}

/** The chain of a timeline row. */
export function ChainDetail({ live, id, close }: { live: LiveSimulation; id: string; close: string }) {
  // Read, so that the open chain grows.
  void live.total.value
  const known = live.rows.filter(({ key }) => key.split(' ')[1] === id)
  const isOlder = known.length === 0 && live.detail.value !== undefined
  const { answer, error } = useAnswer<{ data: ChangeEvent[] }>(
    isOlder ? simulationPath(live.slug, '/events?limit=1000') : undefined,
    id,
  )
  const event = answer?.data.find((one) => one.id === id)
  const older: Row[] = event
    ? [{ kind: 'change', key: `change ${id}`, at: event.created, event, differences: undefined }]
    : []
  const rows = isOlder ? older : known
  const row = rows.findLast((one): one is ChainRow => ['change', 'request', 'delivery'].includes(one.kind))
  const seen = rows.findLast((one) => one.kind === 'turn' || one.kind === 'receipt')
  if (row === undefined && seen !== undefined) return <SeenDetail row={seen} close={close} />
  if (row === undefined) {
    return (
      <Detail title="Not here any more" close={close}>
        <p class="empty">
          {answer === undefined && error === undefined
            ? 'Reading…'
            : `Nothing with the id ${id} is among what the service keeps: the latest 1,000 changes and 1,000 requests.`}
        </p>
      </Detail>
    )
  }
  const chain = chainOf(known.length === 0 ? [...live.rows, row] : live.rows, row)
  return (
    <Detail title={titleOf(row)} close={close} actions={<CopyButton text={id} label="Copy id" />}>
      <ol class="chain" aria-label="What led to what">
        {chain.request !== undefined && <RequestStep live={live} row={chain.request} isOpen={chain.request === row} />}
        {chain.changes.map((change) => (
          <ChangeStep key={change.key} row={change} isOpen={change === row} />
        ))}
        {chain.deliveries.map((delivery) => (
          <DeliveryStep key={delivery.key} live={live} row={delivery} isOpen={delivery === row} />
        ))}
      </ol>
      {row.kind === 'change' && <ChangeFacts live={live} row={row} />}
    </Detail>
  )
}

/** A row outside chains: a clock turn, or a request that the sink refused. */
function SeenDetail({ row, close }: { row: TurnRow | ReceiptRow; close: string }) {
  const time = ['World time', <Time key="at" iso={row.at} />] as const
  if (row.kind === 'turn') {
    const { hours, changes, tookMs } = row.turn
    const facts = [
      time,
      ['Time passed', spanText(hours * 3_600_000)],
      ['Changes', changes],
      ['Took', `${tookMs} ms`],
    ] as const
    return (
      <Detail title="Clock turned by the test" close={close}>
        <Facts facts={facts} />
      </Detail>
    )
  }
  const { name, status, refusal, recordId } = row.receipt
  return (
    <Detail title={name} close={close}>
      <Facts facts={[time, ['Answered', status ?? 'nothing'], ['Record', recordId ?? 'unknown']]} />
      {refusal !== null && <p class="why">{refusal}</p>}
    </Detail>
  )
}

function chainOf(rows: readonly Row[], row: ChainRow): Chain {
  const eventId = row.kind === 'change' ? row.event.id : row.kind === 'delivery' ? row.delivery.event.id : undefined
  const request =
    row.kind === 'request'
      ? row
      : rows.find(
          (other): other is RequestRow => other.kind === 'request' && other.entry.changes.includes(eventId ?? ''),
        )
  const ids = new Set(request?.entry.changes ?? [eventId])
  const changes = rows.filter((other): other is ChangeRow => other.kind === 'change' && ids.has(other.event.id))
  // The latest attempt of a delivery has its state.
  const deliveries = new Map<string, DeliveryRow>()
  for (const other of rows) {
    if (other.kind === 'delivery' && ids.has(other.delivery.event.id)) deliveries.set(other.delivery.id, other)
  }
  if (row.kind === 'delivery') deliveries.set(row.delivery.id, row)
  return { request, changes, deliveries: [...deliveries.values()] }
}

function titleOf(row: ChainRow): string {
  if (row.kind === 'change') return row.event.type
  if (row.kind === 'delivery') return row.delivery.event.type
  return `${row.entry.method} ${row.entry.path}`
}

function RequestStep({ live, row, isOpen }: { live: LiveSimulation; row: RequestRow; isOpen: boolean }) {
  const { id, method, path, status, warnings } = row.entry
  return (
    <li class="step" aria-current={isOpen ? 'true' : undefined}>
      <Icon name="request" />
      <div>
        <p class="step-head">
          <a href={addressOf(live.slug, 'requests', id)}>
            <b class="method">{method}</b> {path}
          </a>
          <StatusChip status={status} />
        </p>
        <p class="faint">
          Request <code>{id}</code> at <Time iso={row.at} />
        </p>
        {warnings.map((warning) => (
          <p class="why" key={warning}>
            {warning}
          </p>
        ))}
      </div>
    </li>
  )
}

function ChangeStep({ row, isOpen }: { row: ChangeRow; isOpen: boolean }) {
  const { event } = row
  return (
    <li class="step" aria-current={isOpen ? 'true' : undefined}>
      <Icon name="change" />
      <div>
        <p class="step-head">
          <a href={`?at=${event.id}`}>{event.type}</a>
          <code class="long">{event.data.id}</code>
        </p>
        <p class="faint">{causeText(event)}</p>
        <DifferenceList differences={row.differences} />
      </div>
    </li>
  )
}

function causeText({ cause, quiet }: ChangeEvent): string {
  const causes = {
    request: 'Changed by a request',
    behaviour: 'Changed by the behaviour plan',
    'fast-forward': 'Changed by the behaviour plan, during a fast-forward',
    edit: 'Changed by hand',
  }
  return quiet ? `${causes[cause]}, without webhooks` : causes[cause]
}

function DeliveryStep({ live, row, isOpen }: { live: LiveSimulation; row: DeliveryRow; isOpen: boolean }) {
  const { id, webhookId, state, attempts } = row.delivery
  const url = live.webhooks.value.find((webhook) => webhook.id === webhookId)?.url
  return (
    <li class="step" aria-current={isOpen ? 'true' : undefined}>
      <Icon name="delivery" />
      <div>
        <p class="step-head">
          <a href={addressOf(live.slug, 'webhooks', webhookId, id)}>{url ?? 'a webhook that is gone'}</a>
          <Chip tone={DELIVERY_STATES[state]}>{state}</Chip>
        </p>
        <ol class="attempts" aria-label="Attempts">
          {attempts.map(({ at, status, durationMs, error }, index) => (
            <li key={at}>
              <span class="faint">
                {index + 1} of {MOST_ATTEMPTS}
              </span>{' '}
              <StatusChip status={status} /> <span class="faint">{Math.round(durationMs)} ms</span> {error}
            </li>
          ))}
        </ol>
      </div>
    </li>
  )
}

function ChangeFacts({ live, row }: { live: LiveSimulation; row: ChangeRow }) {
  const { event } = row
  return (
    <>
      <Facts
        facts={[
          ['Event', <code key="id">{event.id}</code>],
          ['World time', <Time key="at" iso={event.created} />],
          ['Collection', event.data.collection],
          [
            'Record',
            <a key="record" class="long" href={addressOf(live.slug, 'data', event.data.collection, event.data.id)}>
              <code>{event.data.id}</code>
            </a>,
          ],
        ]}
      />
      <JsonView value={event.data.object} label="Record after the change" />
    </>
  )
}
