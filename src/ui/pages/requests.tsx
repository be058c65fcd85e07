import { useCallback, useMemo } from 'preact/hooks'
import type { LogDetail } from '../../protocol/reads.ts'
import { addressOf } from '../data/address.ts'
import { filterWordsOf, MOST_WORD_ROWS } from '../data/complete-filter.ts'
import { toCurl } from '../data/curl.ts'
import { parseFilterLine, prepareTexts } from '../data/filter-line.ts'
import type { LiveSimulation } from '../data/live.ts'
import { searchOf, useQuery, useQueryValue } from '../data/location.tsx'
import { filterFieldsOf, type RequestRow, ROWS, type Row } from '../data/rows.ts'
import { simulationPath } from '../data/service.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Chip, StatusChip } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { FilterBox } from '../parts/filter-box.tsx'
import { MessageView } from '../parts/message-view.tsx'
import { NoMatch } from '../parts/no-match.tsx'
import { OlderRows } from '../parts/older-rows.tsx'
import { activityColumns, RowList } from '../parts/row-list.tsx'
import { Detail, Facts, Split } from '../parts/split.tsx'
import { StreamBar } from '../parts/stream-bar.tsx'
import { Time } from '../parts/time.tsx'
import { RequestActions } from './request-actions.tsx'
import { AnswerFacts, RowCell } from './timeline-row.tsx'

const COLUMNS = activityColumns('Time', 'Request', 'Status', 'Operation', 'Key')

/** The requests to a simulation, newest first, with an opened one. */
export function RequestsPage({ live, id }: { live: LiveSimulation; id: string | undefined }) {
  const [filter, setFilter] = useQueryValue('f')
  const total = live.total.value
  const all = useMemo(
    () => live.rows.filter((row): row is RequestRow => row.kind === 'request').toReversed(),
    [live, total, live.older.value],
  )
  const rows = useMemo(() => {
    return filter === '' ? all : all.filter(parseFilterLine<Row>(filter, ROWS))
  }, [all, filter])
  const render = useCallback(
    (row: RequestRow, { tabIndex }: { tabIndex: number }) => (
      <RequestCells row={row} slug={live.slug} tabIndex={tabIndex} />
    ),
    [live],
  )
  const open = id === 'latest' ? all[0]?.entry.id : id
  const list = (
    <>
      <div class="tools">
        <FilterBox
          value={filter}
          onChange={setFilter}
          example="method:POST status:>=400 path:*payments*"
          shown={`${rows.length.toLocaleString('en')} of ${all.length.toLocaleString('en')}`}
          onFocus={() => prepareTexts<Row>(all, ROWS)}
          words={() => filterWordsOf(all.slice(0, MOST_WORD_ROWS), ROWS)}
        />
      </div>
      <RowList
        name="requests"
        items={rows}
        label="Requests"
        columns={COLUMNS}
        keyOf={({ key }) => key}
        openKey={open === undefined ? undefined : `request ${open}`}
        render={render}
        empty={
          all.length > 0 ? (
            <NoMatch line={filter} rows={all} fieldsOf={filterFieldsOf} setFilter={setFilter} />
          ) : (
            <NoRequests live={live} />
          )
        }
      />
      <OlderRows live={live} />
    </>
  )
  return (
    <Split list={list} detail={open === undefined ? undefined : <RequestDetail key={open} live={live} id={open} />} />
  )
}

function RequestCells({ row, slug, tabIndex }: { row: RequestRow; slug: string; tabIndex: number }) {
  const { id, method, path, status, operation, key, warnings } = row.entry
  const href = addressOf(slug, 'requests', id) + searchOf(useQuery())
  return (
    <>
      <RowCell name="time">
        <Time iso={row.at} />
      </RowCell>
      <RowCell name="what">
        <a class="row-link" data-open tabIndex={tabIndex} href={href}>
          <b class="method">{method}</b> {path}
        </a>
      </RowCell>
      <RowCell name="where">
        <StatusChip status={status} />
      </RowCell>
      <RowCell name="how">
        <AnswerFacts entry={row.entry} />
        {warnings.length > 0 && <Chip tone="warn">why</Chip>}
      </RowCell>
      <RowCell name="by">{key ?? (operation === null ? '' : 'no key')}</RowCell>
    </>
  )
}

function RequestDetail({ live, id }: { live: LiveSimulation; id: string }) {
  const { answer: detail, error } = useAnswer<LogDetail>(simulationPath(live.slug, `/logs/${encodeURIComponent(id)}`))
  const close = addressOf(live.slug, 'requests') + searchOf(useQuery())
  if (detail === undefined) {
    return (
      <Detail title={id} close={close}>
        {error === undefined ? <div class="bars" aria-busy="true" /> : <p class="error">{error}</p>}
      </Detail>
    )
  }
  const { method, path, status, request, response, changes } = detail
  const curl = () =>
    toCurl({ method, url: (live.detail.value?.url ?? '') + path, headers: request.headers, body: request.body })
  return (
    <Detail
      title={
        <>
          <b class="method">{method}</b> {path} <StatusChip status={status} />
        </>
      }
      close={close}
      actions={
        <>
          <CopyButton text={curl} label="Copy as cURL" />
          <RequestActions live={live} detail={detail} />
        </>
      }
    >
      <Why live={live} detail={detail} />
      <Facts
        facts={[
          ['Request', <code key="id">{detail.id}</code>],
          ['World time', <Time key="at" iso={detail.at} />],
          ['Took', detail.durationMs === null ? 'still held back' : `${detail.durationMs} ms`],
          ['Operation', detail.operation ?? 'none'],
          ['Key', detail.key ?? 'none'],
          ['From', detail.sourceIp],
          ...(detail.stream ? [['Stream', <StreamBar key="stream" stream={detail.stream} />] as const] : []),
        ]}
      />
      <MessageView name="Request" message={request} />
      {response !== null && <MessageView name="Answer" message={response} />}
      <section class="block">
        <h3>Changes</h3>
        {changes.length === 0 ? (
          <p class="faint">It changed nothing.</p>
        ) : (
          <ul class="plain">
            {changes.map((event) => (
              <li key={event.id}>
                <a href={`${addressOf(live.slug)}?at=${event.id}`}>{event.type}</a>{' '}
                <code class="long">{event.data.id}</code>
              </li>
            ))}
          </ul>
        )}
      </section>
    </Detail>
  )
}

/** The reasons for a request's answer. */
function Why({ live, detail }: { live: LiveSimulation; detail: LogDetail }) {
  const rule = live.detail.value?.rules.find(({ id }) => id === detail.ruleId)
  const reasons = [
    ...detail.warnings,
    ...(detail.ruleId === null
      ? []
      : [
          rule === undefined
            ? `A response rule that is gone (${detail.ruleId}) answered.`
            : `The response rule ${rule.name ?? rule.kind} acted.`,
        ]),
    ...(detail.response?.fault ? [`A response rule did this to the connection: ${detail.response.fault}.`] : []),
  ]
  if (reasons.length === 0) return null
  return (
    <section class="why" aria-label="Why">
      <h3>Why</h3>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </section>
  )
}

function NoRequests({ live }: { live: LiveSimulation }) {
  const detail = live.detail.value
  if (detail === undefined || !live.isLoaded.value) return <div class="bars" aria-busy="true" />
  return (
    <>
      <h2>No requests yet</h2>
      <p>
        This API is at <code class="long">{detail.url}</code>
      </p>
      <pre class="json">
        <code>{detail.curl}</code>
      </pre>
    </>
  )
}
