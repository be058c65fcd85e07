import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../../src/service.ts'
import { askAsPage, type Sent } from './ask-as-page.ts'

let service: Service
let origin: string

beforeAll(async () => {
  const accounts = [{ keys: [{ key: 'svc_acc_all' }, { key: 'svc_acc_reads', scopes: ['simulations:read' as const] }] }]
  const spec = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: {
      '/page': {
        get: {
          security: [],
          responses: {
            200: {
              description: 'A page.',
              headers: { 'Content-Security-Policy': { schema: { const: "script-src 'self'" } } },
              content: { 'text/html': { example: '<script>fetch("/ui/api/v1/usage")</script>' } },
            },
          },
        },
      },
    },
  })
  service = await startService({ addresses: 'path', accounts, simulations: [{ spec, slug: 'hostile' }] })
  origin = service.url
})
afterAll(() => service.close())

const ask = (method: string, path: string, sent?: Sent) => askAsPage(origin, method, path, sent)

async function signIn(key = 'svc_acc_all'): Promise<string> {
  const answer = await ask('POST', '/ui/session', { body: { key } })
  expect(answer.status).toBe(200)
  return String(answer.headers['set-cookie']).split(';')[0] ?? ''
}

it('leads browsers from the root to the dashboard, and others not', async () => {
  const browser = await ask('GET', '/', { headers: { accept: 'text/html,*/*' } })
  const script = await ask('GET', '/', { headers: { accept: '*/*' } })

  expect([browser.status, browser.headers.location]).toEqual([302, '/ui/'])
  expect(script.status).toBe(404)
})

it('serves the page under a policy without inline scripts', async () => {
  const page = await ask('GET', '/ui/s/anything', { headers: { 'sec-fetch-site': 'none' } })

  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; script-src ${origin}/ui/assets/; style-src ${origin}/ui/assets/; connect-src ${origin}/ui/; img-src ${origin}/ui/assets/ data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  })
  expect(page.text).not.toMatch(/<script>|<style|style=/)
})

it('serves files by their whole names alone', async () => {
  const { text } = await ask('GET', '/ui/')
  const asset = /src="(\/ui\/assets\/main-[^"]+)"/.exec(text)?.[1] ?? ''

  const file = await ask('GET', asset)
  const outside = await ask('GET', '/ui/assets/..%2findex.html')

  expect(file.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' })
  expect(file.headers['content-encoding']).toBeUndefined()
  for (const [taken, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
  ] as const) {
    const { headers } = await ask('GET', asset, { headers: { 'accept-encoding': taken } })
    expect(headers['content-encoding']).toBe(encoding)
    expect((await (await fetch(origin + asset, { headers: { 'accept-encoding': taken } })).text()) === file.text).toBe(
      true,
    )
  }
  expect(outside.status).toBe(404)
})

it('signs in by a code once', async () => {
  const code = new URL(service.dashboardUrl()).searchParams.get('code')

  const first = await ask('POST', '/ui/session', { body: { code } })
  const second = await ask('POST', '/ui/session', { body: { code } })

  expect([first.status, second.status]).toEqual([200, 401])
  expect(JSON.parse(first.text)).toEqual({ account: 'default', canWrite: true, address: '127.0.0.1' })
  expect(String(first.headers['set-cookie'])).toMatch(
    /^backlot-\d+=[\w-]{32,}; Max-Age=43200; Path=\/ui; HttpOnly; SameSite=Strict$/,
  )
  expect(second.text).toContain('The code is wrong, used or older than ten minutes.')
})

it('gives a session the rights of its key', async () => {
  const cookie = await signIn('svc_acc_reads')

  const who = await ask('GET', '/ui/session', { headers: { cookie } })
  const read = await ask('GET', '/ui/api/v1/simulations', { headers: { cookie } })
  const write = await ask('POST', '/ui/api/v1/simulations/hostile/pause', { headers: { cookie } })

  expect(JSON.parse(who.text)).toEqual({ account: 'default', canWrite: false, address: '127.0.0.1' })
  expect([read.status, write.status]).toEqual([200, 403])
})

