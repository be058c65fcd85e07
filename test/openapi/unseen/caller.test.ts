import { expect, it } from 'vitest'
import { createSimulation } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, inPath, object, only, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }

/** People that have an own path for whoever calls. */
function people(own: string): JsonObject {
  const user: JsonObject = { $ref: '#/components/schemas/User' }
  const described = describeApi({
    '/users': { get: answers(list(user)) },
    '/users/{id}': { ...id, get: answers(user), patch: { ...takes(user), ...answers(user) } },
    [own]: { get: answers(user), patch: { ...takes(user), ...answers(user) } },
  })
  return { ...described, components: { schemas: { User: object({ id: 'string', name: 'string', bio: 'string' }) } } }
}

it.each(['/me', '/users/me', '/user', '/account/self', '/users/current'])(
  '%s is one of the users, whom the other paths show and change too',
  async (own) => {
    const call = await simulation.of(people(own))

    const caller = (await call(`GET ${own}`)).body
    await call(`PATCH /users/${caller.id}`, { bio: 'by id' })
    const byId = (await call(`GET ${own}`)).body
    await call(`PATCH ${own}`, { name: 'Renamed' })

    expect(byId).toMatchObject({ id: caller.id, bio: 'by id' })
    expect((await call(`GET /users/${caller.id}`)).body).toMatchObject({ name: 'Renamed', bio: 'by id' })
    expect((await call('GET /users')).body).toContainEqual(expect.objectContaining({ id: caller.id, name: 'Renamed' }))
  },
)

it('stays the same caller after another user was made and changed', async () => {
  const described = people('/me')
  const call = await simulation.of(described)
  const before = (await call('GET /me')).body
  const others = (await call('GET /users')).body.filter((user: { id: string }) => user.id !== before.id)

  await call(`PATCH /users/${others[0].id}`, { name: 'Another' })

  expect((await call('GET /me')).body).toEqual(before)
})

