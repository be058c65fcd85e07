import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, modelOf, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

/** Parameters of a path: names with the types of their values. */
const params = (types: Readonly<Record<string, string>>): JsonObject => ({
  parameters: Object.entries(types).map(([name, type]) => ({ in: 'path', name, required: true, schema: { type } })),
})

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })

it('shows an id where no schema of the record has one', async () => {
  const profile = object({ name: 'string', color: 'string' })
  const call = await simulation.of(
    describeApi({
      '/profiles': {
        get: answers(object({ results: list(profile) })),
        post: { ...takes(profile), ...answers(profile) },
      },
      '/profiles/{id}': {
        ...params({ id: 'string' }),
        get: answers(profile),
        patch: { ...takes(profile), ...answers(profile) },
      },
    }),
  )

  const made = await call('POST /profiles', { name: 'Team', color: 'red' })
  const [first] = (await call('GET /profiles')).body.results
  const read = await call(`GET /profiles/${made.body.id}`)

  expect(first.id).toBe(made.body.id)
  expect(read.body).toMatchObject({ id: made.body.id, name: 'Team', color: 'red' })
})

it('takes a field for the key that says nothing of its type', async () => {
  const notification = object({ channel: 'string', entity_guid: 'string', guid: { example: 'NTF-b5' } })
  const call = await simulation.of(
    describeApi({
      '/notifications': { get: answers({ type: 'array', items: notification }) },
      '/notifications/{notification_guid}': {
        parameters: [{ in: 'path', name: 'notification_guid', required: true, schema: { type: 'string' } }],
        get: answers(notification),
      },
    }),
  )

  const [first] = (await call('GET /notifications')).body

  expect((await call(`GET /notifications/${first.guid}`)).body).toEqual(first)
})

it('makes records that can be found where the description has no schema of any answer', async () => {
  const nothing = { responses: { 200: { description: 'ok' } } }
  const call = await simulation.of(
    describeApi({
      '/boards': {
        get: { operationId: 'listBoards', ...nothing },
        post: { operationId: 'createBoard', ...takes(object({ title: 'string' })), ...nothing },
      },
      '/boards/{boardId}': { ...params({ boardId: 'string' }), get: nothing, delete: nothing },
    }),
  )

  const made = await call('POST /boards', { title: 'Roadmap' })
  const listed = await call('GET /boards')

  expect(listed.body.map(({ id }: { id: string }) => id)).toContain(made.body.id)
  expect((await call(`GET /boards/${made.body.id}`)).body).toMatchObject({ title: 'Roadmap' })
  await call(`DELETE /boards/${made.body.id}`)
  expect((await call(`GET /boards/${made.body.id}`)).status).toBe(404)
})

it('unwraps the records of a list as it unwraps one', async () => {
  const wrapped = object({ customer: object({ id: 'integer', email: 'string' }) })
  const call = await simulation.of(
    describeApi({
      '/customers.json': { get: answers(list(wrapped)), post: { ...takes(wrapped), ...answers(wrapped) } },
      '/customers/{id}.json': { ...params({ id: 'integer' }), get: answers(wrapped) },
    }),
  )

  const made = await call('POST /customers.json', { customer: { email: 'ada@example.com' } })
  const listed = await call('GET /customers.json')

  expect(made.body.customer.email).toBe('ada@example.com')
  expect(listed.body[0]).toEqual(made.body)
})

it('keeps the id of a record whatever a body says, also where a PUT replaces it', async () => {
  const label = object({ uuid: { type: 'string', format: 'uuid' }, text: 'string' })
  const call = await simulation.of(
    describeApi({
      '/labels': { get: answers(list(label)), post: { ...takes(label), ...answers(label) } },
      '/labels/{uuid}': {
        ...params({ uuid: 'string' }),
        get: answers(label),
        put: { ...takes(label), ...answers(label) },
      },
    }),
  )
  const { body } = await call('POST /labels', { text: 'urgent' })

  const put = await call(`PUT /labels/${body.uuid}`, { uuid: '5f0c2f4e-7a44-4f0f-9a51-111111111111', text: 'later' })

  expect(put.body).toEqual({ uuid: body.uuid, text: 'later' })
  expect((await call(`GET /labels/${body.uuid}`)).body).toEqual(put.body)
})

