import { expect, it } from 'vitest'
import type { RememberedAnswer } from '../../src/service/simulated-api/idempotency.ts'
import { JournaledMap } from '../../src/service/world/journaled-map.ts'
import {
  answers,
  body,
  boolean,
  describeApi,
  empty,
  integer,
  list,
  object,
  path,
  query,
  string,
} from './describe-api.ts'
import { KEY, simulate } from './simulate.ts'

const form = 'application/x-www-form-urlencoded'

it('forms, prefixed ids, expandable fields, deletions that say so', () => {
  const { send } = simulate(
    describeApi(
      {
        '/v1/customers': {
          get: {
            parameters: [query('limit', integer()), query('starting_after'), query('email')],
            responses: answers(
              object(
                { object: string({ enum: ['list'] }), data: list('$Customer'), has_more: boolean, url: string() },
                ['object', 'data', 'has_more', 'url'],
              ),
            ),
          },
          post: {
            requestBody: {
              content: {
                [form]: {
                  schema: object({
                    email: string(),
                    name: string(),
                    metadata: { type: 'object', additionalProperties: string() },
                  }),
                },
              },
            },
            responses: answers('$Customer'),
          },
        },
        '/v1/customers/{customer}': {
          parameters: [path('customer')],
          get: {
            parameters: [{ name: 'expand', in: 'query', style: 'deepObject', explode: true, schema: list(string()) }],
            responses: answers({ anyOf: ['$Customer', '$DeletedCustomer'] }),
          },
          post: {
            requestBody: {
              content: {
                [form]: {
                  schema: object({ name: string(), metadata: { type: 'object', additionalProperties: string() } }),
                },
              },
            },
            responses: answers('$Customer'),
          },
          delete: { responses: answers('$DeletedCustomer') },
        },
        '/v1/charges': {
          post: {
            requestBody: {
              content: { [form]: { schema: object({ amount: integer(), customer: string() }, ['amount']) } },
            },
            responses: answers('$Charge'),
          },
          get: {
            parameters: [
              query('customer'),
              {
                name: 'created',
                in: 'query',
                style: 'deepObject',
                explode: true,
                schema: { anyOf: [object({ gte: integer() }), integer()] },
              },
            ],
            responses: answers(
              object({ object: string({ enum: ['list'] }), data: list('$Charge'), has_more: boolean, url: string() }, [
                'data',
              ]),
            ),
          },
        },
        '/v1/charges/{charge}': {
          get: {
            parameters: [
              path('charge'),
              { name: 'expand', in: 'query', style: 'deepObject', explode: true, schema: list(string()) },
            ],
            responses: answers('$Charge'),
          },
        },
      },
      {
        Customer: object(
          {
            id: string(),
            object: string({ enum: ['customer'] }),
            email: string({ nullable: true }),
            name: string({ nullable: true }),
            created: integer({ format: 'unix-time' }),
            metadata: { type: 'object', additionalProperties: string() },
          },
          ['id', 'object', 'created'],
        ),
        DeletedCustomer: object(
          { id: string(), object: string({ enum: ['customer'] }), deleted: { type: 'boolean', enum: [true] } },
          ['id', 'object', 'deleted'],
        ),
        Charge: object(
          {
            id: string(),
            object: string({ enum: ['charge'] }),
            amount: integer(),
            created: integer({ format: 'unix-time' }),
            customer: { anyOf: [string(), '$Customer'], nullable: true } as never,
          },
          ['id', 'object', 'amount', 'created'],
        ),
      },
    ),
  )
  const post = (target: string, text: string) => send('POST', target, { text, headers: { 'content-type': form } })

  const customer = post('/v1/customers', 'email=a%40b.test&metadata[order]=6735&metadata[seat]=4')
  expect(customer.body).toMatchObject({ object: 'customer', email: 'a@b.test', metadata: { order: '6735', seat: '4' } })
  const { id } = customer.body
  expect(post(`/v1/customers/${id}`, 'name=Ada&metadata[seat]=5').body).toMatchObject({
    name: 'Ada',
    email: 'a@b.test',
    metadata: { order: '6735', seat: '5' },
  })

  const charge = post('/v1/charges', `amount=100&customer=${id}`).body
  expect(charge.customer).toBe(id)
  expect(send('GET', `/v1/charges/${charge.id}?expand[]=customer`).body.customer).toMatchObject({ id, name: 'Ada' })
  expect(send('GET', `/v1/charges?customer=${id}`).body.data).toEqual([charge])
  expect(send('GET', `/v1/charges?created[gte]=${charge.created}`).body.data).toContainEqual(charge)

  const first = send('GET', '/v1/customers?limit=2').body
  const second = send('GET', `/v1/customers?limit=2&starting_after=${first.data[1].id}`).body
  expect(first).toMatchObject({ object: 'list', has_more: true })
  expect(second.data.map((item: { id: string }) => item.id)).not.toContain(first.data[1].id)
  expect(send('DELETE', `/v1/customers/${id}`).body).toEqual({ id, object: 'customer', deleted: true })
})

