import { expect, it } from 'vitest'
import { createStatefulTest } from '../../bench/fidelity/stateful.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, modelOf, object, operationAt, takes } from './describe-api.ts'

const TASK = object({
  id: 'string',
  title: 'string',
  status: { type: 'string', enum: ['open', 'done', 'canceled'] },
  created_at: 'string',
  updated_at: 'string',
})
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const empty: JsonObject = { responses: { 204: { description: 'ok' } } }

it('finds a collection with its key, status, times and events', () => {
  const model = modelOf({
    '/tasks': { get: answers(listOf(TASK)), post: { ...takes(TASK), ...answers(TASK) } },
    '/tasks/{task_id}': {
      get: answers(TASK),
      patch: { ...takes(TASK), ...answers(TASK) },
      put: { ...takes(TASK), ...answers(TASK) },
      delete: empty,
    },
  })

  expect(model.collections).toMatchObject([
    {
      name: 'tasks',
      singular: 'task',
      id: { field: ['id'] },
      statusField: ['status'],
      timestamps: { created: ['created_at'], updated: ['updated_at'] },
      parent: undefined,
    },
  ])
  expect(model.operations.map(({ method, effect }) => [method, effect.kind])).toEqual([
    ['GET', 'list'],
    ['POST', 'create'],
    ['GET', 'read'],
    ['PUT', 'replace'],
    ['DELETE', 'delete'],
    ['PATCH', 'update'],
  ])
  expect(operationAt(model, 'GET /tasks/{task_id}').effect).toMatchObject({
    keys: [{ param: 'task_id', in: 'path', field: undefined }],
  })
})

it.each([
  [listOf(TASK), []],
  [object({ data: listOf(TASK), has_more: 'boolean' }), ['data']],
  [object({ tasks: listOf(TASK), meta: object({}) }), ['tasks']],
  [object({ response: object({ results: listOf(TASK) }) }), ['response', 'results']],
  [object({ things: listOf(TASK), next_page: 'string' }), ['things']],
  [object({ task_list: object({ tasks: listOf(TASK) }) }), ['task_list', 'tasks']],
])('finds the list in an envelope (%#)', (schema, path) => {
  const model = modelOf({ '/tasks': { get: answers(schema) } })

  expect(operationAt(model, 'GET /tasks').effect).toMatchObject({ kind: 'list', envelope: { path, shape: 'list' } })
})

it.each([
  [TASK, [], 'record'],
  [object({ task: TASK }), ['task'], 'record'],
  [object({ data: TASK, success: 'boolean' }), ['data'], 'record'],
  [object({ data: object({ task: TASK }) }), ['data', 'task'], 'record'],
  [object({ Tasks: listOf(TASK) }), ['Tasks'], 'listOfOne'],
])('finds the record in an envelope (%#)', (schema, path, shape) => {
  const model = modelOf({ '/tasks/{id}': { get: answers(schema), put: answers(schema) } })

  expect(operationAt(model, 'GET /tasks/{id}').effect).toMatchObject({ kind: 'read', envelope: { path, shape } })
})

it('unwraps a body by its schema, and never where the record has that field itself', () => {
  const secret = object({ name: 'string', data: object({ a: 'string' }) })
  const model = modelOf({
    '/tasks': {
      get: answers(listOf(TASK)),
      post: { ...takes(object({ task: object({ title: 'string' }) })), ...answers(TASK) },
    },
    '/secrets': { post: { ...takes(secret), ...answers(secret) } },
    '/secrets/{name}': { get: answers(secret) },
  })

  expect(operationAt(model, 'POST /tasks').effect).toMatchObject({ body: { path: ['task'], shape: 'record' } })
  expect(operationAt(model, 'POST /secrets').effect).toMatchObject({ body: { path: [] } })
  expect(model.collections.find(({ name }) => name === 'secrets')?.id.field).toEqual(['name'])
})

