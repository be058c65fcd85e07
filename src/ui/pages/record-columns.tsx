import { useMemo, useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'

/** Columns beside the first: as many as the page chooses, and as a user may choose. */
const USUAL = 3
const MOST = 6

/** The columns of a list of records. */
interface RecordColumns {
  readonly fields: readonly string[]
  /** All that can be chosen. */
  readonly known: readonly string[]
  /** Keeps a choice for this collection; none leaves it to the page again. */
  readonly choose: (fields: readonly string[]) => void
}

/** The columns of a collection: those that were chosen, else the fields that tell its records apart best. */
export function useColumns(collection: string, records: readonly JsonObject[], idField: string | null): RecordColumns {
  const name = `backlot-columns-${collection}`
  const [chosen, setChosen] = useState(() => readChoice(localStorage.getItem(name)))
  const known = useMemo(() => tellingFields(records, idField), [records, idField])
  const kept = chosen.filter((field) => known.includes(field))
  const choose = (fields: readonly string[]) => {
    if (fields.length === 0) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(fields))
    setChosen(fields)
  }
  return { fields: kept.length > 0 ? kept : known.slice(0, USUAL), known, choose }
}

/** What was kept; nothing where it is no list of names. */
function readChoice(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Chooses the columns of a list. */
export function ColumnMenu({ fields, known, choose }: RecordColumns) {
  const [isOpen, setIsOpen] = useState(false)
  if (known.length === 0) return null
  return (
    <details class="menu menu-end" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary class="button">Columns</summary>
      {isOpen && <ColumnList fields={fields} known={known} choose={choose} />}
    </details>
  )
}

function ColumnList({ fields, known, choose }: RecordColumns) {
  return (
    <fieldset class="menu-list column-list">
      <legend class="unseen">Columns</legend>
      {known.map((field) => {
        const isShown = fields.includes(field)
        return (
          <label class="check" key={field}>
            <input
              type="checkbox"
              checked={isShown}
              disabled={!isShown && fields.length >= MOST}
              onChange={() => choose(isShown ? fields.filter((one) => one !== field) : [...fields, field])}
            />
            {field}
          </label>
        )
      })}
      <p class="hint">Six at most; none for the usual ones.</p>
    </fieldset>
  )
}

/** The fields of short values, those first that tell records apart best. */
function tellingFields(records: readonly JsonObject[], idField: string | null): string[] {
  const sample = records.slice(0, 200)
  const names = [...new Set(sample.flatMap((record) => Object.keys(record)))].filter((name) => name !== idField)
  const worth = (name: string): number => {
    const values = sample.map((record) => record[name]).filter((value) => value !== undefined && value !== null)
    if (values.some((value) => typeof value === 'object') || values.length === 0) return 0
    const length = values.reduce<number>((sum, value) => sum + String(value).length, 0) / values.length
    const isName = /name|title|label|email|subject|status|state/i.test(name) ? 1 : 0
    return (new Set(values).size / values.length) * (length > 60 ? 0.2 : 1) + isName
  }
  return names
    .map((name) => ({ name, value: worth(name) }))
    .filter(({ value }) => value > 0)
    .toSorted((left, right) => right.value - left.value)
    .map(({ name }) => name)
}