it('logs in who has registered, as in the descriptions of UITGo, AirFleet, Flakey, Hostenia and Finpay', async () => {
  const refusals = { 401: { description: 'wrong' }, 409: { description: 'taken' } }
  const sent = takes(object({ email: 'string', password: 'string', name: 'string' }))
  const as = (status: number, schema: JsonObject): JsonObject => ({
    ...sent,
    security: [],
    responses: { [status]: { description: 'ok', content: { 'application/json': { schema } } }, ...refusals },
  })
  const described = people('/users/me')
  const paths = described.paths as JsonObject
  const user = object({ id: 'string', name: 'string', email: 'string' })
  const profile = object({ email: 'string', name: 'string', phone: 'string' })
  const call = await simulation.of({
    ...described,
    paths: {
      ...paths,
      '/users': { ...(paths['/users'] as JsonObject), post: as(201, user) },
      '/auth/login': { post: as(200, object({ token: 'string', user })) },
      '/auth/refresh': {
        post: {
          ...takes(object({ refresh: 'string' })),
          security: [],
          responses: { ...(answers(object({ access: 'string' })).responses as object), ...refusals },
        },
      },
      '/profile': { get: answers(profile), patch: { ...takes(profile), ...answers(profile) } },
    },
    components: { schemas: { User: user }, securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })
  const ada = { email: 'ada@example.com', password: 'correct horse', name: 'Ada' }
  const open = { authorization: '' }
  const logIn = (password: string, email = ada.email) => call('POST /auth/login', { email, password }, open)

  const made = await call('POST /users', ada, open)
  const again = await call('POST /users', { ...ada, email: 'Ada@example.com' }, open)
  const wrong = [await logIn('battery'), await logIn('correct horse', 'bob@example.com')]
  const { status, body } = await logIn('correct horse')
  const refreshed = await call('POST /auth/refresh', { refresh: body.token }, open)
  const refused = await call('POST /auth/refresh', { refresh: 'nonsense' }, open)
  const bearer = { authorization: `Bearer ${body.token}` }
  await call('PATCH /profile', { phone: '030' }, bearer)

  expect([made.status, again.status, ...wrong.map((answer) => answer.status), status]).toEqual([
    201, 409, 401, 401, 200,
  ])
  expect(wrong[0]?.body).toMatchObject({ error: { message: expect.stringContaining('the key of this simulation') } })
  expect([refreshed.body, refused.status]).toEqual([{ access: body.token }, 401])
  expect(body.user).toMatchObject({ id: made.body.id, name: 'Ada', email: 'ada@example.com' })
  expect((await call('GET /users/me', undefined, bearer)).body).toEqual(made.body)
  expect((await call('GET /profile', undefined, bearer)).body).toEqual({ email: ada.email, name: 'Ada', phone: '030' })
  expect((await call('GET /users/me', undefined, { authorization: `Bearer ${body.token}x` })).status).toBe(401)
  expect((await logIn(call.key)).body.token).toBe(call.key)
})

it('shows whose token it refreshes, and refuses a taken name with the status whose text says so, as FastAPI and NestJS do', async () => {
  const user = object({ id: 'string', email: 'string', name: 'string' })
  const token = { ...answers(object({ accessToken: 'string', user })), security: [] }
  const taken = { 400: { description: 'Email already registered' }, 422: { description: 'Validation Error' } }
  const described = people('/users/me')
  const call = await simulation.of({
    ...described,
    paths: {
      ...(described.paths as JsonObject),
      '/auth/register': {
        post: {
          ...takes(object({ email: 'string', password: 'string', name: 'string' })),
          responses: { ...(answers(user).responses as object), ...taken },
          security: [],
        },
      },
      '/auth/login': { post: { ...takes(object({ email: 'string', password: 'string' })), ...token } },
      '/auth/refresh': { post: { ...takes(object({ refreshToken: 'string' })), ...token } },
    },
    components: { schemas: { User: user }, securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })
  const open = { authorization: '' }
  const ada = { email: 'ada@example.com', password: 'correct horse', name: 'Ada' }

  await call('POST /auth/register', ada, open)
  const again = await call('POST /auth/register', ada, open)
  const { accessToken, user: own } = (await call('POST /auth/login', ada, open)).body
  const refreshed = await call('POST /auth/refresh', { refreshToken: accessToken }, open)

  expect([again.status, own.name]).toEqual([400, 'Ada'])
  expect(refreshed.body).toEqual({ accessToken, user: own })
})

it('registers a user of the singular path, whose password another path changes, as GiftSync has it, by usernameOrEmail', async () => {
  const user = object({ id: 'string', email: 'string', name: 'string' }, { required: ['id', 'email', 'name'] })
  // `usernameOrEmail` of EZAPI and react-base, `emailOrSceneName` of WitchCityRope.
  const credentials = object({ usernameOrEmail: 'string', password: 'string' })
  const done = object({ message: 'string' })
  const refuses = { 403: { description: '' }, 404: { description: '' } }
  const call = await simulation.of(
    describeApi({
      '/user/{userId}': { parameters: [inPath('userId')], get: answers(user) },
      '/user/{userId}/edit-password': {
        parameters: [inPath('userId')],
        patch: { ...takes(object({ oldPassword: 'string', password: 'string' })), ...answers(done) },
      },
      '/auth/signup': {
        post: {
          ...takes(object({ email: 'string', password: 'string', name: 'string' })),
          ...answers(user),
          security: [],
        },
      },
      '/auth/signin': { post: { ...takes(credentials), ...answers(object({ accessToken: 'string' })), security: [] } },
      '/auth/refresh-token': {
        post: {
          ...takes(object({ refreshToken: 'string' })),
          responses: { ...(answers(object({ accessToken: 'string' })).responses as object), ...refuses },
          security: [],
        },
      },
    }),
  )
  const ada = { email: 'ada@example.com', password: 'correct horse' }

  const made = await call('POST /auth/signup', { ...ada, name: 'Ada' })
  const logIn = (password: string) => call('POST /auth/signin', { usernameOrEmail: ada.email, password })
  const { accessToken } = (await logIn(ada.password)).body
  const bearer = { authorization: `Bearer ${accessToken}` }
  const change = { oldPassword: ada.password, password: 'battery' }
  const changed = await call(`PATCH /user/${made.body.id}/edit-password`, change, bearer)
  const again = [await logIn('battery'), await logIn(ada.password)]
  const refused = await call('POST /auth/refresh-token', { refreshToken: 'nonsense' })

  expect((await call(`GET /user/${made.body.id}`)).body).toEqual(made.body)
  expect([changed, ...again, refused].map(({ status }) => status)).toEqual([200, 200, 401, 403])
})

it('makes the user of a registration that answers with tokens alone, and refuses also where no refusal is declared', async () => {
  const data = object({ email: 'string', name: 'string' })
  const required = ['accessToken', 'tokenType', 'data']
  const shown = object({ accessToken: 'string', tokenType: 'string', data }, { required })
  const token = { ...answers(shown), security: [] }
  const described = people('/users/me')
  const call = await simulation.of({
    ...described,
    paths: {
      ...(described.paths as JsonObject),
      '/auth/register': {
        post: { ...takes(object({ email: 'string', password: 'string', name: 'string' })), ...token },
      },
      '/auth/login': { post: { ...takes(object({ email: 'string', password: 'string' })), ...token } },
    },
    components: {
      ...(described.components as JsonObject),
      securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } },
    },
    security: [{ jwt: [] }],
  })
  const open = { authorization: '' }
  const ada = { email: 'ada@example.com', password: 'correct horse' }

  await call('POST /auth/register', { ...ada, name: 'Ada' }, open)
  const taken = await call('POST /auth/register', { ...ada, name: 'Bob' }, open)
  const wrong = await call('POST /auth/login', { ...ada, password: 'wrong' }, open)
  const { accessToken, tokenType, data: user } = (await call('POST /auth/login', ada, open)).body
  const bearer = { authorization: `Bearer ${accessToken}` }
  await call('PATCH /users/me', { bio: 'Counts.' }, bearer)

  const me = (await call('GET /users/me', undefined, bearer)).body
  expect([taken.status, wrong.status, tokenType, user.name]).toEqual([409, 401, 'Bearer', 'Ada'])
  expect(me).toMatchObject({ name: 'Ada', bio: 'Counts.' })
  expect((await call('GET /users')).body).toContainEqual(me)
})

