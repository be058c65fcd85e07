import { expect, it } from 'vitest'
import { ApiError } from '../../src/protocol/errors.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { answers, describeApi, modelOf, object, operationAt, takes } from './describe-api.ts'

function refusal(document: JsonObject): string {
  try {
    readDescription(document)
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 422, code: 'invalid_spec' })
    return (error as ApiError).message
  }
  throw new Error('Expected the description to be refused.')
}

it.each([
  [{ info: {} }, 'there is neither `/openapi` nor `/swagger`'],
  [{ info: { _postman_id: 'a', name: 'Pets' }, item: [] }, 'it is a Postman collection. Export or convert it'],
  [{ asyncapi: '3.0.0', channels: {} }, 'it is an AsyncAPI document. Pass the OpenAPI description'],
  [{ swaggerVersion: '1.2', apis: [] }, 'it is a description of Swagger 1. Export or convert it'],
  [{ '/pets': { get: {} } }, 'it is a list of paths. Put them under `paths`'],
  [{ openapi: '4.0.0', paths: {} }, 'Expected `/openapi` to be 2.0 or 3.0 to 3.2, got "4.0.0"'],
  [{ swagger: '1.2', paths: {} }, 'Expected `/swagger` to be 2.0 or 3.0 to 3.2, got "1.2"'],
  [{ openapi: '3.1.0', info: {} }, 'there is none of `/paths`, `/webhooks` and `/components`'],
])('refuses %j and says what to do', (document, fact) => {
  expect(refusal(document)).toContain(fact)
})

it('refuses references to other documents, naming reference and place', () => {
  const paths = { '/tasks': { get: answers({ $ref: 'common.yaml#/Task' }) } }

  expect(refusal(describeApi(paths))).toBe(
    'Failed to read the description: /paths/~1tasks/get/responses/200/content/application~1json/schema refers to `common.yaml#/Task` outside of it, and other documents are never read. Pass the path of its file in place of its text, or bundle it into one document first.',
  )
})

it('takes references to other documents in extensions and examples for what they are: no business of the API', () => {
  const model = modelOf(
    { '/tasks': { get: { ...answers({ type: 'array', items: { type: 'object', example: { $ref: 'x.json' } } }) } } },
    { 'x-topics': [{ $ref: './topic.md' }] },
  )

  expect(model.operations).toHaveLength(1)
  expect(model.warnings).toEqual([])
})