it('bodies and answers in `data`, pages by an offset token, relations as objects', () => {
  const wrapped = (schema: unknown) => object({ data: schema })
  const { send } = simulate(
    describeApi(
      {
        '/projects': {
          get: { responses: answers(wrapped(list('$Project'))) },
          post: {
            requestBody: body(wrapped(object({ name: string() }))),
            responses: answers(wrapped('$Project'), 201),
          },
        },
        '/projects/{project_gid}': {
          get: { parameters: [path('project_gid')], responses: answers(wrapped('$Project')) },
        },
        '/projects/{project_gid}/tasks': {
          get: {
            parameters: [path('project_gid'), query('limit', integer()), query('offset'), query('opt_fields')],
            responses: answers(object({ data: list('$Task'), next_page: '$NextPage' })),
          },
        },
        '/tasks': {
          get: {
            parameters: [query('project'), query('limit', integer()), query('offset')],
            responses: answers(object({ data: list('$Task'), next_page: '$NextPage' })),
          },
          post: {
            requestBody: body(
              wrapped(object({ name: string(), assignee: string(), projects: list(string()), completed: boolean })),
            ),
            responses: answers(wrapped('$Task'), 201),
          },
        },
        '/tasks/{task_gid}': {
          parameters: [path('task_gid')],
          get: { responses: answers(wrapped('$Task')) },
          put: {
            requestBody: body(wrapped(object({ name: string(), completed: boolean }))),
            responses: answers(wrapped('$Task')),
          },
          delete: { responses: answers(wrapped(object({}))) },
        },
      },
      {
        Project: object({ gid: string({ readOnly: true }), name: string() }),
        Task: object({
          gid: string({ readOnly: true }),
          name: string(),
          completed: boolean,
          assignee: { ...object({ gid: string(), name: string() }), nullable: true },
          projects: list(object({ gid: string(), name: string() })),
        }),
        NextPage: { ...object({ offset: string(), path: string(), uri: string({ format: 'uri' }) }), nullable: true },
      },
    ),
  )
  const project = send('POST', '/projects', { json: { data: { name: 'Launch' } } }).body.data

  const task = send('POST', '/tasks', { json: { data: { name: 'Ship', projects: [project.gid] } } }).body.data
  expect(task).toMatchObject({ name: 'Ship', projects: [{ gid: project.gid, name: 'Launch' }] })
  expect(send('GET', `/tasks/${task.gid}`).body).toEqual({ data: task })
  expect(send('GET', `/projects/${project.gid}/tasks`).body.data).toEqual([task])
  expect(send('GET', `/tasks?project=${project.gid}`).body).toEqual({ data: [task], next_page: null })
  expect(send('PUT', `/tasks/${task.gid}`, { json: { data: { completed: true } } }).body.data).toMatchObject({
    name: 'Ship',
    completed: true,
  })

  const page = send('GET', '/tasks?limit=3').body
  expect(page.next_page).toMatchObject({ offset: expect.any(String), uri: expect.stringContaining('offset=') })
  const next = send('GET', `/tasks?limit=3&offset=${page.next_page.offset}`).body
  expect(next.data).toHaveLength(3)
  expect(page.data).not.toContainEqual(next.data[0])
  expect(send('DELETE', `/tasks/${task.gid}`).body).toEqual({ data: {} })
})

