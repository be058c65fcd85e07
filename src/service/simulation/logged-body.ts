import { LIMITS } from '../../protocol/limits.ts'
import { maskSecrets } from '../../protocol/mask-secrets.ts'
import type { LoggedMessage } from '../../protocol/reads.ts'

/** What is left of a body that is not kept whole. */
interface CutBody {
  readonly beginning: Uint8Array
  /** Length of the whole body, in bytes. */
  readonly bytes: number
}

/** A body in the log: as it was read or written, or what is left of it; null where there is none. */
export type LoggedBody = string | Uint8Array | CutBody | null

/** Longer bodies are cut when they are logged, shorter ones when they are read: to keep one costs nothing then. */
const CUT_AT_ONCE = 4 * LIMITS.loggedBodyBytes

/** `body` as the log keeps it: not copied, unless it is long. */
export function toLoggedBody(body: string | Uint8Array | null): LoggedBody {
  if (body === null || body.length === 0) return null
  return body.length > CUT_AT_ONCE ? cut(body, LIMITS.loggedBodyBytes) : body
}

/** What the log keeps of a body to make room for later ones. */
export function dropBody(body: LoggedBody): LoggedBody {
  if (body === null) return null
  return { beginning: NO_BYTES, bytes: isCut(body) ? body.bytes : Buffer.byteLength(body) }
}

/** How much of the log's room a body takes: bytes, or characters of a text. */
export function roomOf(body: LoggedBody): number {
  if (body === null) return 0
  return isCut(body) ? body.beginning.length : body.length
}

/** The body as the log shows it. */
export function showBody(body: LoggedBody): Omit<LoggedMessage, 'headers'> {
  if (body === null) return { body: null, encoding: 'utf-8', bytes: 0, truncated: false }
  const { beginning, bytes } = isCut(body) ? body : cut(body, LIMITS.loggedBodyBytes)
  const truncated = beginning.length < bytes
  const text = decode(beginning, truncated)
  if (text !== undefined) return { body: maskSecrets(text), encoding: 'utf-8', bytes, truncated }
  return { body: toBase64(beginning), encoding: 'base64', bytes, truncated }
}

const NO_BYTES = new Uint8Array(0)

const isCut = (body: string | Uint8Array | CutBody): body is CutBody => typeof body === 'object' && 'beginning' in body

function cut(body: string | Uint8Array, most: number): CutBody {
  const bytes = Buffer.byteLength(body)
  if (typeof body !== 'string') return { beginning: bytes > most ? Buffer.from(body.subarray(0, most)) : body, bytes }
  const beginning = Buffer.alloc(Math.min(bytes, most))
  // Whole characters alone are written.
  return { beginning: beginning.subarray(0, beginning.write(body)), bytes }
}

/** The text; undefined where the bytes are not UTF-8. The end of a cut body may be a part of a character, which is left out. */
function decode(bytes: Uint8Array, isTruncated: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isTruncated })
  } catch {
    return undefined
  }
}

/** A key may stand among bytes that are no text: in a form with a file. */
function toBase64(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return Buffer.from(maskSecrets(text).replaceAll('…', '...'), 'latin1').toString('base64')
}
