import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { readDescription } from '../../../src/service/openapi/read-description.ts'
import { answers, by, describeApi, inPath, inQuery, list, object, only, takes } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, oneOf, TEXT } from './resource.ts'

// What generators of frameworks write: springdoc, drf-spectacular, @hono/zod-openapi, Scramble of Laravel.

const simulation = simulations()
const integer = { type: 'integer' }

it('keeps the reason of a cancellation apart from that of the appointment', async () => {
  const fields = { reason: TEXT, status: oneOf('BOOKED', 'CANCELLED'), cancellationReason: TEXT }
  const actions = { 'POST /cancel': { sent: { reason: TEXT } } }
  const call = await simulation.of(describeResources({ appointments: { fields, sent: { reason: TEXT }, actions } }))
  const { id } = (await call('POST /appointments', { reason: 'Cough' })).body

  const { body } = await call(`POST /appointments/${id}/cancel`, { reason: 'Ill' })

  expect(body).toMatchObject({ reason: 'Cough', status: 'CANCELLED', cancellationReason: 'Ill' })
})

it('keeps the end of a freeze in the field that is named after its participle', async () => {
  const fields = { status: oneOf('active', 'frozen'), frozen_until: { type: ['string', 'null'], format: 'date' } }
  const actions = { 'POST /freeze': { sent: { until: { type: 'string', format: 'date' } } } }
  const call = await simulation.of(describeResources({ memberships: { fields, sent: {}, actions } }))
  const { id } = (await call('POST /memberships', {})).body

  const { body } = await call(`POST /memberships/${id}/freeze`, { until: '2027-03-01' })

  expect(body).toMatchObject({ status: 'frozen', frozen_until: '2027-03-01' })
})

it('shows facts of the record that a new one names', async () => {
  const call = await simulation.of(
    describeResources({
      courses: { fields: { title: TEXT } },
      students: { fields: { first_name: TEXT, last_name: TEXT } },
      enrollments: {
        fields: { course_id: TEXT, course_title: TEXT, student_id: TEXT, student_name: TEXT },
        sent: { course_id: TEXT, student_id: TEXT },
      },
    }),
  )
  const course_id = (await call('POST /courses', { title: 'Rust' })).body.id
  const student_id = (await call('POST /students', { first_name: 'Ada', last_name: 'Lovelace' })).body.id

  const { body } = await call('POST /enrollments', { course_id, student_id })

  expect(body).toMatchObject({ course_title: 'Rust', student_name: 'Ada Lovelace' })
})

it('changes the full name with its parts', async () => {
  const fields = { first_name: TEXT, last_name: TEXT, full_name: TEXT }
  const sent = { first_name: TEXT, last_name: TEXT }
  const call = await simulation.of(describeResources({ donors: { fields, sent, actions: { 'PATCH ': { sent } } } }))
  const made = (await call('POST /donors', { first_name: 'Ada', last_name: 'Byron' })).body

  const changed = (await call(`PATCH /donors/${made.id}`, { last_name: 'King' })).body

  expect([made.full_name, changed.full_name]).toEqual(['Ada Byron', 'Ada King'])
})

it('embeds the record that an action assigns', async () => {
  const contractor = { type: 'object', properties: { id: TEXT, name: TEXT, trade: TEXT }, required: ['id', 'name'] }
  const call = await simulation.of(
    describeResources({
      contractors: { fields: { name: TEXT, trade: TEXT } },
      repairs: {
        fields: { title: TEXT, contractor: { anyOf: [contractor, { type: 'null' }] } },
        sent: { title: TEXT },
        actions: { 'POST /assign': { sent: { contractor_id: TEXT } } },
      },
    }),
  )
  const { id } = (await call('POST /contractors', { name: 'Bob', trade: 'roofs' })).body
  const repair = (await call('POST /repairs', { title: 'Leak' })).body

  const { body } = await call(`POST /repairs/${repair.id}/assign`, { contractor_id: id })

  expect(body.contractor).toEqual({ id, name: 'Bob', trade: 'roofs' })
})

