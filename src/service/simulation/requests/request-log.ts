import type { RequestActivity } from '../../../protocol/activity.ts'
import { invalidRequest, notFound } from '../../../protocol/errors.ts'
import { grouped } from '../../../protocol/grouped.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { toLoggedHeaders } from '../../../protocol/logged-message.ts'
import { maskSecrets } from '../../../protocol/mask-secrets.ts'
import type { LogDetail, LogEntry } from '../../../protocol/reads.ts'
import { sizeOf } from '../../../protocol/size-of.ts'
import type { SentStream } from '../../../protocol/stream.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { toIso } from '../../../runtime/date-text.ts'
import type { AnsweredRequest, RequestTrace } from '../../simulated-api/answer-request.ts'
import type { ApiRequest, ApiResponse, ConnectionFault } from '../../simulated-api/exchange.ts'
import type { SimulationCore } from '../core/core.ts'
import { type LoggedChange, omitRecord } from '../core/logged-change.ts'
import { BodyStore, type StoredBody } from './body-store.ts'

/** The answer to a request, with its number in the log. */
export interface LoggedAnswer {
  readonly response: ApiResponse
  readonly number: number
  readonly isCounted: boolean
}

/** Saves the requests of a log in a store. */
export interface RequestKeeper {
  /** A number for a request whose answer is about to be sent: greater than those of all requests answered before it arrived. */
  nextNumber(): number
  /** Schedules saving of a request of the log. @param isNew whether it was not saved before */
  add(place: number, isNew: boolean): void
}

/** One logged request. It becomes a {@link LogEntry} or a {@link LogDetail} on demand. */
interface LoggedRequest {
  /** Its number in this log. */
  readonly number: number
  /** The number in its id. In a store: undefined before its answer may be sent. */
  shown: number | undefined
  /** World time, milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  readonly ip: string
  readonly headers: ApiRequest['headers']
  readonly arrivedAt: number
  body: StoredBody | null
  trace: RequestTrace
  status: number
  answerHeaders: ApiResponse['headers']
  answerBody: StoredBody | null
  fault: ConnectionFault['kind'] | null
  /** Whether a response rule affects sending its answer. */
  isDelivered: boolean
  /** Its changes, oldest first. */
  changes: readonly LoggedChange[]
  /** Size of their records, in bytes. */
  changedBytes: number
  /** Undefined until the answer is sent, or the client has disconnected. */
  sentAt: number | undefined
  stream: SentStream | undefined
}

/** Provides the latest changes of a request, with their events. */
type EventMaker = Pick<SimulationCore, 'latestChanges' | 'toEvent' | 'maskSignIn'>

const NO_TRACE: RequestTrace = { operation: null, ruleId: null, key: null, warnings: [] }
const NO_HEADERS: ApiResponse['headers'] = {}
const NO_CHANGES: readonly LoggedChange[] = []
const KEPT = LIMITS.logsPage.max
/** Memory of a request besides bodies and changed records. */
const ENTRY_BYTES = 1_500

/**
 * The latest 1,000 requests to one simulation. An entry is added on arrival and completed after the answer. It keeps
 * the beginnings of bodies, 8 MiB in total, and 8 MB of changed records; the oldest are dropped first.
 */
export class RequestLog {
  /** By number, modulo 1,000. */
  readonly #latest: LoggedRequest[] = []
  readonly #bodies = new BodyStore()
  readonly #clock: Clock
  readonly #core: EventMaker
  #arrived = 0
  /** Called after an answer. Only for the simulation's activity feed. */
  onSent: ((compose: () => RequestActivity) => void) | undefined
  /** Set where a store keeps the requests. */
  keeper: RequestKeeper | undefined
  /** Requests with records in their changes, in order of answers. */
  #changing: LoggedRequest[] = []
  /** Bytes of these records. */
  #changedBytes = 0

  constructor(clock: Clock, core: EventMaker) {
    this.#clock = clock
    this.#core = core
  }

  /** Number of requests so far. */
  get arrived(): number {
    return this.#arrived
  }

  /** Estimated memory, in bytes. */
  get bytes(): number {
    return this.#latest.length * ENTRY_BYTES + this.#bodies.size + this.#changedBytes
  }

