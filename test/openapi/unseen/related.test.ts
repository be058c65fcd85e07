import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const DONE = { responses: { 204: { description: 'done' } } }
const by = (name: string): JsonObject => ({
  parameters: [{ in: 'path', name, required: true, schema: { type: 'string' } }],
})
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

it('reads the same records below a word that no write names', async () => {
  const tool = ref('Tool')
  const call = await simulation.of(
    describeApi(
      {
        '/tools': { post: { ...takes(object({ name: 'string' })), ...answers(tool) } },
        '/tools/{toolId}': { ...by('toolId'), get: answers(tool) },
        '/tools/published': { get: answers(list(tool)) },
        '/tools/published/{toolId}': { ...by('toolId'), get: answers(tool) },
      },
      { components: { schemas: { Tool: object({ id: 'string', name: 'string' }) } } },
    ),
  )

  const made = (await call('POST /tools', { name: 'saw' })).body

  expect((await call(`GET /tools/published/${made.id}`)).body).toEqual(made)
  expect((await call('GET /tools/published')).body).toContainEqual(made)
})

it.each([
  // Trello (idBoard), Bling (idContato) and Hostenia (idAlojamiento).
  ['/rooms/{id}/stays', 'idRoom'],
  // AirFleet (/ratings/pilot/{id}), and the /orders/user/{id} of many shops.
  ['/stays/room/{id}', 'room_id'],
])('lists at %s the records that refer to it by %s', async (path, field) => {
  const stay = ref('Stay')
  const room = object({ id: 'string', name: 'string' })
  const call = await simulation.of(
    describeApi(
      {
        '/rooms': { get: answers(list(room)) },
        '/rooms/{id}': { ...by('id'), get: answers(room) },
        '/stays': { get: answers(list(stay)), post: { ...takes(stay), ...answers(stay) } },
        '/stays/{id}': { ...by('id'), get: answers(stay) },
        [path]: { ...by('id'), get: answers(list(stay)) },
      },
      { components: { schemas: { Stay: object({ id: 'string', [field]: 'string', nights: 'integer' }) } } },
    ),
    { rooms: 2, stays: 0 },
  )
  const [first, second] = (await call('GET /rooms')).body
  const made = (await call('POST /stays', { [field]: first.id, nights: 2 })).body

  const listed = await Promise.all([first, second].map(({ id }) => call(`GET ${path.replace('{id}', id)}`)))

  expect(listed.map(({ body }) => body)).toEqual([[made], []])
})

it('filters by a field of the only part that has it', async () => {
  // Hostenia (location.city), Coworking (place.coworkingId), Gitea (repository.owner) and WorkOS (owner.organization_id).
  const hotel = object({ id: 'string', location: object({ city: 'string', lat: 'number' }) })
  const asked = { parameters: ['city', 'lat'].map((name) => ({ in: 'query', name, schema: { type: 'string' } })) }
  const call = await simulation.of(
    describeApi({
      '/hotels': { get: { ...asked, ...answers(list(hotel)) }, post: { ...takes(hotel), ...answers(hotel) } },
      '/hotels/{id}': { ...by('id'), get: answers(hotel) },
    }),
  )
  const made = (await call('POST /hotels', { location: { city: 'Armenia', lat: 4.5 } })).body

  expect((await call('GET /hotels?city=Armenia')).body).toEqual([made])
  expect((await call('GET /hotels?city=Nowhere')).body).toEqual([])
  expect((await call('GET /hotels?lat=4.6')).body).toContainEqual(made)
})

it('finds lists and records in an envelope of an envelope', async () => {
  const meta = object({ status: 'string', statuscode: 'integer', message: 'string' })
  const ocs = (data: JsonObject) => answers(object({ ocs: object({ meta, data }) }))
  const table = object({ id: 'integer', title: 'string' })
  const call = await simulation.of(
    describeApi({
      '/tables': { get: ocs(list(table)), post: { ...takes(object({ title: 'string' })), ...ocs(table) } },
      '/tables/{id}': {
        parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }],
        get: ocs(table),
      },
    }),
  )

  const made = (await call('POST /tables', { title: 'Budget' })).body.ocs.data

  expect(made).toEqual({ id: expect.any(Number), title: 'Budget' })
  expect((await call(`GET /tables/${made.id}`)).body.ocs.data).toEqual(made)
  expect((await call('GET /tables')).body.ocs.data).toContainEqual(made)
})

