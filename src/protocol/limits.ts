import { invalidRequest } from './errors.ts'

/** The bounds of the specification's section Limits and of `decisions/`, each written once. */
export const LIMITS = {
  /** Largest description that can be uploaded, in bytes of UTF-8. */
  specBytes: 5_000_000,
  /** Largest body of a management request, in bytes. */
  managementBodyBytes: 32 * 1024 * 1024,
  /** Largest body of a request to a simulated API, in bytes. */
  simulatedBodyBytes: 10 * 1024 * 1024,
  /** Names of one object of a JSON body of a request. */
  bodyNames: 5_000,
  /** Names of one object of a JSON body of a management request: seed records go by collection. */
  managementBodyNames: 20_000,
  /** Values of a JSON body, of its lists and of its objects together. */
  bodyValues: 250_000,
  /** The same of a body to a simulated API that is not a list. */
  bodyValuesOfOne: 100_000,
  /** What one record may take, however many requests wrote it, in bytes: a body, and what is generated beside it. */
  recordBytes: 12_000_000,
  /** Values of one record, its lists and objects included. */
  recordValues: 110_000,
  /** Bodies of requests that a service holds at a time, over all connections, in bytes. */
  bufferedBodyBytes: 64 * 1024 * 1024,
  /** Longest `instructions`, in characters. */
  instructionsCharacters: 2_000,
  /** Most entries of `ipAllowlist`, the creator's own address not counted. */
  ipAllowlistEntries: 50,
  /** Last moment of a world, in milliseconds since 1970: 1,267 years before the last that a date can be, for what lies ahead of it. */
  worldTimeMs: 8_600_000_000_000_000,
  fastForwardHours: { min: 0.25, max: 720 },
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
  /** Values that are looked at inside alternatives to make one record or to show one; beyond it a value is taken to fit. */
  generatedChecks: 10_000,
  /** Most characters of the records on one page of a list; a page of larger records has fewer of them. */
  listedCharacters: 4_000_000,
  /** Most records that one request makes or changes. */
  bulkRecords: 10_000,
  /** Characters of a long text that count as one of the values of a record. */
  charactersOfValue: 16,
  latestEvents: 100,
  /** Events that a query may ask for: all that are kept. */
  keptEvents: 1_000,
  /** Snapshots of a simulation that are kept: the latest. */
  snapshots: 100,
  /** Changed records that the snapshots of a simulation in memory hold, all together; the latest snapshot is always kept. */
  snapshotRecords: 2_000_000,
  /** Requests that a log shows: 100 by default. All of the latest 1,000 are kept. */
  logsPage: { default: 100, max: 1_000 },
  /** What the log keeps of a body: its beginning. */
  loggedBodyBytes: 16 * 1024,
  /** What the log of one simulation keeps of all bodies; the oldest go first. */
  loggedBodiesBytes: 8 * 1024 * 1024,
  /** What each log of a simulation, of events and of requests, keeps of changed records; the oldest go first. */
  loggedRecordsBytes: 8_000_000,
  behaviourRules: 50,
  behaviourSteps: 20,
  behaviourEverySeconds: { min: 1, max: 2_592_000 },
  behaviourChangesPerRun: 10_000,
  /** Oldest age that a step may ask for, in seconds: 1,000 years, since a date goes no further than the year 275,760. */
  behaviourAgeSeconds: 31_557_600_000,
  responseRules: 100,
  /** Longest time that the config of a response rule may hold, in seconds: 1,000 years, as of the ages of a plan. */
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

/** Throws `invalid_request` for a description that is larger than a service takes. */
export function checkSpecSize(spec: string): void {
  const bytes = Buffer.byteLength(spec)
  if (bytes <= LIMITS.specBytes) return
  const [most, got] = [LIMITS.specBytes, bytes].map((count) => count.toLocaleString('en-US'))
  throw invalidRequest(
    `Expected \`spec\` to have at most ${most} bytes of UTF-8, got ${got}. Leave out prose, and paths that no test needs: our clients do so, by \`include: ['/tasks*']\` or --include.`,
  )
}
