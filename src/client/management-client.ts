import type { BehaviourPlan, NewBehaviourRule } from '../protocol/behaviour.ts'
import type { CallEndpoint } from '../protocol/endpoint-call.ts'
import type { ApiError } from '../protocol/errors.ts'
import type { ChangeEvent } from '../protocol/event.ts'
import { CREATION_EXTENSIONS, type CreationExtension, type EndpointExtension } from '../protocol/extensions.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { LibraryEntrySummary, LogEntry, RecordsPage, ServiceMeta, Usage } from '../protocol/reads.ts'
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
import { ExtensionCalls } from './extension-calls.ts'
import type { CallOptions } from './send.ts'
import { ServiceCalls } from './service-calls.ts'
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

/** A creation, with the fields that were not sent because the service does not have them. */
export interface Creation extends CreatedSimulation {
  leftOut: CreationExtension[]
}

/** A behaviour plan as the service kept it. */
export interface KeptBehaviour extends BehaviourPlan {
  /** One sentence for each dropped step (ours). */
  dropped?: string[]
}

/**
 * The management API, typed: every endpoint of the specification, and the extensions where the service has them. Each
 * call rejects with an {@link ApiError} that carries the service's status and code. `simulation` is an id or a slug.
 *
 * @example
 * const client = new ManagementClient({ baseUrl: 'http://127.0.0.1:4010', accountKey })
 * const { data } = await client.readRecords('tasks-1', 'tasks', { limit: 10 })
 */
export class ManagementClient {
  readonly baseUrl: string
  /** Endpoints that the specification does not have. */
  readonly extensions: ExtensionCalls
  readonly #calls: ServiceCalls
  readonly #http: SocketTransport | undefined

  constructor(options: ManagementClientOptions) {
    const { call, transport } = options
    this.#http = call || transport ? undefined : createHttpTransport(options)
    this.#calls = new ServiceCalls({
      baseUrl: toBaseUrl(options.baseUrl),
      accountKey: options.accountKey,
      way: call ? { call } : { transport: transport ?? (this.#http as SocketTransport).send },
      meta: options.meta,
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 3,
    })
    this.baseUrl = this.#calls.baseUrl
    this.extensions = new ExtensionCalls(this.#calls)
  }

  /** Version and extensions of the service; no extensions when it has no `GET /v1/meta`. Requested once. */
  meta(options: CallOptions = {}): Promise<ServiceMeta> {
    return this.#calls.meta(options)
  }

  /** Whether the service has an extension. */
  async offers(extension: EndpointExtension | CreationExtension): Promise<boolean> {
    return (await this.meta()).extensions.includes(extension)
  }

  /** `GET /v1/library`: entries that contain `q` and are of `vertical`. */
  async searchLibrary(query: { q?: string; vertical?: string; limit?: number } = {}): Promise<LibraryEntrySummary[]> {
    return (await this.#calls.call('searchLibrary', { what: 'search the library', query })).data
  }

  /** `GET /v1/usage` */
  usage(options: CallOptions = {}): Promise<Usage> {
    return this.#calls.call('readUsage', { what: "read the account's usage", ...options })
  }

  /** `GET /v1/simulations`, including further pages (`next`, a path or an address). */
  async listSimulations(options: CallOptions = {}): Promise<SimulationSummary[]> {
    type Page = { data: SimulationSummary[]; next?: string | null }
    const call = { what: 'list simulations', ...options }
    let page: Page = await this.#calls.call('listSimulations', call)
    const all = [...page.data]
    while (page.next) {
      const { pathname, search } = new URL(page.next, this.baseUrl)
      page = await this.#calls.call('listSimulations', { ...call, page: pathname + search })
      all.push(...page.data)
    }
    return all
  }

  /** `POST /v1/simulations`. Fields that the service does not have are not sent; `leftOut` names them. */
  async createSimulation(request: CreateSimulationRequest, options: CallOptions = {}): Promise<Creation> {
    const source = request.library === undefined ? 'the description' : `library entry "${request.library}"`
    const { extensions } = await this.meta(options)
    const leftOut = CREATION_EXTENSIONS.filter((name) => request[name] !== undefined && !extensions.includes(name))
    const body = { ...request }
    for (const name of leftOut) delete body[name]
    const created = await this.#calls.call('createSimulation', {
      what: `create a simulation of ${source}`,
      body,
      ...options,
      timeoutMs: options.timeoutMs ?? 60_000,
    })
    return { ...created, leftOut }
  }

  /** `GET /v1/simulations/{id}` */
  getSimulation(simulation: string, options: CallOptions = {}): Promise<SimulationDetail> {
    const what = `read simulation "${simulation}"`
    return this.#calls.call('readSimulation', { what, parameters: { id: simulation }, ...options })
  }