it.each([
  ['discard', ['draft', 'merged', 'discarded'], 'discarded'],
  ['unarchive', ['Archived', 'Disabled', 'Enabled'], 'Enabled'],
])('%s leads to the status that its word or the end of it names', async (verb, statuses, expected) => {
  const change = object({ id: 'string', status: { type: 'string', enum: statuses } })
  const call = await simulation.of(
    describeApi({
      '/changes/{id}': { ...by('id'), get: answers(change), patch: { ...takes(change), ...answers(change) } },
      '/changes': { post: { ...takes(change), ...answers(change) } },
      [`/changes/{id}/${verb}`]: { ...by('id'), post: DONE },
    }),
  )
  const { id } = (await call('POST /changes', { status: statuses[0] })).body

  await call(`POST /changes/${id}/${verb}`)

  expect((await call(`GET /changes/${id}`)).body.status).toBe(expected)
})

// WorkOS (organization_name), Spree (option_type_name), Coolify (server_name) and Nidhi CMS (projectName) show them.
it('shows the name of the record that a new one refers to', async () => {
  const order = object({ id: 'string', supplierId: 'string', supplierName: { type: 'string', readOnly: true } })
  const supplier = object({ id: 'string', name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/suppliers': { get: answers({ type: 'array', items: supplier }) },
      '/suppliers/{id}': { ...by('id'), get: answers(supplier) },
      '/orders': {
        get: answers({ type: 'array', items: order }),
        post: { ...takes(object({ supplierId: 'string' })), ...answers(order) },
      },
      '/orders/{id}': { ...by('id'), get: answers(order) },
    }),
  )
  const [supplied] = (await call('GET /suppliers')).body

  const { body } = await call('POST /orders', { supplierId: supplied.id })

  expect(body).toEqual({ id: body.id, supplierId: supplied.id, supplierName: supplied.name })
})

it('shows the records whose ids were sent', async () => {
  // Homebox (tagIds), Spree (category_ids) and 360Ghar (amenity_ids).
  const tag = object({ id: 'string', name: 'string' })
  const post = object({ id: 'string', title: 'string', tags: list(ref('Tag')) })
  const ids = list({ type: 'string' })
  const call = await simulation.of(
    describeApi(
      {
        '/tags': {
          post: { ...takes(object({ name: 'string' })), ...answers(ref('Tag')) },
          get: answers(list(ref('Tag'))),
        },
        '/tags/{id}': { ...by('id'), get: answers(ref('Tag')) },
        '/posts': { post: { ...takes(object({ title: 'string', tagIds: ids })), ...answers(post) } },
        '/posts/{id}': {
          ...by('id'),
          get: answers(post),
          put: { ...takes(object({ title: 'string', tag_ids: ids })), ...answers(post) },
        },
      },
      { components: { schemas: { Tag: tag } } },
    ),
  )
  const one = (await call('POST /tags', { name: 'one' })).body
  const two = (await call('POST /tags', { name: 'two' })).body

  const made = (await call('POST /posts', { title: 'T', tagIds: [one.id, two.id] })).body
  const changed = (await call(`PUT /posts/${made.id}`, { title: 'U', tag_ids: [two.id] })).body

  expect(made).toEqual({ id: made.id, title: 'T', tags: [one, two] })
  expect(changed).toEqual({ id: made.id, title: 'U', tags: [two] })
  expect((await call(`GET /posts/${made.id}`)).body).toEqual(changed)
})

it('refers in generated and in new records to what lies below the same record', async () => {
  const room = object({ id: 'string', siteId: 'string' }, { required: ['id', 'siteId'] })
  const visit = object({ id: 'string', siteId: 'string', roomId: 'string' }, { required: ['id', 'siteId', 'roomId'] })
  const note = object({ id: 'string', roomId: 'string' }, { required: ['id', 'roomId'] })
  const call = await simulation.of(
    describeApi({
      '/sites': { get: answers(list(object({ id: 'string', name: 'string' }))) },
      '/sites/{siteId}': { ...by('siteId'), get: answers(object({ id: 'string', name: 'string' })) },
      '/sites/{siteId}/rooms': { ...by('siteId'), get: answers(list(room)) },
      '/rooms/{id}': { ...by('id'), get: answers(room) },
      '/visits': {
        get: answers(list(visit)),
        post: { ...takes(object({ siteId: 'string' })), ...answers(visit) },
      },
      '/sites/{siteId}/notes': { ...by('siteId'), get: answers(list(note)) },
    }),
    { rooms: 30 },
  )
  const site = async (roomId: string): Promise<string> => (await call(`GET /rooms/${roomId}`)).body.siteId
  const visits: { siteId: string; roomId: string }[] = (await call('GET /visits')).body
  const [{ id: siteId }] = (await call('GET /sites')).body
  const made = (await call('POST /visits', { siteId })).body
  const notes: { roomId: string }[] = (await call(`GET /sites/${siteId}/notes`)).body

  const sites = await Promise.all([...visits, made].map((one) => site(one.roomId)))

  expect(sites).toEqual([...visits, made].map((one) => one.siteId))
  expect(notes.length).toBeGreaterThan(0)
  expect(new Set(await Promise.all(notes.map((one) => site(one.roomId))))).toEqual(new Set([siteId]))
})

