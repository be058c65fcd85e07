import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { openSimulation, signInByHand } from './open-sign-in.ts'

const REDIRECT = 'http://127.0.0.1:9/callback'
const PATHS = {
  auth0: { authorize: '/authorize', token: '/oauth/token', user: '/userinfo' },
  okta: {
    authorize: '/oauth2/default/v1/authorize',
    token: '/oauth2/default/v1/token',
    user: '/oauth2/default/v1/userinfo',
  },
  google: { authorize: '/o/oauth2/v2/auth', token: '/token', user: '/oauth2/v2/userinfo' },
  microsoft: { authorize: '/common/oauth2/v2.0/authorize', token: '/common/oauth2/v2.0/token', user: '/v1.0/me' },
}
type Json = Record<string, unknown>

/** The provider, and what an application sends to it. */
async function openProvider(name: keyof typeof PATHS) {
  const simulation = await openSimulation(name)
  const { url } = simulation
  const { authorize, token, user } = PATHS[name]
  const client = { client_id: 'web', client_secret: 'shh' }
  const post = async (fields: Record<string, string>) => {
    const answer = await fetch(url + token, { method: 'POST', body: new URLSearchParams({ ...client, ...fields }) })
    return [answer.status, (await answer.json()) as Json] as const
  }
  const signIn = async (more: Record<string, string> = {}) => {
    const asked = {
      client_id: 'web',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: REDIRECT,
      ...more,
    }
    const callback = await signInByHand(`${url}${authorize}?${new URLSearchParams(asked)}`)
    const code = callback.searchParams.get('code') ?? ''
    const [, tokens] = await post({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT })
    return { callback, tokens: tokens as Record<string, string> }
  }
  const showUser = async (authorization: string) => {
    const answer = await fetch(url + user, { headers: { authorization } })
    return [answer.status, (await answer.json()) as Json] as const
  }
  return { simulation, post, signIn, showUser }
}

it.each([
  ['auth0', 403, 'Invalid authorization code', 'Unknown or invalid refresh token.', 'Unauthorized'],
  [
    'okta',
    400,
    'The authorization code is invalid or has expired.',
    'The refresh token is invalid or expired.',
    'The client secret supplied',
  ],
  [
    'google',
    400,
    'Malformed auth code.',
    'Token has been expired or revoked.',
    'The provided client secret is invalid.',
  ],
  ['microsoft', 400, 'AADSTS70008: ', 'AADSTS700082: ', 'AADSTS7000215: '],
] as const)(
  'refuses codes, refresh tokens and secrets in the words of %s',
  async (name, status, code, refresh, secret) => {
    const { simulation, post } = await openProvider(name)

    const withCode = await post({ grant_type: 'authorization_code', code: 'none', redirect_uri: REDIRECT })
    const withRefresh = await post({ grant_type: 'refresh_token', refresh_token: 'none' })
    await simulation.create('clients', { client_id: 'web', client_secret: 'other', redirect_uris: [REDIRECT] })
    const withSecret = await post({ grant_type: 'client_credentials' })

    expect(withCode).toMatchObject([
      status,
      { error: 'invalid_grant', error_description: expect.stringContaining(code) },
    ])
    if (name === 'microsoft') expect(withCode[1]).toMatchObject({ error_codes: [70008] })
    expect(withRefresh).toMatchObject([status, { error_description: expect.stringContaining(refresh) }])
    expect(withSecret).toMatchObject([401, { error_description: expect.stringContaining(secret) }])
  },
)

it("names Auth0's users and clients in tokens as Auth0 does", async () => {
  const { signIn, post } = await openProvider('auth0')

  const { tokens } = await signIn({ audience: 'https://api.example' })
  const [, machine] = await post({ grant_type: 'client_credentials', audience: 'https://api.example' })

  const { iss, aud } = decodeJwt(tokens.access_token ?? '')
  expect(aud).toEqual(['https://api.example', `${iss}userinfo`])
  expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
    sub: expect.stringMatching(/^auth0\|[0-9a-f]{24}$/),
    nickname: 'ada',
    picture: expect.stringMatching(/^https:/),
    updated_at: expect.stringMatching(/Z$/),
  })
  const claims = { sub: 'web@clients', gty: 'client-credentials', aud: 'https://api.example' }
  expect(decodeJwt(String(machine.access_token))).toMatchObject(claims)
})

it("shows users in the forms of Google's older user info and of Microsoft Graph", async () => {
  const google = await openProvider('google')
  const microsoft = await openProvider('microsoft')

  const { callback, tokens } = await google.signIn()
  const [, person] = await google.showUser(`Bearer ${tokens.access_token}`)
  const { tokens: others } = await microsoft.signIn({ scope: 'User.Read' })
  const [, me] = await microsoft.showUser(`Bearer ${others.access_token}`)
  const refused = await microsoft.showUser('Bearer none')

  expect(Object.fromEntries(callback.searchParams)).toMatchObject({
    scope: expect.stringContaining('https://www.googleapis.com/auth/userinfo.email'),
    authuser: '0',
  })
  expect(person).toMatchObject({ id: expect.stringMatching(/^\d{21}$/), verified_email: true, given_name: 'Ada' })
  expect(me).toMatchObject({ displayName: 'Ada Lovelace', givenName: 'Ada', mail: 'ada@example.com', jobTitle: null })
  expect(refused).toMatchObject([401, { error: { code: 'InvalidAuthenticationToken' } }])
})

it("revokes Google's refresh token with its access token, and says what an Okta token is for", async () => {
  const google = await openProvider('google')
  const okta = await openProvider('okta')
  const send = async (address: string, token = '') => {
    const body = new URLSearchParams({ token, client_id: 'web', client_secret: 'shh' })
    const answer = await fetch(address, { method: 'POST', body })
    return [answer.status, JSON.parse((await answer.text()) || '{}')] as const
  }

  const { tokens } = await google.signIn({ access_type: 'offline', prompt: 'consent' })
  await send(`${google.simulation.url}/revoke`, tokens.access_token)
  const after = await google.post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })
  const again = await send(`${google.simulation.url}/revoke`, tokens.access_token)
  const { tokens: others } = await okta.signIn()
  const [, shown] = await send(`${okta.simulation.url}/oauth2/default/v1/introspect`, others.access_token)

  expect(after).toMatchObject([400, { error: 'invalid_grant' }])
  expect(again).toMatchObject([400, { error: 'invalid_token' }])
  expect(shown).toMatchObject({
    active: true,
    aud: 'api://default',
    uid: expect.stringMatching(/^00u/),
    sub: 'ada@example.com',
  })
})
