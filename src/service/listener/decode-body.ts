import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib'
import { ApiError } from '../../protocol/errors.ts'
import { grouped } from '../../protocol/grouped.ts'
import { LIMITS } from '../../protocol/limits.ts'

type Decoder = (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer>

/** Decoders by `Content-Encoding` (RFC 9110, 8.4.1), in threads of their own. */
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** The `Content-Encoding` of a request; undefined without one. */
export function encodingOf({ headers }: IncomingMessage): string | undefined {
  const written = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  return written === 'identity' ? undefined : written
}

/** The bytes of a compressed body. Rejects with an {@link ApiError} for another encoding, other bytes, and too many of them. */
export async function decodeBody(bytes: Uint8Array, encoding: string): Promise<Uint8Array> {
  const decode = DECODERS.get(encoding)
  if (decode === undefined) {
    const known = [...DECODERS.keys()].join(', ')
    throw new ApiError(415, 'invalid_request', `Expected \`content-encoding\` to be one of ${known}, got ${encoding}.`)
  }
  try {
    // A copy: the memory of a body is freed once its client is gone.
    return await decode(Buffer.from(bytes), { maxOutputLength: LIMITS.simulatedBodyBytes })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new ApiError(
      400,
      'invalid_request',
      `Expected the body to be ${encoding}, as \`content-encoding\` says, got other bytes.`,
    )
  }
}

export function tooLarge(): ApiError {
  const most = grouped(LIMITS.simulatedBodyBytes)
  return new ApiError(413, 'invalid_request', `Expected the body to have at most ${most} bytes, got more.`)
}