it.each([
  ['/petitions/{petitionId}', { id: 'integer', petition: 'string' }, ['id']],
  ['/tasks/{task_gid}', { gid: 'string', name: 'string' }, ['gid']],
  ['/users/{username}', { id: 'integer', login: 'string' }, ['login']],
  ['/Messages/{Sid}.json', { sid: 'string' }, ['sid']],
  ['/flags/{featureFlagKey}', { key: 'string', name: 'string' }, ['key']],
  ['/orgs/{org}', { id: 'integer', login: 'string' }, ['login']],
  ['/customers/{customer}', { id: 'string', name: 'string' }, ['id']],
  ['/things/{id}', { title: 'string' }, ['id']],
  ['/things/{code}', { title: 'string' }, ['code']],
  ['/things/{thing_id}', { name: 'string' }, ['id']],
])('finds what %s is compared with', (path, properties, field) => {
  const schema = object(properties)
  const name = /\{(\w+)\}/.exec(path)?.[1] ?? ''
  const parameters = [{ in: 'path', name, required: true, schema: { type: 'string' } }]
  const model = modelOf({ [path]: { parameters, get: answers(schema) } })

  expect(model.collections[0]?.id.field).toEqual(field)
})

it('knows that the client chooses a key that the create body carries', () => {
  const model = modelOf({
    '/plans': {
      post: { ...takes(object({ code: 'string' })), ...answers(object({ code: 'string', name: 'string' })) },
    },
    '/plans/{code}': { get: answers(object({ code: 'string', name: 'string' })) },
  })

  expect(model.collections[0]?.id).toMatchObject({ field: ['code'], clientChosen: true })
})

it('hangs nested collections below their parents, and keeps how a parent is named', () => {
  const repo = object({ id: 'integer', name: 'string', owner: object({ login: 'string' }) })
  const model = modelOf({
    '/repos/{owner}/{repo}': {
      parameters: ['owner', 'repo'].map((name) => ({ in: 'path', name, schema: { type: 'string' } })),
      get: answers(repo),
    },
    '/repos/{owner}/{repo}/issues': {
      get: answers(listOf(object({ id: 'integer', number: 'integer' }))),
      post: answers(object({ id: 'integer' })),
    },
    '/repos/{owner}/{repo}/issues/{number}': { get: answers(object({ id: 'integer', number: 'integer' })) },
  })

  expect(operationAt(model, 'GET /repos/{owner}/{repo}').effect).toMatchObject({
    keys: [{ param: 'owner', field: ['owner', 'login'] }, { param: 'repo' }],
  })
  expect(model.collections.find(({ name }) => name === 'issues')).toMatchObject({
    parent: { collection: 'repos', param: 'repo' },
    id: { field: ['number'] },
  })
  expect(operationAt(model, 'GET /repos/{owner}/{repo}/issues').effect).toMatchObject({
    scope: [
      { param: 'owner', collection: undefined },
      { param: 'repo', collection: 'repos' },
    ],
  })
})

it('takes a list of the same component elsewhere as a view, filtered by the field that refers to the parent', () => {
  const components = { Task: object({ id: 'string', project_id: 'string' }), Project: object({ id: 'string' }) }
  const model = modelOf(
    {
      '/projects/{id}': { get: answers(ref('Project')) },
      '/tasks/{id}': { get: answers(ref('Task')) },
      '/projects/{project_id}/tasks': { get: answers(listOf(ref('Task'))) },
    },
    { components: { schemas: components } },
  )

  expect(model.collections.map(({ name }) => name)).toEqual(['projects', 'tasks'])
  expect(operationAt(model, 'GET /projects/{project_id}/tasks').effect).toMatchObject({
    collection: 'tasks',
    scope: [{ param: 'project_id', collection: 'projects', field: ['project_id'] }],
  })
})

it('does not let the end of a membership delete the member', () => {
  const model = modelOf(
    {
      '/users': { get: answers(listOf(ref('User'))), post: answers(ref('User')) },
      '/users/{id}': { get: answers(ref('User')), delete: empty },
      '/teams/{id}': { get: answers(object({ id: 'string' })) },
      '/teams/{id}/users': { get: answers(listOf(ref('User'))) },
      '/teams/{id}/users/{user_id}': { put: empty, delete: empty },
    },
    { components: { schemas: { User: object({ id: 'string', name: 'string' }) } } },
  )

  const removal = operationAt(model, 'DELETE /teams/{id}/users/{user_id}').effect
  expect(removal).toMatchObject({ kind: 'delete', collection: 'team_users' })
})

