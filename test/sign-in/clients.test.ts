import { createServer } from 'node:http'
import { expect, it, vi } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { startForTest } from '../management/start-for-test.ts'
import { onLoopback } from '../support/on-loopback.ts'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

const CALLBACK = 'http://127.0.0.1:9/callback'
const pageOf = (url: string, more: Record<string, string> = {}) =>
  `${url}/authorize?${new URLSearchParams({ client_id: 'web', response_type: 'code', scope: 'openid', redirect_uri: CALLBACK, ...more })}`

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

it('accepts registered clients alone, with exactly their addresses and secrets', async () => {
  const clients = [
    { client_id: 'web', client_secret: 'shh', redirect_uris: [CALLBACK] },
    { client_id: 'spa', type: 'public', redirect_uris: [CALLBACK] },
  ]
  const { url } = await openSimulation('oidc', { seedRecords: { clients } })
  const answerTo = async (more: Record<string, string>) => {
    const answer = await fetch(pageOf(url, more), { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')?.split('&')[0] ?? null]
  }
  const exchange = async (secret: string) => {
    const code = (await signInByHand(pageOf(url))).searchParams.get('code') ?? ''
    const headers = { authorization: `Basic ${btoa(`web:${secret}`)}` }
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK })
    return (await fetch(`${url}/token`, { method: 'POST', headers, body })).status
  }

  const answers = [
    await answerTo({}),
    await answerTo({ redirect_uri: `${CALLBACK}/more` }),
    await answerTo({ redirect_uri: CALLBACK.toUpperCase() }),
    await answerTo({ client_id: 'other' }),
    await answerTo({ client_id: 'spa' }),
  ]

  expect(answers).toEqual([
    [200, null],
    [400, null],
    [400, null],
    [400, null],
    [302, `${CALLBACK}?error=invalid_request`],
  ])
  expect([await exchange('shh'), await exchange('no')]).toEqual([200, 401])
})

it('posts ID tokens, and signs out as Auth0 does', async () => {
  const { url } = await openSimulation('auth0')
  const visitor = new Visitor()
  await signInByHand(pageOf(url, { response_type: 'id_token', response_mode: 'form_post', nonce: 'n' }), visitor)
  const posted = visitor.text

  const out = await visitor.open(
    `${url}/v2/logout?client_id=web&returnTo=${encodeURIComponent('http://127.0.0.1:9/bye')}`,
  )
  const again = await visitor.open(pageOf(url))

  expect(posted).toMatch(/action="http:\/\/127\.0\.0\.1:9\/callback"><input type="hidden" name="id_token" value="ey/)
  expect(out.headers.get('location')).toBe('http://127.0.0.1:9/bye')
  expect(again.status).toBe(200)
})

it('goes back from a logout to registered addresses alone, and sends logout tokens to clients of the seed', async () => {
  const posted: string[] = []
  const app = createServer(async (request, response) => {
    for await (const chunk of request) posted.push(String(chunk))
    response.end()
  })
  await using back = await onLoopback(app)
  const addresses = (name: string) => ({
    redirect_uris: [CALLBACK],
    post_logout_redirect_uris: [`http://127.0.0.1:9/${name}`],
  })
  const clients = [
    { client_id: 'web', client_secret: 'shh', ...addresses('bye'), backchannel_logout_uri: back.url },
    { client_id: 'other', client_secret: 'shh', ...addresses('other') },
  ]
  const simulation = await openSimulation('oidc', { seedRecords: { clients }, webhooks: true })
  const { url } = simulation
  const visitor = new Visitor()
  const callback = await signInByHand(pageOf(url), visitor)
  const granted = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
  }
  const headers = { authorization: `Basic ${btoa('web:shh')}` }
  const tokens = await fetch(`${url}/token`, { method: 'POST', headers, body: new URLSearchParams(granted) })
  const { id_token = '' } = (await tokens.json()) as { id_token?: string }
  const out = async (name: string, more: Record<string, string> = { id_token_hint: id_token }) => {
    const query = new URLSearchParams({ post_logout_redirect_uri: `http://127.0.0.1:9/${name}`, ...more })
    const answer = await visitor.open(`${url}/logout?${query}`)
    return [answer.status, answer.headers.get('location')]
  }

  const refused = [
    await out('cb'),
    await out('other'),
    await out('cb', {}),
    await out('bye', { client_id: 'nobody' }),
    await out('bye', { id_token_hint: id_token, client_id: 'other' }),
    await out('bye', { id_token_hint: 'forged' }),
  ]
  const asked = await out('other', {})
  const done = await out('bye')
  await simulation.webhooks.settled()

  expect(refused).toEqual(refused.map(() => [400, null]))
  expect([asked, done]).toEqual([
    [200, null],
    [302, 'http://127.0.0.1:9/bye'],
  ])
  expect(posted).toEqual([expect.stringMatching(/^logout_token=ey/)])
  const sent = claimsOf(posted.join(''))
  expect(sent).toMatchObject({ aud: 'web', sub: '1001', sid: claimsOf(id_token).sid })
})