it('arrays of one, creation by PUT, upsert by POST', () => {
  const contacts = object({ Contacts: list('$Contact') })
  const { send } = simulate(
    describeApi(
      {
        '/Contacts': {
          get: { parameters: [query('page', integer())], responses: answers(contacts) },
          put: { operationId: 'createContacts', requestBody: body(contacts), responses: answers(contacts) },
          post: { operationId: 'updateOrCreateContacts', requestBody: body(contacts), responses: answers(contacts) },
        },
        '/Contacts/{ContactID}': {
          parameters: [path('ContactID', string({ format: 'uuid' }))],
          get: { responses: answers(contacts) },
          post: { operationId: 'updateContact', requestBody: body(contacts), responses: answers(contacts) },
        },
      },
      {
        Contact: object({
          ContactID: string({ format: 'uuid' }),
          Name: string({ maxLength: 255 }),
          EmailAddress: string(),
        }),
      },
    ),
  )

  const made = send('PUT', '/Contacts', { json: { Contacts: [{ Name: 'ACME' }] } })
  expect(made.body.Contacts).toMatchObject([{ Name: 'ACME' }])
  expect(made.changes).toMatchObject([{ type: 'created' }])
  const { ContactID } = made.body.Contacts[0]
  expect(send('GET', `/Contacts/${ContactID}`).body).toEqual(made.body)
  const changed = send('POST', '/Contacts', { json: { Contacts: [{ ContactID, EmailAddress: 'a@acme.test' }] } })
  expect(changed.body.Contacts).toMatchObject([{ ContactID, Name: 'ACME', EmailAddress: 'a@acme.test' }])
  expect(changed.changes).toMatchObject([{ type: 'updated', key: ContactID }])
  expect(
    send('POST', `/Contacts/${ContactID}`, { json: { Contacts: [{ Name: 'ACME Ltd' }] } }).body.Contacts[0].Name,
  ).toBe('ACME Ltd')
  expect(send('GET', '/Contacts').body.Contacts.map((contact: { ContactID: string }) => contact.ContactID)).toContain(
    ContactID,
  )
})

