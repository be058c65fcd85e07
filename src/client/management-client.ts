import type { BehaviourPlan, NewBehaviourRule } from '../protocol/behaviour.ts'
import { ApiError } from '../protocol/errors.ts'
import type { ChangeEvent } from '../protocol/event.ts'
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
import type { RegisteredWebhook, WebhookRequest } from '../protocol/webhook.ts'
import { toBaseUrl } from './base-url.ts'
import { Caller, type CallOptions } from './caller.ts'
import { ExtensionCalls } from './extension-calls.ts'
import { type CallExtension, type CreationExtension, withoutExtensions } from './extensions.ts'
import { createHttpTransport, type HttpTransport } from './http-transport.ts'
import { paths, withQuery } from './paths.ts'
import type { Transport } from './transport.ts'

/** What a {@link ManagementClient} is made of. */
export interface ManagementClientOptions {
  /** Address of the service, without `/v1`. */
  baseUrl: string
  /** An account key with the scopes that the calls need. */
  accountKey: string
  /** How requests travel. @default undici over sockets */
  transport?: Transport
  /** PEM of the authority to trust, for a service with a certificate of its own. Not used with `transport`. */
  ca?: string
  /** What `GET /v1/meta` says, where it is known. @default asked for once, when first needed */
  meta?: ServiceMeta
  /** Longest wait for one answer, in milliseconds. @default 30000 */
  timeoutMs?: number
  /** How often a call that failed for a passing reason is made again, where that is safe. @default 3 */
  retries?: number
}

/** What a creation left out, because the service does not have it. */
export interface Creation extends CreatedSimulation {
  leftOut: CreationExtension[]
}

/** A behaviour plan as the service kept it. */
export interface KeptBehaviour extends BehaviourPlan {
  /** One sentence for each step that was dropped (ours). */
  dropped?: string[]
}