  /** Adds a request; returns its number. @param at world time, milliseconds */
  add({ method, path, query, ip, headers, body }: ApiRequest, at: number): number {
    const number = ++this.#arrived
    const entry: LoggedRequest = {
      number,
      shown: this.keeper === undefined ? number : undefined,
      at,
      method,
      path,
      query,
      ip,
      headers,
      arrivedAt: this.#clock.monotonic(),
      body: this.#bodies.add(body),
      trace: NO_TRACE,
      status: 500,
      answerHeaders: NO_HEADERS,
      answerBody: null,
      fault: null,
      isDelivered: false,
      changes: NO_CHANGES,
      changedBytes: 0,
      sentAt: undefined,
      stream: undefined,
    }
    this.#latest[number % KEPT] = entry
    return number
  }

  /**
   * Notes the answer to a request and its changes. An answer delayed by response rules is sent later, a stored one
   * after saving; others now. A request that a rule held, or whose batch was undone, is answered again.
   */
  noteAnswer(number: number, { response, trace, changes }: AnsweredRequest): void {
    const entry = this.#find(number)
    if (entry === undefined) return
    const { status, headers, body, delivery } = response
    const { ruleId } = entry.trace
    entry.status = status
    entry.answerHeaders = headers
    entry.answerBody = this.#bodies.add(body)
    entry.trace = ruleId === null ? trace : { ...trace, ruleId }
    this.#forgetChanges(entry)
    if (changes.length > 0) this.#noteChanges(entry, this.#core.latestChanges(changes.length))
    if (delivery !== undefined) {
      entry.isDelivered = true
      entry.fault = delivery.fault?.kind ?? null
    } else if (this.keeper === undefined) this.#sent(entry)
  }

  /** Notes that a request's changes are saved: its answer is sent now, or by a response rule. */
  noteKept(number: number): void {
    const entry = this.#find(number)
    if (entry === undefined || entry.shown !== undefined) return
    if (entry.isDelivered) this.#keep(entry)
    else this.#sent(entry)
  }

  /** The id of a request. */
  idOf(number: number): string {
    return idOfNumber(this.#find(number)?.shown ?? number)
  }

  /** A request with its details; undefined where it is no longer here. */
  detailAt(number: number): LogDetail | undefined {
    const entry = this.#find(number)
    return entry && this.#toDetail(entry)
  }

  /**
   * Notes that the answer was sent, or its client has disconnected.
   *
   * @param stream what was sent of a streamed one
   * @param late one whose status, headers and body came after {@link noteAnswer}; the beginning of its body
   */
  noteSent(number: number, stream?: SentStream, late?: ApiResponse): void {
    const entry = this.#find(number)
    if (entry === undefined) return
    entry.stream = stream
    if (late !== undefined) {
      const body = this.#bodies.add(late.body)
      entry.status = late.status
      entry.answerHeaders = late.headers
      entry.answerBody = body && { ...body, bytes: stream?.bytes ?? body.bytes }
    }
    this.#sent(entry)
  }

  #sent(entry: LoggedRequest): void {
    if (entry.sentAt !== undefined) return
    entry.sentAt = this.#clock.monotonic()
    this.#keep(entry)
    this.onSent?.(() => ({
      ...this.#toEntry(entry),
      changes: entry.changes.map((change) => this.#core.toEvent(change).id),
    }))
  }

  #keep(entry: LoggedRequest): void {
    if (this.keeper === undefined) return
    const isNew = entry.shown === undefined
    entry.shown ??= this.keeper.nextNumber()
    this.keeper.add(entry.number, isNew)
  }

  /** Requests, newest first. Throws `invalid_request` for an invalid id in `before` or `after`. */
  read(selection: LogSelection): LogEntry[] {
    return this.#select(selection).map((entry) => this.#toEntry(entry))
  }

  /** {@link read} with headers, bodies and changes. */
  readDetails(selection: LogSelection): LogDetail[] {
    return this.#select(selection).map((entry) => this.#toDetail(entry))
  }

  /** Throws `not_found` for an unknown request. */
  readDetail(id: string): LogDetail {
    const entry = this.#find(numberOfId(id) ?? 0)
    if (entry === undefined) throw noRequest(id)
    return this.#toDetail(entry)
  }

