import type { Client, Dispatcher } from 'undici'
import type { DeliveryTerms } from '../../protocol/webhook-scheme/webhook-format.ts'
import { loadUndici } from '../../runtime/load-undici.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { areTimersFaked, type CancelTimer } from '../../runtime/timers.ts'
import { createDial, type Dial, GuardedConnect, type Outgoing } from './guarded-connect.ts'
import type { WebhookTarget } from './webhook-target.ts'

/** The result of one request. */
export interface AttemptOutcome {
  status: number | null
  /** Null after a successful status. */
  error: string | null
  address: string | null
  /** Undefined without a response. */
  answer?: LaneAnswer
}

/** The response of an endpoint. */
export interface LaneAnswer {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The first 16 KiB of the body. */
  readonly chunks: readonly Uint8Array[]
  /** Length of the read part of the body. */
  readonly bytes: number
}

interface Connection {
  client: Client
  guard: GuardedConnect
}

/** Most bytes of a response body that are read, and how long, before the connection is closed instead. */
const ANSWER_BYTES = 16 * 1024
const ANSWER_MS = 1_000
const ANSWER_HEADER_BYTES = 16 * 1024
/** A connection that was idle for longer may be closing: a new one costs 3 ms, a lost attempt a minute. */
const MAX_REST_MS = 2_000

/** When a response counts as success. */
type AnswerTerms = Pick<DeliveryTerms, 'timeoutSeconds' | 'success'>

/** One request of a delivery, ready to be sent. */
export interface LaneRequest {
  /** Names and values in turn. */
  readonly headers: string[]
  readonly rawBody: Uint8Array
  readonly method: 'GET' | 'POST'
  /** What the scheme adds to the path of the target. */
  readonly query: string
}

/** Sends one request at a time to one endpoint, over one kept connection. */
export class Lane {
  readonly #target: WebhookTarget
  readonly #options: Outgoing
  readonly #terms: AnswerTerms
  #dial: Dial | undefined
  #connection: Connection | undefined
  #usedAt = 0
  #isClosed = false

  constructor(target: WebhookTarget, options: Outgoing, terms: AnswerTerms) {
    this.#target = target
    this.#options = options
    this.#terms = terms
  }

  /** Posts once: no redirect, no second request. Never rejects; one deadline includes DNS, TCP, TLS and headers. */
  async post(request: LaneRequest): Promise<AttemptOutcome> {
    const { runtime } = this.#options
    const isFresh = areTimersFaked()
    if (isFresh || runtime.clock.monotonic() - this.#usedAt > MAX_REST_MS) this.#drop()
    const connection = this.#connection ?? (await this.#open())
    if (this.#isClosed) {
      this.#drop()
      return { status: null, error: 'connection error: cancelled', address: null }
    }
    const outcome = await new Promise<AttemptOutcome>((resolve) => {
      const exchange = new Exchange(runtime, connection, resolve, this.#terms, () => this.#discard(connection))
      exchange.start(this.#target.path, request, isFresh)
    })
    if (outcome.status === null || isFresh) this.#drop()
    this.#usedAt = runtime.clock.monotonic()
    return outcome
  }

  /** Aborts the running request and closes the connection. */
  close(): void {
    this.#isClosed = true
    this.#drop()
  }

  /** The next request opens a new connection. */
  #drop(): void {
    if (this.#connection) this.#discard(this.#connection)
  }

  /** Closes one connection; its request may learn this after another was opened. */
  #discard(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined
    connection.guard.cancel()
    connection.client.destroy(new Error('connection error: cancelled')).catch(() => undefined)
  }

  async #open(): Promise<Connection> {
    const { Client } = await loadUndici()
    this.#dial ??= this.#options.dial ?? createDial()
    const guard = new GuardedConnect(this.#target, this.#options, this.#dial)
    const client = new Client(this.#target.origin, {
      connect: (_options, callback) => guard.connect(callback as Parameters<GuardedConnect['connect']>[0]),
      pipelining: 1,
      allowH2: false,
      maxCachedSessions: 0,
      maxHeaderSize: ANSWER_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    this.#connection = { client, guard }
    return this.#connection
  }
}

/** One request and its response. The status decides; the rest is read only to keep the connection. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #runtime: Runtime
  readonly #connection: Connection
  readonly #resolve: (outcome: AttemptOutcome) => void
  readonly #terms: AnswerTerms
  readonly #destroy: () => void
  #cancelTimer: CancelTimer
  #outcome: AttemptOutcome | undefined
  #headers: LaneAnswer['headers'] = {}
  readonly #chunks: Uint8Array[] = []
  #bytes = 0

  constructor(
    runtime: Runtime,
    connection: Connection,
    resolve: (outcome: AttemptOutcome) => void,
    terms: AnswerTerms,
    destroy: () => void,
  ) {
    this.#runtime = runtime
    this.#connection = connection
    this.#resolve = resolve
    this.#terms = terms
    this.#destroy = destroy
    this.#cancelTimer = runtime.startTimer(terms.timeoutSeconds * 1_000, () => {
      this.#fail(`timeout: no answer within ${terms.timeoutSeconds} s`)
      destroy()
    })
  }

  start(path: string, { headers, rawBody, query, method }: LaneRequest, reset: boolean): void {
    const body = method === 'GET' ? null : rawBody
    const request = { path: path + query, method, headers: headers as string[], body, reset }
    this.#connection.client.dispatch(request, this)
  }

  onRequestStart(): void {}

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200 || this.#outcome) return
    this.#headers = headers
    this.#cancelTimer()
    const error = isAcknowledged(status, this.#terms) ? null : `status ${status}`
    this.#outcome = { status, error, address: this.#connection.guard.address }
    this.#cancelTimer = this.#runtime.startTimer(ANSWER_MS, () => controller.abort(new Error('answer too slow')))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#bytes < ANSWER_BYTES) this.#chunks.push(chunk.subarray(0, ANSWER_BYTES - this.#bytes))
    this.#bytes += chunk.byteLength
    if (this.#bytes > ANSWER_BYTES) controller.abort(new Error('answer too long'))
  }

  onResponseEnd(): void {
    this.#finish()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#outcome) this.#finish()
    else this.#fail(describeError(error))
    this.#destroy()
  }

  #fail(error: string): void {
    this.#outcome ??= { status: null, error, address: this.#connection.guard.address }
    this.#finish()
  }

  #finish(): void {
    this.#cancelTimer()
    if (this.#outcome === undefined) return
    if (this.#outcome.status !== null) {
      this.#outcome.answer = { headers: this.#headers, chunks: this.#chunks, bytes: this.#bytes }
    }
    this.#resolve(this.#outcome)
  }
}

function isAcknowledged(status: number, { success }: AnswerTerms): boolean {
  return success === '2xx' ? status < 300 : success.includes(status)
}

function describeError(error: Error & { code?: unknown }): string {
  if (error.message.startsWith('connection error')) return error.message
  const code = typeof error.code === 'string' && !error.message.includes(error.code) ? `${error.code}: ` : ''
  return `connection error: ${code}${error.message}`
}
