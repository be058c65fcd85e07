import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { describeThings } from '../simulation/resource.ts'
import { answers, body, boolean, describeApi, integer, list, object, path, query, string } from './describe-api.ts'
import { simulate } from './simulate.ts'

const thing = object(
  { id: integer({ readOnly: true }), name: string(), status: string(), tags: list(string()), meta: object({}) },
  ['id', 'name', 'status', 'tags'],
)

const paged = (): JsonObject => {
  const description = describeThings(thing)
  const get = (description.paths as Record<string, Record<string, JsonObject>>)['/things']?.get as JsonObject
  get.parameters = [
    query('limit', integer()),
    query('offset', integer()),
    query('starting_after'),
    query('ending_before'),
    query('q'),
  ]
  return description
}

const idsOf = (things: readonly { id: number }[]) => things.map(({ id }) => id)

it('cuts a page of a search as it cuts any other', () => {
  const { send } = simulate(paged(), { volume: { things: 0 } })
  for (let made = 0; made < 6; made++) send('POST', '/things', { json: { name: 'same', status: 'x', tags: [] } })
  const ids = idsOf(send('GET', '/things').body)

  const shown = (target: string) => idsOf(send('GET', target).body)

  expect(shown(`/things?limit=2&ending_before=${ids[4]}`)).toEqual([ids[2], ids[3]])
  expect(shown(`/things?limit=2&q=same&ending_before=${ids[4]}`)).toEqual([ids[2], ids[3]])
  expect(shown(`/things?limit=2&q=same&starting_after=${ids[1]}`)).toEqual([ids[2], ids[3]])
  expect(send('GET', '/things?limit=2&q=same&starting_after=none').status).toBe(400)
})

it('searches what records say, not how their fields are called', () => {
  const { send } = simulate(paged(), { volume: { things: 3 } })
  send('POST', '/things', { json: { name: 'Violet', status: 'zz', tags: ['deep purple'] } })

  const found = (words: string) => send('GET', `/things?q=${encodeURIComponent(words)}`).body.length

  expect([found('status'), found('null'), found('name')]).toEqual([0, 0, 0])
  expect([found('violet'), found('purple deep'), found('violet missing')]).toEqual([1, 1, 0])
})

it('numbers a page of no records as the first', () => {
  const parameters = [query('limit', integer()), query('offset', integer())]
  const headers = { 'X-Page': { schema: integer() } }
  const things = { get: { parameters, responses: answers(list('$Thing'), 200, { headers }) } }
  const { send } = simulate(describeApi({ '/things': things }, { Thing: thing }), { volume: { things: 3 } })

  const page = send('GET', '/things?limit=0&offset=5')

  expect([page.body, page.headers['x-page']]).toEqual([[], '1'])
})

it('tests a patch without regard to the order of fields, and takes no index but a plain one', () => {
  const { send } = simulate(paged(), { volume: { things: 0 }, validation: 'off' })
  const { body } = send('POST', '/things', {
    json: { name: 'a', status: 'b', tags: ['x', 'y'], meta: { a: 1, b: { c: [1] } } },
  })
  const patch = (...steps: object[]) =>
    send('PATCH', `/things/${body.id}`, {
      json: steps,
      headers: { 'content-type': 'application/json-patch+json' },
    })

  const tested = patch({ op: 'test', path: '/meta', value: { b: { c: [1] }, a: 1 } })
  const odd = ['', '0x1', '1e0', '01', ' 1'].map((index) => patch({ op: 'remove', path: `/tags/${index}` }).status)
  const plain = patch({ op: 'remove', path: '/tags/1' })

  expect(tested.status).toBe(200)
  expect(odd).toEqual([409, 409, 409, 409, 409])
  expect(plain.body.tags).toEqual(['x'])
})

it('refuses to create nothing', () => {
  const { send } = simulate(describeThings(thing), { volume: { things: 1 } })

  const refused = send('POST', '/things/batch', { json: [] })

  expect([refused.status, refused.body.error.message, refused.changes]).toEqual([
    400,
    'Expected the body to hold at least 1 record, got an empty array.',
    [],
  ])
})

