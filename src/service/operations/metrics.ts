import type { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { WorkBacklog } from '../store/work.ts'

type Prom = typeof import('prom-client')

/** Values read when the metrics are requested. */
export interface MetricSources {
  /** Simulations in memory. */
  simulations(): number
  /** Estimated memory of stored simulations. */
  bytes(): number
  /** Requests waiting for their batch, over all simulations. */
  waiting(): number
  /** Offset of the store's clock from this machine's; 0 without a store. */
  offsetMs(): number
  /** Statements waiting for a connection to the store. */
  poolWaiting(): number
  isReady(): boolean
  /** Waiting work of the store at the last count; none without a store. */
  backlog(): WorkBacklog
}

/** Versions of the running program. */
export interface BuildFacts {
  readonly version: string
  readonly engine: number
  /** Version of the store's tables; undefined without one. */
  readonly schema: number | undefined
}

/** From one millisecond to the longest wait of a request. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const ENTRIES = [1, 2, 4, 8, 16, 32, 64, 128, 200]

/** Everything that `/metrics` shows. */
export class Metrics {
  readonly registry: Registry
  readonly requests: Counter<'kind' | 'status'>
  readonly requestSeconds: Histogram<'kind'>
  readonly underWay: Gauge
  readonly appendSeconds: Histogram
  readonly appendEntries: Histogram
  readonly appends: Counter<'result'>
  readonly unknownOutcomes: Counter<'found'>
  readonly headsSeconds: Histogram
  readonly loadSeconds: Histogram
  readonly refused: Counter<'why'>
  readonly attempts: Counter<'outcome'>
  readonly attemptSeconds: Histogram
  readonly #prom: Prom

  constructor(prom: Prom) {
    this.#prom = prom
    this.registry = new prom.Registry()
    prom.collectDefaultMetrics({ register: this.registry })
    this.requests = this.#counter('requests_total', 'Answers, by kind of request and status', ['kind', 'status'])
    this.requestSeconds = this.#histogram('request_seconds', 'From the head of a request to its answer', ['kind'])
    this.underWay = this.#gauge('requests_under_way', 'Requests in progress, including open streams', [])
    this.appendSeconds = this.#histogram('append_seconds', 'Appends to the store; each has a group of commits')
    this.appendEntries = this.#histogram('append_entries', 'Commits of one append', [], ENTRIES)
    this.appends = this.#counter('appends_total', 'Commits, by result', ['result'])
    this.unknownOutcomes = this.#counter(
      'unknown_outcomes_total',
      'Commits without an answer of the store, by what was found afterwards',
      ['found'],
    )
    this.headsSeconds = this.#histogram('heads_seconds', 'Checks for writes of other nodes')
    this.loadSeconds = this.#histogram('load_seconds', 'Loads of a simulation, or of writes of another node')
    this.refused = this.#counter('refused_total', 'Answers of status 500 and above by the service itself, by cause', [
      'why',
    ])
    this.attempts = this.#counter('deliveries_total', 'Attempts to deliver a webhook, by outcome', ['outcome'])
    this.attemptSeconds = this.#histogram('delivery_seconds', 'From sending a webhook to its answer')
  }

  /** Shows the values that are read at each request for metrics. */
  show({ version, engine, schema }: BuildFacts, sources: MetricSources): void {
    this.#gauge('build_info', 'Always 1', ['version', 'engine', 'schema']).set(
      { version, engine: String(engine), schema: schema === undefined ? 'none' : String(schema) },
      1,
    )
    this.#read('cached_simulations', 'Simulations in memory', () => sources.simulations())
    this.#read('cache_bytes', 'Estimated memory of stored simulations', () => sources.bytes())
    this.#read('lane_waiting', 'Requests that wait for their batch', () => sources.waiting())
    this.#read(
      'clock_offset_seconds',
      "Offset of the store's clock from the clock of this node",
      () => sources.offsetMs() / 1_000,
    )
    this.#read('pool_waiting', 'Statements that wait for a connection', () => sources.poolWaiting())
    this.#read('outbox_waiting', 'Events that wait for an attempt, in the whole store', () => sources.backlog().waiting)
    const seconds = (read: () => number) => () => read() / 1_000
    this.#read(
      'oldest_due_seconds',
      'Overdue time of the oldest delivery that no node sends',
      seconds(() => sources.backlog().deliveryLateMs),
    )
    this.#read(
      'ticks_late_seconds',
      'Overdue time of the oldest run of a plan',
      seconds(() => sources.backlog().tickLateMs),
    )
    this.#read('ready', 'Whether /readyz answers 200', () => Number(sources.isReady()))
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new this.#prom.Counter({ name: `backlot_${name}`, help, labelNames, registers: [this.registry] })
  }

  #histogram<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
    buckets = SECONDS,
  ): Histogram<Label> {
    return new this.#prom.Histogram({ name: `backlot_${name}`, help, labelNames, buckets, registers: [this.registry] })
  }

  #gauge<Label extends string = never>(name: string, help: string, labelNames: Label[]): Gauge<Label> {
    return new this.#prom.Gauge({ name: `backlot_${name}`, help, labelNames, registers: [this.registry] })
  }

  #read(name: string, help: string, read: () => number): void {
    new this.#prom.Gauge({
      name: `backlot_${name}`,
      help,
      registers: [this.registry],
      collect() {
        this.set(read())
      },
    })
  }
}
