import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { readDescription } from '../../../src/service/openapi/read-description.ts'
import { simulate } from '../../simulated-api/simulate.ts'
import {
  answers,
  by,
  describeApi,
  inPath,
  inQuery,
  list,
  modelOf,
  object,
  operationAt,
  takes,
} from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const created = (name: string): JsonObject => ({
  responses: { 201: { description: 'made', content: { 'application/json': { schema: by(name) } } } },
})
const task = object({ id: 'integer', title: 'string', project_id: 'integer', done: 'boolean' })
const project = object({ id: 'integer', title: 'string' })
const planner = describeApi(
  {
    '/projects': {
      get: answers(list(by('Project'))),
      put: { summary: 'Creates a project', ...takes(by('Project')), ...created('Project') },
    },
    '/projects/{id}': {
      ...inPath('id'),
      get: answers(by('Project')),
      post: { ...takes(by('Project')), ...answers(by('Project')) },
    },
    '/projects/{id}/tasks': {
      ...inPath('id'),
      put: { summary: 'Create a task', ...takes(by('Task')), ...created('Task') },
    },
    '/tasks': { get: answers(list(by('Task'))) },
    '/tasks/{id}': { ...inPath('id'), get: answers(by('Task')) },
  },
  { components: { schemas: { Task: task, Project: project } } },
)

// Vikunja (tasks of projects), Discourse (members of groups) and SendGrid (imports of contacts).
it('creates by PUT where its summary does, no POST is there, and 201 is declared', async () => {
  const call = await simulation.of(planner, { projects: 0, tasks: 0 })

  const { id } = (await call('PUT /projects', { title: 'Home' })).body
  const made = await call(`PUT /projects/${id}/tasks`, { title: 'Milk' })

  expect([made.status, made.body]).toMatchObject([201, { title: 'Milk', project_id: id, done: false }])
  expect((await call(`GET /tasks/${made.body.id}`)).body.title).toBe('Milk')
  expect((await call('GET /projects')).body).toHaveLength(1)
})

it('guesses that a PUT creates where 200 is declared', () => {
  const member = object({ id: 'integer', name: 'string' })
  const path = '/groups/{id}/members'
  const model = modelOf({
    [path]: {
      ...inPath('id'),
      get: answers(list(member)),
      put: { operationId: 'addMember', ...takes(member), ...answers(member) },
    },
  })

  expect(operationAt(model, `PUT ${path}`)).toMatchObject({
    effect: { kind: 'create' },
    reason: { confidence: 'guess' },
  })
})

// Traccar's `send` lists commands that a device takes. Vikunja's assignees and WorkOS' members of groups are there already.
it.each(['POST /commands/send', 'POST /tasks/{id}/assignees'])('guesses that %s makes a record', (route) => {
  const command = object({ id: 'integer', type: 'string' })
  const model = modelOf({
    '/commands': { get: answers(list(command)), post: { ...takes(command), ...answers(command) } },
    '/commands/{id}': { ...inPath('id'), get: answers(command) },
    '/commands/send': { get: answers(list(command)), post: { ...takes(command), ...answers(command) } },
    '/tasks/{id}/assignees': {
      ...inPath('id'),
      get: answers(list(object({ id: 'integer', username: 'string', created: 'string' }))),
      post: { ...takes(object({ user_id: 'integer', created: 'string' })), ...answers(object({ user_id: 'integer' })) },
    },
  })

  expect(operationAt(model, 'POST /commands').reason.confidence).toBe('certain')
  expect(operationAt(model, route)).toMatchObject({ effect: { kind: 'create' }, reason: { confidence: 'guess' } })
})

it('shows the name of a record that a new one names by its code', async () => {
  const coupon = object({ id: 'string', code: 'string', name: 'string' })
  const applied = object({ id: 'string', coupon_code: 'string', coupon_name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/coupons': { post: { ...takes(coupon), ...answers(coupon) } },
      '/coupons/{code}': { ...inPath('code'), get: answers(coupon) },
      '/applied_coupons': { post: { ...takes(object({ coupon_code: 'string' })), ...answers(applied) } },
    }),
  )
  await call('POST /coupons', { code: 'ten', name: 'Ten' })

  expect((await call('POST /applied_coupons', { coupon_code: 'ten' })).body.coupon_name).toBe('Ten')
})

