import {
  type AccountInfo,
  ConfidentialClientApplication,
  CryptoProvider,
  PublicClientApplication,
} from '@azure/msal-node'
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