it('distinguishes records that several parents have under one name', () => {
  const nested = (comment: JsonObject) => ({ get: answers(listOf(comment)), post: answers(comment) })
  const comment = object({ id: 'string', text: 'string' })
  const remark = object({ id: 'string', x: 'string', y: 'string', z: 'string' })
  const model = modelOf({
    '/posts/{id}': { get: answers(TASK) },
    '/posts/{id}/comments': nested(comment),
    '/posts/{id}/comments/{comment_id}': { get: answers(comment) },
    '/photos/{id}': { get: answers(TASK) },
    '/photos/{id}/comments': nested(remark),
    '/photos/{id}/comments/{comment_id}': { get: answers(remark) },
  })

  expect(model.collections.map(({ name, singular }) => [name, singular])).toEqual([
    ['posts', 'post'],
    ['post_comments', 'post_comment'],
    ['photos', 'photo'],
    ['photo_comments', 'photo_comment'],
  ])
})

it('reads documents that exist once', () => {
  const settings = object({ theme: 'string' })
  const model = modelOf({
    '/account': { get: answers(object({ plan: 'string' })) },
    '/users/{id}': { get: answers(TASK) },
    '/users/{id}/settings': {
      get: answers(settings),
      put: { ...takes(settings), ...answers(settings) },
      delete: empty,
    },
  })

  expect(model.singletons).toMatchObject([
    { name: 'account', parent: undefined },
    { name: 'settings', parent: 'users' },
  ])
  expect(model.operations.map(({ effect }) => effect.kind)).toEqual([
    'singletonRead',
    'read',
    'singletonRead',
    'singletonReplace',
    'singletonDelete',
  ])
})

it.each([
  ['/tasks/{id}/cancel', 'post', 'canceled'],
  ['/tasks/{id}:complete', 'post', 'done'],
  ['/tasks/{id}/actions/cancel', 'post', 'canceled'],
  ['/tasks/{id}/reopen', 'put', 'open'],
  ['/tasks/{id}/duplicate', 'post', undefined],
])('reads %s as an action', (path, method, toStatus) => {
  const model = modelOf({ '/tasks/{id}': { get: answers(TASK) }, [path]: { [method]: answers(TASK) } })

  expect(operationAt(model, `${method.toUpperCase()} ${path}`).effect).toMatchObject({
    kind: 'action',
    collection: 'tasks',
    keys: [{ param: 'id' }],
    toStatus,
  })
})

it('answers what is below a record with the record where the description says so', () => {
  const cart = ref('Cart')
  const model = modelOf(
    {
      '/carts/{id}': { get: answers(cart) },
      '/carts/{id}/items': { post: { ...takes(object({ sku: 'string' })), ...answers(cart) } },
    },
    { components: { schemas: { Cart: object({ id: 'string', items: listOf(object({ sku: 'string' })) }) } } },
  )

  expect(operationAt(model, 'POST /carts/{id}/items').effect).toMatchObject({
    kind: 'action',
    collection: 'carts',
    keys: [{ param: 'id' }],
  })
})

it('reads searches, bulk requests and clearing', () => {
  const model = modelOf({
    '/tasks': {
      get: answers(listOf(TASK)),
      post: answers(TASK),
      delete: empty,
      put: { ...takes(listOf(TASK)), ...answers(listOf(TASK)) },
    },
    '/tasks/{id}': { get: answers(TASK) },
    '/tasks/search': { post: { ...takes(object({ query: 'string' })), ...answers(object({ results: listOf(TASK) })) } },
    '/tasks/batch': {
      post: { ...takes(object({ inputs: listOf(TASK) })), ...answers(object({ results: listOf(TASK) })) },
    },
    '/tasks/batch/archive': { post: { ...takes(object({ inputs: listOf(object({ id: 'string' })) })), ...empty } },
  })

  expect(operationAt(model, 'DELETE /tasks').effect.kind).toBe('bulkDelete')
  expect(operationAt(model, 'PUT /tasks').effect.kind).toBe('bulkUpdate')
  expect(operationAt(model, 'POST /tasks/search').effect).toMatchObject({
    kind: 'search',
    collection: 'tasks',
    envelope: { path: ['results'] },
  })
  expect(operationAt(model, 'POST /tasks/batch').effect).toMatchObject({
    kind: 'bulkCreate',
    body: { path: ['inputs'], shape: 'list' },
  })
  expect(operationAt(model, 'POST /tasks/batch/archive').effect.kind).toBe('bulkDelete')
})

