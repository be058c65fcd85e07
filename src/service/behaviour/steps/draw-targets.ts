import type { Where } from '../../../protocol/behaviour.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { Random } from '../../../runtime/random.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { compareValues, toFieldPath } from '../../world/field.ts'
import { PositionSet } from '../../world/position-set.ts'
import { inBlocks, type Positions } from '../../world/positions.ts'
import type { FieldTest } from '../../world/select.ts'
import { toMillis } from '../../world/timestamp.ts'
import type { PlannedStep, StepContext } from './step.ts'

/** The fields of a step that select records. */
interface StepSelection {
  readonly fraction?: number | undefined
  readonly count?: number | undefined
  readonly where?: Where | undefined
  readonly minAgeSeconds?: number | undefined
}

interface DrawnRecord {
  readonly key: string
  readonly record: JsonObject
}

/** A field that holds one of some values. */
interface Holding {
  readonly field: FieldPath
  readonly values: readonly Json[]
}

/** What a kind of step adds to its selection. */
interface SelectionOptions {
  /** Only records whose field holds one of the values. */
  readonly among?: Holding
  readonly tests?: readonly FieldTest[]
  /** How many records are drawn by default. @default 'one' */
  readonly fallback?: 'one' | 'all'
}

/** A test with a fast read of the tested values. */
interface ColumnTest {
  readonly test: FieldTest['test']
  readonly valueAt: (position: number) => Json | undefined
}

/** From this number of candidates on, records are drawn and tested one by one. */
const MANY = 64
/** Most conditions of equality that are looked up in an index: a collection keeps few of them. */
const MOST_LOOKED_UP = 3

/** Records in canonical order, to draw from by rank. */
interface Candidates {
  readonly size: number
  at(rank: number): number
  /** All of them, in blocks. */
  blocks(): Iterable<readonly number[]>
}

/**
 * Draws the records for a step: `count` of them, else its `fraction`, else `fallback`, among those that hold one of
 * `among` and pass `where`, `minAgeSeconds` and `tests`.
 */
export function* drawTargets(
  view: CollectionView,
  selection: StepSelection,
  context: StepContext,
  options: SelectionOptions = {},
): Generator<undefined, DrawnRecord[]> {
  const { holding, tests } = splitConditions(view, selection, context, options)
  const { candidates: within, others } = yield* fewestCandidates(view, holding, context)
  const columns = [...tests, ...others].map(
    (test): ColumnTest => ({ test: test.test, valueAt: view.column(test.field) }),
  )
  const drawn = drawSome(within, columns, fixedCount(selection, options.fallback ?? 'one'), context.random)
  if (drawn !== undefined) return drawn.map((position) => view.at(position))
  if (columns.length > 0) context.looked += within.size
  const candidates = columns.length === 0 ? within : yield* filterCandidates(within, columns)
  const wanted = howMany(selection, candidates.size, context, options.fallback ?? 'one')
  return context.random.sample(candidates.size, wanted).map((rank) => view.at(candidates.at(rank)))
}

/** The number of wanted records, where it does not depend on the number of candidates. */
function fixedCount({ count, fraction }: StepSelection, fallback: 'one' | 'all'): number | undefined {
  if (count !== undefined) return count
  return fraction === undefined && fallback === 'one' ? 1 : undefined
}

/**
 * Draws a few of many records without testing them all: draws ranks until enough of them pass. Undefined where this
 * would not pay, or too many drawn records fail: then all must be tested. Both ways draw each passing record with the
 * same probability.
 */
function drawSome(
  candidates: Candidates,
  columns: readonly ColumnTest[],
  wanted: number | undefined,
  random: Random,
): number[] | undefined {
  const { size } = candidates
  if (wanted === undefined || columns.length === 0 || size < Math.max(MANY, 4 * wanted)) return undefined
  const seen = new Set<number>()
  const found: number[] = []
  for (let tries = 0; found.length < wanted; tries++) {
    if (tries > 4 * wanted + MANY / 4) return undefined
    const rank = random.integer(0, size - 1)
    if (seen.has(rank)) continue
    seen.add(rank)
    const position = candidates.at(rank)
    if (columns.every((column) => column.test(column.valueAt(position)))) found.push(position)
  }
  return found
}

/** At most the limit of changes of one run. */
function howMany(selection: StepSelection, size: number, context: StepContext, fallback: 'one' | 'all'): number {
  return Math.min(askedFor(selection, size, context, fallback), size, LIMITS.behaviourChangesPerRun)
}

function askedFor(selection: StepSelection, size: number, context: StepContext, fallback: 'one' | 'all'): number {
  if (selection.count !== undefined) return selection.count
  if (selection.fraction !== undefined) return context.portion(size * selection.fraction)
  return fallback === 'all' ? size : 1
}

