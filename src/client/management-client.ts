import type { BehaviourPlan, NewBehaviourRule } from '../protocol/behaviour.ts'
import { type AnswerOf, type Endpoint, fillPath } from '../protocol/endpoint.ts'
import type { CallEndpoint, EndpointInput } from '../protocol/endpoint-call.ts'
import { ENDPOINTS, type EndpointId, type EndpointOf } from '../protocol/endpoints.ts'
import { ApiError } from '../protocol/errors.ts'
import type { ChangeEvent } from '../protocol/event.ts'
import { CREATION_EXTENSIONS, type CreationExtension, type EndpointExtension } from '../protocol/extensions.ts'
import type { JsonObject } from '../protocol/json.ts'
import type {
  LibraryEntrySummary,
  LogDetail,
  LogEntry,
  LogsPage,
  RecordsPage,
  ServiceMeta,
  Usage,
} from '../protocol/reads.ts'
import type { ResponseRule, ResponseRuleRequest } from '../protocol/response-rule.ts'
import type {
  CreatedSimulation,
  CreateSimulationRequest,
  FastForwardResult,
  IssuedKey,
  SimulationDetail,
  SimulationSummary,
} from '../protocol/simulation.ts'
import type { NewWebhook, RegisteredWebhook } from '../protocol/webhook.ts'
import { toBaseUrl } from './base-url.ts'
import { type CallOptions, explainUnreachable, send, withinTime } from './send.ts'
import { createHttpTransport, type SocketTransport, type Transport } from './transports.ts'

/** Options of a {@link ManagementClient}. */
export interface ManagementClientOptions {
  /** Address of the service, without `/v1`. */
  baseUrl: string
  /** An account key with the scopes that the calls need. */
  accountKey: string
  /** The transport of requests. @default undici over sockets */
  transport?: Transport | undefined
  /** PEM of the authority to trust, for a service with its own certificate. Not used with `transport`. */
  ca?: string | undefined
  /** The proxy before the service. Not used with `transport`. */
  proxy?: string | undefined
  /** The answer of `GET /v1/meta`, if known. @default requested once, at first use */
  meta?: ServiceMeta | undefined
  /** Longest wait for one answer, in milliseconds. @default 30000 */
  timeoutMs?: number | undefined
  /** Number of retries after a temporary failure, where a retry is safe. @default 3 */
  retries?: number | undefined
  /** Calls of a service in this process, in place of requests. @internal */
  call?: CallEndpoint | undefined
}

/** Input of an endpoint. */
export interface CallInput extends CallOptions {
  /** The parameters of its path: `{ id: 'tasks' }`. */
  parameters?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  body?: object | undefined
  /** By lower-case name. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** A creation, with the fields that were not sent because the service does not have them. */
export interface Creation extends CreatedSimulation {
  leftOut: CreationExtension[]
}

/** A behaviour plan as the service kept it. */
export interface KeptBehaviour extends BehaviourPlan {
  /** One sentence for each dropped step (ours). */
  dropped?: string[]
}

/** One call, as the client makes it. */
interface Call extends CallInput {
  /** Path and query of a further page, in place of the endpoint's own. Over HTTP. */
  readonly page?: string
}

const NO_EXTENSIONS: ServiceMeta = { name: 'unknown', version: 'unknown', extensions: [] }

/** Longest waits for the answers of slow endpoints, in milliseconds. */
const TIMEOUTS_MS: Readonly<Partial<Record<EndpointId, number>>> = {
  createSimulation: 60_000,
  fastForward: 120_000,
  advanceClock: 120_000,
  advanceDeliveries: 120_000,
  areDeliveriesSettled: 45_000,
}

/**
 * The management API, typed: methods for the endpoints of the specification, and `call` for all. Each call rejects with an
 * {@link ApiError} that carries the service's status and code. `simulation` is an id or a slug.
 *
 * @example
 * const client = new ManagementClient({ baseUrl: 'http://127.0.0.1:4010', accountKey })
 * const { data } = await client.readRecords('tasks-1', 'tasks', { limit: 10 })
 */
export class ManagementClient {
  readonly baseUrl: string
  readonly #options: ManagementClientOptions
  readonly #http: SocketTransport | undefined
  #meta: Promise<ServiceMeta> | undefined