it('logs in without a key where the whole API needs one, as in the descriptions of BidForge, BRK and HotelManagement', async () => {
  const user = object({ id: 'integer', email: 'string', name: 'string' })
  const sent = takes(object({ email: 'string', password: 'string', name: 'string' }))
  const call = await simulation.of({
    ...describeApi({
      '/auth/register': { post: { ...sent, ...answers(object({ message: 'string', user })) } },
      '/auth/login': { post: { ...sent, ...answers(object({ accessToken: 'string' })) } },
      '/users': { get: answers(list(user)), post: { ...sent, ...answers(user) } },
      '/users/{id}': { ...id, get: answers(user) },
    }),
    components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })
  const open = { authorization: '' }
  const ada = { email: 'ada@example.com', password: 'correct horse', name: 'Ada' }
  const bob = { email: 'bob@example.com', password: 'battery', name: 'Bob' }

  const registered = (await call('POST /auth/register', ada, open)).body.user
  const made = await call('POST /users', bob)
  const wrong = await call('POST /auth/login', { ...ada, password: 'wrong' }, open)
  const tokens = [await call('POST /auth/login', ada, open), await call('POST /auth/login', bob, open)]
  const read = await Promise.all(
    tokens.map(({ body }) =>
      call(`GET /users/${registered.id}`, undefined, { authorization: `Bearer ${body.accessToken}` }),
    ),
  )

  expect([made.body.name, wrong.status, (await call('GET /users', undefined, open)).status]).toEqual(['Bob', 401, 401])
  expect(read.map(({ body }) => body)).toEqual([registered, registered])
  expect(registered).toMatchObject({ email: 'ada@example.com', name: 'Ada' })
})

