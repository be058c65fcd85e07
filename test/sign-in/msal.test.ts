import {
  type AccountInfo,
  ConfidentialClientApplication,
  CryptoProvider,
  InteractionRequiredAuthError,
  PublicClientApplication,
} from '@azure/msal-node'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

const redirectUri = 'http://localhost:9/callback'
const scopes = ['User.Read']
const clientFor = (tenant: string) =>
  new ConfidentialClientApplication({
    auth: { clientId: 'api', clientSecret: 'secret', authority: `https://login.microsoftonline.com/${tenant}` },
  })

it('works with the clients of msal-node, whose authority is fixed', async () => {
  await using simulation = await openSimulation('microsoft', { hosts: true })
  const client = clientFor('common')
  const { verifier: codeVerifier, challenge: codeChallenge } = await new CryptoProvider().generatePkceCodes()
  const asked = { scopes, redirectUri, nonce: 'n' }
  const page = new URL(await client.getAuthCodeUrl({ ...asked, codeChallenge, codeChallengeMethod: 'S256' }))
  const code = (await signInByHand(simulation.url + page.pathname + page.search)).searchParams.get('code') ?? ''
  const visitor = new Visitor()

  const signedIn = await client.acquireTokenByCode({ ...asked, code, codeVerifier })
  const account = signedIn.account as AccountInfo
  const cached = await client.acquireTokenSilent({ scopes, account })
  await simulation.fastForward({ hours: 2 })
  const elsewhere = client.acquireTokenSilent({ scopes: ['api://shop/orders.read'], account })
  await expect(elsewhere).rejects.toBeInstanceOf(InteractionRequiredAuthError)
  const refreshed = await client.acquireTokenSilent({ scopes, account, forceRefresh: true })
  const api = clientFor(account.tenantId)
  const itself = await api.acquireTokenByClientCredential({ scopes: ['https://graph.microsoft.com/.default'] })
  const device = await new PublicClientApplication({ auth: { clientId: 'cli' } }).acquireTokenByDeviceCode({
    scopes,
    deviceCodeCallback: async ({ userCode, verificationUri }) => {
      await visitor.open(simulation.url + new URL(verificationUri).pathname)
      await visitor.press('', { user_code: userCode })
      await visitor.press('Alan Turing')
      await visitor.press('Allow')
    },
  })
  const onBehalf = await api.acquireTokenOnBehalfOf({ scopes, oboAssertion: device?.accessToken ?? '' })

  expect(account).toMatchObject({ username: 'ada@example.com', name: 'Ada Lovelace' })
  expect([cached.fromCache, refreshed.fromCache]).toEqual([true, false])
  expect(itself?.accessToken.split('.')).toHaveLength(3)
  expect([device?.account?.username, onBehalf?.account?.username]).toEqual(['alan@example.com', 'alan@example.com'])
})

it('gives access tokens for the resource of their scopes, with roles to applications', async () => {
  const clients = [
    { client_id: 'api', client_secret: 'secret', roles: ['Tasks.Read.All'], redirect_uris: [redirectUri] },
  ]
  await using simulation = await openSimulation('microsoft', { hosts: true, seedRecords: { clients } })
  const client = clientFor('9122040d-6c67-4c5b-b112-36a304b66dad')
  const delegated = async (...scopes: string[]) => {
    const page = new URL(await client.getAuthCodeUrl({ scopes, redirectUri }))
    const code = (await signInByHand(simulation.url + page.pathname + page.search)).searchParams.get('code') ?? ''
    return (await client.acquireTokenByCode({ scopes, redirectUri, code })).accessToken
  }
  const itself = async (resource: string) =>
    (await client.acquireTokenByClientCredential({ scopes: [`${resource}/.default`] }))?.accessToken ?? ''

  const tokens = [
    await itself('api://shop'),
    await itself('https://graph.microsoft.com'),
    await delegated('api://shop/orders.read', 'api://shop/orders.write'),
    await delegated('User.Read'),
    await delegated('api://shop/.default'),
    await delegated('https://graph.microsoft.com/.default'),
  ].map((token) => decodeJwt(token))

  expect(tokens.map(({ aud, scp, roles, scope }) => ({ aud, scp, roles, scope }))).toEqual([
    { aud: 'api://shop', roles: ['Tasks.Read.All'] },
    { aud: 'https://graph.microsoft.com', roles: ['Tasks.Read.All'] },
    { aud: 'api://shop', scp: 'orders.read orders.write' },
    { aud: '00000003-0000-0000-c000-000000000000', scp: 'User.Read openid profile offline_access' },
    { aud: 'api://shop', scp: 'orders.read orders.write' },
    { aud: 'https://graph.microsoft.com', scp: 'openid profile offline_access User.Read' },
  ])
})

it('knows the tenants of Microsoft, and refuses other authorities as msal expects', async () => {
  await using simulation = await openSimulation('microsoft', { hosts: true })
  const tenant = '9122040d-6c67-4c5b-b112-36a304b66dad'
  const other = '11111111-2222-4333-8444-555555555555'
  const tenantOf = async (name: string) => {
    const scopes = ['https://graph.microsoft.com/.default']
    const answer = await clientFor(name).acquireTokenByClientCredential({ scopes })
    return decodeJwt(answer?.accessToken ?? '').tid
  }
  const keysOf = async (name: string) => fetch(`https://login.microsoftonline.com/${name}/discovery/v2.0/keys`)
  const untrusted = new ConfidentialClientApplication({
    auth: { clientId: 'api', clientSecret: 'secret', authority: `https://login.shop.example/${tenant}` },
  })

  const tenants = [await tenantOf(other), await tenantOf('shop.onmicrosoft.com')]
  const shared = await Promise.all(['common', 'organizations', 'consumers', 'nobody'].map(keysOf))

  expect(tenants).toEqual([other, tenant])
  expect(shared.map(({ status }) => status)).toEqual([200, 200, 200, 400])
  await expect(tenantOf('nobody')).rejects.toThrow('AADSTS900023')
  await expect(untrusted.getAuthCodeUrl({ scopes, redirectUri })).rejects.toMatchObject({
    errorCode: 'endpoints_resolution_error',
  })
  await simulation.expectRequest({ path: '/common/discovery/instance', status: 400 })
})