  constructor(options: ManagementClientOptions) {
    this.#http = options.call || options.transport ? undefined : createHttpTransport(options)
    this.baseUrl = toBaseUrl(options.baseUrl)
    this.#options = options
    this.#meta = options.meta && Promise.resolve(options.meta)
  }

  /** @internal */
  call<Id extends EndpointId>(
    id: Id,
    input: EndpointInput<Id> & Omit<Call, 'parameters' | 'body'>,
  ): Promise<AnswerOf<EndpointOf<Id>>>
  /**
   * Calls any endpoint by its `operationId` in `GET /v1/openapi.json`. Resolves with the answer, undefined for none. Where
   * the service does not have the endpoint, nothing is sent, and the ApiError `not_found` names it.
   * @example await client.call<ClockReading>('readClock', { parameters: { id: 'tasks-1' } })
   */
  call<Answer>(id: EndpointId, input?: CallInput): Promise<Answer>
  async call(id: EndpointId, input: Call = {}): Promise<unknown> {
    const { extension, queryExtension }: Endpoint = ENDPOINTS[id]
    if (extension !== undefined && extension !== 'meta') await this.#need(extension)
    if (queryExtension !== undefined && input.query !== undefined) await this.#need(queryExtension)
    return this.#options.call ? this.#callDirectly(this.#options.call, id, input) : this.#send(id, input)
  }

  /** `call` for an endpoint that deletes: resolves with false when the target did not exist. */
  async delete(id: EndpointId, input: CallInput): Promise<boolean> {
    try {
      await this.call(id, input)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }

  /** Version and extensions of the service; no extensions when it has no `GET /v1/meta`. Requested once. */
  meta(options: CallOptions = {}): Promise<ServiceMeta> {
    this.#meta ??= this.call('readMeta', options).catch((error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return NO_EXTENSIONS
      this.#meta = undefined
      throw error
    })
    return this.#meta
  }

  /** Whether the service has an extension. */
  async offers(extension: EndpointExtension | CreationExtension): Promise<boolean> {
    return (await this.meta()).extensions.includes(extension)
  }

  /** `GET /v1/library`: entries that contain `q` and are of `vertical`. */
  async searchLibrary(query: { q?: string; vertical?: string; limit?: number } = {}): Promise<LibraryEntrySummary[]> {
    return (await this.call('searchLibrary', { query })).data
  }

  /** `GET /v1/usage` */
  usage(options: CallOptions = {}): Promise<Usage> {
    return this.call('readUsage', options)
  }

  /** `GET /v1/simulations`, including further pages (`next`, a path or an address). */
  async listSimulations(options: CallOptions = {}): Promise<SimulationSummary[]> {
    type Page = { data: SimulationSummary[]; next?: string | null }
    let page: Page = await this.call('listSimulations', options)
    const all = [...page.data]
    while (page.next) {
      const { pathname, search } = new URL(page.next, this.baseUrl)
      page = await this.call('listSimulations', { ...options, page: pathname + search })
      all.push(...page.data)
    }
    return all
  }

  /** `POST /v1/simulations`. Fields that the service does not have are not sent; `leftOut` names them. */
  async createSimulation(request: CreateSimulationRequest, options: CallOptions = {}): Promise<Creation> {
    const asked = CREATION_EXTENSIONS.filter((name) => request[name] !== undefined)
    const { extensions } = asked.length === 0 ? NO_EXTENSIONS : await this.meta(options)
    const leftOut = asked.filter((name) => !extensions.includes(name))
    const body = { ...request }
    for (const name of leftOut) delete body[name]
    return { ...(await this.call('createSimulation', { body, ...options })), leftOut }
  }

