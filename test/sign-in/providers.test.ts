import { Google, MicrosoftEntraId } from 'arctic'
import { OAuth2Client } from 'google-auth-library'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { expect, it } from 'vitest'
import { openSimulation, signInByHand } from './open-sign-in.ts'

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

  expect(ticket.getPayload()).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace', azp: 'app' })
  expect(credentials.access_token).toMatch(/^ya29\./)
  expect([tokens.refresh_token, online.refresh_token]).toEqual([expect.any(String), undefined])
})

it('works with arctic, whose addresses cannot be set', async () => {
  const google = await openSimulation('google', { hosts: true })
  const microsoft = await openSimulation('microsoft', { hosts: true })
  const ofGoogle = new Google('app', 'secret', CALLBACK)
  const ofMicrosoft = new MicrosoftEntraId('common', 'app', 'secret', CALLBACK)
  const here = (asked: URL, url: string) => signInByHand(url + asked.pathname + asked.search)

  const first = await here(ofGoogle.createAuthorizationURL('s', 'v'.repeat(43), ['openid', 'email']), google.url)
  const fromGoogle = await ofGoogle.validateAuthorizationCode(first.searchParams.get('code') ?? '', 'v'.repeat(43))
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
