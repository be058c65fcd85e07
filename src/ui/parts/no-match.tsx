import { useMemo } from 'preact/hooks'
import { nearestFilter } from '../data/nearest-filter.ts'

interface NoMatchProps<Item> {
  /** The filter as it was typed. */
  readonly line: string
  /** What it was to be found in. */
  readonly rows: readonly Item[]
  readonly fieldsOf: (row: Item) => Readonly<Record<string, unknown>>
  readonly setFilter: (line: string) => void
}

/** Says that a filter lets nothing pass, and offers the one that was likely meant. */
export function NoMatch<Item>({ line, rows, fieldsOf, setFilter }: NoMatchProps<Item>) {
  const nearest = useMemo(() => nearestFilter(line, rows.slice(-MOST_LOOKED_AT).map(fieldsOf)), [line, rows])
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

/** Rows whose fields and values are known well enough to guess from. */
const MOST_LOOKED_AT = 2_000
