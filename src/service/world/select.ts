import type { Json, JsonObject } from '../../protocol/json.ts'
import type { FieldPath } from '../../schema/schema.ts'
import type { CollectionState } from './collection-state.ts'
import type { LongReads, Sequence } from './long-reads.ts'
import { PositionSet } from './position-set.ts'
import type { Positions } from './positions.ts'
import type { ScopeMatch, Scopes } from './scopes.ts'
import { type SortedPart, sortPositions } from './sort-positions.ts'

/** Records tested between two pauses. */
const TESTED_AT_ONCE = 8

/** A condition on a field of the records. */
export interface FieldTest {
  readonly field: FieldPath
  /** Depends only on the value. */
  readonly test: (value: Json | undefined) => boolean
}

/** The filter, order and page of records. */
export interface Selection extends SortedPart {
  readonly scope?: readonly ScopeMatch[]
  readonly where?: readonly FieldTest[]
  /** A test of whole records, which no single field can decide. */
  readonly matches?: ((record: JsonObject) => boolean) | undefined
  /** A test of positions. */
  readonly isIn?: ((position: number) => boolean) | undefined
  /**
   * Natural order with the latest created record first; the generated ones follow, newest first as usual.
   * @default false
   */
  readonly newestFirst?: boolean
}

/** Positions of one page, and the total number of matches. */
export function selectPositions(
  state: CollectionState,
  scopes: Scopes,
  selection: Selection,
  longReads: LongReads,
): { positions: number[]; total: number } {
  const sequence = isWhole(selection)
    ? naturalOrder(state, state.live, selection)
    : longReads.read(order(state, scopes, selection))
  const [start, end] = cut(state, sequence, selection)
  const offset = selection.offset ?? 0
  const last = Math.min(end, start + offset + (selection.limit ?? sequence.size))
  return { positions: sequence.slice(start + offset, last), total: sequence.size }
}

/** Whether a selection is the whole collection in its natural order. */
const isWhole = ({ scope, where, matches, isIn, sort }: Selection): boolean =>
  !scope?.length && !where?.length && matches === undefined && isIn === undefined && !sort?.length

/** Sorts the records of a selection, with pauses for many. */
function* order(state: CollectionState, scopes: Scopes, selection: Selection): Generator<undefined, Sequence> {
  const { sets, tests } = yield* split(state, scopes, selection)
  const natural = naturalOrder(state, sets.length === 0 ? state.live : PositionSet.intersection(sets), selection)
  return selection.sort?.length || tests.length > 0 ? yield* toList(state, natural, tests, selection) : natural
}

/** Splits conditions into those for indexes and those for each record. */
function* split(
  state: CollectionState,
  scopes: Scopes,
  { scope = [], where = [], matches, isIn }: Selection,
): Generator<undefined, { sets: PositionSet[]; tests: ((position: number) => boolean)[] }> {
  const sets: PositionSet[] = []
  const tests: ((position: number) => boolean)[] = isIn === undefined ? [] : [isIn]
  for (const match of scope) {
    const set = yield* scopes.within(match)
    if (set === undefined) tests.push(scopes.matcher(match))
    else sets.push(set)
  }
  for (const { field, test } of where) {
    const index = yield* state.indexing(field)
    const set = index?.where(test)
    if (set === undefined) tests.push(toPositionTest(state, { field, test }))
    else sets.push(set)
  }
  if (matches) tests.push((position) => matches(state.recordAt(position)))
  return { sets, tests }
}

function toPositionTest(state: CollectionState, { field, test }: FieldTest): (position: number) => boolean {
  const valueAt = state.column(field)
  return (position) => test(valueAt(position))
}

function naturalOrder({ generated }: CollectionState, positions: Positions, { newestFirst }: Selection): NaturalOrder {
  return new NaturalOrder(positions, newestFirst ? generated : undefined)
}

/** Positions in ascending order; those from `turnedFrom` on come first, in descending order. */
class NaturalOrder implements Sequence {
  readonly #positions: Positions
  /** Number of positions at the front, in descending order. */
  readonly #turned: number

  constructor(positions: Positions, turnedFrom: number | undefined) {
    this.#positions = positions
    this.#turned = turnedFrom === undefined ? 0 : positions.size - positions.rankOf(turnedFrom)
  }

  get size(): number {
    return this.#positions.size
  }

  placeOf(position: number): number | undefined {
    if (!this.#positions.has(position)) return undefined
    const rank = this.#positions.rankOf(position)
    return rank < this.size - this.#turned ? rank + this.#turned : this.size - 1 - rank
  }

  slice(start: number, end: number): number[] {
    const { size } = this
    const turned = this.#turned
    const front = this.#positions.slice(size - Math.min(end, turned), size - Math.min(start, turned)).reverse()
    const rest = this.#positions.slice(Math.max(start - turned, 0), Math.max(Math.min(end, size) - turned, 0))
    return front.length === 0 ? rest : front.concat(rest)
  }
}

/** The positions that pass the tests, one by one, sorted. */
function* toList(
  state: CollectionState,
  natural: NaturalOrder,
  tests: readonly ((position: number) => boolean)[],
  selection: Selection,
): Generator<undefined, Sequence> {
  const all = natural.slice(0, natural.size)
  const atOnce = selection.matches === undefined ? TESTED_AT_ONCE : 1
  const passing = tests.length === 0 ? all : yield* filter(all, tests, atOnce)
  if (selection.sort?.length) return yield* sortPositions(state, passing, selection)
  return {
    size: passing.length,
    placeOf: (position) => {
      const place = passing.indexOf(position)
      return place === -1 ? undefined : place
    },
    slice: (start, end) => passing.slice(start, end),
  }
}

function* filter(
  positions: readonly number[],
  tests: readonly ((position: number) => boolean)[],
  testedAtOnce: number,
): Generator<undefined, number[]> {
  const passing: number[] = []
  for (const [at, position] of positions.entries()) {
    if (tests.every((passes) => passes(position))) passing.push(position)
    if (at % testedAtOnce === testedAtOnce - 1) yield
  }
  return passing
}

/** The range of a page between its cursors. */
function cut(state: CollectionState, sequence: Sequence, { after, before, limit }: Selection): [number, number] {
  let start = 0
  let end = sequence.size
  if (after !== undefined) {
    const [last, next] = typeof after === 'object' ? after : [after]
    const place = placeOfKey(state, sequence, last)
    const goesOn = next === undefined ? undefined : placeOfKey(state, sequence, next)
    start = place === undefined ? (goesOn ?? end) : place + 1
  }
  if (before !== undefined) {
    end = placeOfKey(state, sequence, before) ?? start
    if (limit !== undefined) start = Math.max(start, end - limit)
  }
  return [start, end]
}

function placeOfKey(state: CollectionState, sequence: Sequence, key: string): number | undefined {
  const position = state.positionOf(key)
  return position === undefined ? undefined : sequence.placeOf(position)
}