it('properties as a map, batches, searches by groups of filters, cursors in objects', () => {
  const properties = { type: 'object', additionalProperties: string() }
  const page = object({ results: list('$Contact'), paging: '$Paging' }, ['results'])
  const { send } = simulate(
    describeApi(
      {
        '/crm/v3/objects/contacts': {
          get: { parameters: [query('limit', integer({ default: 10 })), query('after')], responses: answers(page) },
          post: { requestBody: body(object({ properties }, ['properties'])), responses: answers('$Contact', 201) },
        },
        '/crm/v3/objects/contacts/{contactId}': {
          parameters: [path('contactId')],
          get: { responses: answers('$Contact') },
          patch: { requestBody: body(object({ properties }, ['properties'])), responses: answers('$Contact') },
          delete: { responses: empty() },
        },
        '/crm/v3/objects/contacts/batch/read': {
          post: {
            requestBody: body(object({ inputs: list(object({ id: string() })) }, ['inputs'])),
            responses: answers(
              object({ results: list('$Contact'), status: string({ enum: ['COMPLETE', 'PENDING'] }) }, [
                'results',
                'status',
              ]),
            ),
          },
        },
        '/crm/v3/objects/contacts/search': {
          post: {
            requestBody: body(
              object({
                filterGroups: list({ type: 'object' }),
                limit: integer(),
                after: string(),
                sorts: list(string()),
              }),
            ),
            responses: answers(
              object({ total: integer(), results: list('$Contact'), paging: '$Paging' }, ['total', 'results']),
            ),
          },
        },
      },
      {
        Contact: object(
          {
            id: string(),
            properties,
            createdAt: string({ format: 'date-time' }),
            updatedAt: string({ format: 'date-time' }),
            archived: boolean,
          },
          ['id', 'properties', 'createdAt', 'updatedAt'],
        ),
        Paging: object({ next: object({ after: string(), link: string() }, ['after']) }),
      },
    ),
  )
  const make = (email: string) =>
    send('POST', '/crm/v3/objects/contacts', { json: { properties: { email, firstname: 'Ada' } } }).body
  const ada = make('ada@example.com')
  const bob = make('bob@example.com')

  expect(send('GET', `/crm/v3/objects/contacts/${ada.id}`).body).toEqual(ada)
  expect(
    send('PATCH', `/crm/v3/objects/contacts/${ada.id}`, { json: { properties: { lastname: 'L' } } }).body.properties,
  ).toMatchObject({
    email: 'ada@example.com',
    lastname: 'L',
  })
  const search = send('POST', '/crm/v3/objects/contacts/search', {
    json: { filterGroups: [{ filters: [{ propertyName: 'email', operator: 'EQ', value: 'bob@example.com' }] }] },
  }).body
  expect(search).toMatchObject({ total: 1, results: [{ id: bob.id }] })
  const read = send('POST', '/crm/v3/objects/contacts/batch/read', {
    json: { inputs: [{ id: bob.id }, { id: ada.id }] },
  }).body
  expect(read.results.map((item: { id: string }) => item.id)).toEqual([bob.id, ada.id])
  const first = send('GET', '/crm/v3/objects/contacts?limit=1').body
  const second = send('GET', `/crm/v3/objects/contacts?limit=1&after=${first.paging.next.after}`).body
  expect([first.results[0].id, second.results[0].id]).toEqual([bob.id, ada.id])
  expect(send('DELETE', `/crm/v3/objects/contacts/${ada.id}`).status).toBe(204)
})

it('JSON:API: attributes, sparse fields, links', () => {
  const type = 'application/vnd.api+json'
  const resource = (name: string) =>
    object({ type: string({ enum: ['articles'] }), id: string(), attributes: name }, ['type', 'id', 'attributes'])
  const content = (schema: unknown) => ({
    200: { description: 'ok', content: { [type]: { schema: schema as never } } },
  })
  const { send } = simulate(
    describeApi(
      {
        '/articles': {
          get: {
            parameters: [query('page[number]', integer()), query('page[size]', integer()), query('filter[title]')],
            responses: content(
              object({
                data: list('$Article'),
                links: object({ next: string({ nullable: true }), prev: string({ nullable: true }) }),
              }),
            ),
          },
          post: {
            requestBody: body(
              object(
                {
                  data: object({ type: string(), attributes: object({ title: string(), body: string() }, ['title']) }, [
                    'type',
                    'attributes',
                  ]),
                },
                ['data'],
              ),
              type,
            ),
            responses: { 201: { description: 'ok', content: { [type]: { schema: object({ data: '$Article' }) } } } },
          },
        },
        '/articles/{id}': {
          parameters: [path('id')],
          get: { responses: content(object({ data: '$Article' })) },
          patch: {
            requestBody: body(
              object({ data: object({ type: string(), id: string(), attributes: object({ title: string() }) }) }),
              type,
            ),
            responses: content(object({ data: '$Article' })),
          },
        },
      },
      { Article: resource('$Attributes'), Attributes: object({ title: string(), body: string() }, ['title', 'body']) },
    ),
  )
  const headers = { 'content-type': type, accept: type }

  const made = send('POST', '/articles', {
    text: JSON.stringify({ data: { type: 'articles', attributes: { title: 'One', body: 'b' } } }),
    headers,
  })
  expect(made).toMatchObject({
    status: 201,
    headers: { 'content-type': type },
    body: { data: { type: 'articles', attributes: { title: 'One', body: 'b' } } },
  })
  const { id } = made.body.data
  const patch = { data: { type: 'articles', id, attributes: { title: 'Two' } } }
  expect(send('PATCH', `/articles/${id}`, { text: JSON.stringify(patch), headers }).body.data.attributes).toEqual({
    title: 'Two',
    body: 'b',
  })
  expect(
    send('GET', '/articles?filter[title]=Two', { headers }).body.data.map((item: { id: string }) => item.id),
  ).toEqual([id])
  const page = send('GET', '/articles?page[size]=2', { headers }).body
  expect(page.data).toHaveLength(2)
  expect(decodeURIComponent(page.links.next)).toContain('page[number]=2')
  expect(
    send('GET', new URL(page.links.next).pathname + new URL(page.links.next).search, { headers }).body.data,
  ).toHaveLength(2)
})

