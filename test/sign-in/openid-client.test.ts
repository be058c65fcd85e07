import * as client from 'openid-client'
import { expect, it } from 'vitest'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

const CALLBACK = 'http://127.0.0.1:9/callback'
const insecure = { execute: [client.allowInsecureRequests] }

async function open(options: Parameters<typeof openSimulation>[1] = {}) {
  const simulation = await openSimulation('oidc', options)
  const config = await client.discovery(new URL(simulation.url), 'app', 'secret', undefined, insecure)
  client.enableNonRepudiationChecks(config)
  return { simulation, config }
}

async function begin(config: client.Configuration, more: Record<string, string> = {}) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile email offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...more,
  })
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce } }
}

it('signs a user in with openid-client, refreshes, introspects and revokes', async () => {
  const { config } = await open()
  const { url, checks } = await begin(config)
  const callback = await signInByHand(url)

  const tokens = await client.authorizationCodeGrant(config, callback, checks)
  const user = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  const active = await client.tokenIntrospection(config, refreshed.access_token)
  await client.tokenRevocation(config, refreshed.refresh_token ?? '')
  const after = await client.tokenIntrospection(config, refreshed.access_token)

  expect(tokens.claims()).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true })
  expect(user).toMatchObject({ sub: '1001', given_name: 'Ada', family_name: 'Lovelace' })
  expect(active).toMatchObject({ active: true, username: 'ada@example.com' })
  expect(after.active).toBe(false)
})

it('gives what a request asks for by claims and acr_values, and refuses a signed one', async () => {
  const { config } = await open()
  const claims = { id_token: { email: { essential: true } }, userinfo: { name: null } }
  const asked = { scope: 'openid', acr_values: 'silver gold', claims: JSON.stringify(claims) }
  const { url, checks } = await begin(config, asked)
  const tokens = await client.authorizationCodeGrant(config, await signInByHand(url), checks)
  const user = await client.fetchUserInfo(config, tokens.access_token, '1001')
  const codeOf = async (more: Record<string, string>) =>
    (await signInByHand((await begin(config, more)).url)).searchParams.get('error')

  const refused = [await codeOf({ request: 'a.b.c' }), await codeOf({ claims: '[' })]

  expect(tokens.claims()).toMatchObject({ acr: 'silver', email: 'ada@example.com' })
  expect([tokens.claims()?.name, user.name, user.email]).toEqual([undefined, 'Ada Lovelace', undefined])
  expect(refused).toEqual(['request_not_supported', 'invalid_request'])
})

it('takes a code once, and revokes its tokens when it comes again', async () => {
  const { config } = await open()
  const { url, checks } = await begin(config)
  const callback = await signInByHand(url)
  const tokens = await client.authorizationCodeGrant(config, callback, checks)

  const again = client.authorizationCodeGrant(config, callback, checks)

  await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
})

