import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

const pageOf = (url: string) =>
  `${url}/authorize?${new URLSearchParams({ client_id: 'app', response_type: 'code', scope: 'openid', redirect_uri: 'http://127.0.0.1:9/cb' })}`

it('gives tokens without a page, of users and clients that there are', async () => {
  const { auth, url, create } = await openSimulation('oidc', {
    seedRecords: { users: [{ email: 'grace@example.com', name: 'Grace Hopper', claims: { roles: ['admin'] } }] },
  })
  const alan = await create('users', { email: 'alan.t@example.com', name: 'Alan' })

  const token = await auth.tokenFor('grace@example.com', {
    scopes: ['openid', 'email'],
    audience: 'https://api.example',
  })
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(token, keys, { issuer: auth.issuer, audience: 'https://api.example' })
  const user = await fetch(`${url}/userinfo`, {
    headers: { authorization: `Bearer ${await auth.tokenFor(String(alan.id))}` },
  })

  expect(payload).toMatchObject({ roles: ['admin'], scope: 'openid email', client_id: 'test' })
  expect(await user.json()).toMatchObject({ email: 'alan.t@example.com', name: 'Alan' })
  await expect(auth.tokenFor('grce@example.com')).rejects.toThrow('Did you mean "grace@example.com"?')
})

it('verifies the addresses of users that a test makes, unless it says no', async () => {
  const { create } = await openSimulation('google')

  const grace = await create('users', { email: 'grace@example.com' })
  const edsger = await create('users', { email: 'edsger@example.com', email_verified: false })

  expect([grace, edsger]).toMatchObject([{ email_verified: true, blocked: false }, { email_verified: false }])
})

it('names users without an address by their login', async () => {
  const { auth } = await openSimulation('github', { seedRecords: { users: [{ login: 'ada-l', email: null }] } })

  await expect(auth.automatically('nobody')).rejects.toThrow(/There are octocat@github.example, .*\], ada-l\.$/)
})

it('signs browsers in without pages, by a cookie or for a while', async () => {
  const { auth, url } = await openSimulation('oidc')
  const [cookie] = await auth.cookiesFor('ada@example.com')
  const statusOf = async () => (await new Visitor().open(pageOf(url))).status
  const asked = await fetch(pageOf(url), { headers: { cookie: `${cookie?.name}=${cookie?.value}` } })

  const before = await statusOf()
  const during = await (async () => {
    await using _ = await auth.automatically('ada@example.com')
    return await statusOf()
  })()

  expect(await asked.text()).toContain('Ada Lovelace')
  expect([before, during, await statusOf()]).toEqual([200, 302, 200])
})

it('ends an automatic sign-in after its simulation', async () => {
  const simulation = await openSimulation('oidc')
  const automatic = await simulation.auth.automatically('ada@example.com')

  await simulation.delete()

  await expect(automatic[Symbol.asyncDispose]()).resolves.toBeUndefined()
})

it('signs with a new key, and shows the one before', async () => {
  const { auth, url } = await openSimulation('oidc')
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`))
  const old = await auth.tokenFor('ada@example.com')

  await auth.rotateKeys()
  const fresh = await auth.tokenFor('ada@example.com')

  const verified = [await jwtVerify(old, keys), await jwtVerify(fresh, keys)]
  expect(verified[0]?.protectedHeader.kid).not.toBe(verified[1]?.protectedHeader.kid)
})

it('removes tokens and codes a day after their end, and keeps what lasts', async () => {
  const simulation = await openSimulation('oidc')
  const { auth, url } = simulation
  const count = async (name: string) => (await simulation.records(name)).length
  await signInByHand(pageOf(url))
  for (let made = 0; made < 16; made++) await auth.tokenFor('ada@example.com')
  const before = [await count('access_tokens'), await count('grants')]

  await simulation.fastForward({ hours: 26 })
  await auth.tokenFor('ada@example.com')

  expect(before).toEqual([16, 17])
  expect([await count('access_tokens'), await count('grants'), await count('sign_ins')]).toEqual([1, 17, 1])
})

it('says what to do for a simulation without a sign-in', async () => {
  const { auth } = await openSimulation('task-tracker')

  await expect(auth.tokenFor('ada@example.com')).rejects.toThrow(
    /simulation "[^"[]+" has no sign-in. Use an entry with one/,
  )
})