  /** `GET /v1/simulations/{id}` */
  getSimulation(simulation: string, options: CallOptions = {}): Promise<SimulationDetail> {
    return this.call('readSimulation', { parameters: { id: simulation }, ...options })
  }

  /** `DELETE /v1/simulations/{id}`. Resolves with false when it did not exist. */
  deleteSimulation(simulation: string, options: CallOptions = {}): Promise<boolean> {
    return this.delete('deleteSimulation', { parameters: { id: simulation }, ...options })
  }

  /** `POST .../pause` */
  async pause(simulation: string): Promise<void> {
    await this.call('pause', { parameters: { id: simulation } })
  }

  /** `POST .../resume` */
  async resume(simulation: string): Promise<void> {
    await this.call('resume', { parameters: { id: simulation } })
  }

  /** `POST .../reset`: answers at once; the data is generated again in the background. */
  async reset(simulation: string): Promise<void> {
    await this.call('reset', { parameters: { id: simulation } })
  }

  /** `POST .../fast-forward`: 0.25 to 720 hours. Never retried. */
  fastForward(simulation: string, hours: number): Promise<FastForwardResult> {
    return this.call('fastForward', { parameters: { id: simulation }, body: { hours } })
  }

  /**
   * `PUT .../behaviour`. Resolves with the kept plan and the reasons for dropped steps, if the service sends them;
   * undefined where it does not answer with the plan.
   */
  async setBehaviour(simulation: string, rules: readonly NewBehaviourRule[]): Promise<KeptBehaviour | undefined> {
    const answer: Partial<KeptBehaviour> | undefined = await this.call('setBehaviour', {
      parameters: { id: simulation },
      body: { rules: [...rules] },
    })
    if (!answer || !Array.isArray(answer.rules)) return undefined
    return { rules: answer.rules, ...(Array.isArray(answer.dropped) ? { dropped: answer.dropped } : {}) }
  }

  /** `POST .../rules` */
  addRule(simulation: string, rule: ResponseRuleRequest): Promise<ResponseRule> {
    return this.call('addRule', { parameters: { id: simulation }, body: rule })
  }

  /** `DELETE .../rules/{ruleId}`. Resolves with false when it did not exist. */
  removeRule(simulation: string, ruleId: string): Promise<boolean> {
    return this.delete('removeRule', { parameters: { id: simulation, ruleId } })
  }

  /** `POST .../webhooks`. Only this answer shows the secret. */
  registerWebhook(simulation: string, webhook: NewWebhook): Promise<RegisteredWebhook> {
    return this.call('registerWebhook', { parameters: { id: simulation }, body: webhook })
  }

  /** `PUT .../access` */
  async setAccess(
    simulation: string,
    access: { ipRestrictionEnabled?: boolean; ipAllowlist?: string[] },
  ): Promise<void> {
    await this.call('setAccess', { parameters: { id: simulation }, body: access })
  }

  /** `POST .../keys` */
  issueKey(simulation: string, name: string): Promise<IssuedKey> {
    return this.call('issueKey', { parameters: { id: simulation }, body: { name } })
  }

  /** `GET .../records/{collection}` */
  readRecords<T extends object = JsonObject>(
    simulation: string,
    collection: string,
    page: { limit?: number | undefined; offset?: number | undefined } = {},
  ): Promise<Omit<RecordsPage, 'data'> & { data: T[] }> {
    const read = this.call('readRecords', { parameters: { id: simulation, collection }, query: page })
    return read as Promise<Omit<RecordsPage, 'data'> & { data: T[] }>
  }

  /** `GET .../events`: the latest 100, newest first. */
  async readEvents(simulation: string, options: CallOptions = {}): Promise<ChangeEvent[]> {
    return (await this.call('readEvents', { parameters: { id: simulation }, ...options })).data
  }