it('lets the path say which parent a record is below, not the body', async () => {
  const site = object({ id: 'string', name: 'string' })
  const snippet = object({ id: 'string', site_id: 'string', title: 'string' })
  const call = await simulation.of(
    describeApi({
      '/sites': { get: answers(list(site)), post: { ...takes(object({ name: 'string' })), ...answers(site) } },
      '/sites/{site_id}': { ...params({ site_id: 'string' }), get: answers(site) },
      '/sites/{site_id}/snippets': {
        ...params({ site_id: 'string' }),
        get: answers(list(snippet)),
        post: { ...takes(snippet), ...answers(snippet) },
      },
      '/sites/{site_id}/snippets/{id}': {
        ...params({ site_id: 'string', id: 'string' }),
        get: answers(snippet),
        put: { ...takes(snippet), ...answers(snippet) },
      },
    }),
  )
  const [one, other] = (await call('GET /sites')).body

  const made = await call(`POST /sites/${one.id}/snippets`, { site_id: other.id, title: 'head' })
  await call(`PUT /sites/${one.id}/snippets/${made.body.id}`, { site_id: other.id, title: 'foot' })

  const read = await call(`GET /sites/${one.id}/snippets/${made.body.id}`)
  expect(read.body).toEqual({ id: made.body.id, site_id: one.id, title: 'foot' })
})

it.each(['string', 'integer'])(
  'leads to the next page by a Link header where no field holds a cursor: %s',
  async (type) => {
    const key = object({ id: 'integer', name: 'string' })
    const query = [
      { in: 'query', name: 'cursor', schema: { type } },
      { in: 'query', name: 'per_page', schema: { type: 'integer' } },
    ]
    const call = await simulation.of(
      describeApi({
        '/keys': { get: { ...answers(list(key)), parameters: query } },
        '/keys/{id}': { ...params({ id: 'integer' }), get: answers(key) },
      }),
      { keys: 5 },
    )

    const shown: number[] = []
    for (let next: string | undefined = '/keys?per_page=2'; next !== undefined; ) {
      const page = await call(`GET ${next}`)
      shown.push(...page.body.map(({ id }: { id: number }) => id))
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }

    expect(new Set(shown).size).toBe(5)
    expect(shown).toHaveLength(5)
  },
)

it('walks by cursors that are numbers where the description wants numbers', async () => {
  const hook = object({ id: 'string', address: 'string' })
  const answer = object({ entries: list(hook), next_marker: { type: 'integer', format: 'int64' } })
  const query = [
    { in: 'query', name: 'marker', schema: { type: 'string' } },
    { in: 'query', name: 'limit', schema: { type: 'integer' } },
  ]
  const call = await simulation.of(
    describeApi({
      '/hooks': { get: { ...answers(answer), parameters: query } },
      '/hooks/{hook_id}': { ...params({ hook_id: 'string' }), get: answers(hook) },
    }),
    { hooks: 5 },
  )

  const first = await call('GET /hooks?limit=3')
  const second = await call(`GET /hooks?limit=3&marker=${first.body.next_marker}`)

  const ids = [...first.body.entries, ...second.body.entries].map(({ id }: { id: string }) => id)
  expect(first.body.next_marker).toBeTypeOf('number')
  expect(new Set(ids).size).toBe(5)
})

it('distinguishes the records of a list by their name where no path reads one of them', () => {
  const named = modelOf({
    '/regions': { get: answers({ type: 'array', items: object({ name: 'string', is_open: 'boolean' }) }) },
    '/events': { get: answers({ type: 'array', items: object({ name: 'string', at: 'string' }) }) },
    '/messages/opens': { get: answers({ type: 'array', items: object({ messageId: 'string', at: 'string' }) }) },
    '/emoticons': { get: answers({ type: 'array', items: object({ alt: 'string', emoticon: 'string' }) }) },
  })

  expect(named.collections.map(({ name, id }) => [name, id.field])).toEqual([
    ['regions', ['name']],
    ['events', undefined],
    ['opens', undefined],
    ['emoticons', ['emoticon']],
  ])
})

it('finds a record by another of its names where a path asks for the record, not for its id', async () => {
  const template = object({ id: 'integer', sid: 'string', name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/templates': { get: answers(list(template)) },
      '/templates/{template}': { ...params({ template: 'string' }), get: answers(template) },
    }),
  )
  const [first] = (await call('GET /templates')).body

  expect((await call(`GET /templates/${first.sid}`)).body).toEqual(first)
  expect((await call(`GET /templates/${first.id}`)).body).toEqual(first)
})

