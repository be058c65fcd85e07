import { Auth, type AuthConfig, skipCSRFCheck } from '@auth/core'
import Apple from '@auth/core/providers/apple'
import Auth0 from '@auth/core/providers/auth0'
import Discord from '@auth/core/providers/discord'
import GitHub from '@auth/core/providers/github'
import Google from '@auth/core/providers/google'
import Okta from '@auth/core/providers/okta'
import Slack from '@auth/core/providers/slack'
import { expect, it } from 'vitest'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

const APP = 'http://127.0.0.1:9'
const CLIENT = { clientId: 'app', clientSecret: 'secret' }

/** Signs a user in with Auth.js; the session that the application then has. */
async function sessionOf(provider: AuthConfig['providers'][number], account: string): Promise<unknown> {
  const faults: unknown[] = []
  const logger = { error: (fault: unknown) => faults.push(fault), warn: () => {}, debug: () => {} }
  const config: AuthConfig = {
    providers: [provider],
    secret: 's',
    trustHost: true,
    basePath: '/auth',
    skipCSRFCheck,
    logger,
  }
  const { id } = (typeof provider === 'function' ? provider() : provider) as { id: string }
  const cookies = new Map<string, string>()
  const ask = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await Auth(
      new Request(new URL(path, APP), { ...init, headers: { ...init.headers, cookie } }),
      config,
    )
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const begun = await ask(`/auth/signin/${id}`, {
    method: 'POST',
    headers: form,
    body: new URLSearchParams({ callbackUrl: APP }),
  })
  const visitor = new Visitor()
  const callback = await signInByHand(begun.headers.get('location') ?? '', visitor, account)
  if (callback.protocol === 'about:')
    await ask(`/auth/callback/${id}`, { method: 'POST', headers: form, body: visitor.posted })
  else await ask(callback.href)
  if (faults.length > 0) throw faults[0]
  return (await ask('/auth/session')).json()
}

const ADA = { user: { name: 'Ada Lovelace', email: 'ada@example.com' } }

it('signs in with Google, Auth0 and Okta', async () => {
  const [google, auth0, okta] = [
    await openSimulation('google'),
    await openSimulation('auth0'),
    await openSimulation('okta'),
  ]

  const sessions = [
    await sessionOf(Google({ ...CLIENT, issuer: google.auth.issuer }), 'Ada Lovelace'),
    await sessionOf(Auth0({ ...CLIENT, issuer: auth0.auth.issuer }), 'Ada Lovelace'),
    await sessionOf(Okta({ ...CLIENT, issuer: okta.auth.issuer }), 'Ada Lovelace'),
  ]

  expect(sessions).toMatchObject([ADA, ADA, ADA])
})

it('signs in with Apple, which posts the name once', async () => {
  const { auth } = await openSimulation('apple')

  const session = await sessionOf(Apple({ ...CLIENT, issuer: auth.issuer }), 'Ada Lovelace')

  expect(session).toMatchObject(ADA)
})

it('signs in with Slack, GitHub and Discord, as the users of their APIs', async () => {
  const slack = await openSimulation('slack')
  const github = await openSimulation('github')
  const discord = await openSimulation('discord')
  const own = { url: `${discord.url}/oauth2/authorize`, params: { scope: 'identify email' } }

  const sessions = [
    await sessionOf(Slack({ ...CLIENT, issuer: slack.auth.issuer }), 'Ada Lovelace'),
    await sessionOf(
      GitHub({
        ...CLIENT,
        authorization: `${github.url}/login/oauth/authorize?scope=read:user+user:email`,
        token: `${github.url}/login/oauth/access_token`,
        userinfo: { url: `${github.url}/user` },
      }),
      'The Octocat',
    ),
    await sessionOf(
      Discord({
        ...CLIENT,
        authorization: own,
        token: `${discord.url}/api/oauth2/token`,
        userinfo: `${discord.url}/api/users/@me`,
      }),
      'Ada',
    ),
  ]

  expect(sessions).toMatchObject([
    { user: { name: 'Ada Lovelace', email: 'ada@backlot.example' } },
    { user: { name: 'The Octocat', email: 'octocat@github.example' } },
    { user: { name: 'Ada', email: 'ada@discord.example' } },
  ])
})
