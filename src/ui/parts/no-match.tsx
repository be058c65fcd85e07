import { useEffect, useRef, useState } from 'preact/hooks'
import { nearestFilter } from '../data/nearest-filter.ts'

interface NoMatchProps<Item> {
  /** The filter as it was typed. */
  readonly line: string
  /** What it was to be found in. */
  readonly rows: readonly Item[]
  readonly fieldsOf: (row: Item) => Readonly<Record<string, unknown>>
  readonly setFilter: (line: string) => void
}

/** Rows whose fields and values are known well enough to guess from. */
const MOST_LOOKED_AT = 2_000
/** How long after the last letter it is looked for what was meant: every letter of a value matches nothing until the last. */
const GUESS_AFTER_MS = 200

/** Says that a filter lets nothing pass, and offers the one that was likely meant. */
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
        <button type="button" class="button" onClick={() => setFilter('')}>
          Clear the filter
        </button>
      </p>
    </>
  )
}