it('finds the record of the collection above by the field that a path names', async () => {
  const user = object({ id: 'integer', email: 'string', external_id: 'string', name: 'string', city: 'string' })
  const call = await simulation.of(
    describeApi({
      '/users': { get: answers(list(user)), post: { ...takes(user), ...answers(user) } },
      '/users/{id}': { ...params({ id: 'integer' }), get: answers(user), delete: answers(user) },
      '/users/email/{email}': { ...params({ email: 'string' }), get: answers(user) },
      '/users/by_external_id/{external_id}': { ...params({ external_id: 'string' }), get: answers(user) },
    }),
  )
  const made = (await call('POST /users', { email: 'ada@example.com', external_id: 'x-1' })).body

  expect((await call('GET /users/email/ada@example.com')).body).toEqual(made)
  expect((await call('GET /users/by_external_id/x-1')).body).toEqual(made)

  await call(`DELETE /users/${made.id}`)
  expect((await call('GET /users/email/ada@example.com')).status).toBe(404)
})

it('shows the key of a new record in the field of that name, however each schema spells it', async () => {
  const template = object({ TemplateID: 'integer', Name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/templates': {
        get: answers(list(template)),
        post: { ...takes(object({ Name: 'string' })), ...answers(object({ Name: 'string', TemplateId: 'number' })) },
      },
      '/templates/{idOrAlias}': { ...params({ idOrAlias: 'string' }), get: answers(template) },
    }),
  )

  const made = (await call('POST /templates', { Name: 'Welcome' })).body

  expect(made).toEqual({ Name: 'Welcome', TemplateId: expect.any(Number) })
  expect((await call(`GET /templates/${made.TemplateId}`)).body).toMatchObject({ Name: 'Welcome' })
})

it('finds records by their guid where they have an id of their own, too', async () => {
  const user = object({ guid: 'string', id: 'string', name: 'string' })
  const named = { parameters: [{ name: 'user_identifier', in: 'path', required: true, schema: { type: 'string' } }] }
  const call = await simulation.of(
    describeApi({
      '/users': { get: answers({ type: 'array', items: user }) },
      '/users/{user_identifier}': { ...named, get: answers(user) },
    }),
  )
  const [first] = (await call('GET /users')).body

  expect((await call(`GET /users/${first.id}`)).body).toEqual(first)
  expect((await call(`GET /users/${first.guid}`)).body).toEqual(first)
})

it('looks records up below a word for the field, and tells a new key where the answer is a number', async () => {
  const customer = object({ id: 'integer', external_id: 'string', name: 'string' })
  const by = (name: string) => ({ parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] })
  const body = takes(object({ external_id: 'string', name: 'string' }))
  const call = await simulation.of(
    describeApi({
      '/customers': { post: { ...body, ...answers({ type: 'integer' }) } },
      '/customers/{id}': { ...by('id'), get: answers(customer) },
      '/customers/external/{external_id}': {
        ...by('external_id'),
        get: answers(customer),
        patch: { ...body, ...answers(customer) },
      },
    }),
  )

  const id = (await call('POST /customers', { external_id: 'usr_1', name: 'Ada' })).body
  expect((await call('GET /customers/external/usr_1')).body).toEqual({ id, external_id: 'usr_1', name: 'Ada' })

  await call('PATCH /customers/external/usr_1', { name: 'Eve' })
  expect((await call(`GET /customers/${id}`)).body.name).toBe('Eve')
})

it('adds the key to records of which only a closed request is described', async () => {
  const entry = object({ hours: 'number', notes: 'string' }, { additionalProperties: false, required: ['hours'] })
  const call = await simulation.of(
    describeApi({
      '/entries': { get: answers({}), post: { ...takes(entry), ...answers({}) } },
      '/entries/{entry_id}': { ...params({ entry_id: 'string' }), get: answers({}) },
    }),
  )

  const made = (await call('POST /entries', { hours: 2, notes: 'Plan' })).body
  const listed = (await call('GET /entries')).body.find((shown: JsonObject) => shown.id === made.id)

  expect(listed).toEqual({ id: expect.any(String), hours: 2, notes: 'Plan' })
  expect((await call(`GET /entries/${made.id}`)).body).toEqual(listed)
  expect((await call('POST /entries', { hours: 2, day: 1 })).status).toBe(400)
})