// GitHub and Gitea (`open_issues` and `closed_issues` of a milestone), GitLab (`open_issues_count`).
it('counts what lies below a record, also by status, in generated records and after each change', async () => {
  const status = { type: 'string', enum: ['free', 'taken'] }
  const seat = ref('Seat')
  const counts = { seatsCount: 'integer', freeSeats: 'integer' }
  const hall = object({ id: 'string', ...counts }, { required: ['id', ...Object.keys(counts)] })
  const call = await simulation.of(
    describeApi(
      {
        '/halls': { get: answers(list(hall)), post: { ...takes(object({})), ...answers(hall) } },
        '/halls/{hallId}': { ...by('hallId'), get: answers(hall) },
        '/halls/{hallId}/seats': {
          ...by('hallId'),
          get: answers(list(seat)),
          post: { ...takes(object({ status })), ...answers(seat) },
        },
        '/seats/{id}': {
          ...by('id'),
          get: answers(seat),
          patch: { ...takes(object({ status, hallId: 'string' })), ...answers(seat) },
          delete: DONE,
        },
      },
      {
        components: {
          schemas: {
            Seat: object({ id: 'string', hallId: 'string', status }, { required: ['id', 'hallId', 'status'] }),
          },
        },
      },
    ),
  )
  const counted = async (id: string) => {
    const seats: { status: string }[] = (await call(`GET /halls/${id}/seats`)).body
    return { seatsCount: seats.length, freeSeats: seats.filter((one) => one.status === 'free').length }
  }
  const halls = (await call('GET /halls')).body
  expect(halls).toMatchObject(await Promise.all(halls.map((one: { id: string }) => counted(one.id))))

  const { id } = (await call('POST /halls', {})).body
  const shown = async () => (await call(`GET /halls/${id}`)).body
  const first = (await call(`POST /halls/${id}/seats`, { status: 'free' })).body
  const second = (await call(`POST /halls/${id}/seats`, { status: 'taken' })).body
  expect(await shown()).toMatchObject({ seatsCount: 2, freeSeats: 1 })
  await call(`PATCH /seats/${first.id}`, { status: 'taken' })
  expect(await shown()).toMatchObject({ seatsCount: 2, freeSeats: 0 })
  await call(`DELETE /seats/${first.id}`)
  expect(await shown()).toMatchObject({ seatsCount: 1, freeSeats: 0 })
  await call(`PATCH /seats/${second.id}`, { hallId: halls[0].id, status: 'free' })
  for (const hall of [id, halls[0].id])
    expect((await call(`GET /halls/${hall}`)).body).toMatchObject(await counted(hall))
})

// TechnoStore (categories), WordPress and WooCommerce write a parent of 0 for what is at the top.
it('takes 0 for no parent of the same kind, where an unknown parent is refused', async () => {
  const category = object({ id: 'integer', name: 'string', parent_id: 'integer' })
  const missing = { 404: { description: 'Not found' } }
  const made = answers(category).responses as JsonObject
  const call = await simulation.of(
    describeApi({
      '/categories': { get: answers(list(category)), post: { ...takes(category), responses: { ...made, ...missing } } },
      '/categories/{id}': { ...inPath('id'), get: answers(category) },
    }),
  )

  const { status, body } = await call('POST /categories', { name: 'Phones', parent_id: 0 })

  expect([status, body.parent_id]).toEqual([200, 0])
  expect((await call('POST /categories', { name: 'Phones', parent_id: 999_999 })).status).toBe(404)
})

// LaunchDarkly (members of tokens), PayPal (plans of subscriptions) and Spree (parents of categories).
it('shows the record whose id a request sends, and what a new record refers to through it', async () => {
  const Company = object({ id: 'string', name: 'string', regionId: 'string' })
  const company = { oneOf: [{ $ref: '#/components/schemas/Company' }, { type: 'null' }] }
  const contact = object({ id: 'string', companyId: { type: ['string', 'null'] }, company, regionId: 'string' })
  const region = object({ id: 'string', name: 'string' })
  const paths = { companies: { $ref: '#/components/schemas/Company' }, contacts: contact, regions: region }
  const call = await simulation.of(
    describeApi(
      Object.fromEntries(
        Object.entries(paths).flatMap(([name, schema]) => [
          [`/${name}`, { get: answers(list(schema)), post: { ...takes(schema), ...answers(schema) } }],
          [`/${name}/{id}`, { ...inPath('id'), get: answers(schema), patch: { ...takes(schema), ...answers(schema) } }],
        ]),
      ),
      { components: { schemas: { Company } } },
    ),
  )
  const { id: regionId } = (await call('POST /regions', { name: 'North' })).body
  const one = (await call('POST /companies', { name: 'One', regionId })).body
  const other = (await call('POST /companies', { name: 'Other' })).body

  const made = (await call('POST /contacts', { companyId: one.id })).body

  expect(made).toMatchObject({ companyId: one.id, company: one, regionId })
  const changed = async (companyId: string | null) => (await call(`PATCH /contacts/${made.id}`, { companyId })).body
  expect((await changed(other.id)).company).toMatchObject({ id: other.id, name: 'Other' })
  expect(await changed(null)).toMatchObject({ companyId: null, company: null, regionId })
})

