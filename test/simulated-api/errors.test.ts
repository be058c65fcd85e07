import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, body, describeApi, integer, list, object, path, string } from './describe-api.ts'
import { simulate } from './simulate.ts'

/** An API whose every operation declares `schema` for its errors. */
const withErrors = (schema: JsonObject, mediaType = 'application/json') => {
  const failures = {
    404: { description: 'none', content: { [mediaType]: { schema } } },
    400: { description: 'bad', content: { [mediaType]: { schema } } },
  }
  return simulate(
    describeApi(
      {
        '/tasks': {
          post: {
            requestBody: body(object({ title: string() }, ['title'])),
            responses: { ...answers('$Task', 201), ...failures },
          },
        },
        '/tasks/{id}': { get: { parameters: [path('id')], responses: { ...answers('$Task'), ...failures } } },
      },
      { Task: object({ id: string(), title: string() }, ['id', 'title']) },
    ),
  )
}
const NOT_FOUND = 'Failed to find task "x": there is none with that key.'

it.each<[string, JsonObject, unknown]>([
  ['code and message', object({ code: string(), message: string() }), { code: 'not_found', message: NOT_FOUND }],
  [
    'a number for a code',
    object({ code: integer(), message: string() }, ['code', 'message']),
    { code: 404, message: NOT_FOUND },
  ],
  [
    'an error within',
    object({ error: object({ type: string(), message: string() }) }),
    { error: { type: 'not_found', message: NOT_FOUND } },
  ],
  [
    'a list of errors',
    object({ errors: list(object({ title: string(), detail: string(), status: string() })) }),
    {
      errors: [{ title: 'Not Found', detail: NOT_FOUND, status: '404' }],
    },
  ],
  [
    'errors by field',
    object({ errors: { type: 'object', additionalProperties: list(string()) } }),
    { errors: { base: [NOT_FOUND] } },
  ],
  ['a flag', object({ ok: { type: 'boolean' }, error: string() }, ['ok', 'error']), { ok: false, error: NOT_FOUND }],
  [
    'an enum of types',
    object({ type: string({ enum: ['api_error', 'invalid_request_error'] }), message: string() }, ['type', 'message']),
    {
      type: 'invalid_request_error',
      message: NOT_FOUND,
    },
  ],
  [
    'required words of its own',
    object({ message: string(), request_id: string(), param: string({ nullable: true }) }, [
      'message',
      'request_id',
      'param',
    ]),
    {
      message: NOT_FOUND,
      request_id: '',
      param: null,
    },
  ],
])('writes errors as declared: %s', (_, schema, expected) => {
  const { send } = withErrors(schema)

  expect(send('GET', '/tasks/x')).toMatchObject({ status: 404, body: expected })
})

it('writes problem details with their own media type', () => {
  const { send } = withErrors(
    object({ type: string({ format: 'uri-reference' }), title: string(), status: integer(), detail: string() }),
    'application/problem+json',
  )

  expect(send('GET', '/tasks/x')).toMatchObject({
    headers: { 'content-type': 'application/problem+json' },
    body: { title: 'Not Found', status: 404, detail: NOT_FOUND },
  })
})

it('names the field at fault where the shape has a place for it', () => {
  const { send } = withErrors(
    object({ message: string(), errors: list(object({ field: string(), message: string() })) }),
  )

  expect(send('POST', '/tasks', { json: {} })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'title', message: 'Expected `title` to be present, got nothing.' }] },
  })

  const word = string({ minLength: 1 })
  const issues = withErrors(
    object({ message: string(), fields: list(object({ field: word, issue: word }, ['issue'])) }),
  )
  expect(issues.send('POST', '/tasks', { json: {} }).body.fields).toEqual([
    { field: 'title', issue: 'Expected `title` to be present, got nothing.' },
  ])
})

it('answers code and message where nothing is declared', () => {
  const { send } = simulate(describeApi({ '/tasks': { get: { responses: answers(list(object({ id: string() }))) } } }))

  expect(send('GET', '/nope').body).toMatchObject({
    error: { code: 'not_found', message: expect.stringContaining('Failed to find GET /nope: Style has no such path.') },
  })
})

