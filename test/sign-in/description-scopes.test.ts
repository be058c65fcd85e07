import { expect, it } from 'vitest'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

const CALLBACK = 'http://127.0.0.1:9/callback'
const answer = {
  200: {
    description: 'ok',
    content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Report' } } } },
  },
}
const spec = {
  openapi: '3.1.0',
  info: { title: 'Reports', version: '1' },
  servers: [{ url: 'https://api.acme.example/v1' }],
  paths: {
    '/reports': {
      get: { security: [{ oauth: ['reports:read'] }], responses: answer },
      post: { security: [{ oauth: ['reports:read', 'reports:write'] }], responses: { 201: answer[200] } },
    },
  },
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://login.acme.example/oauth/authorize',
            tokenUrl: 'https://login.acme.example/oauth/token',
            scopes: { 'reports:read': 'Reads', 'reports:write': 'Writes' },
          },
          clientCredentials: { tokenUrl: 'https://login.acme.example/oauth/token', scopes: {} },
        },
      },
    },
    schemas: { Report: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
  },
}

const open = () => openSimulation({ spec })
type Opened = Awaited<ReturnType<typeof open>>

const tokensFor = async ({ url }: Opened, fields: Record<string, string>) =>
  (await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })).json() as Promise<
    Record<string, string>
  >

async function signIn(simulation: Opened, scope: string, visitor = new Visitor()) {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'app',
    redirect_uri: CALLBACK,
    ...(scope && { scope }),
  })
  const { searchParams } = await signInByHand(`${simulation.url}/oauth/authorize?${query}`, visitor)
  const code = searchParams.get('code') ?? ''
  return tokensFor(simulation, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: 'app',
    client_secret: 's',
  })
}

const call = async ({ url }: Opened, token: string | undefined, method = 'GET') => {
  const answer = await fetch(`${url}/v1/reports`, { method, headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, challenge: answer.headers.get('www-authenticate'), text: await answer.text() }
}

it('checks the scopes that a user has allowed, at each operation', async () => {
  const simulation = await open()
  const reader = await signIn(simulation, 'reports:read')
  const all = await signIn(simulation, '')

  const answers = [
    await call(simulation, reader.access_token),
    await call(simulation, reader.access_token, 'POST'),
    await call(simulation, all.access_token, 'POST'),
    await call(simulation, simulation.key, 'POST'),
  ]

  expect(answers).toMatchObject([
    { status: 200 },
    { status: 403, challenge: 'Bearer error="insufficient_scope", scope="reports:read reports:write"' },
    { status: 201 },
    { status: 201 },
  ])
})

it('lets a token expire in the world', async () => {
  const simulation = await open()
  const { access_token } = await signIn(simulation, 'reports:read')
  await simulation.fastForward({ hours: 2 })

  const expired = await call(simulation, access_token)
  const unknown = await call(simulation, 'unknown')
  const none = await fetch(`${simulation.url}/v1/reports`)

  const challenge = expect.stringContaining('Bearer error="invalid_token"')
  expect(expired).toEqual({ status: 401, challenge, text: expect.stringContaining('The access token has expired.') })
  expect(unknown).toEqual({ status: 401, challenge, text: expect.stringContaining('is not known. `auth.tokenFor`') })
  expect(none.headers.get('www-authenticate')).toBe('Bearer')
  expect(await none.text()).toContain('Expected a key of this simulation')
})

it('gives a client that sends a key as its secret the scopes that it asks for', async () => {
  const simulation = await open()
  const ask = (more: Record<string, string>) =>
    tokensFor(simulation, {
      grant_type: 'client_credentials',
      client_id: 'job',
      client_secret: simulation.key,
      ...more,
    })

  const narrow = await ask({ scope: 'reports:read' })
  const whole = await ask({})
  const other = await ask({ client_secret: 'wrong' })

  expect((await call(simulation, narrow.access_token)).status).toBe(200)
  expect((await call(simulation, narrow.access_token, 'POST')).status).toBe(403)
  expect((await call(simulation, whole.access_token, 'POST')).status).toBe(201)
  expect(other).toMatchObject({ error: 'invalid_client' })
})

it('refuses scopes that the description does not declare, save those of OpenID Connect', async () => {
  const { url, auth } = await open()
  const ask = async (scope: string) => {
    const query = new URLSearchParams({ response_type: 'code', client_id: 'app', redirect_uri: CALLBACK, scope })
    const answer = await fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual' })
    return new URL(answer.headers.get('location') ?? url).searchParams.get('error_description')
  }

  const answers = [await ask('reports:raed'), await ask('openid offline_access reports:read')]
  const token = auth.tokenFor('ada@example.com', { scopes: ['reports:raed'] })

  const fault = 'Expected scope to be within reports:read reports:write, got reports:raed.'
  expect(answers).toEqual([fault, null])
  await expect(token).rejects.toThrow(fault)
})

it('names the parameter that a token request lacks', async () => {
  const simulation = await open()
  const ask = (grant_type: string) => tokensFor(simulation, { grant_type, client_id: 'app', client_secret: 's' })

  const answers = [await ask('authorization_code'), await ask('refresh_token')]

  expect(answers).toMatchObject([
    { error: 'invalid_request', error_description: expect.stringContaining('`code`') },
    { error: 'invalid_request', error_description: expect.stringContaining('`refresh_token`') },
  ])
})

it('keeps sign-ins as records, which a reset removes', async () => {
  const simulation = await open()
  await signIn(simulation, 'reports:read')

  const before = await simulation.records('sign_ins')
  await simulation.reset()

  expect(before).toMatchObject([{ user_id: '1001' }])
  expect(await simulation.records('sign_ins')).toEqual([])
})
