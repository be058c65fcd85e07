import type { Json, JsonObject } from '../../protocol/json.ts'
import type { FieldPath } from '../openapi/schema.ts'
import type { CollectionState } from './collection-state.ts'
import type { ScopeMatch } from './collection-view.ts'

/** Which records, in which order, and which part of them. */
export interface Selection {
  readonly scope?: readonly ScopeMatch[]
  readonly where?: readonly { readonly field: FieldPath; readonly test: (value: Json | undefined) => boolean }[]
  /** A test of whole records, for what no single field tells. */
  readonly matches?: ((record: JsonObject) => boolean) | undefined
  /** Most significant field first; records that are equal keep their natural order. */
  readonly sort?: readonly { readonly field: FieldPath; readonly descending: boolean }[]
  /**
   * Natural order turned so that the record made last comes first; the generated ones follow, newest first as they are.
   * @default false
   */
  readonly newestFirst?: boolean
  /** Records to pass over. @default 0 */
  readonly offset?: number
  /** Most records to return. @default all */
  readonly limit?: number
  /** Key of the record to start after. An unknown key gives an empty page. */
  readonly after?: string
  /** Key of the record to end before: the page is the last `limit` records before it. */
  readonly before?: string
}

/** Positions of one page, and the number of records that match in all. */
export function selectPositions(
  state: CollectionState,
  selection: Selection,
  scope: readonly ((position: number) => boolean)[],
): { positions: number[]; total: number } {
  const offset = selection.offset ?? 0
  const limit = selection.limit ?? Number.POSITIVE_INFINITY
  const where = selection.where ?? []
  const { matches } = selection
  const isCut = selection.after !== undefined || selection.before !== undefined
  if (scope.length === 0 && where.length === 0 && !matches && !selection.sort?.length && !isCut) {
    return { positions: pageOfAll(state, offset, limit, selection.newestFirst), total: state.count }
  }

  const matching: number[] = []
  const tests = where.map(({ field, test }) => ({ test, valueAt: state.column(field) }))
  const visit = (position: number): void => {
    for (const lies of scope) if (!lies(position)) return
    for (const { test, valueAt } of tests) if (!test(valueAt(position))) return
    if (matches && !matches(state.recordAt(position))) return
    matching.push(position)
  }
  if (selection.newestFirst) state.visitNewestFirst(visit)
  else state.visitLive(visit)
  const sorted = selection.sort?.length ? sortPositions(state, matching, selection.sort) : matching
  return { positions: cut(state, sorted, selection).slice(offset, offset + limit), total: matching.length }
}

/** A page of the whole collection; where nothing was deleted it looks at no more than the page. */
function pageOfAll(state: CollectionState, offset: number, limit: number, newestFirst = false): number[] {
  const positions: number[] = []
  if (limit <= 0 || offset >= state.count) return positions
  let toSkip = state.isWhole ? 0 : offset
  const start = state.isWhole ? offset : 0
  for (const position of newestFirst ? state.newestFirst(start) : state.live(start)) {
    if (toSkip-- > 0) continue
    positions.push(position)
    if (positions.length >= limit) break
  }
  return positions
}

/** The part between the cursors. */
function cut(state: CollectionState, positions: number[], { after, before, limit }: Selection): number[] {
  let start = 0
  let end = positions.length
  if (after !== undefined) {
    const found = positions.indexOf(state.positionOf(after) ?? -1)
    start = found === -1 ? end : found + 1
  }
  if (before !== undefined) {
    const found = positions.indexOf(state.positionOf(before) ?? -1)
    end = found === -1 ? start : found
    if (limit !== undefined) start = Math.max(start, end - limit)
  }
  return positions.slice(start, end)
}

function sortPositions(
  state: CollectionState,
  positions: readonly number[],
  sort: NonNullable<Selection['sort']>,
): number[] {
  const columns = sort.map(({ field }) => state.column(field))
  const keyed = positions.map((position) => ({ position, values: columns.map((valueAt) => valueAt(position)) }))
  keyed.sort((left, right) => {
    for (const [at, { descending }] of sort.entries()) {
      const order = compareValues(left.values[at], right.values[at])
      if (order !== 0) return descending ? -order : order
    }
    return 0
  })
  return keyed.map(({ position }) => position)
}

/** Numbers by size, texts by code unit, false before true; absent and null values first; else as JSON text. */
export function compareValues(left: Json | undefined, right: Json | undefined): number {
  if (left === right) return 0
  if (left === undefined || left === null) return right === undefined || right === null ? 0 : -1
  if (right === undefined || right === null) return 1
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const leftText = typeof left === 'string' ? left : JSON.stringify(left)
  const rightText = typeof right === 'string' ? right : JSON.stringify(right)
  return leftText < rightText ? -1 : leftText > rightText ? 1 : 0
}
