import { fraction } from '../../../runtime/random.ts'
import { checkNumber, type NumberBounds } from '../../../schema/check-scalar.ts'
import type { Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt, type Maker, withInitial } from '../cell.ts'
import { momentReader, momentRole } from '../moment.ts'
import { priceAt } from '../rules/format-text.ts'
import { findBySuffix, readWords } from '../rules/rule.ts'
import type { Site } from '../site.ts'
import { ageOf } from '../words/person.ts'
import { latitudeOf, longitudeOf } from '../words/place.ts'

const MONEY =
  /amount|price|cost|total|balance|fee|subtotal|(^|_)tax($|_)|discount|revenue|salary|budget|(^|_)value$|spend|paid|payment|refund|charge|deposit|payout|earnings|credit_limit|mrr|arr$|shipping|gross|(^|_)net($|_)|cents|(^|_)due$|tip$|wage|funds|income|debit/

/** Whether a field of this name holds an amount of money. */
export function isMoneyName(snakeName: string): boolean {
  return (
    MONEY.test(snakeName) &&
    !/_(?:count|id|at|items|pages|rate|percent|records|results|hits|type|method)$|^total$/.test(snakeName)
  )
}

/** Numbers by name, bounds and step of a field. */
export function makeNumber(site: Site): Maker {
  const { schema, snake } = site
  const isInteger = schema.types[0] === 'integer' || /^u?int(8|16|32|64)?$/.test(schema.format ?? '')
  const raw = rawNumber(site, isInteger)
  const initial = typeof schema.default === 'number' ? schema.default : initialNumber(site, isInteger)
  const keeps = boundsTest(schema)
  const make: Maker = (cell) => {
    const value = raw(cell)
    return keeps(value) && (!isInteger || Number.isInteger(value))
      ? value
      : nearest(schema, value, drawAt(cell, site.key), isInteger)
  }
  return initial === undefined ? make : withInitial(initial, make)
  function rawNumber({ key, owner }: Site, whole: boolean): (cell: Cell) => number {
    if (isMomentNumber(site)) {
      const at = momentReader(site)
      const inMillis =
        /ms$|milli/.test(snake) ||
        Number(schema.example ?? schema.minimum ?? 0) > 100_000_000_000 ||
        /milli/.test(schema.format ?? '')
      return (cell) => {
        const ms = at(cell)
        return inMillis ? ms : Math.floor(ms / 1000)
      }
    }
    if (/^(lat|latitude)$/.test(snake)) return (cell) => latitudeOf(cell.subject)
    if (/^(lng|lon|long|longitude)$/.test(snake)) return (cell) => longitudeOf(cell.subject)
    if (/^(?:id|_id)$/.test(snake))
      return (cell) => 1 + (cell.turn?.isShared ? cell.turn.at : drawAt(cell, key) % 9_000)
    if (/^age$/.test(snake)) return (cell) => ageOf(cell.subject % 2 ** 31)
    if (/^(number|sequence_number|issue_number|order_number)$/.test(snake)) return (cell) => cell.frame.rank + 1
    if (
      isMoneyName(snake) ||
      (snake === 'total' && /order|invoice|cart|payment|receipt|checkout|quote|bill|sale/.test(owner))
    )
      return (cell) => priceAt(drawAt(cell, key), whole ? 0 : 2)
    const known = findSpan(snake)
    if (known) return spanMaker(site, known, whole)
    const example = schema.example
    if (typeof example === 'number' && Number.isFinite(example) && example !== 0) {
      const decimals = whole ? 0 : Math.min(4, (String(example).split('.')[1] ?? '').length)
      return spanMaker(site, { from: example * 0.5, to: example * 1.5, decimals }, whole)
    }
    if (schema.maximum !== undefined && schema.minimum !== undefined && schema.maximum - schema.minimum <= 100_000) {
      return spanMaker(site, { from: schema.minimum, to: schema.maximum }, whole)
    }
    return spanMaker(site, { from: 1, to: 60, skewed: true }, whole)
  }
}

/**
 * The number of a record that a client creates without it: what is counted and paid begins at 0, or at its bound.
 * Undefined for measures and numbers of the record itself, and in items of lists.
 */
function initialNumber({ schema, snake, path, owner }: Site, whole: boolean): number | undefined {
  const isOwn = path !== undefined && path.length > 0
  if (!isOwn || MEASURE.test(snake) || isMomentNumber({ schema, snake }) || schema.example !== undefined)
    return undefined
  const span = isMoneyName(snake) ? undefined : findSpan(snake)
  if (span !== undefined && span.initial === undefined) return undefined
  if (PRICE.test(path.length > 1 && /^(?:amount|value|total)$/.test(snake) ? owner : snake)) return undefined
  const start = span?.initial ?? 0
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? start : schema.exclusiveMinimum + 1)
  const value = nearest(schema, Math.max(start, least), 0, whole)
  return boundsTest(schema)(value) ? value : undefined
}

