import { type Json, jsonOr } from '../../protocol/json.ts'

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
  /** Whether the body was not read, since the request was refused whatever it holds. */
  readonly isUnread?: boolean
  /** Whether the owner of the simulation sends it, past key and allow-list. */
  readonly isOwner?: boolean
  /** Address of the caller, canonical form. */
  readonly ip: string
  /** Whether a page of this machine, or of an origin that an option names, sends it: it may send credentials. */
  readonly isTrustedPage?: boolean
  /** Scheme, host and prefix that the caller used: `http://127.0.0.1:4010` or `https://host/s/tasks`. For links. */
  readonly origin: string
}

/** The answer as a value. The listener writes it. */
export interface ApiResponse {
  readonly status: number
  /** Names as they go on the wire. `content-length` is the listener's. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Text is written as UTF-8; kept records are bytes of UTF-8 already. Null: no body. */
  readonly body: string | Uint8Array | null
  /** How the answer leaves where a response rule acted; undefined: at once and whole. */
  readonly delivery?: ResponseDelivery
}

/** A body as text. */
export const toText = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()

/** A body as JSON; undefined where it is none. */
export function jsonOf({ body }: ApiResponse): Json | undefined {
  return body === null ? undefined : jsonOr(toText(body), undefined)
}

/** What response rules do to the delivery of an answer. */
export interface ResponseDelivery {
  /** How long the answer is held back, in milliseconds of real time. */
  readonly delayMs: number
  /** What happens to the connection instead of, or while, writing the answer. */
  readonly fault: ConnectionFault | undefined
}

/** A fault that only a socket can show. */
export type ConnectionFault =
  | { readonly kind: 'reset'; readonly afterBytes: number }
  | { readonly kind: 'close' }
  /**
   * Keeps silent for `holdMs`; 0 means until the client leaves or the rule is removed. `processAfter`: the request is
   * processed only then.
   */
  | { readonly kind: 'hold'; readonly holdMs: number; readonly processAfter: boolean }
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  | { readonly kind: 'slow'; readonly chunkBytes: number; readonly chunkDelayMs: number }

/** Whether a path names a remote procedure, as `/users.list` does: its arguments may stand in the query or in the body. */
export const isProcedurePath = (path: string): boolean => /\.[a-z]\w*\/?$/i.test(path)