it('refuses by the sentence in the example of a message', async () => {
  const fields = { status: oneOf('pending', 'active', 'terminated') }
  const described = describeResources({ leases: { fields, sent: {}, actions: { 'POST /terminate': {} } } })
  const message = { type: 'string', example: 'Only active leases can be terminated.' }
  const conflict = { description: 'An error', ...only('application/json', object({ message })) }
  const paths = described.paths as Record<string, { post: { responses: JsonObject } }>
  if (paths['/leases/{id}/terminate']) paths['/leases/{id}/terminate'].post.responses[409] = conflict
  const call = await simulation.of(described)
  const { id } = (await call('POST /leases', {})).body

  const { status } = await call(`POST /leases/${id}/terminate`)

  expect(status).toBe(409)
})

it('counts what is made below a record, which no field of it names', async () => {
  const property = object({ id: integer, title: 'string', photos_count: integer })
  const photo = object({ id: integer, caption: 'string' })
  const call = await simulation.of(
    describeApi({
      '/properties': {
        get: answers(list(property)),
        post: { ...takes(object({ title: 'string' })), ...answers(property) },
      },
      '/properties/{id}': { ...inPath('id'), get: answers(property) },
      '/properties/{id}/photos': {
        ...inPath('id'),
        get: answers(list(photo)),
        post: { ...takes(object({ caption: 'string' })), ...answers(photo) },
      },
      '/properties/{id}/photos/{photo}': {
        ...inPath('id', 'photo'),
        delete: { responses: { 204: { description: '' } } },
      },
    }),
  )
  const { id } = (await call('POST /properties', { title: 'Loft' })).body
  const count = async () => (await call(`GET /properties/${id}`)).body.photos_count

  const photos = [await call(`POST /properties/${id}/photos`, {}), await call(`POST /properties/${id}/photos`, {})]
  const before = await count()
  await call(`DELETE /properties/${id}/photos/${photos[0]?.body.id}`)

  expect([before, await count()]).toEqual([2, 1])
})

it("writes the buttons and the path of Laravel's paginator", async () => {
  const text = { type: ['string', 'null'] }
  const meta = object({
    ...{ current_page: integer, from: integer, to: integer, last_page: integer, per_page: integer, total: integer },
    ...{ path: text, links: list(object({ url: text, label: 'string', active: 'boolean' })) },
  })
  const tenant = object({ id: integer, name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/tenants': {
        get: {
          parameters: [inQuery('page', integer), inQuery('per_page', integer)],
          ...answers(object({ data: list(tenant), meta }, { required: ['data', 'meta'] })),
        },
        post: { ...takes(object({ name: 'string' })), ...answers(tenant) },
      },
    }),
    { tenants: 3 },
  )

  const { body } = await call('GET /tenants?per_page=2&page=2')

  const { path, links } = body.meta
  expect(path).toMatch(/^http:[^?]*\/tenants$/)
  expect(links.map(({ label }: JsonObject) => label)).toEqual(['&laquo; Previous', '1', '2', 'Next &raquo;'])
  expect(links.map(({ active }: JsonObject) => active)).toEqual([false, false, true, false])
  expect(links[1].url).toContain('page=1')
  expect(links[3].url).toBeNull()
})

it('shows no write-only field of a registration', async () => {
  const password = { type: 'string', writeOnly: true }
  const user = object({ username: 'string', email: 'string', password })
  const call = await simulation.of(describeApi({ '/auth/register': { post: { ...takes(user), ...answers(user) } } }))

  const { body } = await call('POST /auth/register', {
    username: 'neo',
    email: 'neo@example.com',
    password: 'secret12',
  })

  expect(body).toEqual({ username: 'neo', email: 'neo@example.com' })
})

it('refuses in the own form of a description of Django REST framework that declares it for most operations', async () => {
  const fault = object({ errors: list(object({ code: 'string', detail: 'string' })) }, { required: ['errors'] })
  const refused = { 400: { description: 'no', content: { 'application/json': { schema: fault } } } }
  const book = object({ id: 'integer', title: 'string' })
  const { responses } = answers(book)
  const shown = { responses: { ...(responses as object), ...refused } }
  const call = await simulation.of(
    describeApi({
      '/books/': { post: { operationId: 'books_create', ...takes(book), ...shown } },
      '/books/{id}/': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: integer }],
        get: { operationId: 'books_retrieve', ...answers(book) },
        patch: { operationId: 'books_partial_update', ...takes(book), ...shown },
      },
    }),
  )

  expect(await call('GET /books/999999/')).toMatchObject({ status: 404, body: { errors: expect.anything() } })
})

