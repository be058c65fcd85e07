import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import express, { type Express } from 'express'
import { auth as openIdConnect } from 'express-openid-connect'
import { expect, it, onTestFinished } from 'vitest'
import { onLoopback } from '../support/on-loopback.ts'
import { openSimulation, signInByHand, Visitor } from './open-sign-in.ts'

// They have no types.
const require = createRequire(import.meta.url)
const passport = require('passport')
const session = require('express-session')
const CLIENT = { clientID: 'app', clientSecret: 'secret' }

/** An application that listens until the end of the test. */
async function listen(make: (url: string) => Express): Promise<string> {
  let app: Express | undefined
  const server = await onLoopback(createServer((request, response) => app?.(request, response)))
  app = make(server.url)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.url
}

/** An application that signs in with a strategy of passport, and shows its user. */
const withPassport = (strategy: (callbackURL: string) => { name: string }, options: object = {}) =>
  listen((url) => {
    const own = new passport.Passport()
    const used = strategy(`${url}/cb`)
    own.use(used)
    own.serializeUser((user: object, done: (fault: null, user: object) => void) => done(null, user))
    own.deserializeUser((user: object, done: (fault: null, user: object) => void) => done(null, user))
    const app = express()
    app.use(session({ secret: 's', resave: false, saveUninitialized: false }), own.session())
    app.get('/login', own.authenticate(used.name, options))
    app.get('/cb', own.authenticate(used.name, { failureMessage: true, failureRedirect: '/' }), (_, response) =>
      response.redirect('/'),
    )
    app.get('/', (request, response) => {
      const { user, session } = request as unknown as { user?: object; session: { messages?: string[] } }
      response.json(user ?? session.messages ?? null)
    })
    return app
  })

it('signs in with passport-openidconnect, with a nonce, PKCE aside, and shows a refusal', async () => {
  const { url, auth } = await openSimulation('oidc')
  const { Strategy } = require('passport-openidconnect')
  const addresses = {
    issuer: auth.issuer,
    authorizationURL: `${url}/authorize`,
    tokenURL: `${url}/token`,
    userInfoURL: `${url}/userinfo`,
  }
  const app = await withPassport(
    (callbackURL) =>
      new Strategy(
        {
          ...CLIENT,
          ...addresses,
          callbackURL,
          scope: ['profile', 'email'],
          nonce: true,
          maxAge: 600,
          skipUserProfile: false,
        },
        (_issuer: string, profile: object, done: (fault: null, user: object) => void) => done(null, profile),
      ),
  )
  const [ada, other] = [new Visitor(), new Visitor()]

  await ada.follow(await signInByHand((await ada.open(`${app}/login`)).headers.get('location') ?? '', ada))
  await other.follow(`${app}/login`)
  const refused = await other.press('Cancel')
  await other.follow(refused.headers.get('location') ?? '')

  expect(JSON.parse(ada.text)).toMatchObject({
    id: '1001',
    displayName: 'Ada Lovelace',
    emails: [{ value: 'ada@example.com' }],
  })
  expect(JSON.parse(other.text)).toEqual(['The user has refused.'])
})

