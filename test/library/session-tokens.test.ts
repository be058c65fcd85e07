import { createClerkClient, verifyToken } from '@clerk/backend'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterEach, expect, it, vi } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'

const PUBLISHABLE_KEY = `pk_test_${btoa('clerk.backlot.example$')}`

afterEach(() => void vi.useRealTimers())

async function open() {
  const { simulate } = await startForTest()
  const simulation = await simulate('clerk', { webhooks: false })
  const secretKey = `sk_test_${simulation.key}`
  const clerk = createClerkClient({ secretKey, publishableKey: PUBLISHABLE_KEY, apiUrl: simulation.url })
  const user = await clerk.users.createUser({ emailAddress: ['ada@example.com'], firstName: 'Ada' })
  const session = await clerk.sessions.createSession({ userId: user.id })
  return { simulation, secretKey, clerk, user, session }
}

const withToken = (jwt: string) => new Request('https://app.example/', { headers: { authorization: `Bearer ${jwt}` } })

it('gives session tokens that the SDK verifies, until they expire in the world', async () => {
  const { simulation, secretKey, clerk, user, session } = await open()
  const { jwt } = await clerk.sessions.getToken(session.id)

  const claims = await verifyToken(jwt, { secretKey, apiUrl: simulation.url })
  const state = await clerk.authenticateRequest(withToken(jwt), { authorizedParties: ['http://localhost:3000'] })
  const stranger = await clerk.authenticateRequest(withToken(jwt), { authorizedParties: ['https://other.example'] })
  const altered = await clerk.authenticateRequest(withToken(`${jwt.slice(0, -8)}AAAAAAAA`))
  await simulation.fastForward({ minutes: 15 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 })
  const late = await clerk.authenticateRequest(withToken(jwt))
  const { jwt: next } = await clerk.sessions.getToken(session.id)
  const renewed = await clerk.authenticateRequest(withToken(next))

  expect(claims).toMatchObject({ sub: user.id, sid: session.id, azp: 'http://localhost:3000', exp: claims.iat + 60 })
  expect(state.toAuth()).toMatchObject({ isAuthenticated: true, userId: user.id, sessionId: session.id })
  expect([stranger, altered, late].map(({ reason }) => reason)).toEqual([
    'token-invalid-authorized-parties',
    'token-invalid-signature',
    expect.stringMatching('token-expired'),
  ])
  expect(renewed.isAuthenticated).toBe(true)
})

it('says in its tokens which organization is active, and makes none for a session that ended', async () => {
  const { clerk, user, session } = await open()
  const acme = await clerk.organizations.createOrganization({ name: 'Acme', createdBy: user.id })
  const inside = await clerk.sessions.createSession({ userId: user.id, activeOrganizationId: acme.id } as never)

  const { jwt } = await clerk.sessions.getToken(inside.id)
  const state = await clerk.authenticateRequest(withToken(jwt))
  await clerk.sessions.revokeSession(session.id)

  expect(state.toAuth()).toMatchObject({ orgId: acme.id, orgRole: 'org:admin', orgSlug: acme.slug })
  await expect(clerk.sessions.getToken(session.id)).rejects.toMatchObject({
    status: 404,
    errors: [{ code: 'resource_not_found' }],
  })
})

it('fills JWT templates, and shows its public key to any library for tokens', async () => {
  const { simulation, clerk, user, session } = await open()
  const claims = {
    mail: '{{user.primary_email_address}}',
    hello: 'Hi {{user.first_name}}',
    at: { org: "{{org.slug || 'none'}}" },
  }
  await clerk.jwtTemplates.create({ name: 'mobile', claims, lifetime: 600 })

  const { jwt } = await clerk.sessions.getToken(session.id, 'mobile')
  const { payload } = await jwtVerify(jwt, createRemoteJWKSet(new URL(`${simulation.url}/.well-known/jwks.json`)))
  const { jwt: short } = await clerk.sessions.getToken(session.id, 'mobile', 120)

  expect(payload).toMatchObject({ sub: user.id, mail: 'ada@example.com', hello: 'Hi Ada', at: { org: 'none' } })
  expect(Number(payload.exp) - Number(payload.iat)).toBe(600)
  expect(JSON.parse(atob(short.split('.')[1] ?? ''))).toMatchObject({ exp: expect.any(Number), sub: user.id })
})

it('signs with its own key, the same in every run with one seed', async () => {
  const { simulate } = await startForTest()
  const keyOf = async (seed: string) => {
    await using simulation = await simulate('clerk', {
      webhooks: false,
      seed,
    })
    return (await simulation.fetch('/v1/jwks')).text()
  }

  const [first, again, other] = [await keyOf('one'), await keyOf('one'), await keyOf('two')]

  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

it('signs with a key of its own, which only a given seed determines', async () => {
  const { simulate } = await startForTest()
  const keyOf = async (options: { seed?: string }) => {
    const { url } = await simulate('clerk', { webhooks: false, ...options })
    const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
    return keys[0]?.kid
  }

  const [one, other] = [await keyOf({}), await keyOf({})]
  const [seeded, again] = [await keyOf({ seed: 'mine' }), await keyOf({ seed: 'mine' })]

  expect(one).not.toBe(other)
  expect(seeded).toBe(again)
})
