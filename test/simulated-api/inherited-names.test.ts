import { expect, it } from 'vitest'
import { answers, body, describeApi, integer, list, object, path, query, string } from './describe-api.ts'
import { simulate } from './simulate.ts'

const number = { type: 'number' }

/** Real APIs say `constructor` (Formula 1); the other names are inherited by every object as well. */
const formula1 = describeApi(
  {
    '/constructors': {
      get: { parameters: [query('constructor')], responses: answers(list('$Constructor')) },
      post: { requestBody: body('$Constructor'), responses: answers('$Constructor', 201) },
    },
    '/constructors/{id}': {
      parameters: [path('id', integer())],
      get: { responses: answers('$Constructor') },
    },
    '/constructors/{id}/constructor': {
      parameters: [path('id', integer())],
      post: { operationId: 'constructor', responses: answers('$Constructor') },
    },
    '/valueOf': { get: { responses: answers('$Inherited') } },
  },
  {
    Constructor: object(
      {
        id: integer(),
        reference: string(),
        number: string(),
        constructor: string(),
        valueOf: number,
        kind: string({ format: 'constructor' }),
        note: string({ format: 'valueOf', minLength: 3 }),
        status: string({ enum: ['open', 'toString'] }),
      },
      ['reference', 'constructor', 'toString'],
    ),
    Inherited: { type: 'object', required: ['hasOwnProperty', 'toString'], additionalProperties: string() },
  },
)

it('takes names that every object inherits for names like any other', () => {
  const { send } = simulate(formula1, { volume: { constructors: 3 } })

  const answersOf = [
    send('GET', '/constructors'),
    send('POST', '/constructors', { json: { reference: 'a', constructor: 'b', toString: 'c' } }),
    send('POST', '/constructors/1/constructor', { json: {} }),
    send('GET', '/valueOf'),
    send('GET', '/constructors?constructor=b'),
  ]

  expect(answersOf.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200])
  for (const { text } of answersOf) expect(text).not.toMatch(/native code|\[object/)
  expect(answersOf[0]?.body[0]).toMatchObject({ toString: expect.any(String), constructor: expect.any(String) })
  expect(answersOf[4]?.body).toHaveLength(1)
})

it('keeps what is sent by an inherited name', () => {
  const { send } = simulate(formula1, { volume: { constructors: 3 } })
  const sent = { reference: 'a', constructor: 'b', toString: 'c' }

  const { body: created } = send('POST', '/constructors', { json: sent })

  expect(send('GET', `/constructors/${created.id}`).body).toMatchObject(sent)
})

it('takes inherited names for parameters of paths, queries and headers', () => {
  const odd = ['constructor', '__proto__', 'toString']
  const asked = odd.flatMap((name) => [query(name, integer()), { ...query(name, integer()), in: 'header' }])
  const { send } = simulate(
    describeApi(
      Object.fromEntries(
        odd.flatMap((name) => [
          [`/${name}`, { get: { parameters: asked, responses: answers(list('$Thing')) } }],
          [`/${name}/{${name}}`, { get: { parameters: [path(name)], responses: answers('$Thing') } }],
        ]),
      ),
      { Thing: object({ id: string(), name: string() }) },
    ),
  )

  const answersOf = odd.flatMap((name) => [
    send('GET', `/${name}`),
    send('GET', `/${name}?__proto__[a]=1&sort=__proto__`),
    send('GET', `/${name}/nothing-of-this-name`),
  ])

  expect(answersOf.map(({ status }) => status)).toEqual(odd.flatMap(() => [200, 200, 404]))
})

it('merges what a patch has by an inherited name', () => {
  const thing = object({ id: string(), name: string() })
  const { send } = simulate(
    describeApi(
      {
        '/things': { get: { responses: answers(list('$Thing')) } },
        '/things/{id}': {
          get: { responses: answers('$Thing') },
          patch: {
            requestBody: {
              content: { 'application/merge-patch+json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
            responses: answers('$Thing'),
          },
        },
      },
      { Thing: thing },
    ),
  )
  const { id } = send('GET', '/things').body[0]

  const { status, body: patched } = send('PATCH', `/things/${id}`, {
    headers: { 'content-type': 'application/merge-patch+json' },
    json: JSON.parse('{"constructor":{"a":1},"__proto__":{"polluted":true},"name":"n"}'),
  })

  expect(status).toBe(200)
  expect(patched.name).toBe('n')
  expect(patched.polluted).toBeUndefined()
  expect(Object.getPrototypeOf(patched)).toBe(Object.prototype)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})