it('signs in with passport-google-oauth20 at the addresses that it has by itself', async () => {
  await using google = await openSimulation('google', { hosts: true })
  const { Strategy } = require('passport-google-oauth20')
  const app = await withPassport(
    (callbackURL) =>
      new Strategy(
        { ...CLIENT, callbackURL, state: true, pkce: 'S256' },
        (_access: string, refresh: string, profile: object, done: (fault: null, user: object) => void) =>
          done(null, { ...profile, refresh }),
      ),
    { scope: ['profile', 'email'], accessType: 'offline', prompt: 'consent', loginHint: 'alan@example.com' },
  )
  const visitor = new Visitor()

  const asked = new URL((await visitor.open(`${app}/login`)).headers.get('location') ?? '')
  const callback = await signInByHand(google.url + asked.pathname + asked.search, visitor, 'Alan Turing')
  await visitor.follow(callback)

  expect(asked.hostname).toBe('accounts.google.com')
  expect(JSON.parse(visitor.text)).toMatchObject({
    displayName: 'Alan Turing',
    emails: [{ value: 'alan@example.com', verified: true }],
    refresh: expect.stringMatching(/^1\/\//),
  })
})

const AUTH0 = {
  clientID: 'app',
  secret: 'a secret of 32 characters or more',
  authRequired: false,
  session: { cookie: { sameSite: 'Lax' as const } },
}

it('signs in with express-openid-connect by an ID token that is posted, and signs out', async () => {
  const { auth } = await openSimulation('auth0')
  const app = await listen((baseURL) =>
    express()
      .use(openIdConnect({ ...AUTH0, baseURL, issuerBaseURL: auth.issuer, idpLogout: true }))
      .get('/', (request, response) => void response.json(request.oidc.user ?? null)),
  )
  const visitor = new Visitor()
  const sign = async () => signInByHand((await visitor.open(`${app}/login`)).headers.get('location') ?? '', visitor)

  await sign()
  await visitor.submit()
  await visitor.follow(app)
  const signedIn = JSON.parse(visitor.text)
  await visitor.follow(`${app}/logout`)
  const signedOut = JSON.parse(visitor.text)
  const again = await visitor.follow(`${app}/login`)

  expect(signedIn).toMatchObject({ name: 'Ada Lovelace', email: 'ada@example.com' })
  expect(signedOut).toBe(null)
  expect(await again.text()).toContain('Accounts')
})

it('signs in with express-openid-connect by code, refreshes, and calls an API', async () => {
  const simulation = await openSimulation('auth0')
  const app = await listen((baseURL) =>
    express()
      .use(
        openIdConnect({
          ...AUTH0,
          baseURL,
          issuerBaseURL: simulation.auth.issuer,
          clientSecret: 'secret',
          authorizationParams: {
            response_type: 'code',
            scope: 'openid profile email offline_access',
            audience: 'https://api.example',
          },
        }),
      )
      .get('/', (request, response, next) => {
        const { oidc } = request
        const show = async () => {
          const first = await oidc.fetchUserInfo().catch(() => null)
          const token = await oidc.accessToken?.refresh()
          response.json({
            first,
            second: await oidc.fetchUserInfo(),
            scopes: JSON.parse(Buffer.from(token?.access_token.split('.')[1] ?? '', 'base64url').toString()).scope,
          })
        }
        show().catch(next)
      }),
  )
  const visitor = new Visitor()
  await visitor.open(await signInByHand((await visitor.open(`${app}/login`)).headers.get('location') ?? '', visitor))

  await visitor.follow(app)
  const fresh = JSON.parse(visitor.text)
  await simulation.fastForward({ hours: 25 })
  await visitor.follow(app)
  const late = JSON.parse(visitor.text)

  expect(fresh).toMatchObject({
    first: { name: 'Ada Lovelace' },
    second: { sub: 'auth0|5f7c8ec7c33c6c004bbafe82' },
    scopes: 'openid profile email offline_access',
  })
  expect(late).toMatchObject({ first: null, second: { name: 'Ada Lovelace' } })
})

it('ends the session of an application by back-channel logout, until it is taken', async () => {
  const simulation = await openSimulation('oidc', { webhooks: true })
  const answers: number[] = []
  const app = await listen((baseURL) =>
    express()
      .post('/backchannel-logout', (_, response, next) => {
        response.on('finish', () => answers.push(response.statusCode))
        if (answers.length > 0) next()
        else response.status(503).end()
      })
      .use(
        openIdConnect({
          ...AUTH0,
          baseURL,
          issuerBaseURL: simulation.auth.issuer,
          clientSecret: 'secret',
          authorizationParams: { response_type: 'code' },
          backchannelLogout: { store: new session.MemoryStore() },
        }),
      )
      .get('/', (request, response) => void response.json(request.oidc.user ?? null)),
  )
  const registered = { redirect_uris: [`${app}/callback`], backchannel_logout_uri: `${app}/backchannel-logout` }
  await simulation.create('clients', { client_id: 'app', client_secret: 'secret', ...registered })
  const visitor = new Visitor()
  await visitor.follow(await signInByHand((await visitor.open(`${app}/login`)).headers.get('location') ?? '', visitor))
  const before = JSON.parse(visitor.text)

  await visitor.open(`${simulation.url}/logout`)
  await visitor.press('Sign out')
  await simulation.webhooks.drain()
  await visitor.follow(app)

  expect(before).toMatchObject({ name: 'Ada Lovelace' })
  expect(answers).toEqual([503, 204])
  expect(JSON.parse(visitor.text)).toBe(null)
})