it('makes what follows from the fields of a record: a full name, the end of a span, totals in cents', async () => {
  const line = object({ quantity: 'integer', unitPriceCents: 'integer' })
  const visit = object({
    id: 'string',
    givenName: 'string',
    familyName: 'string',
    fullName: 'string',
    start: { type: 'string', format: 'date-time' },
    durationMinutes: 'integer',
    end: { type: 'string', format: 'date-time' },
    lines: list(line),
    totalCents: 'integer',
    paidCents: 'integer',
    balanceCents: 'integer',
    paid: 'boolean',
    archivedAt: { type: ['string', 'null'], format: 'date-time' },
  })
  const call = await simulation.of(
    describeApi({
      '/visits': {
        get: { ...answers(list(visit)), parameters: [inQuery('archived', { type: 'boolean', default: false })] },
        post: { ...takes(visit), ...answers(visit) },
      },
      '/visits/{id}': { ...inPath('id'), get: answers(visit), patch: { ...takes(visit), ...answers(visit) } },
    }),
    { visits: 0 },
  )
  const lines = [{ quantity: 2, unitPriceCents: 500 }]
  const start = '2030-01-01T10:00:00Z'

  const made = (await call('POST /visits', { givenName: 'Ada', familyName: 'King', start, durationMinutes: 30, lines }))
    .body

  expect(made).toMatchObject({ fullName: 'Ada King', totalCents: 1000, paidCents: 0, balanceCents: 1000 })
  expect(Date.parse(made.end) - Date.parse(start)).toBe(30 * 60_000)
  const moved = (await call(`PATCH /visits/${made.id}`, { durationMinutes: 45, familyName: 'Byron' })).body
  expect(moved.fullName).toBe('Ada Byron')
  expect(Date.parse(moved.end) - Date.parse(start)).toBe(45 * 60_000)

  // `archived` asks for what has an `archivedAt`.
  await call(`PATCH /visits/${made.id}`, { archivedAt: start })
  expect((await call('GET /visits')).body).toEqual([])
  expect((await call('GET /visits?archived=true')).body).toMatchObject([{ id: made.id }])
})

it('takes the company of a name from its own reference, and for a comment not the user of its post', async () => {
  const company = object({ id: 'string', name: 'string' })
  const contact = object({ id: 'string', companyId: 'string', billingCompanyId: 'string', companyName: 'string' })
  const user = object({ id: 'string', email: 'string' })
  const post = object({ id: 'string', userId: 'string' })
  const comment = object({ id: 'string', postId: 'string', userId: 'string', text: 'string' })
  const paths = { companies: company, contacts: contact, users: user, posts: post, comments: comment }
  const call = await simulation.of(
    describeApi(
      Object.fromEntries(
        Object.entries(paths).flatMap(([name, schema]) => [
          [`/${name}`, { get: answers(list(schema)), post: { ...takes(schema), ...answers(schema) } }],
          [`/${name}/{id}`, { ...inPath('id'), get: answers(schema), patch: { ...takes(schema), ...answers(schema) } }],
        ]),
      ),
    ),
  )
  const [one, other] = [
    (await call('POST /companies', { name: 'One' })).body,
    (await call('POST /companies', { name: 'Other' })).body,
  ]

  const made = (await call('POST /contacts', { companyId: one.id, billingCompanyId: other.id })).body

  expect(made.companyName).toBe('One')
  expect((await call(`PATCH /contacts/${made.id}`, { billingCompanyId: other.id })).body.companyName).toBe('One')

  const [{ id: userId }] = (await call('GET /users')).body
  const { id: postId } = (await call('POST /posts', { userId })).body
  expect((await call('POST /comments', { postId, text: 'x' })).body).not.toHaveProperty('userId')
})

it('makes no paid cents of a flag', async () => {
  const order = object({
    id: 'string',
    totalCents: 'integer',
    paid: 'boolean',
    paidCents: 'integer',
  })
  const call = await simulation.of(
    describeApi({ '/orders': { get: answers(list(order)), post: { ...takes(order), ...answers(order) } } }),
  )

  const made = (await call('POST /orders', { paid: true, totalCents: 500 })).body

  expect(made.paidCents).not.toBe(100)
})