/** Separates conditions of equality, which an index answers, from those that are tested record by record. */
function splitConditions(
  view: CollectionView,
  { where = {}, minAgeSeconds }: StepSelection,
  context: StepContext,
  options: SelectionOptions,
): { holding: readonly Holding[]; tests: FieldTest[] } {
  const holding = options.among === undefined ? [] : [options.among]
  const tests = [...(options.tests ?? [])]
  for (const [name, condition] of Object.entries(where)) {
    const field = toFieldPath(name)
    const values = holding.length < MOST_LOOKED_UP ? indexableValues(condition) : undefined
    if (values !== undefined) holding.push({ field, values })
    else tests.push({ field, test: (value) => passes(value, condition) })
  }
  const created = view.model.timestamps.created
  if (minAgeSeconds !== undefined && created !== undefined) {
    const latest = context.at - minAgeSeconds * 1000
    tests.push({ field: created, test: (value) => (toMillis(value) ?? Number.POSITIVE_INFINITY) <= latest })
  }
  return { holding, tests }
}

/** The list of allowed values, where a condition has nothing else. */
function indexableValues(condition: Where[string]): readonly Json[] | undefined {
  if (typeof condition !== 'object' || condition === null) return [condition]
  const { in: among, eq, ...others } = condition
  if (Object.values(others).some((bound) => bound !== undefined)) return undefined
  if (eq === undefined) return among
  return among === undefined ? [eq] : undefined
}

/**
 * The records of the condition that the fewest meet, and tests for the other conditions. A collection grows, but the
 * records that wait for a step stay few: completed activities without an outcome.
 */
function* fewestCandidates(
  view: CollectionView,
  holding: readonly Holding[],
  context: StepContext,
): Generator<undefined, { candidates: Candidates; others: readonly FieldTest[] }> {
  const [first] = holding
  if (first === undefined) return { candidates: toCandidates([view.positions]), others: [] }
  let fewest = { condition: first, candidates: toCandidates(yield* setsWith(view, first, context)) }
  for (const condition of holding.slice(1)) {
    const index = yield* view.indexing(condition.field)
    const candidates = index && toCandidates([...allowedBy(condition)].map((value) => index.with(value)))
    if (candidates !== undefined && candidates.size < fewest.candidates.size) fewest = { condition, candidates }
  }
  const others = holding.filter((condition) => condition !== fewest.condition).map(toTest)
  return { candidates: fewest.candidates, others }
}

function toTest(condition: Holding): FieldTest {
  const allowed = allowedBy(condition)
  return { field: condition.field, test: (value) => allowed.has(value) }
}

/** For a plan an absent field is null. */
const allowedBy = ({ values }: Holding): ReadonlySet<Json | undefined> =>
  new Set(values.flatMap((value) => (value === null ? [null, undefined] : [value])))

function toCandidates(sets: readonly Positions[]): Candidates {
  return {
    size: sets.reduce((sum, set) => sum + set.size, 0),
    at(rank) {
      let left = rank
      for (const set of sets) {
        if (left < set.size) return set.at(left)
        left -= set.size
      }
      throw new RangeError(`Expected \`rank\` to be below ${this.size}, got ${rank}.`)
    },
    *blocks() {
      for (const set of sets) yield* inBlocks(set)
    },
  }
}

function* setsWith(view: CollectionView, condition: Holding, context: StepContext): Generator<undefined, Positions[]> {
  const { field } = condition
  const index = yield* view.indexing(field)
  const allowed = allowedBy(condition)
  if (index !== undefined) return [...allowed].map((value) => index.with(value))
  const sets = new Map([...allowed].map((value) => [value, new PositionSet()]))
  const valueAt = view.column(field)
  context.looked += view.count
  for (const block of inBlocks(view.positions)) {
    for (const position of block) sets.get(valueAt(position))?.add(position)
    yield
  }
  return [...sets.values()]
}

function* filterCandidates(candidates: Candidates, columns: readonly ColumnTest[]): Generator<undefined, Candidates> {
  const passing: number[] = []
  for (const block of candidates.blocks()) {
    for (const position of block) {
      if (columns.every((column) => column.test(column.valueAt(position)))) passing.push(position)
    }
    yield
  }
  return { size: passing.length, at: (rank) => passing[rank] as number, blocks: () => [passing] }
}

/** Plans a change of each target; undefined for no change. */
export function* planEach(
  targets: readonly DrawnRecord[],
  plan: (target: DrawnRecord) => Change | undefined,
): PlannedStep {
  const changes: Change[] = []
  for (const target of targets) {
    const change = plan(target)
    if (change !== undefined) changes.push(change)
    yield
  }
  return changes
}

/** Whether a value meets one condition of a `where`. */
export function passes(value: Json | undefined, condition: Where[string]): boolean {
  if (typeof condition !== 'object' || condition === null) return (value ?? null) === condition
  const { eq, ne, gt, gte, lt, lte } = condition
  if (eq !== undefined && (value ?? null) !== eq) return false
  if (ne !== undefined && (value ?? null) === ne) return false
  if (condition.in !== undefined && !condition.in.some((item) => item === (value ?? null))) return false
  const bounds = [gt, gte, lt, lte]
  if (bounds.every((bound) => bound === undefined)) return true
  if (value === undefined || value === null) return false
  if (gt !== undefined && compareValues(value, gt) <= 0) return false
  if (gte !== undefined && compareValues(value, gte) < 0) return false
  if (lt !== undefined && compareValues(value, lt) >= 0) return false
  return lte === undefined || compareValues(value, lte) <= 0
}
