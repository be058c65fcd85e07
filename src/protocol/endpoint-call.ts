import type { AnswerOf, BodyInput, PathParameters } from './endpoint.ts'
import type { EndpointId, EndpointOf } from './endpoints.ts'

/** The input of one call of an endpoint, before it is validated. */
export type EndpointInput<Id extends EndpointId> = {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: BodyInput<EndpointOf<Id>>
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
} & (EndpointOf<Id>['path'] extends `${string}{${string}`
  ? { readonly parameters: PathParameters<EndpointOf<Id>['path']> }
  : { readonly parameters?: undefined })

/**
 * Calls an endpoint of a service in this process. Resolves with the value that its answer would have as JSON, or with
 * the stream of events; rejects with the service's `ApiError`.
 */
export type CallEndpoint = <Id extends EndpointId>(
  id: Id,
  input: EndpointInput<Id>,
) => Promise<AnswerOf<EndpointOf<Id>>>
