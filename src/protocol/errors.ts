/** The error codes of the specification's section Errors. */
export type ErrorCode =
  | 'invalid_request'
  | 'bad_request'
  | 'unsafe_url'
  | 'unauthorised'
  | 'payment_required'
  | 'plan_limit'
  | 'no_credit'
  | 'not_found'
  | 'invalid_spec'

/** The one body shape of an error answer (specification, Errors). */
export interface ErrorBody {
  error: { code: string; message: string }
}

/**
 * An error of the management API, for service and client: the service throws it and converts it into a body in one
 * place, the client converts a body back in one place.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status of the answer. */
  readonly status: number
  /** One of {@link ErrorCode}, or the code of another service. */
  readonly code: string
  /** Identifies the request in the service's log, if the service sends it. */
  readonly requestId: string | undefined
  /** Seconds to wait before a retry, if the answer says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    code: ErrorCode | (string & {}),
    message: string,
    options: { cause?: unknown; requestId?: string | undefined; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.status = status
    this.code = code
    this.requestId = options.requestId
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A body that failed validation. `message` names the field and the violated bound. */
export const invalidRequest = (message: string, cause?: unknown): ApiError =>
  new ApiError(400, 'invalid_request', message, { cause })

/** A request that is well-formed but cannot be done. */
export const badRequest = (message: string, cause?: unknown): ApiError =>
  new ApiError(400, 'bad_request', message, { cause })

/** No such simulation, library entry, collection or rule in the account. */
export const notFound = (message: string): ApiError => new ApiError(404, 'not_found', message)

/** An uploaded description that cannot be read. */
export const invalidSpec = (message: string, cause?: unknown): ApiError =>
  new ApiError(422, 'invalid_spec', message, { cause })
