import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../runtime/clock.ts'
import { type Diagnostics, subscribe } from '../../runtime/diagnostics.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { OpenServer } from '../../server/open-server.ts'
import type { Store } from '../store/store.ts'
import { JsonLog } from './json-log.ts'
import { measureStore } from './measured-store.ts'
import { type BuildFacts, type MetricSources, Metrics } from './metrics.ts'
import type { OperationsOptions } from './operations-options.ts'
import { openOpsPort } from './ops-port.ts'
import { Readiness } from './readiness.ts'

/** The observed parts of a service. */
export interface OperatedParts {
  readonly store: Store | undefined
  readonly facts: BuildFacts
  readonly sources: Omit<MetricSources, 'isReady' | 'backlog'>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Prom = typeof import('prom-client')

/** Probes, metrics and logs of a running service. */
export class Operations {
  readonly log: JsonLog
  readonly #options: OperationsOptions
  readonly #runtime: Runtime
  readonly #metrics: Metrics | undefined
  readonly #readiness: Readiness
  readonly #unsubscribe: readonly (() => void)[]
  #port: OpenServer | undefined

  /** @param prom the metrics library, if there is a port */
  constructor(prom: Prom | undefined, options: OperationsOptions, runtime: Runtime) {
    this.#options = options
    this.#runtime = runtime
    this.log = new JsonLog(options.log, runtime.clock, options.write)
    this.#readiness = new Readiness(runtime, this.log)
    this.#metrics = prom && new Metrics(prom)
    const refusals = new Refusals(this.#metrics, this.log, runtime.clock)
    this.#unsubscribe = [
      subscribe('failure', (failure) => refusals.note(failure)),
      subscribe('warning', ({ message, facts }) => this.log.warn(message, facts)),
      subscribe('attempt', ({ isDelivered, durationMs }) => {
        this.#metrics?.attempts.inc({ outcome: isDelivered ? 'delivered' : 'failed' })
        this.#metrics?.attemptSeconds.observe(durationMs / 1_000)
      }),
    ]
  }

  /** Address of the port, as a URL. */
  get url(): string | undefined {
    return this.#port && `http://${this.#port.authority}`
  }

  /** The measured store, in place of `store`. */
  measure(store: Store): Store {
    return this.#metrics === undefined ? store : measureStore(store, this.#metrics, this.#runtime.clock)
  }

  /** Calls `answer`, and counts. */
  watch(answer: Answer, kindOf: (request: IncomingMessage) => string): Answer {
    const metrics = this.#metrics
    if (metrics === undefined && !this.log.isDetailed) return answer
    return (request, response) => {
      const startedAt = this.#runtime.clock.monotonic()
      const kind = kindOf(request)
      metrics?.underWay.inc()
      response.once('close', () => {
        const seconds = (this.#runtime.clock.monotonic() - startedAt) / 1_000
        const status = response.headersSent ? String(response.statusCode) : 'none'
        metrics?.underWay.dec()
        metrics?.requests.inc({ kind, status })
        // The time of an abandoned stream depends on its reader.
        if (response.writableEnded) metrics?.requestSeconds.observe({ kind }, seconds)
        this.log.debug('request', { kind, method: request.method, path: pathOf(request), status, seconds })
      })
      answer(request, response)
    }
  }

  /** Starts watching the store, and opens the port. */
  async open({ store, facts, sources }: OperatedParts): Promise<void> {
    if (store !== undefined) void this.#readiness.watch(store)
    const { port, host } = this.#options
    const metrics = this.#metrics
    if (port === undefined || metrics === undefined) return
    metrics.show(facts, {
      ...sources,
      isReady: () => this.#readiness.state === 'ready',
      backlog: () => this.#readiness.backlog,
    })
    this.#port = await openOpsPort({ metrics, readiness: this.#readiness }, { host, port })
  }

  /** Reports from now on that requests should go elsewhere. */
  drain(): void {
    this.#readiness.drain()
    this.log.info('draining')
  }

  async close(): Promise<void> {
    this.#readiness.close()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await this.#port?.close()
    this.log.info('closed')
  }
}

/** Loads the metrics library. Rejects with an Error that names the package to install. */
export async function loadProm(): Promise<Prom> {
  try {
    return (await import('prom-client')).default
  } catch (cause) {
    throw new Error(
      'Failed to open the port for operators: the package "prom-client" is missing. Install it: npm install prom-client.',
      { cause },
    )
  }
}

/** A query may hold a key. */
const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?')[0] ?? ''

/** Each cause is logged once in this time, with the number of its occurrences since. */
const QUIET_MS = 10_000

/** The service's own answers of 500 and above: each is counted, and each cause is logged at most every ten seconds. */
class Refusals {
  readonly #metrics: Metrics | undefined
  readonly #log: JsonLog
  readonly #clock: Clock
  readonly #met = new Map<string, { count: number; loggedAt: number }>()

  constructor(metrics: Metrics | undefined, log: JsonLog, clock: Clock) {
    this.#metrics = metrics
    this.#log = log
    this.#clock = clock
  }

  note({ status, error }: Diagnostics['failure']): void {
    const why = whyOf(status, error)
    this.#metrics?.refused.inc({ why })
    const now = this.#clock.monotonic()
    const met = this.#met.get(why) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY }
    this.#met.set(why, met)
    met.count++
    if (now - met.loggedAt < QUIET_MS) return
    const { count } = met
    Object.assign(met, { count: 0, loggedAt: now })
    if (status === 500) this.#log.error('request failed', error.cause ?? error, { count })
    else this.#log.warn('request refused', { status, why, count })
  }
}

/** One of a few causes, in the service's own words. */
function whyOf(status: number, { cause }: Error): string {
  if (status === 500) return 'internal error'
  if (typeof cause === 'string') return cause
  return status === 507 ? 'no room in the store' : 'unavailable'
}