it('reads remote procedures by their verbs', () => {
  const user = object({ id: 'string', name: 'string' })
  const byUser = { parameters: [{ in: 'query', name: 'user', required: true, schema: { type: 'string' } }] }
  const model = modelOf({
    '/users.list': { get: answers(object({ ok: 'boolean', members: listOf(user) })) },
    '/users.info': { get: { ...byUser, ...answers(object({ ok: 'boolean', user })) } },
    '/transfer/create': {
      post: { ...takes(object({ amount: 'string' })), ...answers(object({ transfer: user, request_id: 'string' })) },
    },
    '/transfer/get': {
      post: {
        ...takes(object({ transfer_id: 'string' })),
        ...answers(object({ transfer: user, request_id: 'string' })),
      },
    },
  })

  expect(operationAt(model, 'GET /users.list').effect).toMatchObject({ kind: 'list', collection: 'users' })
  expect(operationAt(model, 'GET /users.info').effect).toMatchObject({
    kind: 'read',
    collection: 'users',
    keys: [{ param: 'user', in: 'query' }],
  })
  expect(operationAt(model, 'POST /transfer/create').effect).toMatchObject({ kind: 'create', collection: 'transfer' })
  expect(operationAt(model, 'POST /transfer/get').effect).toMatchObject({
    kind: 'read',
    collection: 'transfer',
    keys: [{ param: 'transfer_id', in: 'body' }],
  })
})

it('finds the key in the body where the path has none', () => {
  const pet = object({ id: 'integer', name: 'string' })
  const model = modelOf({
    '/pet': { post: { ...takes(pet), ...answers(pet) }, put: { ...takes(pet), ...answers(pet) } },
    '/pet/{petId}': { get: answers(pet) },
  })

  expect(operationAt(model, 'PUT /pet').effect).toMatchObject({ kind: 'replace', keys: [{ param: 'id', in: 'body' }] })
})

it('finds relations by id, by embedded object, by either, and by the role of a person', () => {
  const components = {
    User: object({ id: 'string', name: 'string' }),
    PaymentMethod: object({ id: 'string' }),
    Order: object({
      id: 'string',
      assigneeId: 'string',
      default_payment_method_id: 'string',
      watcher_ids: listOf({ type: 'string' }),
      owner: ref('User'),
      payer: { anyOf: [{ type: 'string' }, ref('User')] },
    }),
  }
  const model = modelOf(
    {
      '/users/{id}': { get: answers(ref('User')) },
      '/payment_methods/{id}': { get: answers(ref('PaymentMethod')) },
      '/orders/{id}': { get: answers(ref('Order')) },
    },
    { components: { schemas: components } },
  )

  expect(model.collections.find(({ name }) => name === 'orders')?.relations).toEqual([
    { field: ['assigneeId'], collection: 'users', many: false, form: 'id' },
    { field: ['default_payment_method_id'], collection: 'payment_methods', many: false, form: 'id' },
    { field: ['watcher_ids'], collection: 'users', many: true, form: 'id' },
    { field: ['owner', 'id'], collection: 'users', many: false, form: 'object' },
    { field: ['payer'], collection: 'users', many: false, form: 'id' },
  ])
})

it.each([
  [{ status: 'string', archived: 'boolean' }, ['status']],
  [{ deal_stage: { type: 'string', enum: ['new', 'won'] } }, ['deal_stage']],
  [{ archived: 'boolean' }, ['archived']],
  // Stripe's tax rates, SendGrid's senders, Shippo's addresses.
  [{ country: 'string', state: 'string' }, null],
  [{ name: 'string' }, null],
])('finds the status of %j', (properties, field) => {
  const model = modelOf({ '/deals/{id}': { get: answers(object({ id: 'string', ...properties })) } })

  expect(model.collections[0]?.statusField).toEqual(field)
})

