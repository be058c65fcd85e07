import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { CollectionDescription } from '../../protocol/collection-description.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { RecordsPage } from '../../protocol/reads.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import { addressOf } from '../data/address.ts'
import { parseFilterLine } from '../data/filter-line.ts'
import type { LiveSimulation } from '../data/live.ts'
import { isNarrow } from '../data/narrow.ts'
import { nestedValue } from '../data/nested-value.ts'
import { attempt } from '../data/notices.ts'
import { useQueryValue } from '../data/route.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { FilterBox } from '../parts/filter-box.tsx'
import { RowList } from '../parts/row-list.tsx'
import { Split } from '../parts/split.tsx'
import { NewRecordButton, RecordDetail } from './record.tsx'
import { ColumnMenu, useColumns } from './record-columns.tsx'
import { RowCell, short } from './timeline-row.tsx'

/** Records that a page reads at most: what a filter looks at. */
const MOST_RECORDS = 5_000
const PAGE = 500
/** Records that are shown as soon as they are there, before the rest is read. */
const FIRST_PAGE = 60
/** Names of the cells after the first; those of further columns are `more`. */
const CELLS = ['where', 'how', 'by']
const cellName = (at: number): string => CELLS[at] ?? 'more'

/** The records of a simulation: collections, a filtered list of one, and a record to read and change. */
export function DataPage({
  live,
  name,
  id,
}: {
  live: LiveSimulation
  name: string | undefined
  id: string | undefined
}) {
  const collections = live.detail.value?.collections ?? []
  const collection = collections.find((one) => one.name === name) ?? (name === undefined ? collections[0] : undefined)
  if (live.detail.value === undefined) return <main class="page" aria-busy="true" />
  if (collection === undefined) {
    return (
      <main class="page">
        <h1>{name === undefined ? 'No collections' : 'No such collection'}</h1>
        <p>
          {name === undefined
            ? 'The description of this API has no list of records.'
            : `The description of this API has no collection "${name}".`}
        </p>
      </main>
    )
  }
  return (
    <div class="data">
      <Collections live={live} collections={collections} open={collection.name} />
      <CollectionPage key={collection.name} live={live} collection={collection} id={id} />
    </div>
  )
}

function Collections({
  live,
  collections,
  open,
}: {
  live: LiveSimulation
  collections: readonly CollectionSummary[]
  open: string
}) {
  const { route } = useLocation()
  if (isNarrow.value) {
    return (
      <label class="field data-choice">
        Collection
        <select value={open} onChange={({ currentTarget }) => route(addressOf(live.slug, 'data', currentTarget.value))}>
          {collections.map(({ name, records }) => (
            <option key={name} value={name}>
              {`${name} (${records.toLocaleString('en')})`}
            </option>
          ))}
        </select>
      </label>
    )
  }
  return (
    <nav class="collections" aria-label="Collections">
      {collections.map(({ name, records, parent }) => (
        <a key={name} href={addressOf(live.slug, 'data', name)} aria-current={name === open ? 'page' : undefined}>
          <span class={parent === null ? '' : 'below'}>{name}</span>
          <span class="faint">{records.toLocaleString('en')}</span>
        </a>
      ))}
    </nav>
  )
}

