import { generateKeyPairSync } from 'node:crypto'
import { createClerkClient } from '@clerk/backend'
import { Octokit } from '@octokit/rest'
import OktaJwtVerifier from '@okta/jwt-verifier'
import { Google, MicrosoftEntraId } from 'arctic'
import { JWT, OAuth2Client } from 'google-auth-library'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { expect, it } from 'vitest'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

const CALLBACK = 'http://127.0.0.1:9/callback'
const insecure = { [oauth.allowInsecureRequests]: true }

it('works with google-auth-library, which gets a refresh token for offline access alone', async () => {
  const { url, auth } = await openSimulation('google')
  const client = new OAuth2Client({
    clientId: 'app',
    clientSecret: 'secret',
    redirectUri: CALLBACK,
    issuers: [auth.issuer],
    endpoints: {
      oauth2AuthBaseUrl: `${url}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${url}/token`,
      oauth2FederatedSignonPemCertsUrl: `${url}/oauth2/v1/certs`,
      oauth2FederatedSignonJwkCertsUrl: `${url}/oauth2/v3/certs`,
      oauth2RevokeUrl: `${url}/revoke`,
      tokenInfoUrl: `${url}/tokeninfo`,
    },
  })
  const tokensFor = async (more: object = {}) => {
    const asked = client.generateAuthUrl({ scope: ['openid', 'email', 'profile'], ...more })
    return (await client.getToken((await signInByHand(asked)).searchParams.get('code') ?? '')).tokens
  }

  const tokens = await tokensFor({ access_type: 'offline' })
  const ticket = await client.verifyIdToken({ idToken: tokens.id_token ?? '', audience: 'app' })
  client.setCredentials({ refresh_token: tokens.refresh_token ?? null })
  const { credentials } = await client.refreshAccessToken()
  const online = await tokensFor()
  const info = await client.getTokenInfo(credentials.access_token ?? '')
  await client.revokeToken(tokens.refresh_token ?? '')
  await auth.automatically('ada@example.com')
  const anew = client.generateAuthUrl({ scope: ['openid', 'email'], access_type: 'offline', prompt: 'consent' })
  const answer = new URL(String((await fetch(anew, { redirect: 'manual' })).headers.get('location')))
  const again = (await client.getToken(answer.searchParams.get('code') ?? '')).tokens

  expect(info).toMatchObject({
    aud: 'app',
    sub: '110169484474386276334',
    email: 'ada@example.com',
    scopes: ['openid', 'email', 'profile'],
  })
  await expect(client.getTokenInfo(credentials.access_token ?? '')).rejects.toThrow('invalid_token')
  await expect(client.refreshAccessToken()).rejects.toThrow('invalid_grant')
  expect(ticket.getPayload()).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace', azp: 'app' })
  expect(credentials.access_token).toMatch(/^ya29\./)
  expect([tokens.refresh_token, online.refresh_token]).toEqual([expect.any(String), undefined])
  expect(again).toMatchObject({
    refresh_token: expect.any(String),
    scope: 'openid https://www.googleapis.com/auth/userinfo.email',
  })
})

it('gives tokens to a service account of Google, which may act for a user', async () => {
  await using google = await openSimulation('google', { hosts: true })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const account = {
    email: 'robot@project.example',
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    scopes: ['drive'],
  }
  const infoOf = async (client: JWT) => client.getTokenInfo((await client.authorize()).access_token ?? '')

  const itself = await infoOf(new JWT(account))
  const forAda = await infoOf(new JWT({ ...account, subject: 'ada@example.com' }))
  const forNobody = infoOf(new JWT({ ...account, subject: 'nobody@example.com' }))

  expect(itself).toMatchObject({ aud: 'robot@project.example', scopes: ['drive'] })
  expect(forAda).toMatchObject({ sub: '110169484474386276334' })
  await expect(forNobody).rejects.toThrow('invalid_grant')
  expect(await google.records('access_tokens')).toHaveLength(2)
})

