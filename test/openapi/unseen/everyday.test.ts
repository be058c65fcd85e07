import { expect, it } from 'vitest'
import { answers, describeApi, inPath, inQuery, list, modelOf, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

// Riviera (public and business orders), Twilio (messages of a service) and Spree (countries of a market).
it('lists the fields that only another path of the same records shows, in a list below that path too', async () => {
  const status = { orderNumber: 'string', status: 'string', createdAt: 'string' } as const
  const order = object({ ...status, id: 'integer', customer: 'string' })
  const lines = list(object({ productId: 'integer', quantity: 'integer' }))
  const call = await simulation.of(
    describeApi({
      '/public/orders': {
        post: { ...takes(object({ customer: 'string', items: lines })), ...answers(object(status)) },
      },
      '/public/orders/{orderNumber}': { ...inPath('orderNumber'), get: answers(object(status)) },
      '/staff/orders': { get: answers(list(order)) },
      '/staff/orders/active': { get: answers(list(order)) },
      '/staff/orders/{id}': { ...inPath('id'), get: answers(order) },
    }),
  )

  const made = (await call('POST /public/orders', { customer: 'Ada', items: [{ productId: 5, quantity: 2 }] })).body
  const [first] = (await call('GET /staff/orders')).body

  expect(first).toMatchObject({ orderNumber: made.orderNumber, customer: 'Ada', id: expect.any(Number) })
  expect((await call('GET /staff/orders/active')).body[0]).toEqual(first)
  expect((await call(`GET /staff/orders/${first.id}`)).body).toEqual(first)
})

// Medicine warehouse (`medicines` of orders), Riviera (`items`) and PayPal (`pricing_schemes` of plans).
it('makes one record of a body whose list has nothing in common with it', async () => {
  const order = object({ id: 'integer', total: 'integer', state: 'string' })
  const line = object({ id: 'integer', quantity: 'integer' })
  const call = await simulation.of(
    describeApi({
      '/orders': {
        get: answers(list(order)),
        post: { ...takes(object({ medicines: list(line) })), ...answers(order) },
      },
      '/orders/{id}': { ...inPath('id'), get: answers(order) },
    }),
    { orders: 0 },
  )

  const lines = [77, 78].map((id) => ({ id, quantity: 2 }))
  const made = (await call('POST /orders', { medicines: lines })).body

  expect(made.id).not.toBe(77)
  expect((await call('GET /orders')).body).toHaveLength(1)
})

it('filters by the key of a record within, and shows the name of one with a longer or a bare reference', async () => {
  const film = object({ movieId: 'integer', title: 'string' })
  const movie = { $ref: '#/components/schemas/Movie' }
  const seat = object({
    id: 'integer',
    roomZoneId: 'integer',
    zoneName: 'string',
    keeper: 'integer',
    keeper_name: 'string',
  })
  const named = object({ id: 'integer', name: 'string' })
  const sent = object({ movieId: 'integer' })
  const call = await simulation.of(
    describeApi(
      {
        '/movies': { get: answers(list(movie)) },
        '/movies/{movieId}': { ...inPath('movieId'), get: answers(movie) },
        '/sessions': {
          get: {
            parameters: [{ in: 'query', name: 'movieId', schema: { type: 'integer' } }],
            ...answers(list(object({ id: 'integer', movie }))),
          },
          post: { ...takes(sent), ...answers(object({ id: 'integer', movie })) },
        },
        '/sessions/{id}': { ...inPath('id'), get: answers(object({ id: 'integer', movie })) },
        '/zones': { get: answers(list(named)) },
        '/zones/{id}': { ...inPath('id'), get: answers(named) },
        '/keepers': { get: answers(list(named)) },
        '/keepers/{id}': { ...inPath('id'), get: answers(named) },
        '/seats': {
          get: answers(list(seat)),
          post: { ...takes(object({ roomZoneId: 'integer', keeper: 'integer' })), ...answers(seat) },
        },
        '/seats/{id}': {
          ...inPath('id'),
          get: answers(seat),
          patch: { ...takes(object({ keeper: 'integer' })), ...answers(seat) },
        },
      },
      { components: { schemas: { Movie: film } } },
    ),
    { sessions: 0 },
  )
  const [{ movieId }, other] = (await call('GET /movies')).body
  const [zone] = (await call('GET /zones')).body
  const [keeper, next] = (await call('GET /keepers')).body

  const session = (await call('POST /sessions', { movieId })).body
  await call('POST /sessions', { movieId: other.movieId })
  const seated = (await call('POST /seats', { roomZoneId: zone.id, keeper: keeper.id })).body
  const moved = (await call(`PATCH /seats/${seated.id}`, { keeper: next.id })).body

  expect((await call(`GET /sessions?movieId=${movieId}`)).body).toEqual([session])
  expect([seated.zoneName, seated.keeper_name, moved.keeper_name]).toEqual([zone.name, keeper.name, next.name])
})

// AirFleet (vehicles/me), 360Ghar (properties/me) and Spring Auction Engine (auctions/mine); Spree (customers/me/orders),
// BJJ Open Mat (users/me/checkins) and Supermercado (orders/my-orders).
it.each(['/cars/me', '/users/me/cars', '/cars/my-cars'])(
  'lists at %s for a user who logged in what that user made',
  async (path) => {
    const car = { $ref: '#/components/schemas/Car' }
    const Car = object({ id: 'integer', plate: 'string', user_id: 'integer' })
    const account = { ...takes(object({ email: 'string', password: 'string' })), security: [] }
    const call = await simulation.of(
      describeApi(
        {
          '/users': { post: { ...account, ...answers(object({ id: 'integer', email: 'string' })) } },
          '/users/{id}': { ...inPath('id'), get: answers(object({ id: 'integer', email: 'string' })) },
          '/login': { post: { ...account, ...answers(object({ token: 'string' })) } },
          '/cars': { get: answers(list(car)), post: { ...takes(object({ plate: 'string' })), ...answers(car) } },
          [path]: { get: answers(list(car)) },
          '/cars/{id}': { ...inPath('id'), get: answers(car) },
        },
        { components: { schemas: { Car } } },
      ),
    )
    const sent = { email: 'ada@example.com', password: 'Secret123' }
    await call('POST /users', sent)
    const { token } = (await call('POST /login', sent)).body

    const own = (await call('POST /cars', { plate: 'A 1' }, { authorization: `Bearer ${token}` })).body

    expect((await call(`GET ${path}`, undefined, { authorization: `Bearer ${token}` })).body).toEqual([own])
  },
)

it('lists below /me what names the user in one of its fields, or nobody, and all that has another name', async () => {
  const order = { $ref: '#/components/schemas/Order' }
  const Order = object({ id: 'integer', total: 'integer', customer_id: 'integer', seller_id: 'integer' })
  const address = object({ id: 'integer', street: 'string', user_id: 'integer' })
  const account = { ...takes(object({ email: 'string', password: 'string' })), security: [] }
  const call = await simulation.of(
    describeApi(
      {
        '/users': { post: { ...account, ...answers(object({ id: 'integer', email: 'string' })) } },
        '/users/{id}': { ...inPath('id'), get: answers(object({ id: 'integer', email: 'string' })) },
        '/login': { post: { ...account, ...answers(object({ token: 'string' })) } },
        '/orders': {
          get: answers(list(order)),
          post: { ...takes(object({ total: 'integer', seller_id: 'integer' })), ...answers(order) },
        },
        '/orders/{id}': { ...inPath('id'), get: answers(order) },
        '/me/orders': { get: answers(list(order)) },
        '/me/favorites': { get: answers(list(order)) },
        '/my-shop/orders': { get: answers(list(order)) },
        '/me/addresses': { get: answers(list(address)), post: { ...takes(address), ...answers(address) } },
      },
      { components: { schemas: { Order } } },
    ),
    { orders: 3 },
  )
  const sent = { email: 'ada@example.com', password: 'Secret123' }
  await call('POST /users', sent)
  const headers = { authorization: `Bearer ${(await call('POST /login', sent)).body.token}` }

  const own = (await call('POST /orders', { total: 1, seller_id: 3 }, headers)).body
  const home = (await call('POST /me/addresses', { street: 'Elm Street' }, headers)).body

  expect((await call('GET /me/orders', undefined, headers)).body).toEqual([own])
  expect((await call('GET /me/favorites', undefined, headers)).body).toHaveLength(4)
  expect((await call('GET /my-shop/orders', undefined, headers)).body).toHaveLength(4)
  expect((await call('GET /me/addresses', undefined, headers)).body).toEqual([home])
})

it('shows a new user with a key and without a password where no answer is described', async () => {
  const user = object({ user: object({ email: 'string', password: 'string' }) })
  const ok = { responses: { 200: { description: 'ok' } } }
  const takesUser = { parameters: [{ in: 'body', name: 'user', schema: user }], ...ok }
  const call = await simulation.of({
    swagger: '2.0',
    info: { title: 'Test', version: '1' },
    paths: {
      '/signup': { post: { ...takesUser, summary: 'Create a user' } },
      '/login': { post: takesUser },
      '/users/{id}': { get: ok, patch: takesUser },
    },
  })

  const made = (await call('POST /signup', { user: { email: 'ada@example.com', password: 'Secret123' } })).body

  expect(made).toEqual({ user: { id: expect.anything(), email: 'ada@example.com' } })
  expect((await call(`GET /users/${made.user.id}`)).body).toMatchObject({ email: 'ada@example.com' })
})

// Laravel's paginator has `null` in an empty page, pagy has 0.
it('counts the first and the last record of a page from 1, beside the records too', async () => {
  const page = { from: 'integer', to: 'integer', total: 'integer' } as const
  const call = await simulation.of(
    describeApi({
      '/books': { get: answers(object({ ...page, data: list(object({ id: 'integer', title: 'string' })) })) },
      '/books/{id}': { ...inPath('id'), get: answers(object({ id: 'integer', title: 'string' })) },
    }),
    { books: 3 },
  )

  expect((await call('GET /books')).body).toMatchObject({ from: 1, to: 3, total: 3 })
})

// Family Care (media), Riviera (bookings, units) and Medicine Warehouse show no time of deletion.
it('restores a deleted record whose fields do not say when it was deleted', async () => {
  const pill = object({ id: 'integer', name: 'string', price: { type: 'string', format: 'decimal' } })
  const call = await simulation.of(
    describeApi({
      '/pills': {
        get: { parameters: [{ in: 'query', name: 'ordering', schema: { type: 'string' } }], ...answers(list(pill)) },
        post: { ...takes(object({ name: 'string', price: 'string' })), ...answers(pill) },
      },
      '/pills/{id}': { ...inPath('id'), get: answers(pill), delete: answers(object({ message: 'string' })) },
      '/pills/{id}/restore': { ...inPath('id'), post: answers(object({ message: 'string' })) },
    }),
    { pills: 0 },
  )
  const made = (await call('POST /pills', { name: 'A', price: '9.50' })).body
  const dear = (await call('POST /pills', { name: 'B', price: '10.00' })).body

  await call(`DELETE /pills/${made.id}`)
  const [gone, left] = [(await call(`GET /pills/${made.id}`)).status, (await call('GET /pills')).body]
  await call(`POST /pills/${made.id}/restore`)

  expect([gone, left]).toEqual([404, [dear]])
  expect((await call(`GET /pills/${made.id}`)).body).toEqual(made)
  // Texts of decimals sort as numbers.
  expect((await call('GET /pills?ordering=-price')).body).toEqual([dear, made])
})

// Neon's regions, Spree's countries and Uber's products are only listed, as the agents of many help desks are.
it('names an assignee whom a list alone shows, counts what a bulk action changed, and doubts words that nothing reads', async () => {
  const id = { type: 'integer' }
  const ticket = object({ id, title: 'string', state: 'string', assigneeId: id, assigneeName: 'string' })
  const paths = {
    '/agents': { get: answers(list(object({ id, displayName: 'string' }))) },
    '/tickets': {
      get: answers(list(ticket)),
      post: { ...takes(object({ title: 'string', assigneeId: id })), ...answers(ticket) },
    },
    '/tickets/{id}': { ...inPath('id'), get: answers(ticket) },
    '/tickets/{id}/assign': { ...inPath('id'), post: { ...takes(object({ assigneeId: id })), ...answers(ticket) } },
    '/tickets/{id}/marks/{mark}': { ...inPath('id', 'mark'), put: { responses: { 204: { description: 'set' } } } },
    '/tickets/bulk-close': {
      post: {
        ...takes(object({ ids: list(id) })),
        ...answers(object({ closed: 'integer', skipped: 'integer' }, { required: ['closed', 'skipped'] })),
      },
    },
  }
  const call = await simulation.of(describeApi(paths))
  const [first, second] = (await call('GET /agents')).body

  const made = (await call('POST /tickets', { title: 'A', assigneeId: first.id })).body
  const other = (await call('POST /tickets', { title: 'B' })).body
  const assigned = (await call(`POST /tickets/${other.id}/assign`, { assigneeId: second.id })).body
  const closed = (await call('POST /tickets/bulk-close', { ids: [made.id, other.id] })).body

  expect([made.assigneeName, assigned.assigneeName]).toEqual([first.displayName, second.displayName])
  expect(closed).toEqual({ closed: 2, skipped: 0 })
  const mark = modelOf(paths).operations.find(({ method }) => method === 'PUT')
  expect(mark?.reason).toEqual({ rule: 'item-replace', confidence: 'guess' })
})

// Adyen ("The partial or complete username"), 1337noob's tasks ("Search title"), and drf-yasg's "Search by name".
it('finds a part of a text where the description of the parameter says so', async () => {
  const user = object({ id: 'integer', username: 'string', email: 'string', sku: 'string', teamId: 'string' })
  const by = (name: string, description: string) => ({ ...inQuery(name, { type: 'string' }), description })
  const parameters = [
    by('username', 'The partial or complete username'),
    by('email', 'The email of the user'),
    by('sku', 'Exact SKU used to search'),
    by('teamId', 'Id of the team to search'),
  ]
  const call = await simulation.of(
    describeApi({
      '/users': { get: { parameters, ...answers(list(user)) }, post: { ...takes(user), ...answers(user) } },
      '/users/{id}': { ...inPath('id'), get: answers(user) },
    }),
  )
  const zebra = { username: 'Zebra rider', email: 'zebra@example.com', sku: 'A12', teamId: 'p12' }
  const { id } = (await call('POST /users', zebra)).body
  const found = async (query: string) => (await call(`GET /users?${query}`)).body.map((one: { id: number }) => one.id)

  expect(await found('username=zebra')).toEqual([id])
  expect(await found('email=zebra')).toEqual([])
  expect(await found('email=zebra@example.com')).toEqual([id])
  expect([await found('sku=A1'), await found('teamId=p1')]).toEqual([[], []])
})

it('filters by the status of a part rather than by a flag of the record', async () => {
  const series = object({ id: 'integer', deleted: 'boolean', metadata: object({ status: 'string' }) })
  const call = await simulation.of(
    describeApi({
      '/series': {
        get: { parameters: [inQuery('status', { type: 'string' })], ...answers(list(series)) },
        post: { ...takes(series), ...answers(series) },
      },
      '/series/{id}': { ...inPath('id'), get: answers(series) },
    }),
  )
  const { id } = (await call('POST /series', { metadata: { status: 'HIATUS' } })).body

  const found = (await call('GET /series?status=HIATUS')).body

  expect(found.map((one: { id: number }) => one.id)).toEqual([id])
})

// Dawarich (rswag), Turist and the example `schema-circular` declare the key as a required parameter of an operation.
it.each([
  ['query', 'api_key', { type: 'apiKey', in: 'query', name: 'api_key' }],
  ['header', 'Authorization', { type: 'http', scheme: 'bearer' }],
])('needs the key that an operation requires in its %s, though it names no scheme', async (place, name, scheme) => {
  const area = object({ id: 'integer', name: 'string' })
  const key = { in: place, name, required: true, schema: { type: 'string' } }
  const call = await simulation.of(
    describeApi(
      {
        '/areas': { get: { parameters: [key], ...answers(list(area)) } },
        '/zones': { get: { security: [{ main: [] }], ...answers(list(area)) } },
        '/auth/login': { post: { parameters: [key], ...answers(object({ token: 'string' })) } },
        '/userLogin': { post: { parameters: [key], ...answers(object({ token: 'string' })) } },
        '/password/reset': { post: { parameters: [key], ...answers(object({ token: 'string' })) } },
        '/health': { get: answers(object({ status: 'string' })) },
      },
      { components: { securitySchemes: { main: scheme } } },
    ),
  )
  const send = (value: string) =>
    place === 'query'
      ? call(`GET /areas?api_key=${value}`, undefined, { authorization: '' })
      : call('GET /areas', undefined, { authorization: `Bearer ${value}` })

  expect((await send('unknown')).status).toBe(401)
  expect((await send(call.key)).status).toBe(200)
  expect((await call('GET /health', undefined, { authorization: '' })).status).toBe(200)
  for (const path of ['/auth/login', '/userLogin', '/password/reset']) {
    const { status } = await call(`POST ${path}?api_key=mine`, undefined, { authorization: 'Basic YTpi' })
    expect([path, status]).not.toEqual([path, 401])
  }
})
