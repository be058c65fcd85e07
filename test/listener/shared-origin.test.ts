import { get as httpGet, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Service, startService } from '../../src/service.ts'

const ACCOUNT_KEY = 'svc_acc_owner'
const KEY = 'svc_sim_0123456789abcdef'

/** Each header that an answer of one simulation must not send to the origin that all share. */
const HARMFUL = {
  'Clear-Site-Data': '"*"',
  'Service-Worker-Allowed': '/',
  Refresh: '0;url=/ui/',
  'Strict-Transport-Security': 'max-age=1; includeSubDomains',
  'Alt-Svc': 'h2="other:1"',
  NEL: '{"report_to":"x"}',
  'Reporting-Endpoints': 'x="https://other"',
  'Report-To': '{"group":"x"}',
  'Accept-CH': 'Sec-CH-UA',
  'Set-Login': 'logged-out',
}

let service: Service
beforeAll(async () => {
  service = await startService({
    addresses: 'path',
    domain: 'sim.example.com',
    accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
    simulations: [{ library: 'task-tracker', slug: 'tasks', key: KEY }],
  })
})
afterAll(() => service.close())

/** Adds a rule that sends these headers, until it is disposed of. */
async function addRule(headers: Record<string, string>, kind = 'override'): Promise<AsyncDisposable> {
  const config = kind === 'error' ? { status: 418, headers } : { status: 200, headers, body: { ok: true } }
  const url = `${service.url}/v1/simulations/tasks/rules`
  const owner = { authorization: `Bearer ${ACCOUNT_KEY}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'r', kind, method: 'GET', pathPattern: '/*', config })
  const answer = await fetch(url, { method: 'POST', headers: owner, body })
  expect(answer.status).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  return {
    [Symbol.asyncDispose]: async () => {
      await fetch(`${url}/${id}`, { method: 'DELETE', headers: owner })
    },
  }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${KEY}`, ...headers } })

it.each([
  ['session=1; Path=/ui/; HttpOnly', 'session=1; HttpOnly; Path=/s/tasks/ui/'],
  ['session=1', 'session=1; Path=/s/tasks/'],
  ['session=1; path=/; domain=localhost', 'session=1; Path=/s/tasks/'],
  ['session=1;PATH=/s/tasks/v1;Secure', 'session=1; Secure; Path=/s/tasks/v1'],
  ['session=1; Path=/s/tasks-of-others', 'session=1; Path=/s/tasks/s/tasks-of-others'],
  ['session=1; Path=ui', 'session=1; Path=/s/tasks/'],
  ['session=1; Path=/s/tasks/v1; Path=/ui', 'session=1; Path=/s/tasks/v1'],
])('keeps the cookie of a rule below its simulation: %s', async (sent, received) => {
  await using _ = await addRule({ 'Set-Cookie': sent })

  const answer = await get('/s/tasks/v1/tasks')

  expect(answer.headers.getSetCookie()).toEqual([received])
})

it('withholds headers that reach beyond a simulation, and sends the others', async () => {
  await using _ = await addRule({ ...HARMFUL, 'X-Kept': 'yes' })

  const { headers } = await get('/s/tasks/v1/tasks')

  expect(headers.get('x-kept')).toBe('yes')
  expect(Object.keys(HARMFUL).filter((name) => headers.has(name))).toEqual([])
})

it('sends every header of a simulation with a host of its own, and no cookie to other hosts', async () => {
  await using _ = await addRule({ ...HARMFUL, 'Set-Cookie': 'session=1; Path=/app; Domain=sim.example.com' })

  const headers = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
    const sent = { host: 'tasks.sim.example.com', authorization: `Bearer ${KEY}` }
    httpGet(`${service.url}/v1/tasks`, { headers: sent }, (answer) => resolve(answer.resume().headers)).on(
      'error',
      reject,
    )
  })

  expect(headers['set-cookie']).toEqual(['session=1; Path=/app'])
  expect(Object.keys(HARMFUL).filter((name) => !(name.toLowerCase() in headers))).toEqual([])
})

it.each(['Content-Length', 'transfer-encoding', 'Connection', 'Trailer'])(
  'leaves out %s of a rule, and warns in the log',
  async (name) => {
    for (const kind of ['override', 'error']) {
      await using _ = await addRule({ [name]: name === 'Content-Length' ? '3' : 'chunked' }, kind)

      const answer = await get('/s/tasks/v1/tasks')

      expect(JSON.stringify(await answer.json()).length).toBeGreaterThan(3)
      const log = await fetch(`${service.url}/v1/simulations/tasks/logs`, {
        headers: { authorization: `Bearer ${ACCOUNT_KEY}` },
      })
      const { data } = (await log.json()) as { data: { warnings: string[] }[] }
      expect(data[0]?.warnings).toContainEqual(expect.stringContaining(`The header \`${name}\` of the response rule`))
    }
  },
)
