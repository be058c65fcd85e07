import { setOwn } from './json.ts'
import { LIMITS } from './limits.ts'
import { maskHeader, maskSecrets } from './mask-secrets.ts'
import type { LoggedMessage } from './reads.ts'

/** A request or an answer as a log shows it, with the beginning of its body. */
export function toLoggedMessage(
  headers: Iterable<readonly [name: string, value: string | readonly string[]]>,
  body: Uint8Array | null,
): LoggedMessage {
  const beginning = body?.subarray(0, LIMITS.loggedBodyBytes) ?? new Uint8Array(0)
  return { headers: toLoggedHeaders(headers), ...toLoggedBody(beginning, body?.length ?? 0) }
}

/** Headers as a log shows them, by lower-case names. */
export function toLoggedHeaders(
  headers: Iterable<readonly [name: string, value: string | readonly string[]]>,
): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of headers) {
    setOwn(shown, name.toLowerCase(), maskHeader(typeof value === 'string' ? value : value.join(', ')))
  }
  return shown
}

/** A body as a log shows it. @param beginning the kept part of its `bytes` bytes */
export function toLoggedBody(beginning: Uint8Array, bytes: number): Omit<LoggedMessage, 'headers'> {
  if (bytes === 0) return { body: null, encoding: 'utf-8', bytes, truncated: false }
  const truncated = beginning.length < bytes
  const text = decode(beginning, truncated)
  if (text !== undefined) return { body: maskSecrets(text), encoding: 'utf-8', bytes, truncated }
  return { body: toBase64(beginning), encoding: 'base64', bytes, truncated }
}

const createDecoder = (): TextDecoder => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** For whole texts: it keeps no state between calls. */
const DECODER = createDecoder()

/** The text; undefined where the bytes are not UTF-8. An incomplete character at the end of a cut body is left out. */
function decode(bytes: Uint8Array, isTruncated: boolean): string | undefined {
  try {
    return (isTruncated ? createDecoder() : DECODER).decode(bytes, { stream: isTruncated })
  } catch {
    return undefined
  }
}

/** A key may stand among binary bytes: in a form with a file. */
function toBase64(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  return Buffer.from(maskSecrets(text).replaceAll('…', '...'), 'latin1').toString('base64')
}
