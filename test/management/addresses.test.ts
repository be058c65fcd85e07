import { request as httpRequest } from 'node:http'
import { Agent, fetch as undiciFetch } from 'undici'
import { expect, it } from 'vitest'
import type { CreatedSimulation } from '../../src/protocol/simulation.ts'
import { startForTest } from './start-for-test.ts'

const auth = ({ apiKey }: CreatedSimulation) => ({ authorization: `Bearer ${apiKey}` })

/** A GET whose Host header is our choice. */
function getFrom(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const call = httpRequest({ hostname, port, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    call.once('error', reject).end()
  })
}

it('gives each simulation its own origin', async () => {
  const { create } = await startForTest()

  const [first, second] = [await create(), await create()]
  const answers = await Promise.all(
    [first, second].map((made) => fetch(`${made.url}/v1/tasks`, { headers: auth(made) })),
  )

  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

it('answers https on the same port, with an authority that is returned when https was asked for', async () => {
  const { create } = await startForTest()

  const made = await create({ library: 'task-tracker', https: true })
  const agent = new Agent({ connect: { ca: made.ca ?? '' } })
  const secure = await undiciFetch(`${made.url}/v1/tasks`, { headers: auth(made), dispatcher: agent })
  await secure.text()
  const plain = await fetch(`${made.url.replace('https:', 'http:')}/v1/tasks`, { headers: auth(made) })
  await agent.close()

  expect(made.url).toMatch(/^https:/)
  expect([secure.status, plain.status]).toEqual([200, 200])
})

it('closes the port of a deleted simulation', async () => {
  const { call, create } = await startForTest()
  const made = await create()

  await call('DELETE', `/v1/simulations/${made.id}`)

  await expect(fetch(made.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

it('answers at /s/<slug> with addresses by path, and 404 where no simulation is', async () => {
  const { service, call, create } = await startForTest({ addresses: 'path' })
  const made = await create({ library: 'task-tracker', slug: 'tasks' })

  const found = await fetch(`${made.url}/v1/tasks?limit=1`, { headers: auth(made) })
  const page = (await found.json()) as { data: { id: string }[] }
  const root = await fetch(made.url, { headers: auth(made) })
  const none = await fetch(`${service.url}/s/nobody/v1/tasks`)
  await call('DELETE', `/v1/simulations/${made.id}`)
  const gone = await fetch(`${made.url}/v1/tasks`, { headers: auth(made) })

  expect(made.url).toBe(`${service.url}/s/tasks`)
  expect([found.status, page.data.length]).toEqual([200, 1])
  expect(root.status).toBe(404)
  expect([none.status, ((await none.json()) as { error: { code: string } }).error.code]).toEqual([404, 'not_found'])
  expect(gone.status).toBe(404)
})

it('answers at <slug>.<domain> where there is a domain', async () => {
  const { service, create } = await startForTest({ addresses: 'path', domain: 'sim.example.com' })
  const made = await create({ library: 'task-tracker', slug: 'tasks' })
  const { port } = new URL(service.url)

  const found = await getFrom(service.url, '/v1/tasks?limit=1', {
    host: `Tasks.sim.example.com:${port}`,
    ...auth(made),
  })
  const none = await getFrom(service.url, '/v1/tasks', { host: 'other.sim.example.com' })
  const management = await getFrom(service.url, '/v1/usage', {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${service.accountKey}`,
  })

  expect(made.url).toBe(`http://tasks.sim.example.com:${port}`)
  expect([found.status, none.status, management.status]).toEqual([200, 404, 200])
})

it('prefers the domain of a host to the path, after any earlier request', async () => {
  const { service, create } = await startForTest({
    addresses: 'path',
    domain: 'sim.example.com',
    trustProxy: ['127.0.0.0/8'],
  })
  const made = await create({ library: 'task-tracker', slug: 'tasks' })
  await create({ library: 'task-tracker', slug: 'shop' })
  const ask = (host: string) =>
    getFrom(service.url, '/s/tasks/labels', { host, 'x-forwarded-host': 'api.example.com', ...auth(made) })

  const byPath = await ask('127.0.0.1')
  const byDomain = await ask('shop.sim.example.com')

  expect([byPath.status, byDomain.status]).toEqual([200, 404])
})

it('shows addresses as the caller reaches the service, by path', async () => {
  const { service, create } = await startForTest({ addresses: 'path' })
  await create({ library: 'task-tracker', slug: 'tasks' })

  const { text } = await getFrom(service.url, '/v1/simulations/tasks', {
    host: 'backlot:4010',
    authorization: `Bearer ${service.accountKey}`,
  })

  expect(JSON.parse(text).url).toBe('http://backlot:4010/s/tasks')
})

it.each(['a b', 'x/../y', 'host:99999', '1.2.3.999', 'user@host', ''])(
  'writes no URL with the host %j',
  async (host) => {
    const { service, create } = await startForTest({ addresses: 'path' })
    await create({ library: 'task-tracker', slug: 'tasks' })

    const { status, text } = await getFrom(service.url, '/v1/simulations/tasks', {
      host,
      authorization: `Bearer ${service.accountKey}`,
    })

    expect(status).toBe(200)
    expect(JSON.parse(text).url).toBe(`${service.url}/s/tasks`)
  },
)

it('takes the address of a caller from a proxy that it trusts, and from no other', async () => {
  const behind = await startForTest({ addresses: 'path', trustProxy: ['127.0.0.0/8', '10.0.0.0/8'] })
  const open = await startForTest({ addresses: 'path' })
  const seenBy = async ({ service, call, create }: typeof behind, forwarded: string) => {
    const made = await create()
    await getFrom(service.url, `/s/${made.slug}/v1/tasks`, { 'x-forwarded-for': forwarded, ...auth(made) })
    return (await call('GET', `/v1/simulations/${made.id}/logs`)).body.data[0].sourceIp
  }

  expect(await seenBy(behind, '203.0.113.7')).toBe('203.0.113.7')
  expect(await seenBy(behind, '192.0.2.66, 203.0.113.7, 10.0.0.3')).toBe('203.0.113.7')
  expect(await seenBy(behind, '::ffff:203.0.113.8')).toBe('203.0.113.8')
  expect(await seenBy(behind, '10.0.0.5, 203.0.113.9:4711')).toBe('203.0.113.9')
  expect(await seenBy(behind, '10.0.0.5, [2001:db8::9]:4711')).toBe('2001:db8::9')
  expect(await seenBy(behind, '10.0.0.5, 192.0.2.66, 10.0.0.3')).toBe('192.0.2.66')
  expect(await seenBy(behind, 'nonsense')).toBe('127.0.0.1')
  expect(await seenBy(behind, '10.0.0.5, unknown')).toBe('127.0.0.1')
  expect(await seenBy(behind, '10.0.0.5, unknown, 10.0.0.3')).toBe('127.0.0.1')
  expect(await seenBy(open, '203.0.113.7')).toBe('127.0.0.1')
})

it('believes scheme and host of a proxy that it trusts', async () => {
  const { service, create } = await startForTest({ addresses: 'path', trustProxy: ['127.0.0.1'] })
  await create({ library: 'task-tracker', slug: 'tasks' })

  const { text } = await getFrom(service.url, '/v1/simulations/tasks', {
    authorization: `Bearer ${service.accountKey}`,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'sims.example.com',
  })

  expect(JSON.parse(text).url).toBe('https://sims.example.com/s/tasks')
})

it('answers a request whose target is a whole URL', async () => {
  const { create } = await startForTest()
  const made = await create()

  const { status } = await getFrom(made.url, `${made.url}/v1/tasks`, auth(made))

  expect(status).toBe(200)
})

it('refuses a domain without addresses by path', async () => {
  await expect(startForTest({ domain: 'sim.example.com' })).rejects.toThrow(
    'Expected `addresses` to be `path` where `domain` is given, got `port`.',
  )
})

it.each([
  ['https://evil.example', '*', null],
  ['null', '*', null],
  ['http://localhost.evil.example', '*', null],
  ['http://localhost:3000', 'http://localhost:3000', 'true'],
  ['http://127.0.0.1:5173', 'http://127.0.0.1:5173', 'true'],
  ['https://app.test', 'https://app.test', 'true'],
])('answers a page of %s with origin %s and credentials %s', async (origin, allowed, credentials) => {
  const { create } = await startForTest({ corsOrigins: ['https://app.test'] })
  const made = await create()
  const asked = { origin, 'access-control-request-method': 'GET', 'access-control-request-private-network': 'true' }

  const answer = await fetch(`${made.url}/v1/tasks`, { headers: { ...auth(made), origin } })
  const preflight = await fetch(`${made.url}/v1/tasks`, { method: 'OPTIONS', headers: asked })

  for (const { headers } of [answer, preflight]) {
    expect(headers.get('access-control-allow-origin')).toBe(allowed)
    expect(headers.get('access-control-allow-credentials')).toBe(credentials)
  }
  expect(preflight.headers.get('access-control-allow-private-network')).toBe(credentials)
})

it('refuses an origin with a path', async () => {
  await expect(startForTest({ corsOrigins: ['https://app.test/'] })).rejects.toThrow(
    'Expected `corsOrigins[0]` to be an origin such as "https://app.test:8443", got "https://app.test/".',
  )
})
