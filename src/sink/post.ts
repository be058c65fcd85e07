import { Readable } from 'node:stream'
import { http, https } from '../runtime/node-http.ts'

/** A body whose bytes must not change, and where it goes. */
export interface PostRequest {
  url: string
  headers: Readonly<Record<string, string>>
  rawBody: Uint8Array
  signal: AbortSignal
}

/** Of the headers that were received, those that belong to one connection and not to the webhook. */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
])
const EMPTY_STATUSES = new Set([204, 205, 304])

/**
 * Posts bytes and headers as they are, once, following no redirect. Uses `node:http`, which fake timers cannot hold up.
 */
export function post({ url, headers, rawBody, signal }: PostRequest): Promise<Response> {
  const send = new URL(url).protocol === 'https:' ? https().request : http.request
  const kept = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name))
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: { ...Object.fromEntries(kept), 'content-length': rawBody.byteLength },
      agent: false,
      signal,
    })
    request.once('error', reject)
    request.once('response', (answer) => {
      const status = answer.statusCode ?? 0
      const body = EMPTY_STATUSES.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
      if (!body) answer.resume()
      resolve(new Response(body, { status, headers: toPairs(answer.rawHeaders) }))
    })
    request.end(rawBody)
  })
}

function toPairs(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] as string, rawHeaders[at + 1] as string])
  return pairs
}
