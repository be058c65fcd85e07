import { useEffect, useRef, useState } from 'preact/hooks'
import { nearestFilter } from '../data/nearest-filter.ts'

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
        <button type="button" class="button" onClick={() => setFilter('')}>
          Clear the filter
        </button>
      </p>
    </>
  )
}
