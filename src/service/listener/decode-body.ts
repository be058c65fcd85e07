import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ApiError } from '../../protocol/errors.ts'
import { grouped } from '../../protocol/grouped.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { noRoom } from '../management/error-body.ts'

/** Decoders by `Content-Encoding` (RFC 9110, 8.4.1), in threads of their own. */
const DECODERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** The `Content-Encoding` of a request; undefined without one. */
export function encodingOf({ headers }: IncomingMessage): string | undefined {
  const written = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  return written === 'identity' ? undefined : written
}

/**
 * The bytes of a compressed body. Rejects with an {@link ApiError} for another encoding, other bytes, and too many of them.
 * @param take reserves room for the next of them
 */
export async function decodeBody(
  bytes: Uint8Array,
  encoding: string,
  take: (length: number) => boolean,
): Promise<Uint8Array> {
  const create = DECODERS.get(encoding)
  if (create === undefined) {
    const known = [...DECODERS.keys()].join(', ')
    throw new ApiError(415, 'invalid_request', `Expected \`content-encoding\` to be one of ${known}, got ${encoding}.`)
  }
  const parts: Uint8Array[] = []
  let length = 0
  try {
    // A copy: the memory of a body is freed once its client is gone.
    for await (const part of create().end(Buffer.from(bytes)) as AsyncIterable<Buffer>) {
      length += part.length
      if (length > LIMITS.simulatedBodyBytes) throw tooLarge()
      if (!take(part.length)) throw noRoom()
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof ApiError ? error : otherBytes(encoding)
  }
  return Buffer.concat(parts, length)
}

const otherBytes = (encoding: string): ApiError =>
  new ApiError(
    400,
    'invalid_request',
    `Expected the body to be ${encoding}, as \`content-encoding\` says, got other bytes.`,
  )

export function tooLarge(): ApiError {
  const most = grouped(LIMITS.simulatedBodyBytes)
  return new ApiError(413, 'invalid_request', `Expected the body to have at most ${most} bytes, got more.`)
}