/** Numbers that a record has from its beginning. */
const MEASURE = /^(?:_?id|age|lat|latitude|lng|lon|long|longitude|number|\w*_number)$|_(?:id|tokens)$/
/** Amounts that a client's order has, however they are found. */
const PRICE =
  /price|rate$|cost$|fee$|salary|^(?:amount|total|subtotal|value|net|gross|tax)$|_(?:total|value)$|^total_|^amount_(?:due|total)$/

function isMomentNumber({ snake, schema }: Pick<Site, 'snake' | 'schema'>): boolean {
  if (/unix|epoch|timestamp/.test(schema.format ?? '')) return true
  if (
    /_(?:at|ts|timestamp|date)$|^(?:created|updated|modified|timestamp|expires|ctime|mtime|last_modified)$/.test(snake)
  )
    return true
  return (
    /unix|epoch/i.test(schema.description ?? '') &&
    /timestamp|seconds|time/i.test(schema.description ?? '') &&
    momentRole(snake) !== 'past'
  )
}

function spanMaker(site: Site, span: NumberSpan, whole: boolean): (cell: Cell) => number {
  const { key, schema } = site
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  // A usual rate is a percentage; one of at least 1000 is an amount.
  const isOther = span.to < minimum || span.from > maximum
  const from = isOther ? Math.max(minimum, Math.min(0, maximum)) : Math.max(span.from, minimum)
  const to = isOther ? Math.min(maximum, 10 * Math.max(1, minimum)) : Math.max(from, Math.min(span.to, maximum))
  const scale = whole ? 1 : 10 ** (span.decimals ?? 0)
  const initial = span.initial
  return (cell) => {
    if (cell.frame.isNew && initial !== undefined) return initial
    const share = fraction(drawAt(cell, key))
    const bent = span.skewed ? share * share * share : share
    return Math.floor((from + bent * (to - from) + (whole || scale === 1 ? bent : 0)) * scale) / scale
  }
}

/** The number nearest to `value` within the bounds and step. */
function nearest(schema: Schema, value: number, draw: number, whole: boolean): number {
  const step = schema.multipleOf !== undefined && schema.multipleOf > 0 ? schema.multipleOf : whole ? 1 : 0
  const unit = step || 0.01
  let low = schema.minimum ?? Number.NEGATIVE_INFINITY
  let high = schema.maximum ?? Number.POSITIVE_INFINITY
  if (schema.exclusiveMinimum !== undefined) low = Math.max(low, schema.exclusiveMinimum + unit)
  if (schema.exclusiveMaximum !== undefined) high = Math.min(high, schema.exclusiveMaximum - unit)
  if (step > 0) {
    low = Math.ceil(low / step) * step
    high = Math.floor(high / step) * step
  }
  if (low > high) return Number.isFinite(schema.minimum) ? (schema.minimum as number) : value
  let result = value
  if (value < low || value > high) {
    const share = fraction(draw) ** 2
    const isClosed = Number.isFinite(low) && Number.isFinite(high)
    const width = isClosed ? high - low : Math.max(100 * unit, Math.abs(Number.isFinite(low) ? low : high) * 4)
    result = (Number.isFinite(low) ? low : high - width) + share * width
    if (width >= 10_000 * unit) result = Math.round(result / (unit * 500)) * unit * 500
  }
  if (step > 0) result = Math.round(result / step) * step
  result = Math.min(high, Math.max(low, result))
  return step > 0 && step < 1 ? onStep(schema, Number(result.toFixed(10))) : result
}

/** Whether a number is within the bounds, and its step divides it exactly in binary too, as some clients' validators require. */
function boundsTest(bounds: NumberBounds): (value: number) => boolean {
  const check = checkNumber(bounds)
  const { multipleOf = 0 } = bounds
  return (value) => check?.(value) === undefined && (multipleOf <= 0 || Number.isInteger(value / multipleOf))
}

/** A number near `value` that the step divides exactly in binary too: 19.99 / 0.01 does not. */
function onStep(schema: Schema, value: number): number {
  const keeps = boundsTest(schema)
  for (const grain of [1, 0.5, 0.25, 0.05, 0.1]) {
    for (const candidate of [value, Math.round(value / grain) * grain, Math.floor(value / grain) * grain]) {
      if (keeps(candidate)) return candidate
    }
  }
  return value
}