it('finds how lists are cut into pages', () => {
  const withQuery = (...names: string[]) => ({
    '/tasks': {
      get: {
        parameters: names.map((name) => ({
          in: 'query',
          name,
          schema: { type: name === 'page' ? 'integer' : 'string' },
        })),
        ...answers(listOf(TASK)),
      },
    },
  })
  const paging = (...names: string[]) => operationAt(modelOf(withQuery(...names)), 'GET /tasks').effect

  expect(paging('limit', 'offset')).toMatchObject({ paging: { limit: 'limit', offset: 'offset' } })
  expect(paging('page', 'per_page')).toMatchObject({ paging: { page: 'page', limit: 'per_page', firstPage: 1 } })
  expect(paging('starting_after', 'ending_before')).toMatchObject({
    paging: { after: 'starting_after', before: 'ending_before' },
  })
  expect(paging('page[cursor]')).toMatchObject({ paging: { after: 'page[cursor]' } })
})

it('falls back to an example where nothing can be inferred, and counts that as stateless', () => {
  const model = modelOf({
    '/render': { post: { ...takes({ type: 'string' }), ...answers({ type: 'string' }) } },
    '/tasks/{id}': { get: answers(TASK) },
  })
  const isStateful = createStatefulTest(model)

  expect(model.operations.map(({ effect }) => effect.kind)).toEqual(['example', 'read'])
  expect(model.operations.map(isStateful)).toEqual([false, true])
})

it('knows the token endpoint of the description', () => {
  const model = modelOf(
    { '/oauth/token': { post: answers(object({ access_token: 'string' })) } },
    {
      components: {
        securitySchemes: {
          o: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } } },
        },
      },
    },
  )

  expect(model.operations[0]?.effect).toEqual({ kind: 'signIn', step: 'token' })
})

it.each<[string, JsonObject, readonly string[]]>([
  ['parent_id', { type: 'string' }, ['parent_id']],
  ['parentTaskId', { type: 'string' }, ['parentTaskId']],
  ['parentTask', { type: ['string', 'null'] }, ['parentTask']],
  ['parent', { anyOf: [ref('Task'), { type: 'null' }] }, ['parent', 'id']],
  ['parent', { ...object({ id: 'string', title: 'string' }), type: ['object', 'null'] }, ['parent', 'id']],
])('narrows records below one of their own kind by its field for it: %s', (name, schema, field) => {
  const Task = object({ id: 'string', title: 'string', [name]: schema })
  const model = modelOf(
    {
      '/tasks': { get: answers(listOf(ref('Task'))) },
      '/tasks/{id}': { get: answers(ref('Task')) },
      '/tasks/{id}/subtasks': { get: answers(listOf(ref('Task'))) },
    },
    { components: { schemas: { Task } } },
  )

  expect(model.collections[0]?.relations).toMatchObject([{ field, collection: 'tasks', many: false }])
  expect(operationAt(model, 'GET /tasks/{id}/subtasks').effect).toMatchObject({
    collection: 'tasks',
    scope: [{ param: 'id', collection: 'tasks', field }],
  })
})

it('takes `parent_id` below another collection for what it may be: either', () => {
  const File = object({ id: 'string', parent_id: 'string' })
  const model = modelOf({
    '/folders/{folder_id}': { get: answers(object({ id: 'string', name: 'string' })) },
    '/folders/{folder_id}/files': { get: answers(listOf(File)) },
    '/folders/{folder_id}/files/{id}': { get: answers(File) },
  })

  expect(model.collections.find(({ name }) => name === 'files')?.relations).toEqual([])
})

it('names collections, fields and events in any alphabet', () => {
  const task = object({ номер: 'integer', имя: 'string' })
  const model = modelOf({
    '/задачи': { get: answers({ type: 'array', items: task }) },
    '/задачи/{номер}': { get: answers(task) },
    '/aufträge': { get: answers({ type: 'array', items: object({ id: 'integer' }) }) },
  })

  expect(model.collections).toMatchObject([
    { name: 'задачи', id: { field: ['номер'] } },
    { name: 'aufträge', id: { field: ['id'] } },
  ])
})
