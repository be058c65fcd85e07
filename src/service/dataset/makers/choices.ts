import { snakeCase } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { fraction, mixPair } from '../../../runtime/random.ts'
import { type Cell, drawAt, type Maker, withInitial } from '../cell.ts'
import type { Site } from '../site.ts'
import { cityOf, currencyFor } from '../words/place.ts'

/** The phase of a status in a record's life. */
type Phase = 'initial' | 'active' | 'done' | 'undone'

/** Parts of status names, by phase; the first phase with a matching part applies. */
const PHASES: readonly (readonly [parts: string, phase: Phase])[] = [
  ['incomplete_expired', 'undone'],
  ['unfulfilled unverified unresolved unread unconfirmed undelivered unshipped not_started incomplete', 'initial'],
  [
    'cancel fail error reject void delet archiv expir suspend disabl refund inactive declin block bounc abandon uncollect past_due unpaid revoked deactivat terminat denied invalid lost withdrawn retired deprecated removed spam closed_lost incomplete_expired offline down unhealthy offboard',
    'undone',
  ],
  [
    'done complet clos paid succe deliver resolv merged approv fulfil finish settled sent captur accept verified sold won passed shipped returned granted success redeemed collected processed',
    'done',
  ],
  [
    'draft new open pending todo to_do queue creat request schedul trial not_started invit waiting unread backlog incomplete unverified placed submitted received init registered available planned hold upcoming unfulfilled await',
    'initial',
  ],
]
const PHASE_PARTS = PHASES.map(([parts, phase]) => ({ parts: parts.split(' '), phase }))
const BUCKETS = 8

/** The phase of a status, by its name; `active` for unknown names. */
export function phaseOf(value: Json): Phase {
  const name = snakeCase(String(value))
  return PHASE_PARTS.find(({ parts }) => parts.some((part) => name.includes(part)))?.phase ?? 'active'
}

/** Most values of an enum that are drawn from, from its start: each is weighted for every field with the enum. */
const MOST_WEIGHED = 500

/** The first value of each enum of Protocol Buffers, for a field that is not set. Source: google.aip.dev/126. */
const UNSET = /_UNSPECIFIED$/

/** Values of an enum: a status by the record's age, others with the first values more likely. */
export function makeChoice(site: Site, all: readonly Json[]): Maker {
  const set = all.filter((value) => !UNSET.test(String(value)))
  const values = (set.length > 0 ? set : all).slice(0, MOST_WEIGHED)
  if (values.length === 1) return () => values[0] as Json
  if (site.isLink && site.snake === 'method' && values.includes('GET')) return () => 'GET'
  const placed = placeChoice(site, values)
  if (placed) return placed
  const initial = initialValue(site, values)
  const isStatus = isStatusName(site.snake)
  const phases = isStatus ? values.map(phaseOf) : []
  const counts = countPhases(phases)
  const buckets = Array.from({ length: isStatus ? BUCKETS : 1 }, (_, bucket) =>
    runningShares(
      values.map((value, at) => {
        const phase = phases[at]
        return (
          plainWeight(value, at) * (phase === undefined ? 1 : statusWeight(phase, counts, (bucket + 0.5) / BUCKETS))
        )
      }),
    ),
  )
  const make: Maker = (cell) => {
    const shares = isStatus
      ? (buckets[Math.min(BUCKETS - 1, Math.floor(cell.frame.age * BUCKETS))] as number[])
      : (buckets[0] as number[])
    const { turn } = cell
    if (turn && !isStatus)
      return values[((mixPair(turn.seed, site.key) % values.length) + turn.at) % values.length] as Json
    const share = fraction(drawAt(cell, site.key))
    let at = 0
    while (share >= (shares[at] as number) && at < values.length - 1) at++
    return values[at] as Json
  }
  return withInitial(initial, make)
}

/** Whether a field of this name holds the status of its record. */
function isStatusName(snakeName: string): boolean {
  return /(?:^|_)(?:status|state|phase|stage)$/.test(snakeName)
}

function initialValue(site: Site, values: readonly Json[]): Json {
  const wished = site.schema.default
  if (wished !== undefined && wished !== null && values.includes(wished)) return wished
  const [first = null] = values
  if (!isStatusName(site.snake)) return first
  const isInOrder = values.some((value, at) => at > 0 && String(value) < String(values[at - 1]))
  if (isInOrder && /^(?:initial|active)$/.test(phaseOf(first)) && plainWeight(first, 0) === 1) return first
  return (
    values.find((value) => phaseOf(value) === 'initial') ?? values.find((value) => phaseOf(value) === 'active') ?? first
  )
}

function countPhases(phases: readonly Phase[]): ReadonlyMap<Phase, number> {
  const counts = new Map<Phase, number>()
  for (const phase of phases) counts.set(phase, (counts.get(phase) ?? 0) + 1)
  return counts
}

function statusWeight(phase: Phase, counts: ReadonlyMap<Phase, number>, age: number): number {
  const hasEnd = counts.has('done')
  const share = 1 / (counts.get(phase) ?? 1)
  if (phase === 'initial') return share * (3 * (1 - age) ** 2 + 0.05)
  if (phase === 'active') return share * (hasEnd ? 2.5 * (1 - age) + 0.2 : 6)
  if (phase === 'done') return share * (0.4 + 5 * age)
  return share * (0.25 + 0.6 * age)
}

function plainWeight(value: Json, at: number): number {
  if (value === '' || /^(?:unknown|unspecified|other|none|test|n\/a|custom|undefined|invalid)/i.test(String(value)))
    return 0.05
  return 1 / (1 + at * 0.3)
}

function runningShares(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  let sum = 0
  return weights.map((weight) => {
    sum += weight / total
    return sum
  })
}

/** Countries and currencies match the place of the record. */
function placeChoice(site: Site, values: readonly Json[]): Maker | undefined {
  const read = /countr/.test(site.snake)
    ? (cell: Cell) => cityOf(cell.subject).country
    : /currenc/.test(site.snake)
      ? (cell: Cell) => ({ code: currencyFor(site, cell), name: '' })
      : undefined
  if (!read) return undefined
  const bySpelling = new Map(values.map((value) => [String(value).toUpperCase(), value]))
  if (!['US', 'USD', 'DE', 'EUR', 'GERMANY'].some((known) => bySpelling.has(known))) return undefined
  return (cell) => {
    const { code, name } = read(cell)
    return (
      bySpelling.get(code) ??
      bySpelling.get(name.toUpperCase()) ??
      (values[drawAt(cell, site.key) % values.length] as Json)
    )
  }
}
