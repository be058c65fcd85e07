import { useMemo } from 'preact/hooks'
import type { Delivery, WebhookState } from '../../protocol/webhook.ts'
import { addressOf } from '../data/address.ts'
import { filterWordsOf, MOST_WORD_ROWS } from '../data/complete-filter.ts'
import { OBJECTS, parseFilterLine } from '../data/filter-line.ts'
import type { LiveSimulation } from '../data/live.ts'
import { useQueryValue } from '../data/location.tsx'
import { DELIVERY_STATES } from '../data/rows.ts'
import { simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { roughSpan } from '../data/time-text.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Chip, StatusChip } from '../parts/chip.tsx'
import { Button, ErrorText } from '../parts/fields.tsx'
import { FilterBox } from '../parts/filter-box.tsx'
import { Icon } from '../parts/icon.tsx'
import { NoMatch } from '../parts/no-match.tsx'
import { activityColumns, RowList } from '../parts/row-list.tsx'
import { Split } from '../parts/split.tsx'
import { Time } from '../parts/time.tsx'
import { DeliveryPage } from './delivery.tsx'
import { EndpointButtons, EndpointState } from './endpoint-state.tsx'
import { MOST_ATTEMPTS, RowCell } from './timeline-row.tsx'

const COLUMNS = activityColumns('Time', 'Event', 'Status', 'State', 'Record')

/** The deliveries to one endpoint. */
export function EndpointPage({
  live,
  webhook,
  deliveryId,
}: {
  live: LiveSimulation
  webhook: WebhookState
  deliveryId: string | undefined
}) {
  const [filter, setFilter] = useQueryValue('f')
  const path = simulationPath(live.slug, `/webhooks/${webhook.id}/deliveries`)
  const { answer, error } = useAnswer<{ data: Delivery[] }>(path, live.revision.value)
  const deliveries = useMemo(() => answer?.data.toReversed(), [answer])
  const rows = useMemo(() => {
    const fields = (deliveries ?? []).map(fieldsOfDelivery)
    const passes = parseFilterLine(filter, OBJECTS)
    return (deliveries ?? []).filter((_, at) => passes(fields[at] ?? {}))
  }, [deliveries, filter])
  const open = deliveryId === 'latest' ? deliveries?.[0]?.id : deliveryId
  const list = (
    <>
      <div class="endpoint-head">
        <a class="button button-plain" href={addressOf(live.slug, 'webhooks')} aria-label="All webhooks">
          <Icon name="back" />
        </a>
        <h1 class="long">{webhook.url}</h1>
        <EndpointState webhook={webhook} />
        {mayWrite() && <EndpointButtons live={live} webhook={webhook} />}
      </div>
      <div class="tools">
        <FilterBox
          value={filter}
          onChange={setFilter}
          example="state:failed type:invoice.*"
          shown={`${rows.length.toLocaleString('en')} of ${(deliveries ?? []).length.toLocaleString('en')}`}
          words={() => filterWordsOf((deliveries ?? []).slice(0, MOST_WORD_ROWS).map(fieldsOfDelivery), OBJECTS)}
        />
        {mayWrite() && <AdvanceButtons live={live} />}
      </div>
      <RowList
        name="deliveries"
        items={rows}
        label="Deliveries"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        openKey={open}
        render={(one, { tabIndex }) => (
          <DeliveryCells delivery={one} live={live} webhook={webhook} tabIndex={tabIndex} />
        )}
        empty={
          error !== undefined ? (
            <ErrorText text={error} />
          ) : deliveries === undefined ? (
            <div class="bars" aria-busy="true" />
          ) : deliveries.length > 0 ? (
            <NoMatch line={filter} rows={deliveries} fieldsOf={fieldsOfDelivery} setFilter={setFilter} />
          ) : (
            <>
              <h2>Nothing was sent yet</h2>
              <p>
                A change that one of <code>{webhook.events.join(', ')}</code> names is sent here.
              </p>
            </>
          )
        }
      />
    </>
  )
  return (
    <Split
      list={list}
      detail={open === undefined ? undefined : <DeliveryPage key={open} live={live} webhook={webhook} id={open} />}
    />
  )
}

function fieldsOfDelivery({ id, event, state, attempts }: Delivery): Record<string, unknown> {
  return {
    id,
    type: event.type,
    record: event.recordId,
    state,
    attempts: attempts.length,
    status: attempts.at(-1)?.status,
  }
}

function AdvanceButtons({ live }: { live: LiveSimulation }) {
  const doneText = ({ attempts }: { attempts: number }) =>
    `${attempts} ${attempts === 1 ? 'attempt was' : 'attempts were'} made.`
  const advance = (until: 'next' | 'drained') => live.act('POST', '/deliveries/advance', doneText, { until })
  return (
    <div class="buttons">
      <Button onClick={() => void advance('next')}>Run the next retry</Button>
      <Button onClick={() => void advance('drained')}>Run all retries</Button>
    </div>
  )
}

function DeliveryCells({
  delivery,
  live,
  webhook,
  tabIndex,
}: {
  delivery: Delivery
  live: LiveSimulation
  webhook: WebhookState
  tabIndex: number
}) {
  const { id, event, state, attempts, nextAttemptAt } = delivery
  const last = attempts.at(-1)
  return (
    <>
      <RowCell name="time">{last === undefined ? 'not yet' : <Time iso={last.at} />}</RowCell>
      <RowCell name="what">
        <a class="row-link" data-open tabIndex={tabIndex} href={addressOf(live.slug, 'webhooks', webhook.id, id)}>
          {event.type}
        </a>
      </RowCell>
      <RowCell name="where">{last === undefined ? '' : <StatusChip status={last.status} />}</RowCell>
      <RowCell name="how">
        <Chip tone={DELIVERY_STATES[state]}>{state}</Chip>
        <span class="faint">
          {attempts.length} of {MOST_ATTEMPTS}
          {nextAttemptAt !== null && `, next in ${roughSpan(Date.parse(nextAttemptAt) - Date.now())}`}
        </span>
      </RowCell>
      <RowCell name="by">
        <code>{event.recordId}</code>
      </RowCell>
    </>
  )
}