  /** `DELETE /v1/simulations/{id}`. Resolves with false when it did not exist. */
  deleteSimulation(simulation: string, options: CallOptions = {}): Promise<boolean> {
    const what = `delete simulation "${simulation}"`
    return this.#calls.delete('deleteSimulation', { what, parameters: { id: simulation }, ...options })
  }

  /** `POST .../pause` */
  async pause(simulation: string): Promise<void> {
    await this.#calls.call('pause', { what: `pause simulation "${simulation}"`, parameters: { id: simulation } })
  }

  /** `POST .../resume` */
  async resume(simulation: string): Promise<void> {
    await this.#calls.call('resume', { what: `resume simulation "${simulation}"`, parameters: { id: simulation } })
  }

  /** `POST .../reset`: answers at once; the data is generated again in the background. */
  async reset(simulation: string): Promise<void> {
    await this.#calls.call('reset', { what: `reset simulation "${simulation}"`, parameters: { id: simulation } })
  }

  /** `POST .../fast-forward`: 0.25 to 720 hours. Never retried. */
  fastForward(simulation: string, hours: number): Promise<FastForwardResult> {
    return this.#calls.call('fastForward', {
      what: `fast-forward simulation "${simulation}"`,
      parameters: { id: simulation },
      body: { hours },
      timeoutMs: 120_000,
    })
  }

  /**
   * `PUT .../behaviour`. Resolves with the kept plan and the reasons for dropped steps, if the service sends them;
   * undefined where it does not answer with the plan.
   */
  async setBehaviour(simulation: string, rules: readonly NewBehaviourRule[]): Promise<KeptBehaviour | undefined> {
    const answer: Partial<KeptBehaviour> | undefined = await this.#calls.call('setBehaviour', {
      what: `set the behaviour of simulation "${simulation}"`,
      parameters: { id: simulation },
      body: { rules: [...rules] },
    })
    if (!answer || !Array.isArray(answer.rules)) return undefined
    return { rules: answer.rules, ...(Array.isArray(answer.dropped) ? { dropped: answer.dropped } : {}) }
  }

  /** `POST .../rules` */
  addRule(simulation: string, rule: ResponseRuleRequest): Promise<ResponseRule> {
    const what = `add response rule "${rule.name}"`
    return this.#calls.call('addRule', { what, parameters: { id: simulation }, body: rule })
  }

  /** `DELETE .../rules/{ruleId}`. Resolves with false when it did not exist. */
  removeRule(simulation: string, ruleId: string): Promise<boolean> {
    const what = `remove response rule "${ruleId}"`
    return this.#calls.delete('removeRule', { what, parameters: { id: simulation, ruleId } })
  }

  /** `POST .../webhooks`. Only this answer shows the secret. */
  registerWebhook(simulation: string, webhook: NewWebhook): Promise<RegisteredWebhook> {
    const what = `register a webhook at ${webhook.url}`
    return this.#calls.call('registerWebhook', { what, parameters: { id: simulation }, body: webhook })
  }

  /** `PUT .../access` */
  async setAccess(
    simulation: string,
    access: { ipRestrictionEnabled?: boolean; ipAllowlist?: string[] },
  ): Promise<void> {
    const what = `set the access of simulation "${simulation}"`
    await this.#calls.call('setAccess', { what, parameters: { id: simulation }, body: access })
  }

  /** `POST .../keys` */
  issueKey(simulation: string, name: string): Promise<IssuedKey> {
    return this.#calls.call('issueKey', { what: `issue key "${name}"`, parameters: { id: simulation }, body: { name } })
  }

  /** `GET .../records/{collection}` */
  readRecords<T extends object = JsonObject>(
    simulation: string,
    collection: string,
    page: { limit?: number | undefined; offset?: number | undefined } = {},
  ): Promise<Omit<RecordsPage, 'data'> & { data: T[] }> {
    const what = `read records of collection "${collection}"`
    const read = this.#calls.call('readRecords', { what, parameters: { id: simulation, collection }, query: page })
    return read as Promise<Omit<RecordsPage, 'data'> & { data: T[] }>
  }

  /** `GET .../events`: the latest 100, newest first. */
  async readEvents(simulation: string, options: CallOptions = {}): Promise<ChangeEvent[]> {
    const what = `read events of simulation "${simulation}"`
    return (await this.#calls.call('readEvents', { what, parameters: { id: simulation }, ...options })).data
  }

  /** `GET .../logs`: the latest 100 requests, newest first. */
  async readLogs(simulation: string): Promise<LogEntry[]> {
    const what = `read the request log of simulation "${simulation}"`
    return (await this.#calls.call('readLogs', { what, parameters: { id: simulation } })).data
  }

  /** Closes kept connections. The client opens new ones at the next call. */
  async close(): Promise<void> {
    await this.#http?.close()
  }
}
