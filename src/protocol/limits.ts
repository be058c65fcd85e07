import { invalidRequest } from './errors.ts'
import { grouped } from './grouped.ts'

/** The bounds of the specification's section Limits and of `decisions/`, each written once. */
export const LIMITS = {
  /** Largest description that can be uploaded, in bytes of UTF-8. */
  specBytes: 5_000_000,
  /** Longest slug: that of a DNS label (RFC 1035). */
  slugCharacters: 63,
  /** Largest body of a management request, in bytes. */
  managementBodyBytes: 32 * 1024 * 1024,
  /** Largest body of a request to a simulated API, in bytes. */
  simulatedBodyBytes: 10 * 1024 * 1024,
  /** Most names of one object in the JSON body of a request. */
  bodyNames: 5_000,
  /** Most names of one object in the JSON body of a management request. Seed records are grouped by collection. */
  managementBodyNames: 20_000,
  /** Most values in a JSON body: items of lists and fields of objects. */
  bodyValues: 250_000,
  /** Most values in a JSON body to a simulated API that is not a list. */
  bodyValuesOfOne: 100_000,
  /** Largest record, in bytes: the bodies of all its requests and the generated fields together. */
  recordBytes: 12_000_000,
  /** Most values in one record, including lists and objects. */
  recordValues: 110_000,
  /** Most bytes of request bodies that a service buffers at a time, over all connections. */
  bufferedBodyBytes: 64 * 1024 * 1024,
  /** Longest `instructions`, in characters. */
  instructionsCharacters: 2_000,
  /** Most entries of `ipAllowlist`, the creator's own address not counted. */
  ipAllowlistEntries: 50,
  /** Latest world time, in milliseconds since 1970: 1,267 years before the latest possible date, so that later due times fit. */
  worldTimeMs: 8_600_000_000_000_000,
  fastForwardHours: { min: 0.25, max: 720 },
  /** The same in the extension `clock-advance`. */
  advanceSeconds: { min: 1, max: 720 * 3_600 },
  /** Most changes of one fast-forward before it is undone. */
  fastForwardChanges: 1_000_000,
  libraryPage: { default: 50, max: 200 },
  recordsPage: { default: 50, max: 500 },
  /** Records of one collection that `volume` may ask for. */
  volume: { min: 0, max: 1_000_000 },
  /** Longest text that is generated, even where `minLength` of a description asks for more. */
  generatedCharacters: 65_536,
  /** Most values that one generated record, document or answer is made of, even where a description requires more. */
  generatedValues: 10_000,
  /** Most values checked inside alternatives to make or show one record; further values are assumed to fit. */
  generatedChecks: 10_000,
  /** Most characters of the records on one page of a list; a page of larger records has fewer records. */
  listedCharacters: 4_000_000,
  /** Most events of one streamed answer, and most bytes of all of them. */
  streamEvents: 100_000,
  streamBytes: 16_000_000,
  /** Most records that one request makes or changes. */
  bulkRecords: 10_000,
  /** Characters of a long text that count as one of the values of a record. */
  charactersOfValue: 16,
  latestEvents: 100,
  /** Most events that a query may ask for: all that are kept. */
  keptEvents: 1_000,
  /** Number of latest snapshots of a simulation that are kept. */
  snapshots: 100,
  /** Changed records that the snapshots of a simulation in memory hold, all together; the latest snapshot is always kept. */
  snapshotRecords: 2_000_000,
  /** Number of requests that a log shows: 100 by default. The latest 1,000 are kept. */
  logsPage: { default: 100, max: 1_000 },
  /** Bytes of a body that the log keeps, from its beginning. */
  loggedBodyBytes: 16 * 1024,
  /** Most bytes of bodies that the log of one simulation keeps; the oldest are dropped first. */
  loggedBodiesBytes: 8 * 1024 * 1024,
  /** Most bytes of changed records that each log of a simulation keeps (events, requests); the oldest are dropped first. */
  loggedRecordsBytes: 8_000_000,
  behaviourRules: 50,
  behaviourSteps: 20,
  behaviourEverySeconds: { min: 1, max: 2_592_000 },
  behaviourChangesPerRun: 10_000,
  /** Largest age in a step, in seconds: 1,000 years, since a date ends in the year 275,760. */
  behaviourAgeSeconds: 31_557_600_000,
  responseRules: 100,
  /** Longest time in the config of a response rule, in seconds: 1,000 years, like the ages of a plan. */
  responseRuleSeconds: 31_557_600_000,
  /** Longest `when` of a response rule, as JSON. */
  ruleConditionCharacters: 16_384,
  /** Longest `where` and `sort` of a query. */
  queryCharacters: 16_384,
  latencyMs: { min: 0, max: 300_000 },
  webhookTimeoutMs: 10_000,
  webhookFailuresBeforeOff: 50,
  webhookUrlCharacters: 2_048,
  signatureToleranceSeconds: 300,
} as const

/** Throws `invalid_request` for a description, or an entry beside it, that is larger than a service takes. */
export function checkSpecSize(text: string, field = 'spec'): void {
  const bytes = Buffer.byteLength(text)
  if (bytes <= LIMITS.specBytes) return
  const [most, got] = [LIMITS.specBytes, bytes].map(grouped)
  throw invalidRequest(
    `Expected \`${field}\` to have at most ${most} bytes of UTF-8, got ${got}. Leave out prose, and paths that no test needs: our clients do so, by \`include: ['/tasks*']\` or --include.`,
  )
}