  /** `GET .../logs`: the latest 100 requests, or a page of them, newest first. */
  async readLogs(simulation: string, page: LogsPage & { detail: true }): Promise<LogDetail[]>
  async readLogs(simulation: string, page?: LogsPage): Promise<LogEntry[]>
  async readLogs(simulation: string, page?: LogsPage): Promise<LogEntry[]> {
    return (await this.call('readLogs', { parameters: { id: simulation }, ...(page && { query: { ...page } }) })).data
  }

  /** Closes kept connections. The client opens new ones at the next call. */
  async close(): Promise<void> {
    await this.#http?.close()
  }

  #callDirectly(run: CallEndpoint, id: EndpointId, call: Call): Promise<unknown> {
    const answering = withinTime({ timeoutMs: this.#timeoutOf(id, call), signal: call.signal }, (signal) =>
      run(id, { ...call, signal } as EndpointInput<EndpointId>),
    )
    return answering.catch((error) => {
      if (error instanceof ApiError || call.signal?.aborted) throw error
      const request = { method: ENDPOINTS[id].method, url: this.#urlOf(id, call) }
      throw explainUnreachable({ what: describe(id, call), request }, error)
    })
  }

  async #send(id: EndpointId, call: Call): Promise<unknown> {
    const { method, repeatable }: Endpoint = ENDPOINTS[id]
    const { accountKey, transport, retries = 3 } = this.#options
    const { body } = call
    const what = describe(id, call)
    const headers = {
      accept: 'application/json',
      ...call.headers,
      authorization: `Bearer ${accountKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const url = this.#urlOf(id, call)
    const { body: text } = await send({
      transport: transport ?? (this.#http as SocketTransport).send,
      request: { method, url, headers, body: body && JSON.stringify(body) },
      what,
      repeatable: repeatable ?? method !== 'POST',
      retries,
      timeoutMs: this.#timeoutOf(id, call),
      signal: call.signal,
    })
    if (typeof text !== 'string' || text === '') return text === '' ? undefined : text
    try {
      return JSON.parse(text)
    } catch (cause) {
      const shown = JSON.stringify(text.trim().slice(0, 80))
      throw new Error(
        `Failed to ${what}: the answer of ${url} is no JSON but ${shown}. Check that BACKLOT_URL (or \`service.baseUrl\`) is the address of a simulation service.`,
        { cause },
      )
    }
  }

  #timeoutOf(id: EndpointId, { timeoutMs }: Call): number {
    return timeoutMs ?? TIMEOUTS_MS[id] ?? this.#options.timeoutMs ?? 30_000
  }

  #urlOf(id: EndpointId, { page, parameters, query = {} }: Call): string {
    if (page !== undefined) return this.baseUrl + page
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
    const path = fillPath(ENDPOINTS[id].path, parameters ?? {})
    return `${this.baseUrl}${path}${search.size === 0 ? '' : `?${search}`}`
  }

  async #need(extension: string): Promise<void> {
    if ((await this.meta()).extensions.includes(extension)) return
    throw new ApiError(
      404,
      'not_found',
      `Failed to use "${extension}": the service at ${this.baseUrl} does not offer it. It works on the embedded service and on \`backlot serve\`.`,
    )
  }
}

/** What a call does, after "Failed to": `read clock of simulation "tasks"`, `pause simulation "tasks"`. */
function describe(endpoint: EndpointId, { parameters = {} }: Call): string {
  const { id, ...others } = parameters
  const words = endpoint.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const what = [words, ...Object.values(others).map((value) => JSON.stringify(value))].join(' ')
  if (id === undefined) return what
  const isWhole = words === 'fast forward' || !words.includes(' ') || words.endsWith(' simulation')
  return `${what.replace(/ simulation$/, '')}${isWhole ? '' : ' of'} simulation "${id}"`
}
