import type { IncomingMessage } from 'node:http'

/** Path and query of a request. A client that speaks to a proxy sends whole URLs, and `*` with OPTIONS. */
export function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed === undefined ? '/' : parsed.pathname + parsed.search
}

/** Whether a request announces a body (RFC 9112, 6.3). */
export function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Reads the body of a request that announces one. Calls `done` once: with the bytes, or with `too-large` as soon as there
 * are more than `maxBytes`. Not at all when the client leaves before the end.
 */
export function collectBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Uint8Array | 'too-large') => void,
): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    done('too-large')
    return
  }
  const chunks: Buffer[] = []
  let bytes = 0
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes) {
      chunks.push(chunk)
      return
    }
    request.off('data', onData)
    request.off('end', onEnd)
    done('too-large')
  }
  const onEnd = () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  request.on('data', onData)
  request.on('end', onEnd)
}
