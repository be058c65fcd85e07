import type { IncomingMessage } from 'node:http'

const NO_BYTES = new Uint8Array(0)

/** Whether a request announces a body (RFC 9112, 6.3). */
function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Reads a request's body. Calls `done` once: with the bytes, or with `too-large` as soon as there are more than
 * `maxBytes`. Not at all when the client leaves before the end.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  done: (body: Uint8Array | 'too-large') => void,
): void {
  if (!announcesBody(request)) done(NO_BYTES)
  else if (Number(request.headers['content-length'] ?? 0) > maxBytes) done('too-large')
  else collect(request, maxBytes, done)
}

function collect(request: IncomingMessage, maxBytes: number, done: (body: Uint8Array | 'too-large') => void): void {
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