it('skips an operation that is none, with its place, and keeps the others', () => {
  const model = modelOf({ '/a': { get: 'later', post: answers({}) }, '/b': null })

  expect(model.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /a'])
  expect(model.warnings).toEqual([
    '/paths/~1a/get was skipped: it is not an object.',
    '/paths/~1b was skipped: it is not an object.',
  ])
})

it('lets anything stand where a reference leads nowhere or in a circle, and says so', () => {
  const model = modelOf(
    {
      '/a': { get: answers({ $ref: '#/components/schemas/Rounds' }) },
      '/b': { get: answers({ $ref: '#/components/schemas/Round' }) },
    },
    { components: { schemas: { Round: { $ref: '#/components/schemas/Round' } } } },
  )

  expect(model.operations).toHaveLength(2)
  expect(model.warnings.join(' ')).toContain(
    '`#/components/schemas/Rounds` leads nowhere (did you mean "Round"?); anything',
  )
  expect(model.warnings.join(' ')).toContain('`#/components/schemas/Round` leads round in a circle')
})

it('tells a reference that leads nowhere also where only a request would follow it', () => {
  const deep = object({ inner: object({ part: { type: 'array', items: { $ref: '#/components/schemas/Lost' } } }) })
  const model = modelOf(
    {
      '/tasks': { get: answers({ type: 'array', items: object({ id: 'string', deep }) }) },
      '/jobs': {
        get: { ...answers(object({ id: 'string' })), parameters: [{ $ref: '#/components/parameters/none' }] },
      },
    },
    { components: { schemas: { Unused: { $ref: '#/components/schemas/Gone' } } } },
  )

  for (const messages of [model.warnings, model.faults]) {
    const text = messages.join(' ')
    for (const name of ['schemas/Lost', 'parameters/none', 'schemas/Gone']) {
      expect(text.split(`\`#/components/${name}\` leads nowhere`)).toHaveLength(2)
    }
  }
})

it('tells types and places of parameters that OpenAPI does not have, once each', () => {
  const model = modelOf(
    {
      '/a': {
        get: {
          ...answers(object({ id: 'string', type: 'string', rank: { type: 'interger' }, next: { type: 'interger' } })),
        },
        post: {
          ...answers(object({ id: 'string' })),
          parameters: [{ name: 'q', in: 'qeury', schema: { type: 'any' } }],
        },
      },
    },
    { components: { securitySchemes: { key: { type: 'apiKey', name: 'x-key', in: 'header' } } } },
  )

  expect(model.faults).toEqual([])
  expect(model.warnings).toEqual([
    expect.stringMatching(
      /rank\/type is "interger", which is not read\. Did you mean "integer"\? It stands at 2 places\.$/,
    ),
    '/paths/~1a/post/parameters/0/in is "qeury", which is not read. Did you mean "query"?',
    '/paths/~1a/post/parameters/0/schema/type is "any", which is not read.',
  ])
})

it('tells keywords of the wrong kind, and misspelt ones, but no names of the user', () => {
  const user = {
    enum: { type: 'string' },
    required: { type: 'boolean' },
    formt: { type: 'string' },
    items: { type: 'integer' },
  }
  const wrong = object({
    title: { type: 'string', required: true, minLength: '3', pattern: ['a-z'] },
    status: { type: 'string', enum: 'open', formt: 'date', nullable: null },
    inner: { type: 'object', propertes: { id: { type: 'string' } }, required: 'id', 'x-enmu': 1, example: { enmu: 1 } },
    security: { type: 'array', items: { type: 'object', properties: user }, uniqueItems: 'yes' },
  })
  const callbacks = { onDone: { '{$request.body#/url}': { post: answers(object({ id: 'string' })) } } }

  const model = modelOf(
    {
      '/a': {
        get: {
          ...answers(wrong),
          security: [{ patern: [] }],
          parameters: [{ name: 'q', in: 'query', required: true }],
        },
        post: { ...answers(wrong), callbacks },
      },
    },
    { components: { securitySchemes: { patern: { type: 'http', scheme: 'bearer' } } } },
  )

  expect(model.faults).toEqual([])
  const at = '/paths/~1a/get/responses/200/content/application~1json/schema'
  expect(model.warnings.map((text) => text.replace(at, '').replace(' It stands at 2 places.', ''))).toEqual([
    'Callbacks are not sent (`onDone` of POST /a): post to the address in the test, or forward webhooks to it with `webhooks.forwardTo`.',
    '/properties/title/required is true, which is not read. Name the property in the `required` of its object.',
    '/properties/title/minLength is "3", which is not read. Expected a number.',
    '/properties/title/pattern is a list, which is not read. Expected a text.',
    '/properties/status/enum is "open", which is not read. Expected a list.',
    '/properties/status/formt is not read. Did you mean "format"?',
    '/properties/inner/propertes is not read. Did you mean "properties"?',
    '/properties/inner/required is "id", which is not read. Expected a list of names.',
    '/properties/security/uniqueItems is "yes", which is not read. Expected true or false.',
  ])
})

it('does not take inherited names for components', () => {
  const model = modelOf(
    { '/a': { get: answers({ $ref: '#/components/schemas/constructor' }) } },
    { components: { schemas: {} } },
  )

  expect(model.warnings.join(' ')).toContain('leads nowhere')
})

it('reads a body and an answer as Swagger 2.0 writes them in a description of OpenAPI 3, as rswag does', () => {
  const product = object({ id: 'integer', name: 'string' })
  const model = modelOf({
    '/products': {
      get: {
        responses: { 200: { description: 'ok', schema: object({ products: { type: 'array', items: product } }) } },
      },
      post: {
        parameters: [{ in: 'body', name: 'product', schema: object({ name: 'string' }, { required: ['name'] }) }],
        responses: { 200: { description: 'made' } },
      },
    },
  })

  const { requestBody } = operationAt(model, 'POST /products')

  expect([...(requestBody?.content.get('application/json')?.required ?? [])]).toEqual(['name'])
  expect(operationAt(model, 'GET /products').effect).toMatchObject({ kind: 'list', envelope: { path: ['products'] } })
})

it('reads bodies, forms and answers of Swagger 2.0', () => {
  const model = readDescription({
    swagger: '2.0',
    basePath: '/v2/',
    consumes: ['application/json'],
    produces: ['application/json'],
    paths: {
      '/pets': {
        post: {
          parameters: [{ in: 'body', name: 'pet', required: true, schema: { $ref: '#/definitions/Pet' } }],
          responses: { 201: { description: 'made', schema: { $ref: '#/definitions/Pet' } } },
        },
      },
      '/pets/{id}': {
        get: {
          parameters: [
            { in: 'path', name: 'id', type: 'integer', required: true },
            { in: 'query', name: 'tags', type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' },
          ],
          responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Pet' } } },
        },
        post: {
          parameters: [
            { in: 'formData', name: 'name', type: 'string' },
            { in: 'formData', name: 'photo', type: 'file' },
          ],
          responses: { 200: { description: 'ok' } },
        },
      },
    },
    definitions: { Pet: object({ id: 'integer', name: 'string' }) },
  })

  expect(model.basePath).toBe('/v2')
  const create = operationAt(model, 'POST /pets')
  expect(create.effect).toMatchObject({ kind: 'create', collection: 'pets', envelope: { shape: 'record', path: [] } })
  expect(create.success.status).toBe(201)
  expect(create.requestBody?.content.get('application/json')?.name).toBe('Pet')
  const read = operationAt(model, 'GET /pets/{id}')
  expect(read.parameters.map(({ name, style, explode }) => [name, style, explode])).toEqual([
    ['id', 'simple', false],
    ['tags', 'pipeDelimited', false],
  ])
  const form = operationAt(model, 'POST /pets/{id}').requestBody
  expect([...(form?.content.keys() ?? [])]).toEqual(['multipart/form-data'])
  expect([...(form?.content.get('multipart/form-data')?.properties.keys() ?? [])]).toEqual(['name', 'photo'])
})

it('answers a creation with 201 where 200 is declared, too, and a change with 200', () => {
  const content = { 'application/json': { schema: object({ id: 'string' }) } }
  const responses = { 200: { description: 'found', content }, 201: { description: 'made', content } }

  const model = modelOf({ '/marks': { post: { responses } }, '/marks/{id}': { put: { responses } } })

  expect(operationAt(model, 'POST /marks').success.status).toBe(201)
  expect(operationAt(model, 'PUT /marks/{id}').success.status).toBe(200)
})

it('reads QUERY, other methods, querystring and itemSchema of OpenAPI 3.2', () => {
  const task = object({ id: 'string', title: 'string' })
  const model = readDescription({
    openapi: '3.2.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/tasks': {
        get: answers({ type: 'array', items: task }),
        query: { ...takes(object({ title: 'string' })), ...answers({ type: 'array', items: task }) },
      },
      '/tasks/{id}': {
        get: answers(task),
        additionalOperations: { LINK: { operationId: 'linkTask', responses: { 204: { description: 'ok' } } } },
      },
      '/tasks/stream': {
        get: {
          parameters: [
            {
              in: 'querystring',
              name: 'q',
              content: { 'application/x-www-form-urlencoded': { schema: object({ a: 'string' }) } },
            },
          ],
          responses: { 200: { description: 'ok', content: { 'application/jsonl': { itemSchema: task } } } },
        },
      },
    },
  })

  expect(operationAt(model, 'QUERY /tasks').effect).toMatchObject({ kind: 'search', collection: 'tasks' })
  expect(operationAt(model, 'LINK /tasks/{id}').effect).toMatchObject({ kind: 'example' })
  const stream = operationAt(model, 'GET /tasks/stream')
  expect(stream.parameters[0]).toMatchObject({ in: 'querystring', name: 'q' })
  const media = stream.success.content.get('application/jsonl')
  expect(media?.schema?.types).toEqual(['array'])
  expect([...(media?.schema?.items?.properties.keys() ?? [])]).toEqual(['id', 'title'])
})

it('takes every base path that servers name', () => {
  const model = modelOf(
    { '/a': { get: answers({}), servers: [{ url: 'https://upload.example.com/upload' }] } },
    {
      servers: [
        {
          url: 'https://{region}.example.com/{version}/',
          variables: { region: { default: 'eu' }, version: { default: 'v1', enum: ['v1', 'v2'] } },
        },
        { url: '/relative' },
        { url: '{host}/v3', variables: { host: { default: 'https://api.example.com' } } },
        { url: '{scheme}://{host}/v4' },
        { url: '{root}', variables: { root: { default: '/v5' } } },
      ],
    },
  )

  expect(model.basePath).toBe('/v1')
  expect(model.basePaths.toSorted()).toEqual(['/relative', '/upload', '/v1', '/v2', '/v3', '/v4', '/v5'])
})

it('reads alternatives and combinations of security, and leaves what is public public', () => {
  const model = modelOf(
    {
      '/a': { get: answers({}) },
      '/b': { get: { ...answers({}), security: [] } },
      '/c': { get: { ...answers({}), security: [{ key: [], secret: [] }, { forgotten: [] }] } },
    },
    {
      security: [{ token: [] }],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          key: { type: 'apiKey', in: 'query', name: 'k' },
          secret: { type: 'apiKey', in: 'header', name: 'X-Secret' },
          login: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: 'https://id.example.com/oauth/token', scopes: {} } },
          },
        },
      },
    },
  )

  expect(model.operations.map(({ security }) => security)).toEqual([
    [['token']],
    [],
    [['key', 'secret'], ['forgotten']],
    // The token endpoint of `login`.
    [],
  ])
  expect(model.securitySchemes.get('secret')).toEqual({ kind: 'apiKey', in: 'header', name: 'X-Secret' })
  expect(model.securitySchemes.get('forgotten')).toEqual({ kind: 'any' })
  expect(model.securitySchemes.get('login')).toEqual({ kind: 'oauth2' })
})