it('composite keys, Link headers, states outside of the enum', () => {
  const { send } = simulate(
    describeApi(
      {
        '/user/repos': {
          post: { requestBody: body(object({ name: string() }, ['name'])), responses: answers('$Repo', 201) },
        },
        '/repos/{owner}/{repo}': {
          parameters: [path('owner'), path('repo')],
          get: { responses: answers('$Repo') },
          patch: { requestBody: body(object({ description: string() })), responses: answers('$Repo') },
          delete: { responses: empty() },
        },
        '/repos/{owner}/{repo}/issues': {
          parameters: [path('owner'), path('repo')],
          get: {
            parameters: [
              query('state', string({ enum: ['open', 'closed', 'all'], default: 'open' })),
              query('per_page', integer()),
              query('page', integer()),
            ],
            responses: answers(list('$Issue'), 200, { headers: { Link: { schema: string() } } }),
          },
          post: {
            requestBody: body(object({ title: string(), labels: list(string()) }, ['title'])),
            responses: answers('$Issue', 201),
          },
        },
        '/repos/{owner}/{repo}/issues/{issue_number}': {
          parameters: [path('owner'), path('repo'), path('issue_number', integer())],
          get: { responses: answers('$Issue') },
          patch: {
            requestBody: body(object({ state: string({ enum: ['open', 'closed'] }) })),
            responses: answers('$Issue'),
          },
        },
      },
      {
        User: object({ id: integer(), login: string() }, ['id', 'login']),
        Repo: object(
          {
            id: integer(),
            name: string(),
            full_name: string(),
            owner: '$User',
            description: string({ nullable: true }),
          },
          ['id', 'name', 'owner'],
        ),
        Issue: object(
          {
            id: integer(),
            number: integer(),
            title: string(),
            state: string(),
            labels: list(object({ name: string() })),
            user: '$User',
          },
          ['id', 'number', 'title', 'state'],
        ),
      },
    ),
  )

  const repo = send('POST', '/user/repos', { json: { name: 'hello' } }).body
  const root = `/repos/${repo.owner.login}/hello`
  expect(send('GET', root).body).toEqual(repo)
  expect(send('PATCH', root, { json: { description: 'd' } }).body).toMatchObject({ id: repo.id, description: 'd' })

  const issue = send('POST', `${root}/issues`, { json: { title: 'Bug', labels: ['p1'] } }).body
  expect(issue).toMatchObject({ title: 'Bug', labels: [{ name: 'p1' }] })
  expect(send('GET', `${root}/issues/${issue.number}`).body).toEqual(issue)
  expect(send('PATCH', `${root}/issues/${issue.number}`, { json: { state: 'closed' } }).body.state).toBe('closed')
  expect(send('GET', `${root}/issues?state=all`).body.map((item: { number: number }) => item.number)).toEqual([
    issue.number,
  ])

  for (const title of ['a', 'b']) send('POST', '/repos/nobody/nothing/issues', { json: { title } })
  const page = send('GET', '/repos/nobody/nothing/issues?state=all&per_page=1')
  expect(page.body).toHaveLength(1)
  expect(page.headers.link).toContain('page=2>; rel="next"')
  expect(send('DELETE', root).status).toBe(204)
  expect(send('GET', root).status).toBe(404)
})