it("gives tokens that Okta's verifier accepts, with claims of users", async () => {
  const { url, auth } = await openSimulation('okta', {
    seedRecords: { users: [{ email: 'ada@example.com', name: 'Ada', claims: { groups: ['Everyone', 'Admins'] } }] },
  })
  const asked = {
    client_id: 'app',
    response_type: 'code',
    scope: 'openid reports:read',
    redirect_uri: CALLBACK,
    nonce: 'n',
  }
  const callback = await signInByHand(`${auth.issuer}/v1/authorize?${new URLSearchParams(asked)}`, undefined, 'Ada')
  const fields = {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    client_id: 'app',
  }
  const answer = await fetch(`${auth.issuer}/v1/token`, { method: 'POST', body: new URLSearchParams(fields) })
  const tokens = (await answer.json()) as Record<string, string>
  const verifierOf = (assertClaims: Record<string, string>) =>
    new OktaJwtVerifier({ issuer: auth.issuer, clientId: 'app', assertClaims, testing: { disableHttpsCheck: true } })
  const verifier = verifierOf({ 'groups.includes': 'Admins' })

  const access = await verifier.verifyAccessToken(tokens.access_token ?? '', 'api://default')
  const id = await verifier.verifyIdToken(tokens.id_token ?? '', 'app', 'n')
  const other = verifier.verifyAccessToken(tokens.access_token ?? '', 'api://other')
  const narrow = verifierOf({ 'scp.includes': 'reports:write' }).verifyAccessToken(
    tokens.access_token ?? '',
    'api://default',
  )

  expect(access.claims).toMatchObject({ cid: 'app', sub: 'ada@example.com', scp: ['openid', 'reports:read'] })
  expect(id.claims).toMatchObject({ groups: ['Everyone', 'Admins'] })
  await expect(other).rejects.toThrow('does not match expected audience')
  await expect(narrow).rejects.toThrow('does not include expected value')
  expect(url).toBe(new URL(auth.issuer).origin)
})

it("answers as Okta's organization server too", async () => {
  const { url } = await openSimulation('okta')
  const config = await openid.discovery(new URL(url), 'app', 'secret', undefined, {
    execute: [openid.allowInsecureRequests],
  })
  const asked = openid.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid email', state: 's' })

  const callback = await signInByHand(asked)
  const tokens = await openid.authorizationCodeGrant(config, callback, { expectedState: 's' })
  const user = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')

  expect(asked.pathname).toBe('/oauth2/v1/authorize')
  expect(config.serverMetadata()).toMatchObject({ issuer: url, jwks_uri: `${url}/oauth2/v1/keys` })
  expect(decodeJwt(tokens.access_token)).toMatchObject({ iss: url, aud: url, sub: 'ada@example.com' })
  expect([tokens.claims()?.iss, user.email]).toEqual([url, 'ada@example.com'])
})

