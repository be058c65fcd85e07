import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../../src/service.ts'
import { connectRaw } from './raw-client.ts'

/** Each header that some part of the service reads. */
const NAMES = [
  'accept accept-encoding access-control-request-headers access-control-request-method authorization content-type cookie',
  'expect host idempotency-key if-match if-none-match last-event-id origin range referer sec-fetch-dest sec-fetch-site',
  'service-worker svc-base-url te upgrade x-forwarded-for x-forwarded-host x-forwarded-proto x-http-method-override',
].flatMap((line) => line.split(' '))
const PATHS = ['/s/tasks/v1/tasks', '/s/tasks', '/s/', '/v1/simulations', '/ui/', '/ui/session', '/ui/api/v1/meta', '/']
const URLS = [
  ...['http://127.0.0.1:99999', 'https://127.0.0.1:0', 'http://127.0.0.1:00080', 'http://[::1', 'http://a:b@c', '//a'],
  ...['null', 'http://', 'file:///etc/passwd', 'http://127.0.0.1:1/%zz', 'javascript:alert(1)'],
]
const TEXTS = [
  ...[
    '*',
    '',
    ',',
    ';',
    '=',
    '""',
    'bytes=0-1,9999999999-',
    'Basic %',
    'Basic OjpfOg==',
    'Bearer ',
    'multipart/form-data',
  ],
  ...['multipart/form-data; boundary=', 'application/json; charset=utf-16', 'text/html', 'br;q=x', 'document', '%zz'],
  ...['backlot-80=%', `${'a,'.repeat(2_000)}`, 'W/"', '-1', '1e400', '__proto__', 'constructor', 'é\xff'],
]
const value = fc.oneof(
  fc.constantFrom(...URLS, ...TEXTS),
  fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '')),
)

let service: Service
beforeAll(async () => {
  service = await startService({ addresses: 'path', simulations: [{ library: 'task-tracker', slug: 'tasks' }] })
  return () => service.close()
})

it('answers each request with any headers, without an internal error', async () => {
  const { port } = new URL(service.url)
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'OPTIONS', 'HEAD', 'PUT'),
    path: fc.constantFrom(...PATHS),
    headers: fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, headers }) => {
      const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, text]) => `${name}: ${text}\r\n`)
      const client = await connectRaw(Number(port))
      client.write(
        Buffer.from(
          `${method} ${path} HTTP/1.1\r\n${lines.join('')}connection: close\r\ncontent-length: 0\r\n\r\n`,
          'latin1',
        ),
      )
      const { text } = await client.ended
      expect(text).toMatch(/^HTTP\/1\.1 [234]\d\d /)
    }),
    {
      numRuns: 1_500,
      examples: [[{ method: 'GET', path: PATHS[0] ?? '', headers: { 'svc-base-url': URLS[0] ?? '' } }]],
    },
  )
})
