/**
 * A request to the management API as plain values, which is what a transport carries. Node's `Request` would do, but its first
 * use loads a whole HTTP client: 20 ms of every test file.
 */
export interface ManagementRequest {
  readonly method: string
  /** With scheme and authority. */
  readonly url: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** JSON; undefined for none. */
  readonly body?: string | undefined
  /** Ends the exchange when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** The answer to a {@link ManagementRequest}. */
export interface ManagementAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Text, a stream where the answer is one of events, or nothing. */
  readonly body: string | ReadableStream<Uint8Array> | undefined
}
