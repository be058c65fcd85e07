import fc from 'fast-check'
import type { FuzzedRequest } from './management-requests.ts'

const PATHS = ['/tasks', '/tasks/~ID~', '/api/tasks', '/api/tasks/~ID~', '/', '/tasks/', '/nowhere', '/tasks/~ID~/more']
const METHODS = ['GET', 'GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'PROPFIND']

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('open', 'doing', 'done', '', 'x'.repeat(200), null, -1, 1e308),
)
const body = fc.oneof(
  fc.dictionary(fc.oneof(fc.constantFrom('title', 'status', 'id', 'createdAt', '__proto__'), fc.string()), value),
  fc.record({ title: fc.string({ minLength: 1, maxLength: 80 }), status: fc.constantFrom('open', 'doing', 'done') }),
  fc.jsonValue(),
)
const query = fc.dictionary(
  fc.oneof(fc.constantFrom('status', 'limit', 'offset', 'page', 'cursor', 'sort', 'title', 'q', 'filter'), fc.string()),
  fc.oneof(fc.string(), fc.constantFrom('open', '5', '-1', '999999999', 'null', '[]', '%')),
  { maxKeys: 3 },
)
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '')
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Record<string, string>>({ 'content-type': 'application/json' }) },
  fc.constantFrom<Record<string, string>>(
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=b' },
    { accept: 'text/html' },
    { 'if-match': '"x"' },
    { origin: 'https://app.example' },
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic eDp5' },
  ),
  fc.dictionary(fc.stringMatching(/^x-[a-z]{1,8}$/), fc.string().map(printable), { maxKeys: 3 }),
)

/** Requests to a simulated API of the small description of the conformance suite. */
export const simulatedRequest: fc.Arbitrary<FuzzedRequest> = fc.record({
  method: fc.constantFrom(...METHODS),
  path: fc
    .tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PATHS) }, fc.webPath()), query)
    .map(([path, values]) => {
      const search = new URLSearchParams(values).toString()
      return (path || '/') + (search === '' ? '' : `?${search}`)
    }),
  headers,
  body: fc.oneof(
    body.map((document) => JSON.stringify(document)),
    fc.string(),
    fc.constant(undefined),
  ),
})