const text = { type: 'string' } as const
const account = object(
  {
    type: text,
    id: text,
    attributes: object({
      name: text,
      type: { ...text, enum: ['asset', 'expense'] },
      created_at: { ...text, format: 'date-time' },
      notes: text,
    }),
  },
  { required: ['type', 'id', 'attributes'] },
)
const wrapped = (data: JsonObject): JsonObject => object({ data }, { required: ['data'] })
const flat = object({ name: text, type: text, notes: text }, { required: ['name'] })
const faulty = object({ message: text, errors: object({ email: list(text), field: list(text), name: list(text) }) })
const ledger = describeApi({
  '/accounts': {
    get: { parameters: [inQuery('type', text)], ...answers(wrapped(list(account))) },
    post: {
      ...takes(flat),
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: wrapped(account) } } },
        422: { description: 'invalid', content: { 'application/json': { schema: faulty } } },
      },
    },
  },
  '/accounts/{id}': {
    ...inPath('id'),
    get: answers(wrapped(account)),
    put: { ...takes(flat), ...answers(wrapped(account)) },
  },
})

it('puts a flat body into the attributes of a resource, and keeps those that a PUT does not name', async () => {
  const call = await simulation.of(ledger, { accounts: 0 })

  const { data } = (await call('POST /accounts', { name: 'Bank', type: 'asset', notes: 'x' })).body
  await call('POST /accounts', { name: 'Shop', type: 'expense' })
  const changed = (await call(`PUT /accounts/${data.id}`, { name: 'Main' })).body.data

  expect(data.type).not.toBe('asset')
  expect(data.attributes).toMatchObject({ name: 'Bank', type: 'asset' })
  expect(changed.attributes).toMatchObject({ name: 'Main', type: 'asset', created_at: data.attributes.created_at })
  const shops = (await call('GET /accounts?type=expense')).body.data
  expect(shops.map((one: typeof data) => one.attributes.name)).toEqual(['Shop'])
})

it('lists faults by the fields that an error describes', async () => {
  const call = await simulation.of(ledger)

  const { status, body } = await call('POST /accounts', { type: 'asset' })

  expect([status, body.errors]).toEqual([422, { name: [expect.stringContaining('name')] }])
})

it('keeps the lines of a record that has them in its attributes as one record', async () => {
  const line = object({ amount: text, description: text })
  const group = object({ type: text, id: text, attributes: object({ title: text, transactions: list(line) }) })
  const call = await simulation.of(
    describeApi({
      '/transactions': {
        get: answers(wrapped(list(group))),
        post: { ...takes(object({ title: text, transactions: list(line) })), ...answers(wrapped(group)) },
      },
      '/transactions/{id}': { ...inPath('id'), get: answers(wrapped(group)) },
    }),
    { transactions: 0 },
  )
  const lines = [{ amount: '1', description: 'Lunch' }]

  const { data } = (await call('POST /transactions', { title: 'May', transactions: lines })).body

  expect(data.attributes).toEqual({ title: 'May', transactions: lines })
})

it('says true in the only field of an answer to a deletion, and refuses a taken key with the declared 422', async () => {
  const tag = object({ code: text, name: text })
  const call = await simulation.of(
    describeApi({
      '/tags': {
        post: {
          ...takes(tag),
          responses: { ...(answers(tag).responses as JsonObject), 422: { description: 'invalid' } },
        },
      },
      '/tags/{code}': { ...inPath('code'), get: answers(tag), delete: answers(object({ data: 'boolean' })) },
    }),
  )

  const statuses = [(await call('POST /tags', { code: 'a' })).status, (await call('POST /tags', { code: 'a' })).status]

  expect(statuses).toEqual([200, 422])
  expect((await call('DELETE /tags/a')).body).toEqual({ data: true })
})

