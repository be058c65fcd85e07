import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** A body that is over the limit is still read up to this many times it, so that the sender sees our answer. */
const OVERRUN = 4
const JSON_TYPE = /^application\/json[ \t]*(;.*)?$/i

/** Throws a {@link Refusal} unless it is a POST of plain JSON. */
export function checkHead(request: IncomingMessage): void {
  if (request.method !== 'POST') {
    throw new Refusal(405, 'method_not_allowed', `Expected method POST, got ${request.method}.`)
  }
  const types = request.headersDistinct['content-type'] ?? []
  if (types.length !== 1 || !JSON_TYPE.test(types[0] ?? '')) {
    const got = types.join(', ') || 'none'
    throw new Refusal(415, 'unsupported_content_type', `Expected content-type application/json, got ${got}.`)
  }
  const encoding = (request.headersDistinct['content-encoding'] ?? []).join(', ')
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw new Refusal(415, 'unsupported_content_encoding', `Expected no content-encoding, got ${encoding}.`)
  }
}

/** The whole body, counted as it comes. Throws a {@link Refusal} when it is too large or breaks off. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (request.readableEnded) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const tooLarge = () => reject(new Refusal(413, 'body_too_large', `Expected a body of at most ${limit} bytes.`))
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else if (size > limit * OVERRUN) tooLarge()
      else chunks.length = 0
    })
    request.once('end', () => (size > limit ? tooLarge() : resolve(Buffer.concat(chunks, size))))
    const onBreak = () => reject(new Refusal(null, 'aborted', `The sender broke off after ${size} bytes of the body.`))
    request.once('error', onBreak)
    request.once('close', onBreak)
  })
}
