import type { BehaviourPlan, NewBehaviourRule } from '../protocol/behaviour.ts'
import { ApiError } from '../protocol/errors.ts'
import type { ChangeEvent } from '../protocol/event.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { ClockReading, LibraryEntrySummary, LogEntry, RecordsPage, ServiceMeta, Usage } from '../protocol/reads.ts'
import type { ResponseRule, ResponseRuleRequest } from '../protocol/response-rule.ts'
import type {
  CreatedSimulation,
  CreateSimulationRequest,
  FastForwardResult,
  IssuedKey,
  SimulationDetail,
  SimulationSummary,
} from '../protocol/simulation.ts'
import type { Delivery, RegisteredWebhook, WebhookRequest, WebhookState } from '../protocol/webhook.ts'
import { readEventStream } from './event-stream.ts'
import { type CallExtension, type CreationExtension, withoutExtensions } from './extensions.ts'
import { createHttpTransport, type HttpTransport } from './http-transport.ts'
import { paths, withQuery } from './paths.ts'
import { type Call, type Sender, send } from './send.ts'
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
  /** Longest wait for one answer, in milliseconds. @default 30000 */
  timeoutMs?: number
  /** How often a call that failed for a passing reason is made again, where that is safe. @default 3 */
  retries?: number
}

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
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
const SETTLE_TIMEOUT_MS = 45_000

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
  readonly #sender: Sender
  readonly #http: HttpTransport | undefined
  #meta: Promise<ServiceMeta> | undefined

  constructor(options: ManagementClientOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')
    if (!URL.canParse(this.baseUrl)) {
      throw new TypeError(`Expected \`baseUrl\` to be an http or https URL, got ${JSON.stringify(options.baseUrl)}.`)
    }
    this.#http = options.transport ? undefined : createHttpTransport({ ca: options.ca })
    this.#sender = {
      baseUrl: this.baseUrl,
      accountKey: options.accountKey,
      transport: options.transport ?? (this.#http as HttpTransport).send,
      timeoutMs: options.timeoutMs ?? 30_000,
      retries: options.retries ?? 3,
    }
  }

  /** Who answers and which extensions it has; none when the service has no `GET /v1/meta`. Asked once. */
  meta(): Promise<ServiceMeta> {
    this.#meta ??= this.#get<ServiceMeta>(paths.meta, 'read what the service offers').catch((error: unknown) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return NO_EXTENSIONS
      this.#meta = undefined
      throw error
    })
    return this.#meta
  }

  /** Whether the service has an extension. */
  async offers(extension: CallExtension | CreationExtension): Promise<boolean> {
    return (await this.meta()).extensions.includes(extension)
  }

  /** `GET /v1/library`: entries that hold `q` and are of `vertical`. */
  async searchLibrary(query: { q?: string; vertical?: string; limit?: number } = {}): Promise<LibraryEntrySummary[]> {
    const path = withQuery(paths.library, query)
    return (await this.#get<{ data: LibraryEntrySummary[] }>(path, 'search the library')).data
  }

  /** `GET /v1/usage` */
  usage(): Promise<Usage> {
    return this.#get(paths.usage, "read the account's usage")
  }

  /** `GET /v1/simulations`, following further pages where the service offers them (`next`, a path or an address). */
  async listSimulations(): Promise<SimulationSummary[]> {
    const all: SimulationSummary[] = []
    for (let path: string | undefined = paths.simulations; path !== undefined; ) {
      const page: { data: SimulationSummary[]; next?: string | null } = await this.#get(path, 'list simulations')
      all.push(...page.data)
      path = page.next ? pathOf(page.next, this.baseUrl) : undefined
    }
    return all
  }

  /** `POST /v1/simulations`. Fields that the service does not have are not sent; `leftOut` names them. */
  async createSimulation(request: CreateSimulationRequest, options: CallOptions = {}): Promise<Creation> {
    const source = request.library === undefined ? 'the description' : `library entry "${request.library}"`
    const { request: body, left } = withoutExtensions(request, (await this.meta()).extensions)
    const what = `create a simulation of ${source}`
    const created = await this.#json<CreatedSimulation>({
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
    return this.#get(paths.simulation(simulation), `read simulation "${simulation}"`, options)
  }

  /** `DELETE /v1/simulations/{id}`. Resolves with false when there was none any more. */
  async deleteSimulation(simulation: string, options: CallOptions = {}): Promise<boolean> {
    return this.#delete(paths.simulation(simulation), `delete simulation "${simulation}"`, options)
  }

  /** `POST .../pause` */
  async pause(simulation: string): Promise<void> {
    await this.#post(simulation, ['pause'], undefined, `pause simulation "${simulation}"`, { repeatable: true })
  }

  /** `POST .../resume` */
  async resume(simulation: string): Promise<void> {
    await this.#post(simulation, ['resume'], undefined, `resume simulation "${simulation}"`, { repeatable: true })
  }

  /** `POST .../reset`: answers at once; the data is made anew in the background. */
  async reset(simulation: string): Promise<void> {
    await this.#post(simulation, ['reset'], undefined, `reset simulation "${simulation}"`, { repeatable: true })
  }

  /** `POST .../fast-forward`: 0.25 to 720 hours. Never made twice. */
  fastForward(simulation: string, hours: number): Promise<FastForwardResult> {
    const what = `fast-forward simulation "${simulation}"`
    return this.#post(simulation, ['fast-forward'], { hours }, what, { timeoutMs: 120_000 })
  }

  /**
   * `PUT .../behaviour`. Resolves with the plan as kept, and why steps were dropped where the service tells; undefined
   * where it does not answer with the plan.
   */
  async setBehaviour(simulation: string, rules: readonly NewBehaviourRule[]): Promise<KeptBehaviour | undefined> {
    const answer = await this.#json<Partial<KeptBehaviour> | undefined>({
      method: 'PUT',
      path: paths.part(simulation, 'behaviour'),
      body: { rules },
      what: `set the behaviour of simulation "${simulation}"`,
    })
    if (!answer || !Array.isArray(answer.rules)) return undefined
    return { rules: answer.rules, ...(Array.isArray(answer.dropped) ? { dropped: answer.dropped } : {}) }
  }

  /** `GET .../behaviour` (ours) */
  readBehaviour(simulation: string): Promise<BehaviourPlan> {
    return this.#part(simulation, ['behaviour'], 'behaviour-read')
  }

  /** `POST .../rules` */
  addRule(simulation: string, rule: ResponseRuleRequest): Promise<ResponseRule> {
    return this.#post(simulation, ['rules'], rule, `add response rule "${rule.name}"`)
  }

  /** `DELETE .../rules/{ruleId}`. Resolves with false when there was none any more. */
  removeRule(simulation: string, ruleId: string): Promise<boolean> {
    return this.#delete(paths.part(simulation, 'rules', ruleId), `remove response rule "${ruleId}"`)
  }

  /** `POST .../webhooks`. The secret is shown in this answer only. */
  registerWebhook(simulation: string, webhook: WebhookRequest): Promise<RegisteredWebhook> {
    return this.#post(simulation, ['webhooks'], webhook, `register a webhook at ${webhook.url}`)
  }

  /** `PUT .../access` */
  async setAccess(
    simulation: string,
    access: { ipRestrictionEnabled?: boolean; ipAllowlist?: string[] },
  ): Promise<void> {
    const path = paths.part(simulation, 'access')
    await this.#json({ method: 'PUT', path, body: access, what: `set the access of simulation "${simulation}"` })
  }

  /** `POST .../keys` */
  issueKey(simulation: string, name: string): Promise<IssuedKey> {
    return this.#post(simulation, ['keys'], { name }, `issue key "${name}"`)
  }

  /** `GET .../records/{collection}` */
  readRecords<T extends object = JsonObject>(
    simulation: string,
    collection: string,
    page: { limit?: number; offset?: number } = {},
  ): Promise<Omit<RecordsPage, 'data'> & { data: T[] }> {
    const path = withQuery(paths.part(simulation, 'records', collection), page)
    return this.#get(path, `read records of collection "${collection}"`)
  }

  /** `GET .../events`: the latest 100, newest first. */
  async readEvents(simulation: string, options: CallOptions = {}): Promise<ChangeEvent[]> {
    const path = paths.part(simulation, 'events')
    return (await this.#get<{ data: ChangeEvent[] }>(path, `read events of simulation "${simulation}"`, options)).data
  }

  /** `GET .../logs`: the latest 100 requests, newest first. */
  async readLogs(simulation: string): Promise<LogEntry[]> {
    const path = paths.part(simulation, 'logs')
    return (await this.#get<{ data: LogEntry[] }>(path, `read the request log of simulation "${simulation}"`)).data
  }

  /** `POST .../snapshots` (ours) */
  async takeSnapshot(simulation: string): Promise<string> {
    await this.#need('snapshots')
    const what = `take a snapshot of simulation "${simulation}"`
    return (await this.#post<{ id: string }>(simulation, ['snapshots'], undefined, what)).id
  }

  /** `POST .../snapshots/{snapshotId}/restore` (ours) */
  async restoreSnapshot(simulation: string, snapshotId: string): Promise<void> {
    await this.#need('snapshots')
    const what = `restore snapshot "${snapshotId}"`
    await this.#post(simulation, ['snapshots', snapshotId, 'restore'], undefined, what, { repeatable: true })
  }

  /** `GET .../clock` (ours) */
  readClock(simulation: string): Promise<ClockReading> {
    return this.#part(simulation, ['clock'], 'clock')
  }

  /** `GET .../events/stream` (ours): change events as they happen, until the signal aborts. */
  async *streamEvents(
    simulation: string,
    options: { signal?: AbortSignal; lastEventId?: string } = {},
  ): AsyncGenerator<ChangeEvent> {
    await this.#need('event-stream')
    const answer = await send(this.#sender, {
      method: 'GET',
      path: paths.part(simulation, 'events', 'stream'),
      what: `stream events of simulation "${simulation}"`,
      signal: options.signal,
      ...(options.lastEventId === undefined ? {} : { headers: { 'last-event-id': options.lastEventId } }),
    })
    if (answer.body) yield* readEventStream(answer.body)
  }

  /** `GET .../webhooks` (ours) */
  async listWebhooks(simulation: string): Promise<WebhookState[]> {
    return (await this.#part<{ data: WebhookState[] }>(simulation, ['webhooks'], 'webhook-list')).data
  }

  /** `DELETE .../webhooks/{webhookId}` (ours). Resolves with false when there was none any more. */
  async removeWebhook(simulation: string, webhookId: string): Promise<boolean> {
    await this.#need('webhook-delete')
    return this.#delete(paths.part(simulation, 'webhooks', webhookId), `remove webhook "${webhookId}"`)
  }

  /** `POST .../webhooks/{webhookId}/enable` (ours): turns on again what 50 failures switched off. */
  async enableWebhook(simulation: string, webhookId: string): Promise<void> {
    await this.#need('webhook-enable')
    const what = `enable webhook "${webhookId}"`
    await this.#post(simulation, ['webhooks', webhookId, 'enable'], undefined, what, { repeatable: true })
  }

  /** `GET .../webhooks/{webhookId}/deliveries` (ours) */
  async listDeliveries(simulation: string, webhookId: string): Promise<Delivery[]> {
    const segments = ['webhooks', webhookId, 'deliveries']
    return (await this.#part<{ data: Delivery[] }>(simulation, segments, 'deliveries')).data
  }

  /** `POST .../deliveries/advance` (ours): turns the delivery clock; resolves with the number of attempts made. */
  async advanceDeliveries(simulation: string, seconds: number): Promise<number> {
    await this.#need('deliveries-advance')
    const what = `advance the deliveries of simulation "${simulation}"`
    const body = { seconds }
    const options = { timeoutMs: 120_000 }
    return (await this.#post<{ attempts: number }>(simulation, ['deliveries', 'advance'], body, what, options)).attempts
  }

  /** `GET .../deliveries/settled` (ours): waits up to 30 s for nothing to be in flight or due. */
  async areDeliveriesSettled(simulation: string): Promise<boolean> {
    const options = { timeoutMs: SETTLE_TIMEOUT_MS }
    const segments = ['deliveries', 'settled']
    return (await this.#part<{ settled: boolean }>(simulation, segments, 'deliveries-settled', options)).settled
  }

  /** `POST .../webhook-faults` (ours): spoils deliveries on purpose. Resolves with the fault's id. */
  async addWebhookFault(simulation: string, fault: object): Promise<string> {
    await this.#need('webhook-faults')
    return (await this.#post<{ id: string }>(simulation, ['webhook-faults'], fault, 'add a webhook fault')).id
  }

  /** `DELETE .../webhook-faults/{faultId}` (ours). Resolves with false when there was none any more. */
  async removeWebhookFault(simulation: string, faultId: string): Promise<boolean> {
    await this.#need('webhook-faults')
    return this.#delete(paths.part(simulation, 'webhook-faults', faultId), `remove webhook fault "${faultId}"`)
  }

  /** `POST /v1/sinks` (ours, `workerSinks` only): lets deliveries reach a sink of this run on loopback. */
  async exemptSink(sink: { port: number; ca: string }): Promise<void> {
    await this.#need('worker-sinks')
    const what = `register the sink on port ${sink.port}`
    await this.#json({ method: 'POST', path: '/v1/sinks', body: sink, what, repeatable: true })
  }

  /** Ends kept connections. The client opens new ones when it is used again. */
  async close(): Promise<void> {
    await this.#http?.close()
  }

  async #need(extension: CallExtension): Promise<void> {
    if (await this.offers(extension)) return
    throw new ApiError(
      404,
      'not_found',
      `Failed to use "${extension}": the service at ${this.baseUrl} does not offer it. It works on the embedded service and on \`backlot serve\`.`,
    )
  }

  async #part<T>(
    simulation: string,
    segments: readonly string[],
    extension: CallExtension,
    options: CallOptions = {},
  ): Promise<T> {
    await this.#need(extension)
    const what = `read ${segments.join('/')} of simulation "${simulation}"`
    return this.#get(paths.part(simulation, ...segments), what, options)
  }

  #get<T>(path: string, what: string, options: CallOptions = {}): Promise<T> {
    return this.#json({ method: 'GET', path, what, ...options })
  }

  #post<T>(
    simulation: string,
    segments: readonly string[],
    body: unknown,
    what: string,
    options: Pick<Call, 'repeatable' | 'timeoutMs'> = {},
  ): Promise<T> {
    return this.#json({ method: 'POST', path: paths.part(simulation, ...segments), body, what, ...options })
  }

  async #delete(path: string, what: string, options: CallOptions = {}): Promise<boolean> {
    try {
      await send(this.#sender, { method: 'DELETE', path, what, ...options })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }

  async #json<T>(call: Call): Promise<T> {
    const answer = await send(this.#sender, call)
    const text = await answer.text()
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

function pathOf(next: string, baseUrl: string): string {
  const url = new URL(next, baseUrl)
  return url.pathname + url.search
}