it('refuses what providers refuse', async () => {
  const clients = [
    { client_id: 'web', client_secret: 'shh', redirect_uris: [CALLBACK] },
    { client_id: 'spa', type: 'public', redirect_uris: [CALLBACK] },
  ]
  const simulation = await openSimulation('oidc', { seedRecords: { clients } })
  const { url, auth } = simulation
  const visitor = new Visitor()
  const at = async (more: Record<string, string>) =>
    new URL((await visitor.open(pageOf(url, more))).headers.get('location') ?? 'about:').searchParams.get('error')
  const post = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    return (await answer.json()) as Record<string, string>
  }
  const web = { client_id: 'web', client_secret: 'shh' }
  const callback = await signInByHand(pageOf(url, { code_challenge: 'short' }), visitor)
  const granted = { grant_type: 'authorization_code', redirect_uri: CALLBACK, ...web }
  const short = await post('/token', {
    ...granted,
    code: callback.searchParams.get('code') ?? '',
    code_verifier: 'short',
  })
  const again = await signInByHand(pageOf(url), new Visitor(), 'Alan Turing')
  const { id_token = '', access_token = '' } = await post('/token', {
    ...granted,
    code: again.searchParams.get('code') ?? '',
  })

  const hinted = await at({ prompt: 'none', id_token_hint: id_token })
  const ages = await at({ max_age: 'soon' })
  const itself = await post('/token', { grant_type: 'client_credentials', client_id: 'spa' })
  await simulation.update('users', '1002', { blocked: true })
  const user = await post('/userinfo', { access_token })
  const active = await post('/introspect', { token: access_token, ...web })

  expect([short.error, hinted, ages]).toEqual(['invalid_grant', 'login_required', 'invalid_request'])
  expect([itself.error, user.error, active.active]).toEqual(['unauthorized_client', 'invalid_token', false])
  await expect(auth.tokenFor('alan@example.com')).rejects.toThrow('is blocked')
})