it('wants no key where the whole description says so', () => {
  const things = { get: { responses: answers(list('$Thing')) } }
  const open = describeApi({ '/things': things }, { Thing: thing }, { security: [] })

  expect(simulate(open).send('GET', '/things', { headers: { authorization: undefined } }).status).toBe(200)
})

it('changes a record that a batch names twice from what the first change made of it', () => {
  const { send } = simulate(describeThings(thing), { volume: { things: 1 }, validation: 'off' })
  const [{ id }] = send('GET', '/things').body

  const answer = send('POST', '/things/batch', {
    json: [
      { id, name: 'first' },
      { id, status: 'second' },
    ],
  })

  expect(answer.body).toMatchObject([{ name: 'first' }, { name: 'first', status: 'second' }])
  expect(answer.changes.map(({ type }) => type)).toEqual(['updated', 'updated'])
  expect(send('GET', `/things/${id}`).body).toMatchObject({ name: 'first', status: 'second' })
})

it('keeps the keys of records that an update by ids changes', () => {
  const description = describeThings(thing)
  const paths = description.paths as Record<string, JsonObject>
  const body = object({ ids: list(integer()), status: string() }, ['ids', 'status'])
  paths['/things'] = {
    ...paths['/things'],
    put: { requestBody: { content: { 'application/json': { schema: body } } }, responses: answers(list('$Thing')) },
  }
  const { send } = simulate(description, { volume: { things: 3 } })
  const [first, second] = idsOf(send('GET', '/things').body)

  const { changes } = send('PUT', '/things', { json: { ids: [first, second], status: 'sold' } })

  expect(changes).toMatchObject([
    { type: 'updated', collection: 'things', key: String(first) },
    { type: 'updated', collection: 'things', key: String(second) },
  ])
  expect(send('GET', `/things/${second}`).body.status).toBe('sold')
})

it('makes tuples whole, and takes as many places as clients send', () => {
  const places = [string(), integer()]
  const spot = object(
    {
      id: integer({ readOnly: true }),
      open: { type: 'array', prefixItems: places },
      closed: { type: 'array', prefixItems: places, items: false },
      rest: { type: 'array', prefixItems: places, items: boolean },
    },
    ['id', 'open', 'closed', 'rest'],
  )
  const description: JsonObject = { ...describeThings(spot), openapi: '3.1.0' }
  const { send } = simulate(description, { volume: { things: 3 } })
  const sent = { open: ['a', 1, { more: true }], closed: ['a', 1], rest: ['a', 1, true, false] }

  const made = send('POST', '/things', { json: sent })
  const short = send('POST', '/things', { json: { ...sent, closed: ['a'] } })
  const faults = [{ closed: ['a', 1, 2] }, { open: [1, 1] }, { rest: ['a', 1, 'b'] }]
  const refused = faults.map((fault) => send('POST', '/things', { json: { ...sent, ...fault } }).status)

  const pair = [expect.any(String), expect.any(Number)]
  for (const shown of send('GET', '/things').body.filter(({ id }: { id: number }) => id <= 3))
    expect(shown).toMatchObject({ open: pair, closed: pair, rest: pair })
  expect(made.body).toMatchObject(sent)
  expect(short.body).toMatchObject({ closed: ['a'] })
  expect(refused).toEqual([400, 400, 400])
})

it('gives a place of a tuple that may be anything no schema of the next place', () => {
  const pair = { type: 'array', prefixItems: [true, integer()], items: false, minItems: 2 }
  const description: JsonObject = {
    ...describeThings(object({ id: integer({ readOnly: true }), pair }, ['id', 'pair'])),
    openapi: '3.1.0',
  }
  const { send } = simulate(description, { volume: { things: 1 } })

  expect(send('GET', '/things').body[0].pair).toEqual([expect.anything(), expect.any(Number)])
  expect(send('POST', '/things', { json: { pair: ['a', 1] } }).status).toBe(201)
  expect(send('POST', '/things', { json: { pair: ['a', 'b'] } }).status).toBe(400)
})