it('refuses passwords that differ, and lets an administrator register, as VendorMS, DocTrack, shop-api and Procurex do', async () => {
  const user = object({ id: 'integer', username: 'string' })
  const sent = (again: string) => takes(object({ username: 'string', password: 'string', [again]: 'string' }))
  const call = await simulation.of({
    ...describeApi({
      '/register': { post: { ...sent('password2'), ...answers(user) } },
      '/signup': { post: { ...sent('password_confirmation'), ...answers(user), security: [] } },
      '/login': { post: { ...sent('device'), ...answers(object({ token: 'string' })), security: [] } },
      '/users': { get: answers(list(user)) },
    }),
    components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })
  const ada = { username: 'ada', password: 'correct horse' }

  const differing = await Promise.all([
    call('POST /register', { ...ada, password2: 'battery' }),
    call('POST /signup', { ...ada, password_confirmation: 'battery' }, { authorization: '' }),
  ])
  const registered = await call('POST /register', { ...ada, password2: 'correct horse' })
  const { token } = (await call('POST /login', ada, { authorization: '' })).body

  const own = { authorization: `Bearer ${token}` }
  expect(differing.map(({ status }) => status)).toEqual([422, 422])
  expect((await call('GET /users', undefined, own)).body).toContainEqual(registered.body)
})