it('gives a registered client only what its `grant_types` allow', async () => {
  const secret = { client_secret: 'shh', redirect_uris: [CALLBACK] }
  const clients = [
    { client_id: 'web', ...secret, grant_types: ['authorization_code'] },
    { client_id: 'job', ...secret, grant_types: ['client_credentials'] },
  ]
  const { url } = await openSimulation('oidc', { seedRecords: { clients } })
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_secret: 'shh', ...fields })
    return (await (await fetch(url + path, { method: 'POST', body })).json()) as Record<string, string>
  }
  const callback = await signInByHand(pageOf(url, { scope: 'openid offline_access' }))
  const code = { code: callback.searchParams.get('code') ?? '', redirect_uri: CALLBACK }

  const granted = await post('/token', { grant_type: 'authorization_code', client_id: 'web', ...code })
  const answers = [
    granted,
    await post('/token', { grant_type: 'refresh_token', client_id: 'web', refresh_token: 'any' }),
    await post('/token', { grant_type: 'client_credentials', client_id: 'web' }),
    await post('/token', { grant_type: 'client_credentials', client_id: 'job' }),
    await post('/device/code', { client_id: 'job' }),
  ]
  const asked = await fetch(pageOf(url, { client_id: 'job' }), { redirect: 'manual' })

  expect(answers.map(({ error }) => error)).toEqual([
    undefined,
    'unauthorized_client',
    'unauthorized_client',
    undefined,
    'unauthorized_client',
  ])
  expect(granted.refresh_token).toBeUndefined()
  expect(answers[2]?.error_description).toBe(
    'Expected `grant_type` of the client "web" to be one of its `grant_types`, authorization_code, got client_credentials.',
  )
  expect(asked.headers.get('location')).toContain('error=unauthorized_client')
})

it('warns of a logout address that webhooks may not have', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const client = { redirect_uris: [CALLBACK], backchannel_logout_uri: 'ftp://127.0.0.1/out' }
  await using simulation = await openSimulation('oidc', { seedRecords: { clients: [{ id: 'web', ...client }] } })

  const headers = { 'content-type': 'application/json' }
  await fetch(`${simulation.url}/register`, { method: 'POST', headers, body: JSON.stringify(client) })

  const fault = 'Expected `backchannel_logout_uri` to be a public https URL: it must start with `https://`.'
  expect(warn.mock.calls.flat().join()).toContain(`Failed to send webhooks to "web" of clients: ${fault}`)
  expect((await simulation.requests())[0]?.warnings.join()).toContain(fault)
  warn.mockRestore()
})

it.each(['oidc', 'auth0'])(
  'sends webhooks of users, which clients with a logout address do not get: %s',
  async (entry) => {
    const posted: string[] = []
    const app = createServer(async (request, response) => {
      for await (const chunk of request) posted.push(String(chunk))
      response.end()
    })
    await using back = await onLoopback(app)
    const clients = [{ client_id: 'web', redirect_uris: [CALLBACK], backchannel_logout_uri: back.url }]
    await using simulation = await openSimulation(entry, { seedRecords: { clients }, webhooks: true })
    const visitor = new Visitor()

    const user = await simulation.create('users', { email: 'grace@example.com', name: 'Grace Hopper' })
    await signInByHand(pageOf(simulation.url), visitor, 'Grace Hopper')
    await visitor.open(`${simulation.url}${entry === 'oidc' ? '/logout' : '/v2/logout'}`)
    if (entry === 'oidc') await visitor.press('Sign out')

    const created = await simulation.expectWebhook('user.created')
    await simulation.expectWebhook('logout')
    await simulation.webhooks.settled()
    expect(created.data.object).toMatchObject({ id: user.id, email: 'grace@example.com' })
    expect(posted).toEqual([expect.stringMatching(/^logout_token=ey/)])
  },
)

it("answers devices with Google's name of the address too, and refuses the scope that Google does not have", async () => {
  const { url } = await openSimulation('google')

  const answer = await fetch(`${url}/device/code`, { method: 'POST', body: new URLSearchParams({ client_id: 'tv' }) })
  const asked = { client_id: 'web', response_type: 'code', scope: 'openid offline_access', redirect_uri: CALLBACK }
  const refused = await fetch(`${url}/o/oauth2/v2/auth?${new URLSearchParams(asked)}`, { redirect: 'manual' })

  expect(await answer.json()).toMatchObject({ verification_url: `${url}/device`, interval: 1 })
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('invalid_scope: Google has no scope &quot;offline_access&quot;')
})

