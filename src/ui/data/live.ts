import { batch, signal } from '@preact/signals'
import type { Activities } from '../../protocol/activity.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { ClockReading, LogDetail } from '../../protocol/reads.ts'
import type { ReportPage } from '../../protocol/report-page.ts'
import type { SimulationDetail } from '../../protocol/simulation.ts'
import type { Delivery, WebhookState } from '../../protocol/webhook.ts'
import { attempt, notify } from './notices.ts'
import { report } from './report.ts'
import { RowMemory } from './row-memory.ts'
import { inOrder, type Row, toRequestRow } from './rows.ts'
import { API, call, ServiceError, simulationPath } from './service.ts'
import { type KnownClock, worldMs } from './time-text.ts'

/** Most rows of a page. */
const MOST_ROWS = 10_000
/** How long a hidden page keeps its stream: a browser opens at most six connections to a host. */
const HIDDEN_MS = 30_000
const RETRY_MS = 2_000
/** Time from a burst to reading everything again, unless another burst follows. */
const BURST_MS = 1_500
/** The same after records were replaced, or activity was lost. */
const RELOAD_MS = 300
/** Time until settings and counts are read again, and the least interval. */
const SOON_MS = 150
const REFRESH_MS = 1_000
const HIDDEN_FLUSH_MS = 500

/** One simulation, kept up to date by its activity stream. */
export class LiveSimulation {
  readonly slug: string
  readonly detail = signal<SimulationDetail | undefined>(undefined)
  readonly clock = signal<KnownClock | undefined>(undefined)
  readonly webhooks = signal<readonly WebhookState[]>([])
  readonly connection = signal<'opening' | 'live' | 'lost'>('opening')
  /** Why the simulation cannot be shown. */
  readonly error = signal<ServiceError | undefined>(undefined)
  /** Increases with every new row. */
  readonly total = signal(0)
  /** Increases with every reading of older rows; `end` when the service has no earlier ones. */
  readonly older = signal<number | 'end'>(0)
  /** Increases when settings or records may have changed. */
  readonly revision = signal(0)
  /** The latest rows, oldest first. */
  rows: Row[] = []
  #keys = new Set<string>()
  readonly #memory = new RowMemory()
  #incoming: Row[] = []
  /** Keys of rows that were read but not yet streamed. */
  #ahead = new Set<string>()
  #refreshedAt = 0
  /** Number of bursts so far: each has its own key. */
  #bursts = 0
  #source: EventSource | undefined
  /** The first reading of settings, which does not wait for the stream. */
  #first: Promise<void> | undefined
  #loading: Promise<void> = Promise.resolve()
  /** Whether the first rows have been read. */
  readonly isLoaded = signal(false)
  #isClosed = false
  readonly #timers = new NamedTimers()

  constructor(slug: string) {
    this.slug = slug
  }