it("signs in as Clerk's users, with the addresses that are records of their own", async () => {
  const clerk = await openSimulation('clerk')
  const backend = createClerkClient({ secretKey: `sk_test_${clerk.key}`, apiUrl: clerk.url })
  await backend.users.createUser({ emailAddress: ['ada@example.com'], firstName: 'Ada', lastName: 'Lovelace' })
  const asked = { client_id: 'app', response_type: 'code', scope: 'openid email', redirect_uri: CALLBACK }
  const callback = await signInByHand(`${clerk.url}/oauth/authorize?${new URLSearchParams(asked)}`)
  const fields = { grant_type: 'authorization_code', code: callback.searchParams.get('code') ?? '', ...asked }
  const answer = await fetch(`${clerk.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  const { access_token } = (await answer.json()) as { access_token: string }

  const headers = { authorization: `Bearer ${access_token}` }
  const user = await fetch(`${clerk.url}/oauth/userinfo`, { headers })
  const again = await fetch(`${clerk.url}/oauth/userinfo`, {
    headers: { authorization: `Bearer ${await clerk.auth.tokenFor('ada@example.com', { scopes: ['email'] })}` },
  })

  expect(await user.json()).toMatchObject({ email: 'ada@example.com', email_verified: true })
  expect(await again.json()).toMatchObject({ email: 'ada@example.com' })
})

it("takes Clerk's OAuth applications as clients, with their addresses and secrets", async () => {
  await using clerk = await openSimulation('clerk')
  const backend = createClerkClient({ secretKey: `sk_test_${clerk.key}`, apiUrl: clerk.url })
  const user = await backend.users.createUser({ emailAddress: ['ada@example.com'], firstName: 'Ada' })
  const app = await backend.oauthApplications.create({ name: 'Shop', redirectUris: [CALLBACK], scopes: 'email' })
  const asked = { response_type: 'code', scope: 'email', redirect_uri: CALLBACK }
  const pageOf = (more: object) =>
    `${app.authorizeUrl}?${new URLSearchParams({ client_id: app.clientId, ...asked, ...more })}`
  const exchange = async (client_secret: string) => {
    const code = (await signInByHand(pageOf({}), undefined, 'Ada')).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', code, client_id: app.clientId, client_secret, ...asked }
    const answer = await fetch(app.tokenFetchUrl, { method: 'POST', body: new URLSearchParams(fields) })
    return [answer.status, ((await answer.json()) as { access_token: string }).access_token] as const
  }

  const wrong = await exchange('wrong')
  const [status, token] = await exchange(app.clientSecret ?? '')
  const verified = await backend.idPOAuthAccessToken.verify(token)
  const elsewhere = await fetch(pageOf({ redirect_uri: `${CALLBACK}/more` }))
  const stranger = await fetch(pageOf({ client_id: 'stranger' }))
  const wider = await fetch(pageOf({ scope: 'email profile' }), { redirect: 'manual' })
  const user1 = await fetch(app.userInfoUrl, { headers: { authorization: `Bearer ${token}` } })
  await backend.users.banUser(user.id)
  const visitor = new Visitor()
  await visitor.open(pageOf({}))
  const refused = await visitor.press('Ada')

  expect([wrong[0], status, elsewhere.status, stranger.status, user1.status]).toEqual([401, 200, 400, 400, 200])
  expect(wider.headers.get('location')).toContain('error=invalid_scope')
  expect(verified).toMatchObject({ subject: user.id, clientId: app.clientId, scopes: ['email'], expired: false })
  expect([refused.headers.get('location'), visitor.text]).toEqual([null, expect.stringContaining('is blocked')])
  await expect(backend.idPOAuthAccessToken.verify('oat_unknown')).rejects.toMatchObject({ status: 404 })
})

it("gives GitHub's email addresses to tokens with their scope alone", async () => {
  await using github = await openSimulation('github')
  const listEmails = async (...scopes: string[]) => {
    const octokit = new Octokit({ baseUrl: github.url, auth: await github.auth.tokenFor('octocat', { scopes }) })
    const answer = octokit.rest.users.listEmailsForAuthenticatedUser()
    const { status, headers } = await answer.catch((error) => ({ status: error.status, ...error.response }))
    return [status, headers['x-oauth-scopes'], headers['x-accepted-oauth-scopes']]
  }

  const answers = [
    await listEmails('read:user'),
    await listEmails('read:user', 'user:email'),
    await listEmails('user'),
    await listEmails(),
  ]
  const user = await github.fetch('/user')

  expect(answers).toEqual([
    [404, 'read:user', 'user:email, user'],
    [200, 'read:user, user:email', 'user:email, user'],
    [200, 'user', 'user:email, user'],
    [404, '', 'user:email, user'],
  ])
  expect(user.headers.get('x-accepted-oauth-scopes')).toBe('')
})

it("exchanges GitHub's codes without their address, shows their scopes, and has a code for unknown devices", async () => {
  await using github = await openSimulation('github')
  const asked = { client_id: 'app', scope: 'read:user repo', redirect_uri: CALLBACK }
  const callback = await signInByHand(
    `${github.url}/login/oauth/authorize?${new URLSearchParams(asked)}`,
    undefined,
    'The Octocat',
  )
  const headers = { accept: 'application/json' }
  const exchange = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'app', client_secret: 'secret', ...fields })
    const answer = await fetch(`${github.url}/login/oauth/access_token`, { method: 'POST', headers, body })
    return (await answer.json()) as Record<string, string>
  }
  const code = callback.searchParams.get('code') ?? ''

  const elsewhere = await exchange({ code, redirect_uri: `${CALLBACK}/more` })
  const tokens = await exchange({ code })
  const device = await exchange({ grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'unknown' })
  const octokit = new Octokit({ baseUrl: github.url, auth: tokens.access_token })
  const user = await octokit.rest.users.getAuthenticated()
  const owner = await github.fetch('/user')

  expect([elsewhere.error, tokens.scope, device.error]).toEqual([
    'bad_verification_code',
    'read:user,repo',
    'incorrect_device_code',
  ])
  expect(user).toMatchObject({ data: { login: 'octocat' }, headers: { 'x-oauth-scopes': 'read:user, repo' } })
  expect(owner.headers.get('x-oauth-scopes')).toContain('admin:org')
})

it("shows a Discord user's address by the scope email alone, and what a token is for", async () => {
  const lin = { id: '1000000000000000032', username: 'lin', email: 'lin@example.com' }
  await using discord = await openSimulation('discord', { seedRecords: { users: [lin] } })
  const getAs = async (path: string, ...scopes: string[]) => {
    const authorization = `Bearer ${await discord.auth.tokenFor('lin', { scopes })}`
    return (await fetch(`${discord.url}/api/v10${path}`, { headers: { authorization } })).json()
  }

  const wide = await getAs('/users/@me', 'identify', 'email')
  const narrow = await getAs('/users/@me', 'identify')
  const authorization = await getAs('/oauth2/@me', 'identify', 'email')
  const nameless = await getAs('/oauth2/@me', 'guilds')
  const shown = await (await discord.fetch('/users/1000000000000000032')).json()
  const bot = await discord.fetch('/oauth2/@me')

  expect(wide).toMatchObject({ ...lin, verified: true })
  for (const user of [narrow, shown, (authorization as { user: object }).user])
    expect([user, Object.keys(user as object)]).toEqual([
      expect.objectContaining({ id: lin.id, username: 'lin' }),
      expect.not.arrayContaining(['email']),
    ])
  expect(authorization).toMatchObject({
    application: { id: '1000000000000000001', name: 'Backlot', verify_key: expect.stringMatching(/^[0-9a-f]{64}$/) },
    scopes: ['identify', 'email'],
    expires: expect.stringMatching(/^\d{4}-.*T/),
  })
  expect([Object.keys(nameless as object), bot.status]).toEqual([['application', 'scopes', 'expires'], 401])
})

it('answers as Slack does: with its codes alone, and without objects in place of addresses', async () => {
  const { url, auth } = await openSimulation('slack')
  const code = { grant_type: 'authorization_code', code: 'unknown', client_id: 'app' }
  const refused = await fetch(`${url}/api/openid.connect.token`, { method: 'POST', body: new URLSearchParams(code) })
  const token = await auth.tokenFor('ada@backlot.example', { scopes: ['openid', 'profile'] })

  const answer = await fetch(`${url}/api/openid.connect.userInfo`, { headers: { authorization: `Bearer ${token}` } })
  const user = (await answer.json()) as Record<string, unknown>
  const install = { client_id: 'app', scope: 'chat:write,commands', state: 's', redirect_uri: CALLBACK }
  const installed = await signInByHand(`${url}/oauth/v2/authorize?${new URLSearchParams(install)}`)

  expect(await refused.json()).toEqual({ ok: false, error: 'invalid_code' })
  expect([typeof user.profile, user['https://slack.com/team_id']]).toEqual(['undefined', 'T00BACKLOT'])
  expect(installed.searchParams.get('code')).not.toBeNull()
})

it('works with arctic, whose addresses cannot be set', async () => {
  await using google = await openSimulation('google', { hosts: true })
  await using microsoft = await openSimulation('microsoft', { hosts: true })
  const ofGoogle = new Google('app', 'secret', CALLBACK)
  const ofMicrosoft = new MicrosoftEntraId('common', 'app', 'secret', CALLBACK)
  const here = (asked: URL, url: string) => signInByHand(url + asked.pathname + asked.search)

  const asked = ofGoogle.createAuthorizationURL('s', 'v'.repeat(43), ['openid', 'email'])
  asked.searchParams.set('access_type', 'offline')
  const first = await here(asked, google.url)
  const fromGoogle = await ofGoogle.validateAuthorizationCode(first.searchParams.get('code') ?? '', 'v'.repeat(43))
  const refreshed = await ofGoogle.refreshAccessToken(fromGoogle.refreshToken())
  const second = await here(
    ofMicrosoft.createAuthorizationURL('s', 'v'.repeat(43), ['openid', 'profile']),
    microsoft.url,
  )
  const fromMicrosoft = await ofMicrosoft.validateAuthorizationCode(
    second.searchParams.get('code') ?? '',
    'v'.repeat(43),
  )
  const user = await fetch('https://openidconnect.googleapis.com/v1/userinfo', {
    headers: { authorization: `Bearer ${fromGoogle.accessToken()}` },
  })
  const keys = createRemoteJWKSet(new URL('https://login.microsoftonline.com/common/discovery/v2.0/keys'))
  const { payload } = await jwtVerify(fromMicrosoft.idToken(), keys, { audience: 'app' })

  expect(await user.json()).toMatchObject({ email: 'ada@example.com' })
  expect(refreshed.hasRefreshToken()).toBe(false)
  expect(google.auth.issuer).toBe('https://accounts.google.com')
  expect(payload.iss).toBe(`https://login.microsoftonline.com/${payload.tid}/v2.0`)
})

it('gives access tokens that oauth4webapi validates for an API', async () => {
  const { auth, url } = await openSimulation('oidc')
  const issuer = new URL(auth.issuer)
  const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
  const server = await oauth.processDiscoveryResponse(issuer, found)
  const token = await auth.tokenFor('ada@example.com', { scopes: ['reports:read'], audience: 'https://api.example' })
  const request = new Request(`${url}/reports`, { headers: { authorization: `Bearer ${token}` } })

  const claims = await oauth.validateJwtAccessToken(server, request, 'https://api.example', insecure)

  expect(claims).toMatchObject({ client_id: 'test', sub: '1001', scope: 'reports:read' })
})
