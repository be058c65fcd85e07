import { batch, signal } from '@preact/signals'
import type { Activities } from '../../protocol/activity.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { Json } from '../../protocol/json.ts'
import type { ClockReading, LogDetail } from '../../protocol/reads.ts'
import type { SimulationDetail } from '../../protocol/simulation.ts'
import type { Delivery, WebhookState } from '../../protocol/webhook.ts'
import { differencesOf } from './differences.ts'
import type { Row } from './rows.ts'
import { API, call, ServiceError, simulationPath } from './service.ts'

/** Rows that a page keeps. */
const MOST_ROWS = 10_000
/** How long a hidden page keeps its stream: a browser opens six connections to a host at most. */
const HIDDEN_MS = 30_000
const RETRY_MS = 2_000

/** World time as the page knows it, with the page's own time when it learnt it. */
export interface KnownClock extends ClockReading {
  readonly learntAt: number
}

/** One simulation as it lives: what it holds and what happens to it, kept up by the stream of its activities. */
export class LiveSimulation {
  readonly slug: string
  readonly detail = signal<SimulationDetail | undefined>(undefined)
  readonly clock = signal<KnownClock | undefined>(undefined)
  readonly webhooks = signal<readonly WebhookState[]>([])
  readonly connection = signal<'opening' | 'live' | 'lost'>('opening')
  /** Why the simulation cannot be shown. */
  readonly error = signal<ServiceError | undefined>(undefined)
  /** Grows with every new row. */
  readonly total = signal(0)
  /** Grows when settings or records may be others than before. */
  readonly revision = signal(0)
  /** The latest rows, oldest first. */
  rows: Row[] = []
  #keys = new Set<string>()
  /** Records as the page last saw them, by collection and id. */
  readonly #seen = new Map<string, Json>()
  #incoming: Row[] = []
  #source: EventSource | undefined
  #isLoaded = false
  #isClosed = false
  #timers = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(slug: string) {
    this.slug = slug
  }

  /** Begins to follow. Returns what ends it. */
  open(): () => void {
    this.#isClosed = false
    this.#connect()
    document.addEventListener('visibilitychange', this.#onVisibility)
    return () => {
      this.#isClosed = true
      document.removeEventListener('visibilitychange', this.#onVisibility)
      for (const timer of this.#timers.values()) clearTimeout(timer)
      this.#disconnect()
    }
  }

  /** Reads settings again: rules, webhooks, collections with their counts. */
  async refresh(): Promise<void> {
    const [detail, webhooks, clock] = await Promise.all([
      call<SimulationDetail>('GET', simulationPath(this.slug)),
      call<{ data: WebhookState[] }>('GET', simulationPath(this.slug, '/webhooks')),
      call<ClockReading>('GET', simulationPath(this.slug, '/clock')),
    ])
    batch(() => {
      this.detail.value = detail
      this.webhooks.value = webhooks.data
      this.#noteClock(clock)
      this.error.value = undefined
      this.revision.value++
    })
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) this.#later('hide', HIDDEN_MS, () => this.#disconnect())
    else {
      this.#cancel('hide')
      if (this.#source === undefined) this.#connect()
    }
  }

  #connect(): void {
    if (this.#isClosed) return
    const source = new EventSource(API + simulationPath(this.slug, '/activity'))
    this.#source = source
    const on = <Kind extends keyof Activities>(kind: Kind, take: (data: Activities[Kind]) => void) =>
      source.addEventListener(kind, ({ data }) => take(JSON.parse(data)))
    on('change', (event) => this.#add(this.#toChangeRow(event)))
    on('request', (entry) => this.#add({ kind: 'request', key: `request ${entry.id}`, at: entry.at, entry }))
    on('delivery', (delivery) => this.#add(this.#toDeliveryRow(delivery)))
    on('burst', (burst) => {
      this.#add({ kind: 'burst', key: `burst ${crypto.randomUUID()}`, at: this.worldNow(), burst })
      this.#reloadSoon()
    })
    on('gap', () => this.#reloadSoon())
    on('state', ({ status, isReplaced }) => {
      const { value } = this.detail
      if (value !== undefined) this.detail.value = { ...value, status }
      if (isReplaced) this.#reloadSoon()
    })
    on('clock', (clock) => {
      this.#noteClock(clock)
      this.#refreshSoon()
    })
    on('settings', () => this.#refreshSoon())
    source.addEventListener('open', () => {
      this.connection.value = 'live'
      void this.#load()
    })
    source.addEventListener('error', () => {
      this.connection.value = this.#isLoaded ? 'lost' : 'opening'
      if (source.readyState !== EventSource.CLOSED) return
      // The service refused: its answer to a plain request says why.
      this.#source = undefined
      void this.#load()
      this.#later('retry', RETRY_MS, () => this.#connect())
    })
  }

  #disconnect(): void {
    this.#source?.close()
    this.#source = undefined
  }

  /** Reads everything that is shown. What the stream has told meanwhile is not told twice. */
  async #load(): Promise<void> {
    const path = (below: string) => simulationPath(this.slug, below)
    try {
      await this.refresh()
      const [events, logs, ...deliveries] = await Promise.all([
        call<{ data: ChangeEvent[] }>('GET', path('/events')),
        call<{ data: LogDetail[] }>('GET', path('/logs?detail=true')),
        ...this.webhooks.value.map(async ({ id }) => {
          const { data } = await call<{ data: Delivery[] }>('GET', path(`/webhooks/${id}/deliveries`))
          return data.map((delivery) => ({ ...delivery, webhookId: id }))
        }),
      ])
      const rows = [
        ...logs.data.toReversed().map(toRequestRow),
        // The log keeps what requests have changed for longer than the events are kept.
        ...logs.data.toReversed().flatMap(({ changes }) => changes.map((event) => this.#toChangeRow(event))),
        ...events.data.toReversed().map((event) => this.#toChangeRow(event)),
        ...deliveries.flat().flatMap((delivery) => (delivery.attempts.length > 0 ? this.#toDeliveryRow(delivery) : [])),
      ]
      this.#isLoaded = true
      this.#take(rows.toSorted((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0)))
      this.#flush()
    } catch (error) {
      if (error instanceof ServiceError && error.status !== 0) this.error.value = error
      else if (!(error instanceof ServiceError)) throw error
    }
  }

  #add(row: Row): void {
    this.#incoming.push(row)
    if (this.#isLoaded) this.#later('flush', 60, () => this.#flush())
  }

  #flush(): void {
    this.#take(this.#incoming)
    this.#incoming = []
  }

  #take(rows: readonly Row[]): void {
    const fresh: Row[] = []
    for (const row of rows) {
      if (this.#keys.has(row.key)) continue
      this.#keys.add(row.key)
      fresh.push(row)
    }
    if (fresh.length === 0) return
    this.rows.push(...fresh)
    if (this.rows.length > MOST_ROWS * 1.1) {
      for (const { key } of this.rows.slice(0, -MOST_ROWS)) this.#keys.delete(key)
      this.rows = this.rows.slice(-MOST_ROWS)
    }
    this.total.value += fresh.length
    if (fresh.some(({ kind }) => kind !== 'request')) this.#refreshSoon()
  }

  #toChangeRow(event: ChangeEvent): Row {
    const name = `${event.data.collection} ${event.data.id}`
    const before = this.#seen.get(name)
    const differences = before === undefined ? undefined : differencesOf(before, event.data.object)
    this.#seen.set(name, event.data.object)
    return { kind: 'change', key: `change ${event.id}`, at: event.created, event, differences }
  }

  #toDeliveryRow(delivery: Activities['delivery']): Row {
    const { id, attempts } = delivery
    const real = Date.parse(attempts.at(-1)?.at ?? '') || Date.now()
    const at = new Date(real + (this.clock.value?.offsetMs ?? 0)).toISOString()
    return { kind: 'delivery', key: `delivery ${id} ${attempts.length}`, at, delivery }
  }

  /** World time, ISO 8601. */
  worldNow(): string {
    return new Date(worldMs(this.clock.value)).toISOString()
  }

  #noteClock(clock: ClockReading): void {
    this.clock.value = { ...clock, learntAt: Date.now() }
  }

  #reloadSoon(): void {
    this.#later('reload', 300, () => void this.#load())
  }

  #refreshSoon(): void {
    if (!this.#timers.has('refresh')) this.#later('refresh', 500, () => void this.refresh().catch(() => {}))
  }

  #later(name: string, ms: number, run: () => void): void {
    if (this.#timers.has(name)) return
    const timer = setTimeout(() => {
      this.#timers.delete(name)
      if (!this.#isClosed) run()
    }, ms)
    this.#timers.set(name, timer)
  }

  #cancel(name: string): void {
    clearTimeout(this.#timers.get(name))
    this.#timers.delete(name)
  }
}

function toRequestRow(entry: LogDetail): Row {
  const changes = entry.changes.map(({ id }) => id)
  return { kind: 'request', key: `request ${entry.id}`, at: entry.at, entry: { ...entry, changes } }
}

/** World time now, in milliseconds. */
export function worldMs(clock: KnownClock | undefined): number {
  if (clock === undefined) return Date.now()
  return Date.parse(clock.now) + (clock.paused ? 0 : Date.now() - clock.learntAt)
}