it('wants a bearer token where a description says nothing of security', () => {
  const model = modelOf({ '/a': { get: answers({}) } })

  expect(model.operations[0]?.security).toEqual([['simulationKey']])
  expect(model.securitySchemes.get('simulationKey')).toEqual({ kind: 'any' })
})

it('names operations without an id, or with one that is taken, by method and path', () => {
  const model = modelOf({
    '/a': { get: { operationId: 'x', ...answers({}) }, put: { operationId: 'x', ...answers({}) }, post: answers({}) },
  })

  expect(model.operations.map(({ id }) => id).toSorted()).toEqual(['POST /a', 'PUT /a', 'x'])
})

it('warns of a description without operations', () => {
  const model = readDescription({ openapi: '3.1.0', info: { title: 'Empty', version: '1' }, paths: {} })

  expect(model.warnings).toEqual([
    'The description has no operations, so nothing can be asked of this API: add them under `/paths`.',
  ])
})

it('warns of a second path of one form, and not of one whose parameter has another ending', () => {
  const model = modelOf({
    '/jobs/{id}': { get: answers({}) },
    '/jobs/{id}:cancel': { get: answers({}) },
    '/jobs/{id}:retry': { get: answers({}) },
    '/jobs/{name}': { get: answers({}) },
  })

  expect(model.warnings).toEqual(['/paths/~1jobs~1{name}/get has the method and path of an operation before it.'])
})