it('refuses as Django REST framework does, whose generators declare no refusals (NetBox, NeoCafe, Library Management)', async () => {
  const branch = object({ id: { ...integer, readOnly: true }, name: 'string' }, { required: ['id', 'name'] })
  const employee = object(
    { id: { ...integer, readOnly: true }, username: 'string', password: { ...TEXT, writeOnly: true }, branch: integer },
    { required: ['id', 'username', 'password'] },
  )
  const each = (name: string, schema: JsonObject) => ({
    [`/${name}/`]: {
      get: { operationId: `${name}_list`, ...answers(list(schema)) },
      post: { operationId: `${name}_create`, ...takes(schema), ...answers(schema) },
    },
    [`/${name}/{id}/`]: {
      parameters: [{ in: 'path', name: 'id', required: true, schema: integer }],
      get: { operationId: `${name}_retrieve`, ...answers(schema) },
      patch: { operationId: `${name}_partial_update`, ...takes({ ...schema, required: [] }), ...answers(schema) },
    },
  })
  const login = object({ username: 'string', password: 'string', token: { ...TEXT, readOnly: true } })
  const call = await simulation.of(
    describeApi({
      ...each('branch', branch),
      ...each('employees', employee),
      '/login/': { post: { operationId: 'login_create', ...takes(login), ...answers(login) } },
    }),
  )
  const sent = { username: 'ada', password: 'secret12' }
  const made = await call('POST /employees/', sent)

  const refusals = [
    await call('POST /branch/', {}),
    await call('POST /employees/', { ...sent, username: 'bob', branch: 999 }),
    await call('POST /employees/', sent),
    await call('GET /branch/999/'),
    await call(`PATCH /employees/${made.body.id}/`, { branch: 'x' }),
  ]

  expect(refusals.map(({ status, body }) => [status, Object.keys(body)])).toEqual([
    [400, ['name']],
    [400, ['branch']],
    [400, ['username']],
    [404, ['detail']],
    [400, ['branch']],
  ])
  expect(refusals[0]?.body.name).toEqual(['Expected `name` to be present, got nothing.'])
})

it('refuses as Laravel does, whose generator Scribe declares no refusals (invent-mag, Relay, a multi-vendor shop)', async () => {
  const unauthenticated = { type: 'object', properties: { message: { ...TEXT, example: 'Unauthenticated.' } } }
  const noKey = { 401: { description: '', content: { 'application/json': { schema: unauthenticated } } } }
  const category = object({ name: 'string' }, { required: ['name'] })
  const call = await simulation.of(
    describeApi({
      '/categories': { get: { responses: noKey }, post: { ...takes(category), responses: {} } },
      '/categories/{id}': {
        parameters: [inPath('id')],
        get: { responses: noKey },
        put: { ...takes(category), responses: {} },
        delete: { responses: { 204: { description: '' } } },
      },
    }),
  )

  const refusals = [await call('POST /categories', {}), await call('GET /categories/999')]

  const errors = { name: ['Expected `name` to be present, got nothing.'] }
  expect(refusals).toMatchObject([
    { status: 422, body: { message: expect.any(String), errors } },
    { status: 404, body: { message: expect.any(String) } },
  ])
  expect(await call('POST /categories', { name: 'Tools' })).toMatchObject({ body: { name: 'Tools' } })
})

