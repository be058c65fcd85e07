import { WorkOS } from '@workos-inc/node'
import { afterEach, expect, it, vi } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { type SeenRequest, startAnswering } from '../support/answering.ts'

const PASSWORD = 'correct horse battery'

afterEach(() => void vi.useRealTimers())

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('workos')
  const { hostname, port } = new URL(simulation.url)
  const address = { apiHostname: hostname, port: Number(port), https: false, clientId: 'client_backlot' }
  return { simulation, workos: new WorkOS(`sk_test_${simulation.key}`, { ...address, maxRetries: 0 }) }
}

/** The event that the SDK reads of a delivery; rejects for a signature that does not fit. */
function eventOf({ webhooks }: WorkOS, { body, headers }: SeenRequest, secret: string, more = {}) {
  const payload = { ...JSON.parse(body), ...more }
  return webhooks.constructEvent({ payload, sigHeader: String(headers['workos-signature']), secret })
}

it('seals sessions that the SDK opens, until their tokens expire, and renews them', async () => {
  const { workos } = await open()
  const cookiePassword = 'a password of thirty-two characters'
  await workos.userManagement.createUser({ email: 'ada@acme.example', password: PASSWORD, emailVerified: true })
  const { sealedSession = '' } = await workos.userManagement.authenticateWithPassword({
    email: 'ada@acme.example',
    password: PASSWORD,
    session: { sealSession: true, cookiePassword },
  })
  const session = workos.userManagement.loadSealedSession({ sessionData: sealedSession, cookiePassword })

  const early = await session.authenticate()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
  const late = await session.authenticate()
  vi.useRealTimers()
  const renewed = await session.refresh()

  expect(early).toMatchObject({ authenticated: true, user: { email: 'ada@acme.example' } })
  expect(late).toMatchObject({ authenticated: false, reason: 'invalid_jwt' })
  expect(renewed).toMatchObject({ authenticated: true })
})

it('asks for the verifier of a code that was asked for with a challenge', async () => {
  const { workos } = await open()
  const { url, codeVerifier } = await workos.userManagement.getAuthorizationUrlWithPKCE({
    provider: 'authkit',
    redirectUri: 'https://app.example/callback',
  })
  const codeOf = async () => {
    const { headers } = await fetch(url, { redirect: 'manual' })
    return new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  }

  const signedIn = await workos.userManagement.authenticateWithCode({ code: await codeOf(), codeVerifier })

  expect(signedIn.user).toMatchObject({ email: 'ada@example.com' })
  await expect(
    workos.userManagement.authenticateWithCode({ code: await codeOf(), codeVerifier: 'another' }),
  ).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('delivers to an endpoint that the API registers, signed with the secret that it shows', async () => {
  const { simulation, workos } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using app = await startAnswering((_request, _at, response) => void response.end())
  const endpointUrl = `${app.url}/workos`
  const { secret } = await workos.webhooks.createWebhookEndpoint({ endpointUrl, events: ['organization.created'] })

  await workos.organizations.createOrganization({ name: 'Acme' })
  await workos.userManagement.createUser({ email: 'ada@acme.example' })
  await simulation.webhooks.settled()

  const events = await Promise.all(app.seen.map((delivery) => eventOf(workos, delivery, secret)))
  expect(events).toMatchObject([{ event: 'organization.created', data: { name: 'Acme' } }])
})

it('redirects only to addresses of test machines and applications', async () => {
  const { simulation } = await open()
  const statusFor = async (path: string, address: string) => {
    const query = new URLSearchParams({ redirect_uri: address, client_id: 'client_backlot', provider: 'authkit' })
    return (await fetch(`${simulation.url}${path}?${query}`, { redirect: 'manual' })).status
  }
  const outside = [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://evil.com/',
    '//evil.com',
    'https://a.test@evil.com/',
  ]
  const inside = ['http://127.0.0.1:3000/cb', 'https://app.example/cb', 'http://app.localhost/cb', 'com.acme.app://cb']

  const refused = await Promise.all(outside.map((address) => statusFor('/user_management/authorize', address)))
  const followed = await Promise.all(inside.map((address) => statusFor('/user_management/authorize', address)))

  expect(refused).toEqual(outside.map(() => 400))
  expect(followed).toEqual(inside.map(() => 302))
})

it('lets a person allow a command line on the page of its code', async () => {
  const { simulation } = await open()
  const post = async (path: string, fields: Record<string, string>) =>
    fetch(new URL(path, simulation.url), { method: 'POST', body: new URLSearchParams(fields) })
  const started = await post('/user_management/authorize/device', { client_id: 'client_backlot' })
  const device = (await started.json()) as Record<'device_code' | 'user_code' | 'verification_uri_complete', string>
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = () =>
    post('/user_management/authenticate', {
      ...{ grant_type, device_code: device.device_code, client_id: 'client_backlot' },
    })
  const before = await poll()
  const page = await (await fetch(device.verification_uri_complete)).text()
  const [, name = '', value = ''] = /type="hidden" name="([^"]+)" value="([^"]+)"/.exec(page) ?? []

  const answered = await post('/device', { [name]: value, user_code: device.user_code, email: 'eve@cli.example' })

  expect(page).toContain(device.user_code)
  expect(await answered.text()).toContain('The device is approved.')
  expect(await before.json()).toMatchObject({ error: 'authorization_pending' })
  expect(await (await poll()).json()).toMatchObject({ user: { email: 'eve@cli.example' } })
})

it('lists the newest first without an order, and older records after a cursor', async () => {
  const { simulation, workos } = await open()
  const { id: old } = await workos.organizations.createOrganization({ name: 'Old' })
  const { id: young } = await workos.organizations.createOrganization({ name: 'Young' })
  const list = async (query: string) => {
    const headers = { authorization: `Bearer sk_test_${simulation.key}` }
    return (await fetch(`${simulation.url}/organizations?limit=1${query}`, { headers })).json()
  }

  const [first, second] = [await list(''), await list(`&after=${young}`)]

  expect(first).toMatchObject({ data: [{ id: young }], list_metadata: { before: null, after: young } })
  expect(second).toMatchObject({ data: [{ id: old }] })
})
