import { Pool } from 'undici'
import type { CreatedSimulation } from '../../../src/protocol/simulation.ts'
import { createAnswerCheck } from '../../conformance/answer-check.ts'

/** Statuses that the simulated API may answer these requests with. */
const SIMULATED = new Set([200, 201, 204, 404, 503])
const CONNECTIONS = 32

/** Where the service is, and until when it is asked. */
interface CallerOptions {
  url: string
  accountKey: string
  /** Where webhooks go. */
  endpoint: string
}

/** Asks a service, counts, and holds every answer against what is documented. */
export class Caller {
  readonly url: URL
  readonly accountKey: string
  readonly endpoint: string
  /** Simulations that are there now. */
  readonly living = new Set<CreatedSimulation>()
  readonly counts = new Map<string, number>()
  /** Answers that are documented nowhere, the first of each kind. */
  readonly faults = new Map<string, string>()
  requests = 0
  #until = 0
  readonly #pool: Pool
  readonly #check: ReturnType<typeof createAnswerCheck>

  static async open(options: CallerOptions): Promise<Caller> {
    const headers = { authorization: `Bearer ${options.accountKey}` }
    const description = await (await fetch(`${options.url}/v1/openapi.json`, { headers })).json()
    return new Caller(options, createAnswerCheck(description as Parameters<typeof createAnswerCheck>[0]))
  }

  private constructor({ url, accountKey, endpoint }: CallerOptions, check: ReturnType<typeof createAnswerCheck>) {
    this.url = new URL(url)
    this.accountKey = accountKey
    this.endpoint = endpoint
    this.#pool = new Pool(url, { connections: CONNECTIONS })
    this.#check = check
  }

  /** Whether clients are to go on. */
  get isOpen(): boolean {
    return performance.now() < this.#until
  }

  openFor(ms: number): void {
    this.#until = performance.now() + ms
  }

  /** Calls the management API; undefined where the answer is no success. */
  async manage<Answer>(method: string, path: string, body?: object): Promise<Answer | undefined> {
    const { status, text } = await this.#send(method, `/v1${path}`, this.accountKey, body)
    const fault = text === '' ? undefined : this.#check(method, `/v1${path.replace(/\?.*/, '')}`, status, parse(text))
    if (fault !== undefined || status >= 500) this.#blame(method, path, `${status} ${fault ?? text}`)
    return status < 300 && text !== '' ? (parse(text) as Answer) : undefined
  }

  /** Calls a simulated API; undefined where the answer is no success. */
  async simulated<Answer>(to: CreatedSimulation, method: string, path: string, body?: object) {
    const { status, text } = await this.#send(method, `/s/${to.slug}/v1${path}`, to.apiKey, body)
    if (!SIMULATED.has(status)) this.#blame(method, path, `${status} ${text}`)
    return status < 300 && text !== '' ? (parse(text) as Answer) : undefined
  }

  note(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #send(method: string, path: string, key: string, body: object | undefined) {
    this.requests++
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await this.#pool.request({
      method: method as 'GET',
      path,
      headers: { authorization: `Bearer ${key}`, ...json },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const { statusCode: status } = answer
    if (status >= 400) this.note(String(status))
    return { status, text: await answer.body.text() }
  }

  #blame(method: string, path: string, answer: string): void {
    const kind = `${method} ${path.replace(/[\da-f-]{36}/g, '{id}')} ${answer.slice(0, 3)}`
    if (!this.faults.has(kind)) this.faults.set(kind, answer.slice(0, 300))
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