it('shows the time of a registration in a user whom nothing else shows', async () => {
  const user = object({ id: 'integer', email: 'string', createdAt: { type: 'string', format: 'date-time' } })
  const sent = takes(object({ email: 'string', password: 'string' }))
  const spec = {
    ...describeApi({
      '/auth/signup': { post: { ...sent, ...answers(object({ accessToken: 'string', user })), security: [] } },
      '/auth/profile': { get: answers(user) },
    }),
    components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  }
  await using api = await createSimulation({ spec }, { epoch: '2027-03-01T08:00:00Z' })
  const body = JSON.stringify({ email: 'ada@example.com', password: 'correct horse' })

  const signedUp = await fetch(`${api.url}/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

  const { accessToken, user: made } = (await signedUp.json()) as { accessToken: string; user: { createdAt: string } }
  const profile = await fetch(`${api.url}/auth/profile`, { headers: { authorization: `Bearer ${accessToken}` } })
  expect(made.createdAt).toMatch(/^2027-03-01T/)
  expect(await profile.json()).toEqual(made)
})

it('names who made a record, as Conduit, Homebox, Fitlog and the auctions of BidForge do, and takes only tokens that it gave', async () => {
  const user = object({ id: 'integer', username: 'string', email: 'string' })
  const sent = takes(object({ username: 'string', email: 'string', password: 'string' }))
  const author = object({ username: 'string', following: 'boolean' })
  const post = object({ id: 'integer', title: 'string', createdBy: 'integer', sellerUsername: 'string', author })
  const tokens = object({ accessToken: 'string', refreshToken: 'string' })
  const call = await simulation.of({
    ...describeApi({
      '/register': { post: { ...sent, ...answers(user), security: [] } },
      '/login': { post: { ...sent, ...answers(tokens), security: [] } },
      '/refresh': { post: { ...takes(object({ refreshToken: 'string' })), ...answers(tokens), security: [] } },
      '/posts': { get: answers(list(post)), post: { ...takes(object({ title: 'string' })), ...answers(post) } },
      '/posts/{id}': { ...id, get: answers(post) },
    }),
    components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })
  const ada = { username: 'ada', email: 'ada@example.com', password: 'correct horse' }

  const registered = (await call('POST /register', ada, { authorization: '' })).body
  const { accessToken, refreshToken } = (await call('POST /login', ada, { authorization: '' })).body
  const made = (await call('POST /posts', { title: 'Engines' }, { authorization: `Bearer ${accessToken}` })).body
  const refreshed = [refreshToken, 'made up'].map((one) => call('POST /refresh', { refreshToken: one }))

  expect((await call(`GET /posts/${made.id}`)).body).toMatchObject({
    createdBy: registered.id,
    sellerUsername: 'ada',
    author: { username: 'ada' },
  })
  expect((await Promise.all(refreshed)).map(({ status }) => status)).toEqual([200, 401])
})

it('logs in by the form of a password flow who signed up, as in the FastAPI of lambda-gency, Mealie and the full-stack template', async () => {
  const user = object({ id: 'string', email: 'string', full_name: 'string' })
  const form = object({ grant_type: 'string', username: 'string', password: 'string' })
  const described = describeApi({
    '/login/access-token': {
      post: {
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: form } } },
        ...answers(object({ access_token: 'string', token_type: 'string' })),
      },
    },
    '/users/signup': {
      post: { ...takes(object({ email: 'string', password: 'string', full_name: 'string' })), ...answers(user) },
    },
    '/users/me': { get: { ...answers(user), security: [{ login: [] }] } },
    '/users/{id}': { ...id, get: { ...answers(user), security: [{ login: [] }] } },
    '/users': { get: { ...answers(list(user)), security: [{ login: [] }] } },
  })
  const flows = { password: { tokenUrl: '/login/access-token', scopes: {} } }
  const call = await simulation.of({
    ...described,
    components: { securitySchemes: { login: { type: 'oauth2', flows } } },
  })
  const ada = { email: 'ada@example.com', password: 'correct horse', full_name: 'Ada' }
  const logIn = (password: string) =>
    call('POST /login/access-token', new URLSearchParams({ username: ada.email, password }).toString(), {
      authorization: '',
      'content-type': 'application/x-www-form-urlencoded',
    })

  const registered = (await call('POST /users/signup', ada, { authorization: '' })).body
  const taken = await call('POST /users/signup', ada, { authorization: '' })
  const [wrong, right] = [await logIn('wrong'), await logIn(ada.password)]

  const bearer = { authorization: `Bearer ${right.body.access_token}` }
  expect([taken.status, wrong.status]).toEqual([409, 401])
  expect((await call('GET /users/me', undefined, bearer)).body).toEqual(registered)
})

it('logs in by each name of a registration, with the new password, until the user is deleted', async () => {
  // RealWorld's Conduit (username and e-mail, PUT /user), Directus and Hostenia (change of a password).
  const open = { authorization: '' }
  const refusals = { 401: { description: 'wrong' }, 409: { description: 'taken' } }
  const user = object({ id: 'string', username: 'string', email: 'string' })
  const sends = (fields: Record<string, string>, shown: JsonObject) => {
    const answer = answers(shown).responses as object
    return { ...takes(object(fields as never)), responses: { ...answer, ...refusals } }
  }
  const named = { username: 'string', email: 'string', password: 'string' }
  const described = people('/users/me')
  const paths = described.paths as JsonObject
  const call = await simulation.of({
    ...described,
    paths: {
      ...paths,
      '/users': { ...(paths['/users'] as JsonObject), post: { ...sends(named, user), security: [] } },
      '/users/{id}': { ...id, get: answers(user), delete: { responses: { 204: { description: 'gone' } } } },
      '/users/me': { get: answers(user), patch: sends(named, user) },
      '/auth/login': {
        post: { ...sends({ email: 'string', password: 'string' }, object({ token: 'string', user })), security: [] },
      },
    },
    components: { schemas: { User: user }, securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })
  const logIn = (password: string, email = 'ada@example.com') => call('POST /auth/login', { email, password }, open)
  const ada = { username: 'ada', email: 'ada@example.com', password: 'first' }

  const made = await call('POST /users', ada, open)
  const again = await call('POST /users', { ...ada, username: 'other' }, open)
  const first = await logIn('first')
  const bearer = { authorization: `Bearer ${first.body.token}` }
  await call('PATCH /users/me', { email: 'ada@new.org', password: 'second' }, bearer)
  const [old, second] = [await logIn('first', 'ada@new.org'), await logIn('second', 'ada@new.org')]
  await call(`DELETE /users/${made.body.id}`, undefined, bearer)
  const gone = [await logIn('second'), await call('GET /users/me', undefined, bearer)]
  const anew = await call('POST /users', ada, open)

  expect([made, again, first, old, second, ...gone, anew].map(({ status }) => status)).toEqual([
    200, 409, 200, 401, 200, 401, 401, 200,
  ])
  expect(second.body.user).toEqual({ id: made.body.id, username: 'ada', email: 'ada@new.org' })
})

it('takes the key from the header that most operations declare, where the description has no schemes', async () => {
  const header = (name: string): JsonObject => ({
    parameters: [{ in: 'header', name, required: true, schema: { type: 'string' } }],
  })
  const message = object({ id: 'string', subject: 'string' })
  const call = await simulation.of(
    describeApi({
      '/messages': {
        get: { ...header('X-Acme-Server-Token'), ...answers(list(message)) },
        post: { ...header('X-Acme-Server-Token'), ...takes(message), ...answers(message) },
      },
    }),
  )

  expect((await call('GET /messages', undefined, { 'x-acme-server-token': 'any' })).status).toBe(200)

  const refused = await call('GET /messages', undefined, { authorization: '', 'x-acme-server-token': 'no key' })
  expect(refused.status).toBe(401)
  expect(refused.body.error.message).toContain('the header `X-Acme-Server-Token: <key>`')

  const taken = await call('GET /messages', undefined, { authorization: '', 'x-acme-server-token': call.key })
  expect(taken.status).toBe(200)
})

it('lists below /me the tasks of the assignee who asks', async () => {
  const user = object({ id: 'string', email: 'string' })
  const sent = takes(object({ email: 'string', password: 'string' }))
  const task = object({ id: 'string', title: 'string', assigneeId: 'string' })
  const call = await simulation.of({
    ...describeApi({
      '/signup': { post: { ...sent, ...answers(object({ token: 'string', user })), security: [] } },
      '/users': { get: answers(list(user)) },
      '/users/{id}': { ...id, get: answers(user) },
      '/tasks': { get: answers(list(task)), post: { ...takes(task), ...answers(task) } },
      '/tasks/{id}': { ...id, get: answers(task) },
      '/me/tasks': { get: answers(list(task)) },
    }),
    components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })
  const ada = { email: 'ada@example.com', password: 'correct horse' }
  const { token, user: me } = (await call('POST /signup', ada, { authorization: '' })).body

  const mine = (await call('POST /tasks', { title: 'Mine', assigneeId: me.id })).body
  await call('POST /tasks', { title: 'Free' })

  expect((await call('GET /me/tasks', undefined, { authorization: `Bearer ${token}` })).body).toEqual([mine])
})

it('requires the token by which a public operation confirms or resets', async () => {
  const token = { in: 'query', name: 'token', required: true, schema: { type: 'string' } }
  const reset = object({ token: 'string', password: 'string' }, { required: ['token', 'password'] })
  // Slack's way: a header may have the key in place of the form.
  const form = only('application/x-www-form-urlencoded', object({ token: 'string' }, { required: ['token'] }))
  const call = await simulation.of({
    ...describeApi({
      '/auth/verify-email': { get: { ...answers(object({ ok: 'boolean' })), parameters: [token], security: [] } },
      '/auth/reset-password': { post: { ...takes(reset), ...answers(object({ ok: 'boolean' })), security: [] } },
      '/auth.test': { post: { requestBody: { required: true, ...form }, ...answers(object({ ok: 'boolean' })) } },
    }),
    components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
    security: [{ jwt: [] }],
  })

  const answered = [
    await call('GET /auth/verify-email'),
    await call('POST /auth/reset-password', { password: 'battery' }),
    await call('GET /auth/verify-email?token=x'),
    await call('POST /auth/reset-password', { token: 'x', password: 'battery' }),
    await call('POST /auth.test'),
  ]

  expect(answered.map(({ status }) => status)).toEqual([400, 400, 200, 200, 200])
})

it('lists below /me a project that was made without members', async () => {
  const user = object({ id: 'string', email: 'string' })
  const sent = takes(object({ email: 'string', password: 'string' }))
  const project = object({ id: 'string', title: 'string', memberIds: list({ type: 'string' }) })
  const call = await simulation.of(
    {
      ...describeApi({
        '/signup': { post: { ...sent, ...answers(object({ token: 'string', user })), security: [] } },
        '/users': { get: answers(list(user)) },
        '/users/{id}': { ...id, get: answers(user) },
        '/projects': {
          get: answers(list(project)),
          post: { ...takes(object({ title: 'string' })), ...answers(project) },
        },
        '/projects/{id}': { ...id, get: answers(project) },
        '/me/projects': { get: answers(list(project)) },
      }),
      components: { securitySchemes: { jwt: { type: 'http', scheme: 'bearer' } } },
      security: [{ jwt: [] }],
    },
    { projects: 0 },
  )
  const ada = { email: 'ada@example.com', password: 'correct horse' }
  const { token } = (await call('POST /signup', ada, { authorization: '' })).body
  const asAda = { authorization: `Bearer ${token}` }

  const made = (await call('POST /projects', { title: 'Mine' }, asAda)).body

  expect((await call('GET /me/projects', undefined, asAda)).body).toEqual([made])
})