  /** Starts following. Returns a function that ends it. */
  open(): () => void {
    this.#isClosed = false
    this.#first = this.refresh()
    this.#first.catch(() => {})
    this.#connect()
    document.addEventListener('visibilitychange', this.#onVisibility)
    return () => {
      this.#isClosed = true
      document.removeEventListener('visibilitychange', this.#onVisibility)
      this.#timers.cancelAll()
      this.#disconnect()
    }
  }

  /** Reads settings again: rules, webhooks, collections with their counts. */
  async refresh(): Promise<void> {
    this.#refreshedAt = performance.now()
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

  /** An action of the user: calls the simulation, reads its settings again, and shows what was done. */
  act<Answer>(
    method: 'POST' | 'PUT' | 'DELETE',
    below: string,
    done: string | ((answer: Answer) => string),
    body?: object,
  ): Promise<boolean> {
    return attempt(async () => {
      const answer = await call<Answer>(method, simulationPath(this.slug, below), body)
      await this.refresh()
      notify(typeof done === 'string' ? done : done(answer))
    })
  }

  /** Reads activity before the oldest known rows. */
  async loadOlder(): Promise<void> {
    const older = (await readOlderRows(this.slug, this.rows)).filter(({ key }) => !this.#keys.has(key))
    for (const { key } of older) this.#keys.add(key)
    this.rows = [...older, ...this.rows]
    const { value } = this.older
    this.older.value = older.length === 0 || value === 'end' ? 'end' : value + 1
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) this.#timers.later('hide', HIDDEN_MS, () => this.#disconnect())
    else {
      this.#timers.cancel('hide')
      if (this.#source === undefined) this.#connect()
    }
  }

  #connect(): void {
    if (this.#isClosed) return
    if (report !== undefined) {
      this.connection.value = 'live'
      void this.#load()
      return
    }
    const source = new EventSource(API + simulationPath(this.slug, '/activity'))
    this.#source = source
    const on = <Kind extends keyof Activities>(kind: Kind, take: (data: Activities[Kind]) => void) =>
      source.addEventListener(kind, ({ data }) => take(JSON.parse(data)))
    on('change', (event) => this.#add(this.#memory.toChangeRow(event)))
    on('request', (entry) => this.#add({ kind: 'request', key: `request ${entry.id}`, at: entry.at, entry }))
    on('delivery', (delivery) => this.#add(this.#memory.toDeliveryRow(delivery)))
    on('burst', (burst) => {
      this.#add({ kind: 'burst', key: `burst ${++this.#bursts}`, at: this.worldNow(), burst })
      this.#reloadIn(BURST_MS)
    })
    on('gap', () => this.#reloadIn(RELOAD_MS))
    on('state', ({ status, isReplaced }) => {
      const { value } = this.detail
      if (value !== undefined) this.detail.value = { ...value, status }
      if (!isReplaced) return
      // World time may go back: earlier rows must not come after the rows of the stream.
      this.#ahead.clear()
      this.#reloadIn(RELOAD_MS)
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
      this.connection.value = this.isLoaded.value ? 'lost' : 'opening'
      if (source.readyState !== EventSource.CLOSED) return
      // The service refused the stream: a plain request gets the reason.
      this.#source = undefined
      void this.#load().then(() => {
        if (this.error.value?.status !== 404) this.#timers.later('retry', RETRY_MS, () => this.#connect())
      })
    })
  }

  #disconnect(): void {
    this.#source?.close()
    this.#source = undefined
  }

  /** Reads everything again after a running read: an older answer must not come after a newer one. */
  #load(): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#read())
    return this.#loading
  }

  /** Rows streamed meanwhile are not added twice. */
  async #read(): Promise<void> {
    const path = (below: string) => simulationPath(this.slug, below)
    try {
      const first = this.#first
      this.#first = undefined
      await (first ?? this.refresh())
      const [events, logs, ...deliveries] = await Promise.all([
        call<{ data: ChangeEvent[] }>('GET', path('/events')),
        call<{ data: LogDetail[] }>('GET', path('/logs?detail=true')),
        ...this.webhooks.value.map(async ({ id }) => {
          const { data } = await call<{ data: Delivery[] }>('GET', path(`/webhooks/${id}/deliveries`))
          return data.map((delivery) => ({ ...delivery, webhookId: id }))
        }),
      ])
      const changes = [
        // The log keeps changes by requests for longer than the event log.
        ...logs.data.toReversed().flatMap((entry) => entry.changes),
        ...events.data.toReversed(),
      ].map((event) => this.#memory.toChangeRow(event))
      const attempted = deliveries.flat().filter(({ attempts }) => attempts.length > 0)
      for (const delivery of attempted) this.#memory.noteFirstAttempt(delivery)
      const rows = [
        ...logs.data.toReversed().map(toRequestRow),
        ...changes,
        ...attempted.map((delivery) => this.#memory.toDeliveryRow(delivery)),
        ...(report === undefined ? [] : reportRows(report, this.clock.value?.offsetMs ?? 0)),
      ]
      this.isLoaded.value = true
      // Settings may have changed between the first read and the stream.
      if (first !== undefined) this.#refreshSoon()
      this.#take(inOrder(rows), this.#ahead)
      this.#flush()
    } catch (error) {
      if (error instanceof ServiceError && error.status !== 0) this.error.value = error
      else if (!(error instanceof ServiceError)) throw error
    }
  }

  #add(row: Row): void {
    this.#incoming.push(row)
    if (!this.isLoaded.value || this.#incoming.length > 1) return
    // A hidden page has no animation frames.
    if (document.hidden) setTimeout(() => this.#flush(), HIDDEN_FLUSH_MS)
    else requestAnimationFrame(() => this.#flush())
  }

  #flush(): void {
    this.#take(this.#incoming)
    this.#incoming = []
  }

  /** Adds rows. @param ahead collects the keys of rows from reads */
  #take(rows: readonly Row[], ahead?: Set<string>): void {
    const fresh: Row[] = []
    for (const row of rows) {
      if (ahead === undefined) this.#ahead.delete(row.key)
      if (this.#keys.has(row.key)) continue
      this.#keys.add(row.key)
      ahead?.add(row.key)
      fresh.push(row)
      if (ahead === undefined) this.rows.splice(this.#placeOf(row), 0, row)
      else this.rows.push(row)
    }
    if (fresh.length === 0) return
    if (this.rows.length > MOST_ROWS * 1.1) this.#forget()
    this.total.value += fresh.length
    if (fresh.some(isCounted)) this.#refreshSoon()
  }

  /**
   * The place of a streamed row. Later activity may have been read before the stream has it: those rows stay above it,
   * and so do all read rows without a streamed one, since a burst may have omitted them.
   */
  #placeOf(row: Row): number {
    const at = row.kind === 'burst' ? Number.NEGATIVE_INFINITY : Date.parse(row.at)
    return this.rows.findLastIndex((known) => !this.#ahead.has(known.key) || Date.parse(known.at) <= at) + 1
  }

  /** Keeps the latest rows, with their data. */
  #forget(): void {
    this.rows = this.rows.slice(-MOST_ROWS)
    this.#keys = new Set(this.rows.map(({ key }) => key))
    for (const key of this.#ahead) if (!this.#keys.has(key)) this.#ahead.delete(key)
    this.#memory.keepOnly(this.rows)
  }

  /** World time, ISO 8601. */
  worldNow(): string {
    return new Date(worldMs(this.clock.value)).toISOString()
  }

  #noteClock(clock: ClockReading): void {
    this.clock.value = { ...clock, learntAt: Date.now() }
    this.#memory.noteOffset(clock.offsetMs)
  }

  /** Reads everything again, unless another call follows meanwhile. */
  #reloadIn(ms: number): void {
    if (this.#isClosed) return
    this.#timers.cancel('reload')
    this.#timers.later('reload', ms, () => void this.#load())
  }

  #refreshSoon(): void {
    if (this.#isClosed) return
    const rest = this.#refreshedAt + REFRESH_MS - performance.now()
    this.#timers.later('refresh', Math.max(SOON_MS, rest), () => void this.refresh().catch(() => {}))
  }
}

/** Whether a row may change counts: of records, of an endpoint's failures, of a rule's firings. */
const isCounted = (row: Row): boolean =>
  row.kind === 'change' || row.kind === 'delivery' || (row.kind === 'request' && row.entry.ruleId !== null)

/** Events and requests read at a time. */
const OLDER_EVENTS = 500
const OLDER_REQUESTS = 200

/** Changes and requests before the known ones, oldest first. Empty where the service has none. @param rows oldest first */
async function readOlderRows(slug: string, rows: readonly Row[]): Promise<Row[]> {
  const change = rows.find((row) => row.kind === 'change')
  const request = rows.find((row) => row.kind === 'request')
  const [events, logs] = await Promise.all([
    readBefore<ChangeEvent>(slug, '/events', { limit: OLDER_EVENTS, before: change?.event.id }),
    readBefore<LogDetail>(slug, '/logs', { limit: OLDER_REQUESTS, before: request?.entry.id, detail: true }),
  ])
  // Differences are found among the older ones only, since the page knows later states of their records.
  const memory = new RowMemory()
  const older = [
    ...logs.toReversed().map(toRequestRow),
    ...events.toReversed().map((event) => memory.toChangeRow(event)),
  ]
  return inOrder(older)
}

/** Empty without a known row of this kind: then there was none. */
async function readBefore<Entry>(
  slug: string,
  below: string,
  query: { limit: number; before: string | undefined; detail?: boolean },
): Promise<readonly Entry[]> {
  if (query.before === undefined) return []
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return (await call<{ data: Entry[] }>('GET', simulationPath(slug, `${below}?${search}`))).data
}

/**
 * Rows that only a report has: clock turns by its test, and webhooks at the test's sink. A row has its event's id, if
 * any, to link to the event's chain.
 *
 * @param offsetMs offset of world time from real time when the report was made
 */
function reportRows({ turns, receipts }: ReportPage, offsetMs: number): Row[] {
  const offsets = offsetsAfter(turns, offsetMs)
  const worldAt = (realMs: number): string => {
    const turn = turns.findLastIndex(({ at, tookMs }) => at + tookMs <= realMs)
    return new Date(realMs + (turn === -1 ? offsets.before : (offsets.after[turn] ?? 0))).toISOString()
  }
  return [
    ...turns.map((turn, at): Row => {
      return { kind: 'turn', key: `turn turn-${at + 1}`, at: worldAt(turn.at + turn.tookMs), turn }
    }),
    ...receipts.map((receipt, at): Row => {
      const id = receipt.eventId ?? `refused-${at + 1}`
      return { kind: 'receipt', key: `receipt ${id} ${at}`, at: worldAt(receipt.at), receipt }
    }),
  ]
}

/** Offsets of world time from real time before all turns and after each, if only these have turned the clock. */
function offsetsAfter(turns: ReportPage['turns'], lastMs: number): { before: number; after: number[] } {
  const after: number[] = []
  let offset = lastMs
  for (const { hours } of turns.toReversed()) {
    after.unshift(offset)
    offset -= hours * 3_600_000
  }
  return { before: offset, after }
}

/** Timers by name: at most one for each name. */
class NamedTimers {
  readonly #running = new Map<string, ReturnType<typeof setTimeout>>()

  /** Runs a function later, unless its name is already waiting. */
  later(name: string, ms: number, run: () => void): void {
    if (this.#running.has(name)) return
    const timer = setTimeout(() => {
      this.#running.delete(name)
      run()
    }, ms)
    this.#running.set(name, timer)
  }

  cancel(name: string): void {
    clearTimeout(this.#running.get(name))
    this.#running.delete(name)
  }

  cancelAll(): void {
    for (const name of [...this.#running.keys()]) this.cancel(name)
  }
}