it('redirects for GitHub to paths below the registered one, and to any port of loopback', async () => {
  const clients = [{ client_id: 'web', redirect_uris: ['http://127.0.0.1/cb', 'https://app.example/cb'] }]
  const { url } = await openSimulation('github', { seedRecords: { clients } })
  const statusFor = async (redirect_uri: string) => {
    const query = new URLSearchParams({ client_id: 'web', redirect_uri })
    return (await fetch(`${url}/login/oauth/authorize?${query}`, { redirect: 'manual' })).status
  }

  const addresses = ['http://127.0.0.1:1234/cb', 'https://app.example/cb/github', 'https://app.example/cb2']
  const others = ['https://app.example/', 'https://other.example/cb', 'https://app.example:8443/cb']
  const statuses = await Promise.all([...addresses, ...others].map(statusFor))

  expect(statuses).toEqual([200, 200, 400, 400, 400, 400])
})

it('masks codes, tokens, client secrets and sessions in the log and in events', async () => {
  const clients = [{ client_id: 'web', client_secret: 'a registered secret', redirect_uris: [CALLBACK] }]
  const simulation = await openSimulation('oidc', { seedRecords: { clients } })
  const { url, auth } = simulation
  const [cookie] = await auth.cookiesFor('ada@example.com')
  const code = (await signInByHand(pageOf(url, { scope: 'openid offline_access' }))).searchParams.get('code')
  const exchange = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams(fields), headers })).json()
  const headers = { authorization: `Basic ${btoa('web:a registered secret')}` }
  const granted = { grant_type: 'authorization_code', code: code ?? '', redirect_uri: CALLBACK }
  const tokens = (await exchange(granted, headers)) as Record<string, string>
  const refreshed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  await exchange({ ...refreshed, client_id: 'web', client_secret: 'a registered secret' })
  const session = { authorization: `Bearer ${tokens.access_token}`, cookie: `${cookie?.name}=${cookie?.value}` }
  await fetch(`${url}/userinfo`, { headers: session })
  await fetch(`${url}/elsewhere`, { headers: session })

  const requests = await simulation.requests()
  const shown = JSON.stringify(requests)

  const { access_token = '', refresh_token = '', id_token = '' } = tokens
  const secrets = [access_token, refresh_token, id_token, code ?? '', cookie?.value ?? '', 'registered secret']
  expect(secrets.filter((secret) => secret !== '' && shown.includes(secret))).toEqual([])
  expect(shown).not.toContain(btoa('web:a registered secret'))
  expect(shown).not.toMatch(/interaction(":"|=|\\" value=\\")[^…]/)
  const last = requests.find(({ path }) => path === '/token')
  expect(last?.body).toEqual({ ...refreshed, client_id: 'web', refresh_token: '…', client_secret: '…' })
})

it.each([
  [{ host: '0.0.0.0' }, 403],
  [{ domain: 'sims.example' }, 403],
  [{ trustProxy: ['10.0.0.0/8'] }, 403],
  [{ host: '0.0.0.0', pages: true }, 200],
  [{ host: '0.0.0.0', accounts: [{ pages: true }] }, 200],
  [{ accounts: [{ pages: false }] }, 403],
  [{ domain: 'sims.localhost' }, 200],
])('answers the sign-in page of a service with %j with %i', async (options, status) => {
  const { service } = await startForTest({ addresses: 'path', ...options })
  const { accountKey } = service
  const baseUrl = service.url.replace('0.0.0.0', '127.0.0.1')
  const { slug, auth } = await createSimulation('oidc', { service: { baseUrl, accountKey }, webhooks: false })

  const page = await fetch(pageOf(`${baseUrl}/s/${slug}`))
  await using _ = await auth.automatically('ada@example.com')
  const redirect = await fetch(pageOf(`${baseUrl}/s/${slug}`), { redirect: 'manual' })

  expect([page.status, redirect.status]).toEqual([status, 302])
  if (status === 403) expect(await page.text()).toContain('`backlot serve --pages`')
})