/** The range of a field's numbers, both ends inclusive. */
interface NumberSpan {
  readonly from: number
  readonly to: number
  /** Whether small numbers are likelier. */
  readonly skewed?: boolean
  readonly decimals?: number
  /** The value of a new record from a client. */
  readonly initial?: number
}

const COUNT: NumberSpan = { from: 0, to: 240, skewed: true, initial: 0 }

const SPANS: readonly (readonly [names: string, span: NumberSpan])[] = [
  [
    'count counts total_count times hits views likes followers following downloads votes replies retries failures errors visits uses used usage redemptions shares opens clicks wins losses watchers forks occurrences total_items',
    COUNT,
  ],
  ['attempts attempt attempt_count retry_count approvals', { from: 0, to: 3, initial: 0 }],
  [
    'percent percentage pct progress completion share utilization utilisation humidity win_percent',
    { from: 0, to: 100, initial: 0 },
  ],
  ['ratio probability confidence fraction opacity likelihood', { from: 0, to: 1, decimals: 2 }],
  ['tax_rate vat_rate rate discount_rate interest interest_rate', { from: 0, to: 25, decimals: 1 }],
  ['rating stars score average_rating', { from: 1, to: 5, decimals: 1 }],
  [
    'latency duration_ms elapsed response_time ms millis milliseconds latency_ms elapsed_ms response_duration_ms',
    { from: 18, to: 1_900, skewed: true },
  ],
  [
    'timeout ttl interval duration seconds sec max_age expires_in retry_after cooldown timeout_seconds delay',
    { from: 30, to: 3_600 },
  ],
  ['minutes min mins duration_minutes', { from: 5, to: 120 }],
  ['hours', { from: 1, to: 40, decimals: 1 }],
  ['day days trial_days trial_period trial_period_days retention_days', { from: 1, to: 30 }],
  ['week weeks month months exp_month', { from: 1, to: 12 }],
  ['year season fiscal_year', { from: 2_019, to: 2_026 }],
  ['exp_year expiry_year expiration_year', { from: 2_027, to: 2_031 }],
  [
    'bytes file_size size_in_bytes content_length size filesize size_bytes byte_size',
    { from: 1_200, to: 4_800_000, skewed: true },
  ],
  ['memory ram storage disk quota capacity', { from: 8, to: 512 }],
  [
    'cpu cpus cores vcpus replicas instances shards nodes seats rooms beds bedrooms bathrooms floors guests players parallelism workers slots pool_slots',
    { from: 1, to: 12, skewed: true },
  ],
  ['quantity qty unit units items', { from: 1, to: 12, skewed: true }],
  ['stock inventory on_hand in_stock stock_level', { from: 0, to: 180, initial: 0 }],
  ['available', { from: 0, to: 180 }],
  ['weight mass', { from: 0.2, to: 24, decimals: 1 }],
  ['height width length depth', { from: 8, to: 1_920 }],
  ['distance mileage odometer radius altitude elevation', { from: 1, to: 480, skewed: true, decimals: 1 }],
  ['temperature temp', { from: -4, to: 31, decimals: 1 }],
  ['speed velocity', { from: 4, to: 120 }],
  ['port', { from: 1_024, to: 9_443 }],
  ['http_status status_code response_code response_status response_status_code', { from: 200, to: 200 }],
  ['position rank order sort_order sequence ordinal index priority sort weighting', { from: 1, to: 24 }],
  ['page current_page page_number', { from: 1, to: 1 }],
  ['per_page page_size limit max_results', { from: 25, to: 100 }],
  ['offset skip', { from: 0, to: 0 }],
  ['total_pages page_count last_page pages', { from: 1, to: 4 }],
  [
    'version revision schema_version generation build iteration level lock_version',
    { from: 1, to: 9, skewed: true, initial: 1 },
  ],
  ['points karma reputation credits', { from: 0, to: 2_400, skewed: true, initial: 0 }],
  ['estimate_points story_points estimate', { from: 1, to: 13 }],
  ['population', { from: 12_000, to: 2_400_000, skewed: true }],
  ['employees employee_count headcount number_of_employees', { from: 4, to: 900, skewed: true }],
]

const BY_NAME = readWords(SPANS)

/** The range for a field of this name; undefined for unknown names. */
function findSpan(snakeName: string): NumberSpan | undefined {
  if (/^(?:num|nb|number_of|total_number_of)_/.test(snakeName)) return COUNT
  return findBySuffix(BY_NAME, snakeName)
}