  #select({ limit, before, after, status, method, operation, path }: LogSelection): LoggedRequest[] {
    const found: LoggedRequest[] = []
    const last = Math.min(this.#arrived, numberOf(before, 'before', this.#arrived + 1) - 1)
    const first = Math.max(this.#arrived - KEPT, numberOf(after, 'after', 0)) + 1
    for (let number = last; number >= first && found.length < limit; number--) {
      const entry = this.#find(number)
      if (entry === undefined) break
      if (status !== undefined && status !== shownStatus(entry)) continue
      if (path !== undefined && !path(entry.path)) continue
      if (method !== undefined && method !== entry.method) continue
      if (operation === undefined || operation === entry.trace.operation) found.push(entry)
    }
    return found
  }

  #noteChanges(entry: LoggedRequest, changes: readonly LoggedChange[]): void {
    entry.changes = changes
    for (const { record } of changes) entry.changedBytes += sizeOf(record)
    this.#changedBytes += entry.changedBytes
    this.#changing.push(entry)
    for (let [oldest] = this.#changing; oldest !== undefined && oldest !== entry; [oldest] = this.#changing) {
      const isGone = oldest.number <= this.#arrived - KEPT
      if (!isGone && this.#changedBytes <= LIMITS.loggedRecordsBytes) return
      oldest.changes = isGone ? NO_CHANGES : oldest.changes.map(omitRecord)
      this.#changedBytes -= oldest.changedBytes
      this.#changing.shift()
    }
  }

  /** The changes of an undone answer do not count. */
  #forgetChanges(entry: LoggedRequest): void {
    if (entry.changes === NO_CHANGES) return
    this.#changing = this.#changing.filter((one) => one !== entry)
    this.#changedBytes -= entry.changedBytes
    entry.changes = NO_CHANGES
    entry.changedBytes = 0
  }

  #toDetail(entry: LoggedRequest): LogDetail {
    const { headers, body, answerHeaders, answerBody, fault, changes, sentAt } = entry
    return {
      ...this.#toEntry(entry),
      request: this.#toMessage(entry, headers, body),
      response: sentAt === undefined ? null : { ...this.#toMessage(entry, answerHeaders, answerBody), fault },
      changes: changes.map((change) => this.#core.toEvent(change)),
    }
  }

  #toMessage({ trace: { operation } }: LoggedRequest, headers: ApiResponse['headers'], body: StoredBody | null) {
    const mask = (text: string) => this.#core.maskSignIn(operation, text)
    const shown = this.#bodies.show(body)
    const masked = Object.entries(toLoggedHeaders(Object.entries(headers))).map(([name, value]) => [name, mask(value)])
    const text = shown.body === null || shown.encoding === 'base64' ? shown.body : mask(shown.body)
    return { headers: Object.fromEntries(masked), ...shown, body: text }
  }

  #toEntry(entry: LoggedRequest): LogEntry {
    const { number, shown = number, at, method, path, query, ip, arrivedAt, trace, sentAt, stream } = entry
    const target = maskSecrets(query === '' ? path : `${path}?${query}`)
    return {
      id: idOfNumber(shown),
      at: toIso(at),
      method,
      path: this.#core.maskSignIn(trace.operation, target),
      status: shownStatus(entry),
      durationMs: sentAt === undefined ? null : Math.round((sentAt - arrivedAt) * 1_000) / 1_000,
      sourceIp: ip,
      ...trace,
      warnings: trace.warnings.map(maskSecrets),
      ...(stream && { stream }),
    }
  }

  #find(number: number): LoggedRequest | undefined {
    const entry = this.#latest[number % KEPT]
    return entry?.number === number ? entry : undefined
  }
}

/** Null while the answer is delayed. */
const shownStatus = ({ sentAt, status }: LoggedRequest): number | null => (sentAt === undefined ? null : status)

/** The selected requests of the log. */
export interface LogSelection {
  readonly limit: number
  /** Only events before the one with this id. */
  readonly before?: string | undefined
  /** Only requests after the one with this id. */
  readonly after?: string | undefined
  readonly status?: number | undefined
  readonly method?: string | undefined
  readonly operation?: string | undefined
  readonly path?: ((path: string) => boolean) | undefined
}

const PREFIX = 'req_'
const ID = /^req_\d{1,16}$/

const idOfNumber = (number: number): string => `${PREFIX}${number}`

/** The number in a request's id; undefined for another text. */
export function numberOfId(id: string): number | undefined {
  return ID.test(id) ? Number(id.slice(PREFIX.length)) : undefined
}

/** The number of a bound. Throws `invalid_request` for an invalid request id. @param without without a bound */
export function numberOf(id: string | undefined, field: 'before' | 'after', without: number): number {
  const number = id === undefined ? without : numberOfId(id)
  if (number !== undefined) return number
  throw invalidRequest(
    `Expected \`${field}\` to be the id of a request in the log, such as ${PREFIX}17, got ${JSON.stringify(id)}.`,
  )
}

export function noRequest(id: string): Error {
  return notFound(
    `No request "${id.slice(0, 100)}" among the latest ${grouped(LIMITS.logsPage.max)} of this simulation.`,
  )
}
