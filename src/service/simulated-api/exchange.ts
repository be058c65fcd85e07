/** A request to a simulated API as a value. The listener makes it; nothing below the listener knows sockets. */
export interface ApiRequest {
  /** In upper case. */
  readonly method: string
  /** Below the simulation's own root, percent-encoded as sent, with a leading slash and without the query. */
  readonly path: string
  /** What follows the `?`, without it; '' where there is none. */
  readonly query: string
  /** Lower-case names; several lines of one name are joined by ', ' (cookies by '; '). */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Address of the caller, canonical form. */
  readonly ip: string
  /** Scheme, host and prefix that the caller used: `http://127.0.0.1:4010` or `https://host/s/tasks`. For links. */
  readonly origin: string
}

/** The answer as a value. The listener writes it, after the delay or with the fault that it carries. */
export interface ApiResponse {
  readonly status: number
  /** Names as they go on the wire. `content-length` is the listener's. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Text is written as UTF-8. Null: no body. */
  readonly body: string | Uint8Array | null
  /** How long the listener holds the answer back, in milliseconds of real time. */
  readonly delayMs?: number
  /** What happens to the socket instead of, or while, writing the answer. */
  readonly fault?: ConnectionFault
  /** Aborted when a held or delayed answer is let go before its time: on a reset, or when its rule is removed. */
  readonly release?: AbortSignal
  /** For a `hold` that is over before the request was processed: processes it and gives the answer to write instead. */
  readonly proceed?: () => Promise<ApiResponse>
  /**
   * Called once by the listener when the answer has left, or the client has, with the time since it was handed over.
   */
  readonly onSent?: (durationMs: number) => void
}

/** A fault that only a socket can show. */
export type ConnectionFault =
  | { readonly kind: 'reset'; readonly afterBytes: number }
  | { readonly kind: 'close' }
  /**
   * Keeps silent for `holdMs`; 0 means until the client leaves or the rule goes. `processAfter`: the request is
   * processed only then.
   */
  | { readonly kind: 'hold'; readonly holdMs: number; readonly processAfter: boolean }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  | { readonly kind: 'slow'; readonly chunkBytes: number; readonly chunkDelayMs: number }
