/**
 * A request to the management API as plain values, for a transport. Node's `Request` would fit, but its first use loads
 * an HTTP client: 20 ms in every test file.
 */
export interface ManagementRequest {
  readonly method: string
  /** With scheme and authority. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** JSON; undefined for none. */
  readonly body?: string | undefined
  /** Aborts the exchange. */
  readonly signal?: AbortSignal | undefined
}

/** The answer to a {@link ManagementRequest}. */
export interface ManagementAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Text, a stream for server-sent events, or undefined. */
  readonly body: string | ReadableStream<Uint8Array> | undefined
}