it('writes an undeclared refusal in the form that most operations repeat', async () => {
  // As Litestar does (litestar-fullstack), and zod-openapi without components.
  const fault = object({ detail: 'string', status_code: integer }, { required: ['detail', 'status_code'] })
  const team = object({ id: 'string', name: 'string' }, { required: ['name'] })
  const refusing = (status: number) => ({
    responses: {
      ...(answers(team).responses as object),
      [status]: {
        description: `Refused by ${status}`,
        ...only('application/json', { ...fault, description: `${status}` }),
      },
    },
  })
  const call = await simulation.of(
    describeApi({
      '/teams': { get: answers(list(team)), post: { ...takes(team), ...refusing(400) } },
      '/teams/{id}': { ...inPath('id'), get: refusing(400), put: { ...takes(team), ...refusing(409) } },
    }),
  )

  const { status, body } = await call('GET /teams/none')

  expect([status, body]).toEqual([404, { detail: expect.stringContaining('none'), status_code: 404 }])
})

it("keeps FastAPI's 422 for its validation, and logs in whom POST /users made (FlashNotes, Atlas Finance, MultiPOS)", async () => {
  const fault = object({ loc: list({ anyOf: [TEXT, integer] }), msg: 'string', type: 'string' })
  const invalid = { 422: { description: 'Validation Error', ...only('application/json', by('HTTPValidationError')) } }
  const shows = (schema: JsonObject) => ({ responses: { ...(answers(schema).responses as object), ...invalid } })
  const account = object({ id: integer, bank_id: integer })
  const form = object({ username: 'string', password: 'string' }, { required: ['username', 'password'] })
  const user = object({ id: { type: 'string', format: 'uuid' }, email: 'string' })
  const call = await simulation.of(
    describeApi(
      {
        '/token': {
          post: { ...shows({}), requestBody: only('application/x-www-form-urlencoded', form), security: [] },
        },
        '/users': {
          post: { ...takes(object({ email: 'string', password: 'string' })), ...shows(user), security: [] },
        },
        '/users/me': { get: answers(user) },
        '/banks': { get: answers(list(object({ id: integer, name: 'string' }))) },
        '/users/{user_id}': {
          parameters: [{ in: 'path', name: 'user_id', required: true, schema: { type: 'string', format: 'uuid' } }],
          get: { responses: { ...shows(user).responses, 400: { description: 'Bad Request' } } },
        },
        '/accounts': { get: answers(list(account)), post: { ...takes(account), ...shows(account) } },
      },
      {
        components: {
          schemas: { HTTPValidationError: object({ detail: list(fault) }) },
          securitySchemes: { login: { type: 'oauth2', flows: { password: { tokenUrl: 'token', scopes: {} } } } },
        },
        security: [{ login: [] }],
      },
    ),
  )
  const ada = { email: 'ada@example.com', password: 'secret12' }
  const login = (password: string) =>
    call('POST /token', `username=ada@example.com&password=${password}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
  const made = await call('POST /users', ada)

  const refusals = [
    await call('POST /users', ada),
    await login('wrong'),
    await call('POST /accounts', { bank_id: 999 }),
    await call('POST /users', 1),
    await call('GET /users/none'),
    await call('GET /users/00000000-0000-4000-8000-000000000000'),
  ]
  const token = (await login(ada.password)).body
  const me = await call('GET /users/me', undefined, { authorization: `Bearer ${token.access_token}` })

  expect(refusals.map(({ status }) => status)).toEqual([409, 401, 404, 422, 422, 404])
  expect(refusals[2]?.body.detail).toContain('`bank_id`')
  expect(token).toEqual({ access_token: expect.any(String), token_type: 'bearer' })
  expect(me.body).toEqual(made.body)
})

it('reads the verb of a generic view as what its method does (Library Management, Fashion-APIs, ABDULKARIM E-Commerce)', async () => {
  const book = object(
    { id: { ...integer, readOnly: true }, title: 'string', author: 'string' },
    { required: ['title'] },
  )
  const shows = answers(book)
  const id = { parameters: [{ name: 'id', in: 'path', required: true, schema: integer }] }
  const call = await simulation.of(
    describeApi({
      '/books/': { get: answers(list(book)) },
      '/books/create/': { post: { ...takes(book), ...shows } },
      '/books/{id}/detail/': { ...id, get: shows },
      '/books/{id}/update/': {
        ...id,
        get: shows,
        put: { ...takes(book), ...shows },
        patch: { ...takes(book), ...shows },
      },
      '/books/delete/{id}/': { ...id, get: shows, delete: { responses: { 204: { description: 'gone' } } } },
    }),
  )
  const made = (await call('POST /books/create/', { title: 'Emma', author: 'Austen' })).body

  const changed = await call(`PATCH /books/${made.id}/update/`, { title: 'Persuasion' })
  const shown = [
    await call(`GET /books/${made.id}/detail/`),
    await call(`GET /books/${made.id}/update/`),
    await call(`GET /books/delete/${made.id}/`),
  ]
  const gone = [await call(`DELETE /books/delete/${made.id}/`), await call(`GET /books/${made.id}/detail/`)]

  expect(changed.body).toEqual({ ...made, title: 'Persuasion' })
  expect(shown.map(({ body }) => body)).toEqual([changed.body, changed.body, changed.body])
  expect(gone.map(({ status }) => status)).toEqual([204, 404])
})

it('changes the own password only with the current one (Atlas Finance, litestar-fullstack, djoser)', async () => {
  const user = object({ id: integer, email: 'string' })
  const credentials = object({ email: 'string', password: 'string' }, { required: ['email', 'password'] })
  const change = object({ current_password: 'string', new_password: 'string' })
  const call = await simulation.of(
    describeApi({
      '/auth/register': { post: { ...takes(credentials), ...answers(user) } },
      '/auth/login': { post: { ...takes(credentials), ...answers(object({ token: 'string' })) } },
      '/auth/me': { get: answers(user), patch: { ...takes(change), ...answers(user) } },
      '/auth/me/password': { put: { ...takes(change), ...answers(object({ message: 'string' })) } },
    }),
  )
  const login = (password: string) => call('POST /auth/login', { email: 'ada@example.com', password })
  await call('POST /auth/register', { email: 'ada@example.com', password: 'first-1' })
  const headers = { authorization: `Bearer ${(await login('first-1')).body.token}` }
  const to = (current_password: string, new_password: string) =>
    call('PATCH /auth/me', { current_password, new_password }, headers)

  const answered = [
    await to('wrong-1', 'second-2'),
    await login('second-2'),
    await to('first-1', 'second-2'),
    await login('second-2'),
    await to('first-1', 'third-3'),
    await to('second-2', 'third-3'),
    await login('third-3'),
    await call('PUT /auth/me/password', { current_password: 'first-1', new_password: 'fourth-4' }, headers),
    await call('PUT /auth/me/password', { current_password: 'third-3', new_password: 'fourth-4' }, headers),
    await login('fourth-4'),
    await to(call.key, 'fifth-5'),
    await login('fifth-5'),
  ]

  expect(answered.map(({ status }) => status)).toEqual([400, 401, 200, 200, 400, 200, 200, 400, 200, 200, 200, 200])
})

it('guesses an action that refuses a status and sets none', () => {
  const status = { type: 'string', enum: ['draft', 'in_transit', 'counted'] }
  const transfer = object({ id: 'integer', status, weighed_at: { type: 'string', format: 'date-time' } })
  const refusing = (text: string) => ({
    responses: { ...(answers(by('Transfer')).responses as object), 409: { description: text } },
  })
  const description = describeApi(
    {
      '/transfers': {
        get: answers(list(by('Transfer'))),
        post: { ...takes(by('Transfer')), ...answers(by('Transfer')) },
      },
      '/transfers/{id}': { ...inPath('id'), get: answers(by('Transfer')) },
      '/transfers/{id}/ship': { ...inPath('id'), post: refusing('Only draft transfers can be shipped') },
      '/transfers/{id}/weigh': { ...inPath('id'), post: refusing('Only draft transfers can be weighed') },
    },
    { components: { schemas: { Transfer: transfer } } },
  )

  const { operations } = readDescription(description)

  expect(operations.slice(-2).map(({ effect, reason }) => [effect, reason.confidence])).toEqual([
    [expect.objectContaining({ toStatus: 'in_transit' }), 'likely'],
    [expect.objectContaining({ toStatus: undefined }), 'guess'],
  ])
})