it.each([
  // Lago's subscriptions, Lob's letters, Ory's sessions.
  ['DELETE /orders/{id}', 'act: orders, to: <status>'],
  // Firefly's autocomplete, Listmonk's public lists, Neon's consumption.
  ['GET /public/orders', 'list'],
  ['POST /orders/bulk', 'bulk'],
  ['GET /summary/counts', 'document-read'],
  // Listmonk's blocklist: nothing of what it keeps is sent.
  ['PUT /orders/{id}/blocklist', 'changes nothing of orders'],
  // Komga's read progress, Stripe's discount of a customer, Adyen's rules: only the time of the last change is another.
  ['DELETE /orders/{id}/read-progress', 'changes nothing of orders'],
  // TechnoStore's categories, Gitea's e-mail addresses, Kaneo's repositories.
  ['GET /labels', 'list'],
])('%s is no certain answer', (route, part) => {
  const state = { ...text, enum: ['open', 'done'] }
  const order = object({ id: 'integer', note: text, status: state, updated_at: { ...text, format: 'date-time' } })
  const label = object({ id: 'integer', name: text })
  const api = simulate(
    describeApi({
      '/label': { post: { ...takes(label), ...answers(label) } },
      '/label/{id}': { ...inPath('id'), get: answers(label) },
      '/labels': { get: answers(list(object({ id: 'integer', label_name: text, children: list(label) }))) },
      '/orders': { get: answers(list(order)), post: { ...takes(order), ...answers(order) } },
      '/orders/{id}/read-progress': { ...inPath('id'), delete: { responses: { 204: { description: 'done' } } } },
      '/orders/{id}': {
        ...inPath('id'),
        get: answers(order),
        delete: { summary: 'Terminate an order', ...answers(order) },
      },
      '/orders/{id}/blocklist': {
        ...inPath('id'),
        put: { ...takes(object({ status: text })), ...answers(object({ data: 'boolean' })) },
      },
      '/orders/bulk': {
        post: { ...takes(object({ order_ids: list({ type: 'integer' }), values: order })), ...answers(list(order)) },
      },
      '/public/orders': { get: answers(list(object({ id: 'integer', label: text }))) },
      '/summary/counts': { get: answers(object({ data: object({ orders: object({ total: 'integer' }) }) })) },
    }),
  )
  const [method = '', path = ''] = route.split(' ')
  const [first] = api.send('GET', '/orders').body

  const json = method === 'PUT' || method === 'POST' ? {} : undefined
  const { warnings } = api.send(method, path.replace('{id}', `${first.id}`), { json })

  expect(warnings.join()).toContain(part)
})

it.each([
  ['/admin/cron/{task}', 'Gitea runs the task'],
  ['/repos/{id}/cron/{cron}', 'Woodpecker runs it and answers with a pipeline'],
  ['/groups/invitations/{id}', 'homebox accepts the invitation'],
])('guesses what a POST without a body does to a record: %s, where %s', (path) => {
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name = '']) => name)
  const own = { ...inPath(...names), get: answers(object({ id: 'string', name: 'string' })), delete: {}, post: {} }

  const found = operationAt(modelOf({ [path]: own }), `POST ${path}`)

  expect(found.reason).toEqual({ rule: 'item-post', confidence: 'guess' })
})

// Typebot (folders of a workspace), Nomad (jobs of a region) and Mattermost (posts of a user).
it('reads a record in a body, and its fields beside it', async () => {
  const folder = object({ id: 'integer', name: 'string', workspaceId: 'string', parentId: 'string' })
  const sent = takes(object({ workspaceId: 'string', folder: object({ name: 'string', parentId: 'string' }) }))
  const api = describeApi({
    '/folders': { get: answers(list(folder)), post: { ...sent, ...answers(object({ folder })) } },
    '/folders/{id}': { ...inPath('id'), get: answers(object({ folder })), patch: { ...sent, ...answers(folder) } },
  })
  const call = await simulation.of(api, { folders: 0 })

  const made = await call('POST /folders', { workspaceId: 'w1', folder: { name: 'Docs' } })
  const { id } = made.body.folder
  const changed = await call(`PATCH /folders/${id}`, { workspaceId: 'w1', folder: { name: 'New' } })

  expect(made.body).toMatchObject({ folder: { name: 'Docs', workspaceId: 'w1' } })
  expect([changed.body, (await call(`GET /folders/${id}`)).body.folder]).toMatchObject([
    { name: 'New' },
    { id, name: 'New' },
  ])
})