it('page facts in `meta` with the name of the list, accounts in the path', () => {
  const basic = `Basic ${btoa(`AC1:${KEY}`)}`
  const { send } = simulate(
    describeApi(
      {
        '/Accounts/{AccountSid}/Messages.json': {
          parameters: [path('AccountSid')],
          get: {
            parameters: [query('PageSize', integer()), query('Page', integer({ minimum: 0 })), query('PageToken')],
            responses: answers(
              object({
                messages: list('$Message'),
                meta: object({
                  first_page_url: string({ format: 'uri' }),
                  next_page_url: string({ format: 'uri', nullable: true }),
                  page: integer(),
                  page_size: integer(),
                  key: string(),
                }),
              }),
            ),
          },
          post: {
            requestBody: body(object({ To: string(), Body: string() }, ['To']), form),
            responses: answers('$Message', 201),
          },
        },
        '/Accounts/{AccountSid}/Messages/{Sid}.json': {
          parameters: [path('AccountSid'), path('Sid')],
          get: { responses: answers('$Message') },
          delete: { responses: empty() },
        },
      },
      {
        Message: object({
          sid: string({ pattern: '^SM[0-9a-f]{32}$' }),
          account_sid: string(),
          to: string(),
          body: string(),
        }),
      },
      { components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } }, security: [{ basic: [] }] },
    ),
  )
  const headers = { authorization: basic, 'content-type': form }

  const made = send('POST', '/Accounts/AC1/Messages.json', { text: 'To=%2B1555&Body=Hi', headers })
  expect(made.body).toMatchObject({
    sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
    account_sid: 'AC1',
    to: '+1555',
    body: 'Hi',
  })
  expect(send('GET', `/Accounts/AC1/Messages/${made.body.sid}.json`, { headers }).body).toEqual(made.body)
  const page = send('GET', '/Accounts/AC1/Messages.json?PageSize=1', { headers }).body
  expect(page).toMatchObject({ messages: [made.body], meta: { page: 0, page_size: 1, key: 'messages' } })
  expect(send('DELETE', `/Accounts/AC1/Messages/${made.body.sid}.json`, { headers }).status).toBe(204)
})

it('tokens for who shows the key as a secret', () => {
  const { send } = simulate(
    describeApi(
      {
        '/oauth/token': {
          post: {
            security: [],
            requestBody: body(
              object({ grant_type: string(), client_id: string(), client_secret: string() }, ['grant_type']),
              form,
            ),
            responses: answers(
              object({ access_token: string(), token_type: string(), expires_in: integer() }, [
                'access_token',
                'token_type',
              ]),
            ),
          },
        },
        '/things': { get: { responses: answers(list(object({ id: string() }))) } },
      },
      {},
      {
        components: {
          securitySchemes: {
            oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: {} } } },
          },
        },
        security: [{ oauth: [] }],
      },
    ),
  )
  const headers = { 'content-type': form, authorization: undefined }

  const token = send('POST', '/oauth/token', {
    text: `grant_type=client_credentials&client_id=me&client_secret=${KEY}`,
    headers,
  })
  expect(token.body).toMatchObject({ access_token: KEY, token_type: 'Bearer', expires_in: 3600 })
  expect(send('GET', '/things', { headers: { authorization: `Bearer ${token.body.access_token}` } }).status).toBe(200)
  expect(
    send('POST', '/oauth/token', { text: 'grant_type=client_credentials&client_secret=wrong', headers }),
  ).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
})

