import { type Json, parseJson } from '../../protocol/json.ts'
import type { StreamEnd, StreamFaults } from '../../protocol/stream.ts'

/** A request to a simulated API as a value. The listener makes it; other folders know no sockets. */
export interface ApiRequest {
  /** In upper case. */
  readonly method: string
  /** Below the simulation's root, percent-encoded as sent, with a leading slash and without the query. */
  readonly path: string
  /** The text after `?`, or ''. */
  readonly query: string
  /** Lower-case names; several lines of one name are joined by ', ' (cookies by '; '). */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the body was not read, since the request is refused in any case. */
  readonly isUnread?: boolean
  /** Whether the body was not read, since it is larger than a simulation takes. */
  readonly isTooLarge?: boolean
  /** Whether the owner sends it, without key and allow-list. */
  readonly isOwner?: boolean
  /** Address of the caller, canonical form. */
  readonly ip: string
  /** Whether a page of this machine, or of a trusted origin, sends it: it may send credentials. */
  readonly isTrustedPage?: boolean
  /** Scheme, host and prefix of the caller's URL: `http://127.0.0.1:4010` or `https://host/s/tasks`. For links. */
  readonly origin: string
}

/** The answer as a value. The listener writes it. */
export interface ApiResponse {
  readonly status: number
  /** Names as sent. Framing headers are left out. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Text is written as UTF-8. Null: no body. */
  readonly body: string | Uint8Array | null
  /** Length of the body that an answer to GET would have, in an answer to HEAD. */
  readonly unsentBytes?: number
  /** How the answer leaves where it streams or a response rule acted; undefined: at once and whole. */
  readonly delivery?: ResponseDelivery
}

export const toText = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()

/** A body as JSON; undefined for another, and for a stream. */
export function jsonOf({ body, delivery }: ApiResponse): Json | undefined {
  return body === null || delivery?.stream ? undefined : parseJson(toText(body))
}

/** How an answer is sent. */
export interface ResponseDelivery {
  /** Delay of the answer, in milliseconds of real time. */
  readonly delayMs: number
  /** The connection fault, instead of or while writing the answer. */
  readonly fault: ConnectionFault | undefined
  /** Set where the body leaves event by event. */
  readonly stream?: StreamPlan
  /** Set where a function of a test gives status, headers and body later. Never rejects once the answer is delivered. */
  readonly later?: Promise<LateAnswer>
}

/** An answer whose body may come piece by piece. */
export interface LateAnswer extends Pick<ApiResponse, 'status' | 'headers'> {
  readonly body: ApiResponse['body'] | ReadableStream<Uint8Array>
}

/** The events of a body, and the times at which they leave. */
export interface StreamPlan {
  /** The number of the body's bytes up to the end of each event, in order. */
  readonly ends: Uint32Array
  /** 1 for each event that is a token. */
  readonly tokens: Uint8Array
  /** Waits, in order: `ms` of real time before the byte `at` of the body. */
  readonly stops: readonly { readonly at: number; readonly ms: number; readonly isStall: boolean }[]
  readonly ended: Exclude<StreamEnd, 'client left' | 'stalled'>
  /** Which faults did not act, since it has too few events. */
  readonly warning: string | undefined
  readonly broken: (faults: StreamFaults) => Pick<ApiResponse, 'body' | 'delivery'>
}

/** A fault of a socket. */
export type ConnectionFault =
  | { readonly kind: 'reset'; readonly afterBytes: number }
  | { readonly kind: 'close' }
  /**
   * Sends nothing for `holdMs`; 0 means until the client disconnects or the rule is removed. `processAfter`: the
   * request is processed only then.
   */
  | { readonly kind: 'hold'; readonly holdMs: number; readonly processAfter: boolean }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  | { readonly kind: 'slow'; readonly chunkBytes: number; readonly chunkDelayMs: number }

/** Whether a path is a remote procedure, such as `/users.list`: its arguments may be in the query or in the body. */
export const isProcedurePath = (path: string): boolean => /\.[a-z]\w*\/?$/i.test(path)

/** The answer to HEAD: that to GET without its body, but with its length. */
export const headOf = ({ body, ...response }: ApiResponse): ApiResponse => ({
  ...response,
  body: null,
  unsentBytes: body === null ? 0 : Buffer.byteLength(body),
})

/** The answer with further headers, in place of its own of the same names in any case. */
export function withHeaders(response: ApiResponse, headers: ApiResponse['headers'] = {}): ApiResponse {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const kept = Object.entries(response.headers).filter(([name]) => !names.has(name.toLowerCase()))
  return { ...response, headers: { ...Object.fromEntries(kept), ...headers } }
}
