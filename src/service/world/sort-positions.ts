import type { Json } from '../../protocol/json.ts'
import type { FieldPath } from '../../schema/schema.ts'
import type { CollectionState } from './collection-state.ts'
import { compareValues } from './field.ts'
import type { Sequence } from './long-reads.ts'

/** The keys of the last record shown and of the next one, at which a page starts if the last one has left the list. */
export type Continuation = readonly [last: string, next: string]

/** The order of records, and the shown part. */
export interface SortedPart {
  /** Most significant field first; equal records keep their natural order. */
  /** `isDecimal`: the values are numbers in texts: `"12.50"`. */
  readonly sort?: readonly { readonly field: FieldPath; readonly descending: boolean; readonly isDecimal?: boolean }[]
  /** Records to skip. @default 0 */
  readonly offset?: number
  /** Most records to return. @default all */
  readonly limit?: number
  /** Key of the record to start after. An unknown key gives an empty page. */
  readonly after?: string | Continuation | undefined
  /** Key of the record to end before: the page is the last `limit` records before it. */
  readonly before?: string | undefined
}

/** Records read, and records sorted, between two pauses. */
const READ_AT_ONCE = 8
const SORTED_AT_ONCE = 2_048

/**
 * Sorts positions, given in natural order, by values of fields; equal ones keep their order. Pauses at intervals. Keeps
 * only the part for the page: rows before its cursor, or after its page, are only counted.
 */
export function* sortPositions(
  state: CollectionState,
  positions: readonly number[],
  { sort = [], offset = 0, limit = positions.length, after, before }: SortedPart,
): Generator<undefined, Sequence> {
  const rows = new Rows(state, sort)
  const last = typeof after === 'object' ? after[0] : after
  const start = last === undefined || before !== undefined ? -1 : positions.indexOf(state.positionOf(last) ?? -1)
  const first = start === -1 ? undefined : rows.read(positions[start] as number)
  const most = before !== undefined || (after !== undefined && start === -1) ? positions.length : offset + limit
  let farthest: readonly Value[] | undefined
  let passed = 0
  for (let at = 0; at < positions.length; at++) {
    if (at % READ_AT_ONCE === 0) yield
    const position = positions[at] as number
    const values = rows.read(position)
    if (first !== undefined && (rows.order(values, first) || at - start) <= 0) passed++
    else if (farthest === undefined || rows.order(values, farthest) < 0) rows.add(position, values)
    if (rows.size < 2 * most + SORTED_AT_ONCE) continue
    rows.keep((yield* mergeSort(rows)).slice(0, most))
    farthest = most === 0 ? undefined : rows.at(most - 1)
  }
  const sorted = (yield* mergeSort(rows)).map((row) => rows.positions[row] as number)
  return {
    size: positions.length,
    placeOf: (position) => {
      if (position === positions[start]) return passed - 1
      const place = sorted.indexOf(position)
      return place === -1 ? undefined : passed + place
    },
    slice: (from, to) => sorted.slice(Math.max(0, from - passed), Math.max(0, to - passed)),
  }
}

type Value = Json | undefined

const toNumber = (value: Value): Value => (typeof value === 'string' ? Number(value) : value)

/** Positions with their sort values, as columns: garbage collection would copy a million objects again and again. */
class Rows {
  positions: number[] = []
  #columns: Value[][]
  readonly #readers: readonly ((position: number) => Value)[]
  readonly #sort: NonNullable<SortedPart['sort']>

  constructor(state: CollectionState, sort: NonNullable<SortedPart['sort']>) {
    this.#sort = sort
    this.#readers = sort.map(({ field, isDecimal = false }) => {
      const valueAt = state.column(field)
      return isDecimal ? (position) => toNumber(valueAt(position)) : valueAt
    })
    this.#columns = sort.map(() => [])
  }

  get size(): number {
    return this.positions.length
  }

  read(position: number): Value[] {
    return this.#readers.map((valueAt) => valueAt(position))
  }

  /** Compares the values of two rows: 0 for equal ones. */
  order(left: readonly Value[], right: readonly Value[]): number {
    for (let at = 0; at < this.#sort.length; at++) {
      const order = compareValues(left[at], right[at])
      if (order !== 0) return this.#sort[at]?.descending ? -order : order
    }
    return 0
  }

  add(position: number, values: readonly Value[]): void {
    this.positions.push(position)
    for (const [at, column] of this.#columns.entries()) column.push(values[at])
  }

  at(row: number): Value[] {
    return this.#columns.map((column) => column[row])
  }

  /** Keeps only these rows, in this order. */
  keep(rows: readonly number[]): void {
    this.positions = rows.map((row) => this.positions[row] as number)
    this.#columns = this.#columns.map((column) => rows.map((row) => column[row]))
  }

  /** Compares two rows: equal ones in order of adding. */
  readonly compare = (left: number, right: number): number => {
    for (let at = 0; at < this.#sort.length; at++) {
      const column = this.#columns[at] as Value[]
      const order = compareValues(column[left], column[right])
      if (order !== 0) return this.#sort[at]?.descending ? -order : order
    }
    return left - right
  }
}

/** The numbers of rows, sorted with pauses: parts separately, then merged in pairs. */
function* mergeSort({ size, compare }: Rows): Generator<undefined, number[]> {
  let parts: number[][] = []
  for (let start = 0; start < size; start += SORTED_AT_ONCE) {
    const part = Array.from({ length: Math.min(SORTED_AT_ONCE, size - start) }, (_, at) => start + at)
    parts.push(part.sort(compare))
    yield
  }
  while (parts.length > 1) {
    const merged: number[][] = []
    for (let at = 0; at < parts.length; at += 2) {
      merged.push(yield* merge(parts[at] as number[], parts[at + 1] ?? [], compare))
    }
    parts = merged
  }
  return parts[0] ?? []
}

function* merge(
  left: readonly number[],
  right: readonly number[],
  compare: (left: number, right: number) => number,
): Generator<undefined, number[]> {
  const merged: number[] = []
  let [one, other] = [0, 0]
  while (one < left.length || other < right.length) {
    const [first, second] = [left[one], right[other]]
    const takesFirst = second === undefined || (first !== undefined && compare(first, second) <= 0)
    merged.push((takesFirst ? first : second) as number)
    if (takesFirst) one++
    else other++
    if (merged.length % SORTED_AT_ONCE === 0) yield
  }
  return merged
}
