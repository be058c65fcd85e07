import type { ApiRequest, ApiResponse } from '../exchange.ts'
import { withHeaders } from '../exchange.ts'

/** The part of a file that `Range` asks for (RFC 9110, 14): one range of bytes; of several, the whole file. */
export function withRange({ method, headers }: ApiRequest, response: ApiResponse): ApiResponse {
  const { status, body, headers: own, delivery } = response
  const isFile =
    body !== null && delivery === undefined && status === 200 && !/json|xml/.test(String(own['Content-Type']))
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (method !== 'GET' || !isFile || headers['if-range'] !== undefined || from + to === '') return response
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (start > end) return { status: 416, headers: { 'Content-Range': `bytes */${bytes.length}` }, body: null }
  const range = { 'Accept-Ranges': 'bytes', 'Content-Range': `bytes ${start}-${end}/${bytes.length}` }
  return withHeaders({ ...response, status: 206, body: bytes.slice(start, end + 1) }, range)
}