it('takes no session where a second cookie has its name, since another origin of the host wrote one of them', async () => {
  const cookie = await signIn()

  const both = await ask('GET', '/ui/session', { headers: { cookie: `${cookie.replace(/=.*/, '=other')}; ${cookie}` } })

  expect((await ask('GET', '/ui/session', { headers: { cookie } })).status).toBe(200)
  expect(both.status).toBe(401)
})

it('ends a session when its user signs out', async () => {
  const cookie = await signIn()

  await ask('DELETE', '/ui/session', { headers: { cookie } })

  expect((await ask('GET', '/ui/api/v1/usage', { headers: { cookie } })).status).toBe(401)
})

it('answers no page of another origin, nor one of another port of this host', async () => {
  const cookie = await signIn()
  const foreign = [
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': undefined },
    { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': undefined, origin: 'null' },
  ]

  const answers = await Promise.all(
    foreign.flatMap((headers) => [
      ask('GET', '/ui/api/v1/usage', { headers: { cookie, ...headers } }),
      ask('POST', '/ui/api/v1/simulations/hostile/pause', {
        headers: { cookie, origin: 'http://127.0.0.1:1', ...headers },
      }),
    ]),
  )

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
  expect(answers.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /access-control/.test(name))).toEqual(
    [],
  )
})

it('wants the origin of the page for everything but reading', async () => {
  const cookie = await signIn()

  const without = await ask('POST', '/ui/api/v1/simulations/hostile/pause', { headers: { cookie, origin: undefined } })
  const preflight = await ask('OPTIONS', '/ui/api/v1/usage', {
    headers: { cookie, origin: 'http://127.0.0.1:1', 'access-control-request-method': 'GET' },
  })

  expect([without.status, preflight.status]).toEqual([403, 403])
})

it('takes the cookie of a session for no key of /v1', async () => {
  const cookie = await signIn()

  expect((await ask('GET', '/v1/usage', { headers: { cookie } })).status).toBe(401)
})

it('answers under its own names alone, so that no page can rebind a name to it', async () => {
  const own = await ask('GET', '/ui/', { headers: { host: `localhost:${new URL(origin).port}` } })
  const foreign = await ask('GET', '/ui/', { headers: { host: `evil.test:${new URL(origin).port}` } })

  expect([own.status, foreign.status]).toEqual([200, 403])
  expect(foreign.text).toContain('The dashboard answers at IP addresses')
})

it('lets an address guess ten times a minute', async () => {
  const guessed = await startService({ addresses: 'path' })
  const guess = async () => {
    const headers = { origin: guessed.url, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const answer = await fetch(`${guessed.url}/ui/session`, {
      method: 'POST',
      headers,
      body: '{"key":"svc_acc_wrong"}',
    })
    return answer.status
  }

  const statuses: number[] = []
  for (let count = 0; count < 11; count++) statuses.push(await guess())
  await guessed.close()

  expect(statuses).toEqual([...Array(10).fill(401), 429])
})

it('puts pages of simulations into a sandbox, whatever policy they bring, and leaves answers of fetch alone', async () => {
  const page = await ask('GET', '/s/hostile/page', { headers: { 'sec-fetch-dest': 'document' } })
  const framed = await ask('GET', '/s/hostile/page', { headers: { 'sec-fetch-dest': 'iframe' } })
  const old = await ask('GET', '/s/hostile/page', { headers: { accept: 'text/html,application/xhtml+xml' } })
  const missing = await ask('GET', '/s/nothing/page', { headers: { 'sec-fetch-dest': 'document' } })
  const fetched = await ask('GET', '/s/hostile/page', { headers: { 'sec-fetch-dest': 'empty', accept: '*/*' } })

  for (const { headers } of [page, framed, old, missing]) {
    expect(headers['content-security-policy']).toContain('sandbox allow-scripts allow-forms')
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
  expect(page.text).toContain('<script>')
  expect(fetched.headers['content-security-policy'] ?? '').not.toContain('sandbox')
})

it('gives no script to a service worker below /s/', async () => {
  const worker = await ask('GET', '/s/hostile/page', { headers: { 'sec-fetch-dest': 'serviceworker' } })

  expect(worker.status).toBe(403)
})