const NO_EXTENSIONS: ServiceMeta = { name: 'unknown', version: 'unknown', extensions: [] }

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
  /** Calls that the specification does not have. */
  readonly extensions: ExtensionCalls
  readonly #caller: Caller
  readonly #http: HttpTransport | undefined
  #meta: Promise<ServiceMeta> | undefined

  constructor(options: ManagementClientOptions) {
    this.baseUrl = toBaseUrl(options.baseUrl)
    if (options.meta) this.#meta = Promise.resolve(options.meta)
    this.#http = options.transport ? undefined : createHttpTransport({ ca: options.ca })
    this.#caller = new Caller({
      baseUrl: this.baseUrl,
      accountKey: options.accountKey,
      transport: options.transport ?? (this.#http as HttpTransport).send,
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 3,
    })
    this.extensions = new ExtensionCalls(this.#caller, (extension) => this.offers(extension))
  }

  /** Who answers and which extensions it has; none when the service has no `GET /v1/meta`. Asked once. */
  meta(options: CallOptions = {}): Promise<ServiceMeta> {
    this.#meta ??= this.#readMeta(options)
    return this.#meta
  }

  /** Whether the service has an extension. */
  async offers(extension: CallExtension | CreationExtension): Promise<boolean> {
    return (await this.meta()).extensions.includes(extension)
  }

  /** `GET /v1/library`: entries that hold `q` and are of `vertical`. */
  async searchLibrary(query: { q?: string; vertical?: string; limit?: number } = {}): Promise<LibraryEntrySummary[]> {
    const path = withQuery(paths.library, query)
    return (await this.#caller.get<{ data: LibraryEntrySummary[] }>(path, 'search the library')).data
  }

  /** `GET /v1/usage` */
  usage(options: CallOptions = {}): Promise<Usage> {
    return this.#caller.get(paths.usage, "read the account's usage", options)
  }

  /** `GET /v1/simulations`, following further pages where the service offers them (`next`, a path or an address). */
  async listSimulations(options: CallOptions = {}): Promise<SimulationSummary[]> {
    const all: SimulationSummary[] = []
    for (let path: string | undefined = paths.simulations; path !== undefined; ) {
      type Page = { data: SimulationSummary[]; next?: string | null }
      const page: Page = await this.#caller.get(path, 'list simulations', options)
      all.push(...page.data)
      path = page.next ? pathOf(page.next, this.baseUrl) : undefined
    }
    return all
  }

  /** `POST /v1/simulations`. Fields that the service does not have are not sent; `leftOut` names them. */
  async createSimulation(request: CreateSimulationRequest, options: CallOptions = {}): Promise<Creation> {
    const source = request.library === undefined ? 'the description' : `library entry "${request.library}"`
    const { request: body, left } = withoutExtensions(request, (await this.meta(options)).extensions)
    const what = `create a simulation of ${source}`
    const created = await this.#caller.json<CreatedSimulation>({
      method: 'POST',
      path: paths.simulations,
      body,
      what,
      timeoutMs: options.timeoutMs ?? 60_000,
      signal: options.signal,
    })
    return { ...created, leftOut: left }
  }

  /** `GET /v1/simulations/{id}` */
  getSimulation(simulation: string, options: CallOptions = {}): Promise<SimulationDetail> {
    return this.#caller.get(paths.simulation(simulation), `read simulation "${simulation}"`, options)
  }

  /** `DELETE /v1/simulations/{id}`. Resolves with false when there was none any more. */
  async deleteSimulation(simulation: string, options: CallOptions = {}): Promise<boolean> {
    return this.#caller.delete(paths.simulation(simulation), `delete simulation "${simulation}"`, options)
  }

  /** `POST .../pause` */
  async pause(simulation: string): Promise<void> {
    await this.#caller.post(paths.part(simulation, 'pause'), undefined, `pause simulation "${simulation}"`, {
      repeatable: true,
    })
  }

  /** `POST .../resume` */
  async resume(simulation: string): Promise<void> {
    await this.#caller.post(paths.part(simulation, 'resume'), undefined, `resume simulation "${simulation}"`, {
      repeatable: true,
    })
  }

  /** `POST .../reset`: answers at once; the data is made anew in the background. */
  async reset(simulation: string): Promise<void> {
    await this.#caller.post(paths.part(simulation, 'reset'), undefined, `reset simulation "${simulation}"`, {
      repeatable: true,
    })
  }

  /** `POST .../fast-forward`: 0.25 to 720 hours. Never made twice. */
  fastForward(simulation: string, hours: number): Promise<FastForwardResult> {
    const what = `fast-forward simulation "${simulation}"`
    return this.#caller.post(paths.part(simulation, 'fast-forward'), { hours }, what, { timeoutMs: 120_000 })
  }

  /**
   * `PUT .../behaviour`. Resolves with the plan as kept, and why steps were dropped where the service tells; undefined
   * where it does not answer with the plan.
   */
  async setBehaviour(simulation: string, rules: readonly NewBehaviourRule[]): Promise<KeptBehaviour | undefined> {
    const answer = await this.#caller.json<Partial<KeptBehaviour> | undefined>({
      method: 'PUT',
      path: paths.part(simulation, 'behaviour'),
      body: { rules },
      what: `set the behaviour of simulation "${simulation}"`,
    })
    if (!answer || !Array.isArray(answer.rules)) return undefined
    return { rules: answer.rules, ...(Array.isArray(answer.dropped) ? { dropped: answer.dropped } : {}) }
  }

  /** `POST .../rules` */
  addRule(simulation: string, rule: ResponseRuleRequest): Promise<ResponseRule> {
    return this.#caller.post(paths.part(simulation, 'rules'), rule, `add response rule "${rule.name}"`)
  }

  /** `DELETE .../rules/{ruleId}`. Resolves with false when there was none any more. */
  removeRule(simulation: string, ruleId: string): Promise<boolean> {
    return this.#caller.delete(paths.part(simulation, 'rules', ruleId), `remove response rule "${ruleId}"`)
  }

  /** `POST .../webhooks`. The secret is shown in this answer only. */
  registerWebhook(simulation: string, webhook: WebhookRequest): Promise<RegisteredWebhook> {
    return this.#caller.post(paths.part(simulation, 'webhooks'), webhook, `register a webhook at ${webhook.url}`)
  }

  /** `PUT .../access` */
  async setAccess(
    simulation: string,
    access: { ipRestrictionEnabled?: boolean; ipAllowlist?: string[] },
  ): Promise<void> {
    const path = paths.part(simulation, 'access')
    await this.#caller.json({ method: 'PUT', path, body: access, what: `set the access of simulation "${simulation}"` })
  }

  /** `POST .../keys` */
  issueKey(simulation: string, name: string): Promise<IssuedKey> {
    return this.#caller.post(paths.part(simulation, 'keys'), { name }, `issue key "${name}"`)
  }

  /** `GET .../records/{collection}` */
  readRecords<T extends object = JsonObject>(
    simulation: string,
    collection: string,
    page: { limit?: number; offset?: number } = {},
  ): Promise<Omit<RecordsPage, 'data'> & { data: T[] }> {
    const path = withQuery(paths.part(simulation, 'records', collection), page)
    return this.#caller.get(path, `read records of collection "${collection}"`)
  }

  /** `GET .../events`: the latest 100, newest first. */
  async readEvents(simulation: string, options: CallOptions = {}): Promise<ChangeEvent[]> {
    const path = paths.part(simulation, 'events')
    return (await this.#caller.get<{ data: ChangeEvent[] }>(path, `read events of simulation "${simulation}"`, options))
      .data
  }

  /** `GET .../logs`: the latest 100 requests, newest first. */
  async readLogs(simulation: string): Promise<LogEntry[]> {
    const path = paths.part(simulation, 'logs')
    return (await this.#caller.get<{ data: LogEntry[] }>(path, `read the request log of simulation "${simulation}"`))
      .data
  }

  /** Ends kept connections. The client opens new ones when it is used again. */
  async close(): Promise<void> {
    await this.#http?.close()
  }

  async #readMeta(options: CallOptions): Promise<ServiceMeta> {
    try {
      return await this.#caller.get<ServiceMeta>(paths.meta, 'read what the service offers', options)
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return NO_EXTENSIONS
      this.#meta = undefined
      throw error
    }
  }
}

function pathOf(next: string, baseUrl: string): string {
  const url = new URL(next, baseUrl)
  return url.pathname + url.search
}