it('wants every scheme of a combination, and any of several', () => {
  const { send } = simulate(
    describeApi(
      {
        '/both': { get: { security: [{ key: [], app: [] }], responses: answers(list(object({ id: string() }))) } },
        '/either': {
          get: { security: [{ key: [] }, { inQuery: [] }], responses: answers(list(object({ id: string() }))) },
        },
      },
      {},
      {
        components: {
          securitySchemes: {
            key: { type: 'apiKey', in: 'header', name: 'X-Key' },
            app: { type: 'apiKey', in: 'header', name: 'X-App' },
            inQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
          },
        },
      },
    ),
  )
  const status = (target: string, headers: Record<string, string> = {}) =>
    send('GET', target, { headers: { authorization: undefined, ...headers } }).status

  expect(status('/both', { 'x-key': KEY })).toBe(401)
  expect(status('/both', { 'x-key': KEY, 'x-app': 'my-app' })).toBe(200)
  expect(status('/both', { 'x-key': 'wrong', 'x-app': 'my-app' })).toBe(401)
  expect(status('/either', { 'x-key': KEY })).toBe(200)
  expect(status(`/either?api_key=${KEY}`)).toBe(200)
  expect(status('/either')).toBe(401)
  expect(send('GET', '/both', { headers: { authorization: undefined } }).body.error.message).toBe(
    'Expected a key of this simulation: send it as the header `X-Key: <key>` and the header `X-App: <key>`.',
  )
})

it('accepts the key as the password of a login, and does not keep the key', () => {
  const answered = new JournaledMap<RememberedAnswer>()
  const { send } = simulate(
    describeApi(
      {
        '/users/login': {
          post: {
            security: [],
            requestBody: body(
              object({ user: object({ email: string(), password: string() }, ['email', 'password']) }, ['user']),
            ),
            responses: answers(
              object({ user: object({ email: string(), token: string() }, ['email', 'token']) }, ['user']),
            ),
          },
        },
        '/articles': { get: { responses: answers(list(object({ id: string() }))) } },
      },
      {},
      {
        components: { securitySchemes: { Token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
        security: [{ Token: [] }],
      },
    ),
    { answers: answered },
  )
  const headers = { authorization: undefined }

  const login = send('POST', '/users/login', { json: { user: { email: 'a@b.test', password: KEY } }, headers })

  expect(login.body.user).toMatchObject({ email: 'a@b.test', token: KEY })
  expect(send('GET', '/articles', { headers: { authorization: `Token ${login.body.user.token}` } }).status).toBe(200)
  expect(send('GET', '/articles', { headers }).status).toBe(401)

  const again = {
    json: { user: { email: 'c@d.test', password: KEY } },
    headers: { ...headers, 'idempotency-key': 'k' },
  }
  expect([send('POST', '/users/login', again).body, answered.size]).toEqual([
    send('POST', '/users/login', again).body,
    1,
  ])
  expect(send('POST', '/users/login', again).body.user.token).toBe(KEY)
  expect(JSON.stringify(answered.dump())).not.toContain(KEY)
})

it('fills the required lists that a call is made for, and no others', () => {
  const Completion = object(
    {
      id: string(),
      model: string(),
      choices: list(object({ index: integer(), text: string() }, ['index', 'text'])),
      labels: list(string()),
    },
    ['id', 'model', 'choices', 'labels'],
  )
  const { send } = simulate(
    describeApi(
      {
        '/completions': {
          post: { requestBody: body(object({ model: string() }, ['model'])), responses: answers('$Completion', 201) },
        },
        '/completions/{id}': { parameters: [path('id')], get: { responses: answers('$Completion') } },
      },
      { Completion },
    ),
  )

  const made = send('POST', '/completions', { json: { model: 'small' } }).body

  expect(made).toMatchObject({ model: 'small', labels: [] })
  expect(made.choices.length).toBeGreaterThan(0)
  expect(made.choices[0]).toEqual({ index: expect.any(Number), text: expect.any(String) })
  expect(send('GET', `/completions/${made.id}`).body).toEqual(made)
})
