import { type AnswerOf, type BodyInput, type Endpoint, fillPath, type PathParameters } from '../protocol/endpoint.ts'
import { ENDPOINTS, type EndpointId, type EndpointOf } from '../protocol/endpoints.ts'
import { ApiError } from '../protocol/errors.ts'
import type { ManagementAnswer } from '../protocol/management-exchange.ts'
import type { ServiceMeta } from '../protocol/reads.ts'
import { type CallOptions, send } from './send.ts'
import type { Transport } from './transports.ts'

/** Address, timeouts and retries of calls. */
interface ServiceCallsOptions {
  readonly baseUrl: string
  readonly accountKey: string
  readonly transport: Transport
  readonly meta: ServiceMeta | undefined
  /** Longest wait for one answer, in milliseconds. */
  readonly timeoutMs: number
  /** Number of retries after a temporary failure. */
  readonly retries: number
}

/** One call of an endpoint. */
type ServiceCall<Id extends EndpointId> = CallOptions & {
  /** Completes "Failed to ...", for errors that do not come from the service. */
  readonly what: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: BodyInput<EndpointOf<Id>>
  /** Sent in addition to the headers of every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** Path and query of a further page, in place of the endpoint's own. */
  readonly page?: string
} & (EndpointOf<Id>['path'] extends `${string}{${string}`
    ? { readonly parameters: PathParameters<EndpointOf<Id>['path']> }
    : { readonly parameters?: undefined })

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

  /** Resolves with the JSON of the answer; undefined for an empty one. */
  async json<Id extends EndpointId>(id: Id, call: ServiceCall<Id>): Promise<AnswerOf<EndpointOf<Id>>> {
    const { body: text } = await this.send(id, call)
    if (typeof text !== 'string' || text === '') return undefined as AnswerOf<EndpointOf<Id>>
    try {
      return JSON.parse(text) as AnswerOf<EndpointOf<Id>>
    } catch (cause) {
      const shown = JSON.stringify(text.trim().slice(0, 80))
      throw new Error(
        `Failed to ${call.what}: the answer of ${this.#urlOf(id, call)} is no JSON but ${shown}. Check that BACKLOT_URL (or \`service.baseUrl\`) is the address of a simulation service.`,
        { cause },
      )
    }
  }

  /** For an endpoint that deletes: resolves with false when the target did not exist. */
  async delete<Id extends EndpointId>(id: Id, call: ServiceCall<Id>): Promise<boolean> {
    try {
      await this.send(id, call)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }

  /** Resolves with the unparsed 2xx answer. */
  async send<Id extends EndpointId>(id: Id, call: ServiceCall<Id>): Promise<ManagementAnswer> {
    const { method, extension, queryExtension, repeatable }: Endpoint = ENDPOINTS[id]
    if (extension !== undefined && extension !== 'meta') await this.#need(extension)
    if (queryExtension !== undefined && call.query !== undefined) await this.#need(queryExtension)
    const { accountKey, transport, retries, timeoutMs } = this.#options
    const { body } = call
    const headers = {
      accept: 'application/json',
      ...call.headers,
      authorization: `Bearer ${accountKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    return send({
      transport,
      request: { method, url: this.#urlOf(id, call), headers, body: body && JSON.stringify(body) },
      what: call.what,
      repeatable: repeatable ?? method !== 'POST',
      retries,
      timeoutMs: call.timeoutMs ?? timeoutMs,
      signal: call.signal,
    })
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
      return await this.json('readMeta', { what: 'read what the service offers', ...options })
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return NO_EXTENSIONS
      this.#meta = undefined
      throw error
    }
  }
}
