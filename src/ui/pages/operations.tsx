import { useMemo, useState } from 'preact/hooks'
import type { OperationSummary } from '../../protocol/inspection.ts'
import type { TriedRequest } from '../../protocol/reads.ts'
import { addressOf } from '../data/address.ts'
import { filterWordsOf, MOST_WORD_ROWS } from '../data/complete-filter.ts'
import { OBJECTS, parseFilterLine, type Searched } from '../data/filter-line.ts'
import type { LiveSimulation } from '../data/live.ts'
import { useQueryValue, useRoute } from '../data/location.tsx'
import { attempt } from '../data/notices.ts'
import { useOperations, whatItDoes } from '../data/operations.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { Chip, StatusChip } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Button, ErrorText, TextArea, TextField } from '../parts/fields.tsx'
import { FilterBox } from '../parts/filter-box.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'
import { MessageView } from '../parts/message-view.tsx'
import { Detail, Split } from '../parts/split.tsx'

/** Most rendered operations: a filter finds the others. */
const MOST_DRAWN = 300

const SEARCHED: Searched<OperationSummary> = {
  ...OBJECTS,
  text: (one) => `${Object.values(one).join(' ')} ${whatItDoes(one)}`,
}

/** The operations of the simulated API, with their effects. */
export function OperationsPage({ live, id }: { live: LiveSimulation; id: string | undefined }) {
  const { answer, error } = useOperations(live)
  const [filter, setFilter] = useQueryValue('f')
  const all = answer?.data
  const found = useMemo(() => {
    return (all ?? []).filter(parseFilterLine(filter, SEARCHED))
  }, [all, filter])
  const open = all?.find((one) => one.id === id)
  const list = (
    <>
      <div class="tools">
        <FilterBox
          value={filter}
          onChange={setFilter}
          example="kind:create subject:tasks unclear:true"
          shown={`${found.length.toLocaleString('en')} of ${(all ?? []).length.toLocaleString('en')}`}
          words={() => filterWordsOf((all ?? []).slice(0, MOST_WORD_ROWS), SEARCHED)}
        />
      </div>
      <div class="scroll list-scroll" role="region" aria-label="Operations" tabIndex={0}>
        <ErrorText text={error} />
        {all === undefined && error === undefined && <div class="bars" aria-busy="true" />}
        {all !== undefined && found.length === 0 && (
          <p class="empty">{all.length === 0 ? 'The description has no operation.' : 'Nothing matches the filter.'}</p>
        )}
        {found.length > 0 && (
          <HeadedTable heads={['Operation', 'What it does', 'Id']}>
            {found.slice(0, MOST_DRAWN).map((one) => (
              <tr key={one.id} data-selected={one === open ? '' : undefined}>
                <th scope="row">
                  <a class="long" href={addressOf(live.slug, 'operations', one.id)}>
                    <b class="method">{one.method}</b> {one.path}
                  </a>
                </th>
                <td>
                  {whatItDoes(one)} {one.unclear && <Chip tone="warn">{one.confidence}</Chip>}
                </td>
                <td>
                  <code class="long">{one.id}</code>
                </td>
              </tr>
            ))}
          </HeadedTable>
        )}
        {found.length > MOST_DRAWN && (
          <p class="hint">The first {MOST_DRAWN} are shown. The filter finds the others.</p>
        )}
      </div>
    </>
  )
  const close = addressOf(live.slug, 'operations')
  const missing = id !== undefined && open === undefined && all !== undefined && (
    <Detail title={id} close={close}>
      <p class="empty">The description has no operation {id}.</p>
    </Detail>
  )
  return (
    <Split
      list={list}
      detail={
        open === undefined ? (
          missing || undefined
        ) : (
          <TryDetail key={open.id} live={live} operation={open} close={close} />
        )
      }
    />
  )
}

function TryDetail({ live, operation, close }: { live: LiveSimulation; operation: OperationSummary; close: string }) {
  const { method, path, summary, query, rule, confidence, line } = operation
  return (
    <Detail
      title={
        <>
          <b class="method">{method}</b> {path}
        </>
      }
      close={close}
    >
      {summary !== null && <p>{summary}</p>}
      <p>
        It {whatItDoes(operation)} <Chip tone={operation.unclear ? 'warn' : 'calm'}>{confidence}</Chip>{' '}
        <span class="faint">by the rule {rule}</span>
      </p>
      <p class="hint">
        To say otherwise, correct this line in <code>model.yaml</code>, below <code>operations:</code>
      </p>
      <p>
        <code class="long">{line}</code> <CopyButton text={line} label="Copy the line" />
      </p>
      {query.length > 0 && (
        <p class="hint">
          It takes{' '}
          {query.map((name) => (
            <code key={name}>{name} </code>
          ))}
          in the query.
        </p>
      )}
      <p>
        <a href={`${addressOf(live.slug, 'requests')}?${new URLSearchParams({ f: `operation:${operation.id}` })}`}>
          Requests to it
        </a>
      </p>
      {mayWrite() && <TryForm live={live} operation={operation} />}
    </Detail>
  )
}

/** Sends a request with the owner's rights, and shows the answer. */
function TryForm({ live, operation }: { live: LiveSimulation; operation: OperationSummary }) {
  const base = live.detail.value?.api.basePath ?? ''
  const [path, setPath] = useState(base + operation.path)
  const [body, setBody] = useState(operation.body ? '{}' : '')
  const [tried, setTried] = useState<TriedRequest | undefined>(undefined)
  const route = useRoute()
  const open = /{[^}]*}/.exec(path)?.[0]
  const send = (event: Event) => {
    event.preventDefault()
    void attempt(async () => {
      const asked = { method: operation.method, path, ...(body === '' ? {} : { body }) }
      setTried(await call<TriedRequest>('POST', simulationPath(live.slug, '/try'), asked))
    })
  }
  return (
    <>
      <form class="block" onSubmit={send}>
        <h3>Try it</h3>
        <TextField label="Path" required spellcheck={false} value={path} aria-describedby="try-hint" set={setPath} />
        {operation.body && <TextArea label="Body" class="json-text-area" rows={6} value={body} set={setBody} />}
        <p class="hint" id="try-hint">
          {open === undefined
            ? 'It is sent with your own right, without a key.'
            : `Put an id in the place of ${open}. It is sent with your own right, without a key.`}
        </p>
        <div class="buttons">
          <Button type="submit" kind="main" disabled={open !== undefined}>
            Send
          </Button>
          {tried !== undefined && (
            <Button onClick={() => route(addressOf(live.slug, 'requests', tried.requestId))}>See the request</Button>
          )}
        </div>
      </form>
      {tried !== undefined && (
        <div role="status">
          <p>
            Answered <StatusChip status={tried.status} />
          </p>
          <MessageView name="Answer" message={tried.response} />
        </div>
      )}
    </>
  )
}
