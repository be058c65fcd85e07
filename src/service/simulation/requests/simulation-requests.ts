import { LIMITS } from '../../../protocol/limits.ts'
import type { LogDetail, LogEntry } from '../../../protocol/reads.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { isPage } from '../../pages/page.ts'
import type { AnsweredRequest } from '../../simulated-api/answer-request.ts'
import type { ApiRequest, ApiResponse } from '../../simulated-api/exchange.ts'
import type { RuleSubject } from '../../simulated-api/rules/rule-subject.ts'
import type { StoreParts } from '../../store/store-parts.ts'
import { LongRead } from '../../world/long-reads.ts'
import type { RequestMeter, SimulationInit } from '../origin/simulation-init.ts'
import type { RunningCore } from '../running/running-core.ts'
import { type LoggedAnswer, type LogSelection, RequestLog } from './request-log.ts'
import { RequestsElsewhere, StoredRequests } from './stored-requests.ts'

/** Results for a repeated request. */
export interface AskedAgain {
  readonly read?: LongRead | undefined
  /** Its number in the log, if an earlier answer was undone. */
  readonly number?: number | undefined
  readonly isCounted?: boolean | undefined
}

const FIRST: AskedAgain = {}

/** The requests to one simulated API, with their log. */
export class SimulationRequests {
  readonly log: RequestLog
  readonly #running: RunningCore
  readonly #meter: RequestMeter | undefined
  readonly #runtime: Runtime
  readonly #pages: boolean
  readonly #encoder = new TextEncoder()
  /** The stored log, if there is one. */
  #stored: StoredRequests | undefined

  constructor(running: RunningCore, { runtime, meter, pages = true }: SimulationInit) {
    this.log = new RequestLog(runtime.clock, running.core)
    this.#running = running
    this.#meter = meter
    this.#runtime = runtime
    this.#pages = pages
  }

  /** Saves the log in a store from now on. */
  keepIn(simulation: string, parts: StoreParts): void {
    this.#stored = new StoredRequests(simulation, this.log, parts, this.#runtime)
    this.log.keeper = this.#stored
  }

  /** For before an answer with saved changes: a promise when its request must be saved too. */
  noteKept(number: number): Promise<void> | undefined {
    if (this.#stored === undefined) return undefined
    this.log.noteKept(number)
    return this.#stored.whenKept()
  }

  /** Requests, newest first. Rejects with `invalid_request` for an invalid id in `before` or `after`. */
  async readLog(selection: LogSelection): Promise<LogEntry[]> {
    return (this.#stored ?? this.log).read(selection)
  }

  /** {@link readLog} with headers, bodies and changes. */
  async readLogDetails(selection: LogSelection): Promise<LogDetail[]> {
    return (this.#stored ?? this.log).readDetails(selection)
  }

  /** World time of the latest use of each key in the log, by prefix. */
  async readLastUses(): Promise<ReadonlyMap<string, string>> {
    const entries = await this.readLog({ limit: LIMITS.logsPage.max })
    return new Map(entries.toReversed().flatMap(({ key, at }) => (key === null ? [] : [[key, at] as const])))
  }

  /** Rejects with `not_found` for an unknown request. */
  async readLogDetail(id: string): Promise<LogDetail> {
    return (this.#stored ?? this.log).readDetail(id)
  }

  /** Requests answered by other nodes from now on; undefined without other nodes. */
  watchElsewhere(): RequestsElsewhere | undefined {
    return this.#stored?.isShared ? new RequestsElsewhere(this.#stored) : undefined
  }

  /** Answers a request. Throws while not ready. A thrown {@link LongRead} must be run with `goOn`, and the request repeated. */
  handle(request: ApiRequest, { read, number: before, isCounted = false }: AskedAgain = FIRST): LoggedAnswer {
    const { core, reads } = this.#running
    const at = this.#running.now()
    const number = before ?? read?.request ?? this.log.add(request, core.clock.now(at))
    const isOverLimit = !isCounted && (this.#meter?.isOverRequestLimit ?? false)
    let isDone = false
    reads.begin(read)
    try {
      const answered = this.#toSend(this.#running.answer({ kind: 'request', request, isOverLimit }, at))
      isDone = true
      if (answered.isCounted && !isCounted) this.#meter?.countRequest()
      this.#noteAnswer(number, answered)
      return { response: answered.response, number, isCounted: isCounted || answered.isCounted }
    } catch (error) {
      if (error instanceof LongRead) error.request = number
      else this.log.noteSent(number)
      throw error
    } finally {
      reads.end(isDone)
    }
  }

  goOn(read: LongRead, caller: { readonly destroyed: boolean }): Promise<void> {
    return this.#running.reads.goOn(read, caller)
  }

  /** An accepted request for rules; undefined for one that is refused whatever its body. */
  admit(request: ApiRequest): RuleSubject | undefined {
    const isOverLimit = this.#meter?.isOverRequestLimit ?? false
    return this.#running.core.admit({ at: this.#running.now(), request, isOverLimit })
  }

  /** Answers a request that a response rule held before it was processed. @param number of the request in the log */
  handleLate(request: ApiRequest, number: number): ApiResponse {
    const answered = this.#toSend(this.#running.answer({ kind: 'request', request, isLate: true }))
    this.#noteAnswer(number, answered)
    return answered.response
  }

  #noteAnswer(number: number, answered: AnsweredRequest): void {
    this.log.noteAnswer(number, answered)
    if (answered.trace.warnings.length > 0 && answered.response.status < 400) this.#meter?.countWarned?.()
  }

  /** The answer, a long text as bytes; a refusal in the place of a page that the operator does not allow. */
  #toSend(answered: AnsweredRequest): AnsweredRequest {
    const { response } = answered
    if (!(this.#meter?.pages ?? this.#pages) && isPage(response)) return { ...answered, response: NO_PAGES }
    const { body } = response
    if (typeof body !== 'string' || body.length < LONG) return answered
    // Most texts are ASCII, with a byte for each character: these need no measuring first.
    const bytes = Buffer.allocUnsafe(body.length)
    const isWhole = this.#encoder.encodeInto(body, bytes).read === body.length
    return { ...answered, response: { ...response, body: isWhole ? bytes : Buffer.from(body) } }
  }
}

/** Characters of a body from which it is encoded here, once: for the log, for its length and to be written. */
const LONG = 4_096

const NO_PAGES: ApiResponse = {
  status: 403,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'Failed to show the page: this service shows none. Its operator allows them by `backlot serve --pages`, or by `pages: true` of `startService` or of the account.\n',
}
