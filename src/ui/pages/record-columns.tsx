import { useMemo, useState } from 'preact/hooks'
import type { JsonObject } from '../../protocol/json.ts'

/** Columns besides the first: by default, and at most. */
const USUAL = 3
const MOST = 6

interface RecordColumns {
  readonly fields: readonly string[]
  /** All possible columns. */
  readonly known: readonly string[]
  /** Saves a choice for this collection; an empty one restores the default. */
  readonly choose: (fields: readonly string[]) => void
}

/** The columns of a collection: the chosen ones, else the most distinguishing fields. */
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

/** The saved choice; empty for an invalid one. */
function readChoice(text: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

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

/** Fields with short values, the most distinguishing ones first. */
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
