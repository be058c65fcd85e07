import { findBySuffix, readWords } from './suffix-words.ts'

/** Where the numbers of a field lie: from and to, both inclusive. */
export interface NumberSpan {
  readonly from: number
  readonly to: number
  /** Small ones are likelier. */
  readonly skewed?: boolean
  readonly decimals?: number
  /** What a record has when it is made. */
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
  ['stock inventory on_hand available in_stock stock_level', { from: 0, to: 180 }],
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

/** The span for a field of this name; undefined for names that tell nothing. */
export function findSpan(snakeName: string): NumberSpan | undefined {
  if (/^(?:num|nb|number_of|total_number_of)_/.test(snakeName)) return COUNT
  return findBySuffix(BY_NAME, snakeName)
}
