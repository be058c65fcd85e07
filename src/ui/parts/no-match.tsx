import { useEffect, useRef, useState } from 'preact/hooks'
import { misspeltFor } from '../../names/nearest-name.ts'
import { Button } from './fields.tsx'

interface NoMatchProps<Item> {
  /** The typed filter. */
  readonly line: string
  /** The filtered items. */
  readonly rows: readonly Item[]
  readonly fieldsOf: (row: Item) => Readonly<Record<string, unknown>>
  readonly setFilter: (line: string) => void
}

/** Most rows used for guessing fields and values. */
const MOST_LOOKED_AT = 2_000
/** Time from the last letter to a guess: an incomplete value never matches. */
const GUESS_AFTER_MS = 200

/** Reports that a filter has no matches, and offers the most similar one. */
export function NoMatch<Item>({ line, rows, fieldsOf, setFilter }: NoMatchProps<Item>) {
  const [guess, setGuess] = useState<{ of: string; nearest: string | undefined } | undefined>(undefined)
  const latest = useRef(rows)
  latest.current = rows
  useEffect(() => {
    const look = () => {
      const known = latest.current.slice(-MOST_LOOKED_AT).map(fieldsOf)
      setGuess({ of: line, nearest: nearestFilter(line, known) })
    }
    const timer = setTimeout(look, GUESS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [line])
  const nearest = guess?.of === line ? guess.nearest : undefined
  if (line === '') return <p>What there is, is hidden.</p>
  return (
    <>
      <p>
        Nothing matches <code class="long">{line}</code>
        {nearest === undefined ? '.' : ': did you mean '}
        {nearest !== undefined && (
          <>
            <button type="button" class="link" onClick={() => setFilter(nearest)}>
              <code>{nearest}</code>
            </button>
            ?
          </>
        )}
      </p>
      <p>
        <Button onClick={() => setFilter('')}>Clear the filter</Button>
      </p>
    </>
  )
}

const TERM = /^(-?)([\w.]+)(:|=)([^\s<>*"]+)$/

/** The most similar filter to one without matches: another field, or another value of a field. */
function nearestFilter(line: string, rows: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const terms = line.split(/\s+/).filter(Boolean)
  const corrected = terms.map((term) => nearestTerm(term, rows) ?? term)
  const nearest = corrected.join(' ')
  return nearest === terms.join(' ') ? undefined : nearest
}

function nearestTerm(term: string, rows: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const [, minus = '', field, sign = ':', text = ''] = TERM.exec(term) ?? []
  if (field === undefined || field.includes('.')) return undefined
  const fields = new Set(rows.flatMap((row) => Object.keys(row)))
  const known = fields.has(field) ? field : misspeltFor(field, [...fields])
  if (known === undefined) return undefined
  const values = new Set(
    rows
      .map((row) => row[known])
      .filter(isPlain)
      .map(String),
  )
  const isValue = [...values].some((value) => value.toLowerCase() === text.toLowerCase())
  const value = isValue
    ? text
    : misspeltFor(
        text,
        [...values].filter((one) => !/\s/.test(one)),
      )
  return known === field && value === undefined ? undefined : `${minus}${known}${sign}${value ?? text}`
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
