import { type AnswerOf, type Endpoint, fillPath } from '../protocol/endpoint.ts'
import type { CallEndpoint, EndpointInput } from '../protocol/endpoint-call.ts'
import { ENDPOINTS, type EndpointId, type EndpointOf } from '../protocol/endpoints.ts'
import { ApiError } from '../protocol/errors.ts'
import type { ServiceMeta } from '../protocol/reads.ts'
import { type CallOptions, explainUnreachable, send, withinTime } from './send.ts'
import type { Transport } from './transports.ts'

/** How to call a service: over HTTP, or in this process. */
interface ServiceCallsOptions {
  readonly baseUrl: string
  readonly accountKey: string
  /** Over HTTP, or a function of a service in this process, which takes calls without URL and JSON text. */
  readonly way: { readonly transport: Transport } | { readonly call: CallEndpoint }
  readonly meta: ServiceMeta | undefined
  /** Longest wait for one answer, in milliseconds. */
  readonly timeoutMs: number
  /** Number of retries after a temporary failure. */
  readonly retries: number
}

/** One call of an endpoint. */
type ServiceCall<Id extends EndpointId> = EndpointInput<Id> &
  CallOptions & {
    /** Completes "Failed to ...", for errors that do not come from the service. */
    readonly what: string
    /** Path and query of a further page, in place of the endpoint's own. Over HTTP. */
    readonly page?: string
  }

const NO_EXTENSIONS: ServiceMeta = { name: 'unknown', version: 'unknown', extensions: [] }

/**
 * Calls of a service's endpoints, by their ids. Each rejects with the service's {@link ApiError}. A call of a missing
 * extension is not sent, and rejects with an error that names it.
 */
export class ServiceCalls {
  readonly baseUrl: string
  readonly #options: ServiceCallsOptions
  #meta: Promise<ServiceMeta> | undefined

  constructor(options: ServiceCallsOptions) {
    this.baseUrl = options.baseUrl
    this.#options = options
    this.#meta = options.meta && Promise.resolve(options.meta)
  }

  /** The answer of `GET /v1/meta`; no extensions when the service has no such endpoint. Requested once. */
  meta(options: CallOptions = {}): Promise<ServiceMeta> {
    this.#meta ??= this.#readMeta(options)
    return this.#meta
  }

  /** Resolves with the value of the answer: undefined for an empty one, and a stream of bytes for a stream of events. */
  async call<Id extends EndpointId>(id: Id, call: ServiceCall<Id>): Promise<AnswerOf<EndpointOf<Id>>> {
    const { extension, queryExtension }: Endpoint = ENDPOINTS[id]
    if (extension !== undefined && extension !== 'meta') await this.#need(extension)
    if (queryExtension !== undefined && call.query !== undefined) await this.#need(queryExtension)
    const { way } = this.#options
    return 'call' in way ? this.#callDirectly(way.call, id, call) : this.#send(way.transport, id, call)
  }

  /** For an endpoint that deletes: resolves with false when the target did not exist. */
  async delete<Id extends EndpointId>(id: Id, call: ServiceCall<Id>): Promise<boolean> {
    try {
      await this.call(id, call)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }

  #callDirectly<Id extends EndpointId>(run: CallEndpoint, id: Id, call: ServiceCall<Id>) {
    const { timeoutMs = this.#options.timeoutMs, what } = call
    return withinTime({ timeoutMs, signal: call.signal }, (signal) => run(id, { ...call, signal })).catch((error) => {
      if (error instanceof ApiError || call.signal?.aborted) throw error
      throw explainUnreachable({ what, request: { method: ENDPOINTS[id].method, url: this.#urlOf(id, call) } }, error)
    })
  }

  async #send<Id extends EndpointId>(
    transport: Transport,
    id: Id,
    call: ServiceCall<Id>,
  ): Promise<AnswerOf<EndpointOf<Id>>> {
    const { method, repeatable }: Endpoint = ENDPOINTS[id]
    const { accountKey, retries, timeoutMs } = this.#options
    const { body, what } = call
    const headers = {
      accept: 'application/json',
      ...call.headers,
      authorization: `Bearer ${accountKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const url = this.#urlOf(id, call)
    const answer = await send({
      transport,
      request: { method, url, headers, body: body && JSON.stringify(body) },
      what,
      repeatable: repeatable ?? method !== 'POST',
      retries,
      timeoutMs: call.timeoutMs ?? timeoutMs,
      signal: call.signal,
    })
    const text = answer.body
    if (typeof text !== 'string' || text === '') return (text === '' ? undefined : text) as AnswerOf<EndpointOf<Id>>
    try {
      return JSON.parse(text) as AnswerOf<EndpointOf<Id>>
    } catch (cause) {
      const shown = JSON.stringify(text.trim().slice(0, 80))
      throw new Error(
        `Failed to ${what}: the answer of ${url} is no JSON but ${shown}. Check that BACKLOT_URL (or \`service.baseUrl\`) is the address of a simulation service.`,
        { cause },
      )
    }
  }

  #urlOf<Id extends EndpointId>(id: Id, { page, parameters, query = {} }: ServiceCall<Id>): string {
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

  async #readMeta(options: CallOptions): Promise<ServiceMeta> {
    try {
      return await this.call('readMeta', { what: 'read what the service offers', ...options })
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return NO_EXTENSIONS
      this.#meta = undefined
      throw error
    }
  }
}
