import { useMemo, useState } from 'preact/hooks'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { ValueCounts } from '../../protocol/reads.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import { addressOf } from '../data/address.ts'
import { filterWordsOf, MOST_WORD_ROWS, wordsOfFields } from '../data/complete-filter.ts'
import { OBJECTS, parseFilterLine, prepareTexts } from '../data/filter-line.ts'
import { nestedValue } from '../data/json-value.ts'
import type { LiveSimulation } from '../data/live.ts'
import { searchOf, useQuery, useQueryValue, useRoute } from '../data/location.tsx'
import { isNarrow } from '../data/narrow.ts'
import { simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { MOST_RECORDS, toRecordQuery, useDescription, useRecords } from '../data/use-records.ts'
import { Chip } from '../parts/chip.tsx'
import { FilterBox } from '../parts/filter-box.tsx'
import { NoMatch } from '../parts/no-match.tsx'
import { RowList } from '../parts/row-list.tsx'
import { Split } from '../parts/split.tsx'
import { NewRecordButton, RecordDetail } from './record.tsx'
import { ColumnMenu, useColumns } from './record-columns.tsx'
import { SelectionBar } from './record-selection.tsx'
import { RowCell, short } from './timeline-row.tsx'

/** Names of the cells after the first; further columns are `more`. */
const CELLS = ['where', 'how', 'by']
const cellName = (at: number): string => CELLS[at] ?? 'more'

/** The records of a simulation: collections, a filtered list of one, and an editable record. */
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
  const route = useRoute()
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
  const suffix = searchOf(useQuery())
  const [filter, setFilter] = useQueryValue('f')
  const description = useDescription(live, name)
  // The page filters the records that it has read; the service filters larger collections, if its language can express
  // the filter.
  const isLarge = collection.records > MOST_RECORDS
  const query = isLarge && filter !== '' && description !== undefined ? toRecordQuery(filter, description) : undefined
  const { records, total } = useRecords(live, name, query?.toString())
  const { fields, known, choose } = useColumns(name, records ?? [], idField)
  const rows = useMemo(() => {
    if (query !== undefined) return records ?? []
    return (records ?? []).filter(parseFilterLine(filter, OBJECTS))
  }, [records, filter, query === undefined])
  const idOf = (record: JsonObject) => String(nestedValue(record, idField ?? '') ?? '')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const shownIds = idField === null ? [] : rows.map(idOf)
  const canSelect = mayWrite() && idField !== null
  const toggle = (one: string) => {
    const others = [...selected].filter((kept) => kept !== one)
    setSelected(new Set(selected.has(one) ? others : [...others, one]))
  }
  const close = addressOf(live.slug, 'data', name) + suffix
  const list = (
    <>
      <div class="tools">
        <FilterBox
          value={filter}
          onChange={setFilter}
          example={`${fields[0] ?? 'name'}:* "any words"`}
          shown={`${rows.length.toLocaleString('en')} of ${total.toLocaleString('en')}`}
          onFocus={() => prepareTexts(records ?? [], OBJECTS)}
          words={() =>
            filterWordsOf((records ?? []).slice(0, MOST_WORD_ROWS), OBJECTS, wordsOfFields(description?.fields ?? []))
          }
        />
        <ColumnMenu fields={fields} known={known} choose={choose} />
        {mayWrite() && (
          <NewRecordButton live={live} collection={name} description={description} hasIds={idField !== null} />
        )}
      </div>
      {isLarge && filter !== '' && query === undefined && (
        <p class="strip">
          This filter looks at the first {MOST_RECORDS.toLocaleString('en')} of {total.toLocaleString('en')} records.
          Without <code>*</code> and <code>-</code> it looks at all.
        </p>
      )}
      {canSelect && selected.size > 0 && (
        <SelectionBar
          live={live}
          collection={collection}
          description={description}
          ids={shownIds.filter((one) => selected.has(one))}
          select={(ids) => setSelected(new Set(ids))}
          shownIds={shownIds}
        />
      )}
      <StatusFilter
        live={live}
        name={name}
        records={records}
        isLarge={isLarge}
        field={statusField}
        filter={filter}
        setFilter={setFilter}
      />
      <RowList
        name="records"
        items={rows}
        label={name}
        columns={[
          { name: idField ?? 'record', className: 'cell-what' },
          ...fields.map((field, at) => ({ name: field, className: `cell-${cellName(at)}` })),
        ]}
        keyOf={(record) => (idField === null ? JSON.stringify(record) : idOf(record))}
        openKey={id}
        onMark={canSelect ? (record) => toggle(idOf(record)) : undefined}
        render={(record, { tabIndex }) => (
          <>
            <RowCell name="what">
              {canSelect && (
                <label class="mark">
                  <input
                    type="checkbox"
                    aria-label={`Select ${idOf(record)}`}
                    tabIndex={-1}
                    checked={selected.has(idOf(record))}
                    onChange={() => toggle(idOf(record))}
                  />
                </label>
              )}
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
                {field === statusField && nestedValue(record, field) != null ? (
                  <Chip>{short(nestedValue(record, field) as Json)}</Chip>
                ) : (
                  <span class="ellipsis">{short(nestedValue(record, field) as Json | undefined)}</span>
                )}
              </RowCell>
            ))}
          </>
        )}
        empty={
          records === undefined ? (
            <div class="bars" aria-busy="true" />
          ) : records.length > 0 ? (
            <NoMatch line={filter} rows={records} fieldsOf={(record) => record} setFilter={setFilter} />
          ) : (
            <>
              <h2>No record in {name} yet</h2>
              <p>
                A request that creates one fills it, or the plan when the clock is turned
                {mayWrite() && '. You can add one here yourself'}.
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
      detail={
        id === undefined ? undefined : (
          <RecordDetail key={id} live={live} collection={collection} description={description} id={id} close={close} />
        )
      }
    />
  )
}

/** A button for each status. The service counts them where the page does not have all records. */
function StatusFilter({
  live,
  name,
  records = [],
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
  const below = `/collections/${encodeURIComponent(name)}/counts?${new URLSearchParams({ field: field ?? '' })}`
  const path = isLarge && field !== null ? simulationPath(live.slug, below) : undefined
  const { answer } = useAnswer<ValueCounts>(path, live.revision.value)
  if (field === null) return null
  const groups = Map.groupBy(isLarge ? [] : records, (record) => String(nestedValue(record, field) ?? 'null'))
  const counts = isLarge
    ? Object.entries(answer?.data ?? {})
    : [...groups].map(([value, { length }]) => [value, length] as const)
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