const customer = object({ id: 'integer', email: 'string', city: 'string' })
const address = object({ id: 'integer', street: 'string', zip: 'string' })
const shop = describeApi(
  {
    '/customers': {
      get: answers(list(by('Customer'))),
      post: { ...takes(by('Customer')), ...answers(by('Customer')) },
    },
    '/customers/{id}': { ...inPath('id'), get: answers(by('Customer')) },
    '/customers/search/{text}': { ...inPath('text'), get: answers(list(by('Customer'))) },
    '/customers/{id}/addresses': {
      ...inPath('id'),
      get: answers(list(by('Address'))),
      post: { ...takes(by('Address')), ...answers(by('Customer')) },
    },
    '/customers/{id}/addresses/{key}': {
      ...inPath('id', 'key'),
      get: answers(by('Address')),
      put: { ...takes(by('Address')), ...answers(by('Customer')) },
    },
    '/customers/{id}/tags': {
      ...inPath('id'),
      get: answers(list(object({ id: 'integer', name: 'string' }))),
      post: { ...takes(list({ type: 'string' })), ...answers(list(object({ id: 'integer', name: 'string' }))) },
    },
    '/auth/provider/{provider}': { ...inPath('provider'), post: takes(object({ email: 'string' })) },
  },
  { components: { schemas: { Customer: customer, Address: address } } },
)

// Addresses of Medusa and attachments of Homebox, tags of Kill Bill, look-ups of Woodpecker, portals of Svix.
it.each([
  'POST /customers/{id}/addresses',
  'PUT /customers/{id}/addresses/{key}',
  'POST /customers/{id}/tags',
  'GET /customers/search/{text}',
  'POST /auth/provider/{provider}',
])('guesses what %s does', (route) => {
  const model = readDescription(shop)

  expect(operationAt(model, 'POST /customers').reason.confidence).toBe('certain')
  expect(operationAt(model, route).reason.confidence).toBe('guess')
})

it('keeps what an action sends in the record that it makes, if that has such a field', async () => {
  const template = object({ id: 'integer', name: 'string', size: 'integer' })
  const item = object({ id: 'integer', name: 'string', quantity: 'integer' })
  const call = await simulation.of(
    describeApi(
      {
        '/items': { get: answers(list(by('Item'))), post: { ...takes(by('Item')), ...answers(by('Item')) } },
        '/items/{id}': { ...inPath('id'), get: answers(by('Item')) },
        '/templates': {
          get: answers(list(by('Template'))),
          post: { ...takes(by('Template')), ...answers(by('Template')) },
        },
        '/templates/{id}': { ...inPath('id'), get: answers(by('Template')) },
        '/templates/{id}/create-item': {
          ...inPath('id'),
          post: { ...takes(object({ name: 'string' })), ...created('Item') },
        },
      },
      { components: { schemas: { Template: template, Item: item } } },
    ),
    { items: 0, templates: 0 },
  )
  const { id } = (await call('POST /templates', { name: 'Tool', size: 1 })).body

  const made = await call(`POST /templates/${id}/create-item`, { name: 'Saw' })

  expect((await call(`GET /items/${made.body.id}`)).body.name).toBe('Saw')
  expect((await call(`GET /templates/${id}`)).body.name).toBe('Tool')
})

it('deletes the records of a text of ids', async () => {
  const result = object({ id: 'integer', name: 'string' })
  const call = await simulation.of(
    describeApi({
      '/results': {
        get: answers(list(result)),
        post: { ...takes(result), ...answers(result) },
        delete: { ...takes(object({ resultIds: 'string' })), responses: { 204: { description: 'gone' } } },
      },
    }),
    { results: 0 },
  )
  const ids: unknown[] = []
  for (const name of ['a', 'b', 'c']) ids.push((await call('POST /results', { name })).body.id)

  await call('DELETE /results', { resultIds: ids.slice(0, 2).join(', ') })

  expect((await call('GET /results')).body).toMatchObject([{ name: 'c' }])
})