it('says nothing of fields where none is at fault', () => {
  const item = object({ path: string(), message: string() }, ['path', 'message'])
  const optional = withErrors(object({ message: string(), errors: list(item) }, ['message']))
  const required = withErrors(object({ message: string(), errors: list(item) }, ['message', 'errors']))
  const names = withErrors(object({ message: string(), fields: list(string()) }, ['message']))

  expect(optional.send('GET', '/tasks/x').body).toEqual({ message: NOT_FOUND })
  expect(names.send('GET', '/tasks/x').body).toEqual({ message: NOT_FOUND })
  expect(required.send('GET', '/tasks/x').body).toEqual({ message: NOT_FOUND, errors: [] })
  expect(required.send('POST', '/tasks', { json: {} }).body.errors).toEqual([
    { path: 'title', message: 'Expected `title` to be present, got nothing.' },
  ])
})

it.each([
  [['unauthorized', 'not_found', 'internal'], true, 'internal'],
  [['unauthorized', 'not_found', 'not_implemented'], true, 'not_implemented'],
  [['unauthorized', 'not_found', 'unlucky'], true, 'unlucky'],
  [['unauthorized', 'not_found'], false, undefined],
])('claims with a code of %j (required: %s) no fault of the client for a 501', (codes, isRequired, wanted) => {
  const schema = object({ code: { type: 'string', enum: codes }, message: string() }, isRequired ? ['code'] : [])
  const spec = describeApi({
    '/tasks/{id}/score': {
      get: {
        'x-backlot': 'computed',
        parameters: [path('id')],
        responses: {
          ...answers(object({ points: integer() })),
          default: { description: 'bad', content: { 'application/json': { schema } } },
        },
      },
    },
  })

  const { status, body: error } = simulate(spec).send('GET', '/tasks/1/score')

  expect(status).toBe(501)
  expect(error.code).toBe(wanted)
})

it('answers a refusal with `detail` where only the validation of FastAPI is described', () => {
  const fault = object({ loc: list(string()), msg: string(), type: string() }, ['loc', 'msg', 'type'])
  const { content = {} } = body(object({ detail: list(fault) }))
  const validation = { 422: { description: 'Validation Error', content } }
  const { send } = simulate(
    describeApi(
      {
        '/tasks': {
          post: {
            requestBody: body(object({ title: string() }, ['title'])),
            responses: { ...answers('$Task', 201), ...validation },
          },
        },
        '/tasks/{id}': { get: { parameters: [path('id')], responses: { ...answers('$Task'), ...validation } } },
      },
      { Task: object({ id: string(), title: string() }, ['id', 'title']) },
    ),
  )

  expect(send('GET', '/tasks/x').body).toEqual({ detail: NOT_FOUND })
  expect(send('POST', '/tasks', { json: {} }).body).toMatchObject({ detail: [{ loc: ['body', 'title'] }] })
})

// Of one generator, as the registry of the Model Context Protocol, unkey and alfaview publish it.
it('answers 422 with the places of faults where a description has the errors of huma', () => {
  const place = { ...string(), description: "Where the error occurred, e.g. 'body.items[3].tags' or 'path.thing-id'" }
  const fault = object({ location: place, message: string(), value: {} })
  const $schema = { type: 'string', format: 'uri', readOnly: true, examples: ['https://api.example.com/Order.json'] }
  const { send } = simulate(
    describeApi(
      {
        '/orders': {
          post: {
            requestBody: body(object({ lines: list(object({ count: integer() }, ['count'])) }, ['lines'])),
            responses: {
              ...answers('$Order', 201),
              default: {
                description: 'Error',
                content: { 'application/problem+json': { schema: object({ detail: string(), errors: list(fault) }) } },
              },
            },
          },
        },
        '/orders/{id}': { get: { parameters: [path('id')], responses: answers('$Order') } },
      },
      { Order: object({ $schema, id: string() }, ['id']) },
    ),
  )

  const refused = send('POST', '/orders', { json: { lines: [{ count: 'two' }, {}] } })
  const made = send('POST', '/orders', { json: { lines: [{ count: 2 }] } })

  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ location: 'body.lines[0].count', value: 'two' }, { location: 'body.lines[1]' }] },
  })
  expect(made.body.$schema).toBe('https://api.example.com/Order.json')
})