function CollectionPage({
  live,
  collection,
  id,
}: {
  live: LiveSimulation
  collection: CollectionSummary
  id: string | undefined
}) {
  const { name, idField, statusField } = collection
  const { query } = useLocation()
  const [filter, setFilter] = useQueryValue('f')
  const { records, total } = useRecords(live, name)
  const description = useDescription(live, name)
  const { fields, known, choose } = useColumns(name, records ?? [], idField)
  const rows = useMemo(() => {
    const { passes } = parseFilterLine(filter)
    return (records ?? []).filter((record) => passes(record, () => JSON.stringify(record)))
  }, [records, filter])
  const idOf = (record: JsonObject) => String(nestedValue(record, idField ?? '') ?? '')
  const search = new URLSearchParams(query).toString()
  const suffix = search === '' ? '' : `?${search}`
  const close = addressOf(live.slug, 'data', name) + suffix
  const list = (
    <>
      <div class="tools">
        <FilterBox
          value={filter}
          onChange={setFilter}
          example={`${fields[0] ?? 'name'}:* "any words"`}
          shown={`${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')}`}
        />
        <ColumnMenu fields={fields} known={known} choose={choose} />
        {mayWrite() && (
          <NewRecordButton live={live} collection={name} description={description} hasIds={idField !== null} />
        )}
      </div>
      {total > MOST_RECORDS && (
        <p class="strip">The filter looks at the first {MOST_RECORDS.toLocaleString('en')} records.</p>
      )}
      <StatusFilter records={records ?? []} field={statusField} filter={filter} setFilter={setFilter} />
      <RowList
        name="records"
        items={rows}
        label={name}
        columns={[
          { name: idField ?? 'record', className: 'cell-what' },
          ...fields.map((field, at) => ({ name: field, className: `cell-${cellName(at)}` })),
        ]}
        rowHeight={isNarrow.value ? 56 : 28}
        keyOf={(record) => (idField === null ? JSON.stringify(record) : idOf(record))}
        openKey={id}
        render={(record, { tabIndex }) => (
          <>
            <RowCell name="what">
              {idField === null ? (
                <code>{short(record)}</code>
              ) : (
                <a
                  class="row-link"
                  data-open
                  tabIndex={tabIndex}
                  href={addressOf(live.slug, 'data', name, idOf(record)) + suffix}
                >
                  <code>{idOf(record)}</code>
                </a>
              )}
            </RowCell>
            {fields.map((field, at) => (
              <RowCell key={field} name={cellName(at)}>
                <span class="ellipsis">{short(nestedValue(record, field) as Json | undefined)}</span>
              </RowCell>
            ))}
          </>
        )}
        empty={
          records === undefined ? (
            <div class="bars" aria-busy="true" />
          ) : records.length > 0 ? (
            <p>Nothing matches the filter.</p>
          ) : (
            <p>There is no record in {name}.</p>
          )
        }
      />
    </>
  )
  return (
    <Split
      list={list}
      detail={
        id === undefined ? undefined : (
          <RecordDetail key={id} live={live} collection={collection} description={description} id={id} close={close} />
        )
      }
    />
  )
}

/** One click for each status. */
function StatusFilter({
  records,
  field,
  filter,
  setFilter,
}: {
  records: readonly JsonObject[]
  field: string | null
  filter: string
  setFilter: (value: string) => void
}) {
  if (field === null) return null
  const counts = Map.groupBy(records, (record) => String(nestedValue(record, field) ?? 'null'))
  if (counts.size < 2 || counts.size > 12) return null
  return (
    <div class="tools status-filter" role="group" aria-label={field}>
      {[...counts].map(([value, { length }]) => {
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
            {value} <b>{length.toLocaleString('en')}</b>
          </button>
        )
      })}
    </div>
  )
}

function useDescription(live: LiveSimulation, name: string): CollectionDescription | undefined {
  const [description, setDescription] = useState<CollectionDescription | undefined>(undefined)
  useEffect(() => {
    const path = simulationPath(live.slug, `/collections/${encodeURIComponent(name)}`)
    void attempt(async () => setDescription(await call<CollectionDescription>('GET', path)))
  }, [live, name])
  return description
}

/** The first records of a collection. They are read again when something has changed. */
function useRecords(live: LiveSimulation, name: string) {
  const [page, setPage] = useState<{ records: readonly JsonObject[] | undefined; total: number }>({
    records: undefined,
    total: 0,
  })
  const revision = live.revision.value
  const wanted = useRef(revision)
  wanted.current = revision
  const isReading = useRef(false)
  const isShown = page.records !== undefined
  useLayoutEffect(() => {
    if (isReading.current) return
    isReading.current = true
    void attempt(async () => {
      for (let read: unknown; read !== wanted.current; ) {
        read = wanted.current
        setPage(await readRecords(live.slug, name, isShown ? undefined : setPage))
      }
    }).finally(() => {
      isReading.current = false
    })
  }, [live, name, revision])
  return page
}

/** @param showFirst is given the first records before the rest is read */
async function readRecords(
  slug: string,
  name: string,
  showFirst: ((page: { records: readonly JsonObject[]; total: number }) => void) | undefined,
): Promise<{ records: readonly JsonObject[]; total: number }> {
  const read = (limit: number, offset: number) => {
    const range = `limit=${limit}&offset=${offset}`
    return call<RecordsPage>('GET', simulationPath(slug, `/records/${encodeURIComponent(name)}?${range}`))
  }
  const { data, total } = await read(showFirst === undefined ? PAGE : FIRST_PAGE, 0)
  const records = [...data]
  if (records.length < total) showFirst?.({ records: data, total })
  for (let added = data.length; added > 0 && records.length < Math.min(total, MOST_RECORDS); ) {
    const next = await read(PAGE, records.length)
    records.push(...next.data)
    added = next.data.length
  }
  return { records, total }
}