it('takes two backslashes before a letter for one only where nothing else could be meant', () => {
  const share = string({ pattern: '^\\\\\\\\\\w+$' })
  const account = string({ pattern: '^[A-Z]{2}\\\\\\w{3}$' })
  const { send } = simulate(
    describeThings(object({ id: integer({ readOnly: true }), share, account }, ['id', 'share'])),
  )

  expect(send('GET', '/things').body[0].share).toMatch(/^\\\\\w+$/)
  expect(send('POST', '/things', { json: { share: '\\\\server', account: 'AB\\abc' } }).status).toBe(201)
})

it('ends a recursion that may be null with null, not with an object that lacks what it requires', () => {
  const part = object({ id: string(), part: { ...object({}), $ref: '#/components/schemas/Part', nullable: true } }, [
    'id',
    'part',
  ])
  const parts = { get: { responses: answers(list('$Part')) } }
  const { send } = simulate(describeApi({ '/parts': parts }, { Part: part }))

  const [shown] = send('GET', '/parts').body
  let depth = 0
  for (let inner = shown; inner !== null; inner = inner.part, depth++) expect(inner).toHaveProperty('id')

  expect(depth).toBeGreaterThan(1)
  expect(depth).toBeLessThan(6)
})

it('shows words of their enum where a list has words in place of keys', () => {
  const images = { get: { responses: answers(list(object({ id: string() }, ['id']))) } }
  const kinds = { get: { responses: answers(list({ type: 'string', enum: ['all', 'os'] })) }, parameters: [path('id')] }
  const kind = { get: { responses: answers(object({ found: integer() })) }, parameters: [path('id'), path('kind')] }
  const paths = { '/images': images, '/images/{id}/kinds': kinds, '/images/{id}/kinds/{kind}': kind }
  const { send } = simulate(describeApi(paths))
  const [{ id }] = send('GET', '/images').body
  const shown = send('GET', `/images/${id}/kinds`).body

  expect(shown.length).toBeGreaterThan(0)
  for (const word of shown) expect(['all', 'os']).toContain(word)
})

it('answers a document as it is to a request that would expand its fields', () => {
  const diff = object({ common: string(), rest: string() }, ['common'])
  const { send } = simulate(
    describeApi({ '/settings': { get: { parameters: [query('with')], responses: answers(diff) } } }),
  )

  const plain = send('GET', '/settings').body
  expect(send('GET', '/settings?with=common').body).toEqual(plain)
})

it('takes a key for the object of the same kind, also where there is no such record', () => {
  const source = object({ id: integer({ readOnly: true }), name: string(), parent: '$Source' })
  const post = { requestBody: body(object({ name: string(), parent_id: integer() })), responses: answers('$Source') }
  const { send } = simulate(
    describeApi({ '/sources': { get: { responses: answers(list('$Source')) }, post } }, { Source: source }),
  )

  const answer = send('POST', '/sources', { json: { name: 'Till', parent_id: 999_999 } })
  expect(answer.body).toMatchObject({ name: 'Till', parent: { id: 999_999 } })
})

it('leaves lists empty whose items no value fits', () => {
  const items = { type: 'array', items: {}, anyOf: [object({ product: string() })] }
  const user = object({ id: integer(), subscriptions: list(items), tags: list(string()) }, ['subscriptions', 'tags'])
  const { send } = simulate(describeApi({ '/users': { get: { responses: answers(list(user)) } } }))

  const users: { subscriptions: unknown[]; tags: unknown[] }[] = send('GET', '/users').body
  expect(users.map(({ subscriptions }) => subscriptions.length)).toEqual(users.map(() => 0))
  expect(users.some(({ tags }) => tags.length > 0)).toBe(true)
})

it('gives deep objects as many properties as they must have', () => {
  const step = object({ title: string() })
  const deepest: JsonObject = {
    ...object({ output: step, steps: list(step) }),
    minProperties: 1,
    additionalProperties: false,
  }
  const deep = ['map', 'call', 'tool', 'agent', 'team'].reduce(
    (inner, name) => object({ [name]: inner }, [name]),
    deepest,
  )
  const robot = object({ id: integer(), team: deep }, ['id', 'team'])
  const { send } = simulate(describeApi({ '/robots': { get: { responses: answers(list(robot)) } } }))

  for (const { team } of send('GET', '/robots').body) expect(team.team.agent.tool.call.map).not.toEqual({})
})
