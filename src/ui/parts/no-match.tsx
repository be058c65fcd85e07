import { useEffect, useRef, useState } from 'preact/hooks'

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

const TERM = /^(-?)([\w.]+)(:|=)([^\s<>*"]+)$/
/** Most letters in which a word may differ. */
const MOST_LETTERS = 2

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
  const known = fields.has(field) ? field : nearestWord(field, fields)
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
    : nearestWord(
        text,
        [...values].filter((one) => !/\s/.test(one)),
      )
  return known === field && value === undefined ? undefined : `${minus}${known}${sign}${value ?? text}`
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** The most similar of several words. A short word may differ in only one letter. */
function nearestWord(word: string, words: Iterable<string>): string | undefined {
  const most = word.length < 4 ? 1 : MOST_LETTERS
  let nearest: string | undefined
  let least = most + 1
  for (const one of words) {
    if (Math.abs(one.length - word.length) >= least) continue
    const letters = lettersBetween(word.toLowerCase(), one.toLowerCase())
    if (letters >= least) continue
    least = letters
    nearest = one
  }
  return nearest
}

/** Number of insertions, deletions, replacements and swaps of letters that turn one word into the other. */
function lettersBetween(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let at = 1; at <= from.length; at++) {
    const next = [at]
    for (let other = 1; other <= to.length; other++) {
      const isSame = from[at - 1] === to[other - 1]
      const isSwapped = at > 1 && other > 1 && from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1]
      next[other] = Math.min(
        (next[other - 1] ?? 0) + 1,
        (row[other] ?? 0) + 1,
        (row[other - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[other - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