it('ends the family of a refresh token that is used twice', async () => {
  const { config } = await open()
  const { url, checks } = await begin(config)
  const tokens = await client.authorizationCodeGrant(config, await signInByHand(url), checks)
  const next = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')

  const stolen = client.refreshTokenGrant(config, tokens.refresh_token ?? '')

  await expect(stolen).rejects.toMatchObject({ error: 'invalid_grant' })
  await expect(client.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

it('refuses a code without its verifier, with another, and after a minute', async () => {
  const { simulation, config } = await open()
  const exchange = async (checks: object) => {
    const { url, checks: own } = await begin(config)
    return client.authorizationCodeGrant(config, await signInByHand(url), { ...own, ...checks })
  }
  const late = async () => {
    const { url, checks } = await begin(config)
    const callback = await signInByHand(url)
    await simulation.fastForward({ minutes: 15 })
    return client.authorizationCodeGrant(config, callback, checks)
  }

  await expect(exchange({ pkceCodeVerifier: client.randomPKCECodeVerifier() })).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await expect(exchange({ pkceCodeVerifier: undefined })).rejects.toMatchObject({ error: 'invalid_grant' })
  await expect(late()).rejects.toMatchObject({ error: 'invalid_grant' })
})

it('gives tokens that clients accept whatever the time in the world', async () => {
  const { simulation, config } = await open({ epoch: '2020-01-01T00:00:00Z' })
  await simulation.fastForward({ days: 3 })
  const { url, checks } = await begin(config)

  const before = Math.floor(Date.now() / 1000)
  const tokens = await client.authorizationCodeGrant(config, await signInByHand(url), checks)
  const after = Math.floor(Date.now() / 1000)
  await simulation.fastForward({ hours: 2 })
  const expired = await client.tokenIntrospection(config, tokens.access_token)
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')

  expect(tokens.claims()?.iat).toBeGreaterThanOrEqual(before)
  expect(tokens.claims()?.iat).toBeLessThanOrEqual(after)
  expect(expired).toEqual({ active: false })
  expect((await client.tokenIntrospection(config, refreshed.access_token)).active).toBe(true)
})

it('keeps a browser signed in, and asks again as the application wants', async () => {
  const { simulation, config } = await open()
  const visitor = new Visitor()
  const visit = async (more: Record<string, string> = {}) => visitor.open((await begin(config, more)).url)
  await signInByHand((await begin(config)).url, visitor)

  const silent = await visit({ prompt: 'none' })
  const asked = [
    await visit({ prompt: 'login' }),
    await visit({ prompt: 'consent' }),
    await visit({ scope: 'openid reports' }),
  ]
  await simulation.fastForward({ hours: 1 })
  const old = await visit({ max_age: '600' })
  const stranger = await new Visitor().open((await begin(config, { prompt: 'none' })).url)

  expect(new URL(silent.headers.get('location') ?? '').searchParams.get('code')).toBeTruthy()
  expect([...asked, old].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(stranger.headers.get('location')).toContain('error=login_required')
})

it('connects a device, registers clients, and takes pushed requests', async () => {
  const { simulation, config } = await open()
  const device = await client.initiateDeviceAuthorization(config, { scope: 'openid email' })
  const visitor = new Visitor()
  await visitor.open(device.verification_uri)
  await visitor.press('', { user_code: device.user_code.toLowerCase() })
  await visitor.press('Ada Lovelace')
  await visitor.press('Allow')

  const tokens = await client.pollDeviceAuthorizationGrant(config, device)
  const registered = await client.dynamicClientRegistration(
    new URL(simulation.url),
    { redirect_uris: [CALLBACK], client_name: 'Registered' },
    undefined,
    insecure,
  )
  const pushed = await client.buildAuthorizationUrlWithPAR(registered, { redirect_uri: CALLBACK, scope: 'openid' })
  const callback = await signInByHand(pushed)
  const unknown = await fetch(`${simulation.url}/authorize?client_id=app&redirect_uri=${CALLBACK}`)

  expect(visitor.text).toContain('Go back to your device')
  expect(tokens.claims()).toMatchObject({ email: 'ada@example.com' })
  expect((await client.authorizationCodeGrant(registered, callback)).access_token).toBeTruthy()
  expect(unknown.status).toBe(400)
  expect(await unknown.text()).toContain(registered.clientMetadata().client_id)
})

it('signs out, and goes back to the application', async () => {
  const { config } = await open()
  const visitor = new Visitor()
  const { url, checks } = await begin(config)
  const tokens = await client.authorizationCodeGrant(config, await signInByHand(url, visitor), checks)
  const out = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: 'http://127.0.0.1:9/bye',
    state: 'x',
  })

  const answer = await visitor.open(out)

  expect(answer.headers.get('location')).toBe('http://127.0.0.1:9/bye?state=x')
  expect((await visitor.open((await begin(config)).url)).status).toBe(200)
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
})
