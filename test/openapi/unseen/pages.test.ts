import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, inPath, inQuery, object } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

it('takes an offset of 0 for the first page, whatever the least offset is', async () => {
  const offset = { in: 'query', name: 'offset', schema: { type: 'integer', minimum: 1 } }
  const limit = { in: 'query', name: 'limit', schema: { type: 'integer', minimum: 1 } }
  const items = object({ results: { type: 'array', items: object({ id: 'string', title: 'string' }) } })
  const call = await simulation.of(
    describeApi({ '/notes': { get: { parameters: [offset, limit], ...answers(items) } } }),
  )

  const { status, body } = await call('GET /notes?offset=0&limit=2')

  expect(status).toBe(200)
  expect(body.results).toHaveLength(2)
  expect((await call('GET /notes?offset=-1')).status).toBe(400)
})

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const query = (...parameters: readonly (readonly [string, JsonObject])[]): JsonObject => ({
  parameters: parameters.map(([name, schema]) => ({ in: 'query', name, schema })),
})
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'integer' } }] }
const file = object({ id: 'string', name: 'string' })

it('counts pages that are texts where no answer shows a token', async () => {
  const get: JsonObject = {
    ...query(['count', { type: 'string' }], ['page', { type: 'string' }]),
    ...answers(object({ files: list(file), paging: object({ page: 'integer', pages: 'integer' }) })),
  }
  const call = await simulation.of(describeApi({ '/files': { get } }), { files: 5 })

  const pages = await Promise.all([1, 2, 3].map((page) => call(`GET /files?count=2&page=${page}`)))

  const ids = pages.flatMap(({ body }) => body.files.map((shown: { id: string }) => shown.id))
  expect(new Set(ids).size).toBe(5)
})

it('continues with the number of the next page, even if the parameter is a text', async () => {
  const get: JsonObject = {
    ...query(['limit', { type: 'integer' }], ['from', { type: 'string' }]),
    ...answers(object({ files: list(file), pagination: object({ next: { type: 'number' } }, { required: ['next'] }) })),
  }
  const call = await simulation.of(describeApi({ '/files': { get } }), { files: 5 })
  const first = (await call('GET /files?limit=3')).body

  const second = (await call(`GET /files?limit=3&from=${first.pagination.next}`)).body

  expect(second.files).toHaveLength(2)
  expect(first.files.map((shown: { id: string }) => shown.id)).not.toContain(second.files[0].id)
})

it('takes `after` in milliseconds for a moment, and the token for the cursor', async () => {
  const get: JsonObject = {
    ...query(['count', { type: 'integer' }], ['after', { type: 'number' }], ['pageToken', { type: 'string' }]),
    ...answers(object({ pageToken: 'string', files: list(file) })),
  }
  const call = await simulation.of(describeApi({ '/files': { get } }), { files: 5 })
  const first = (await call('GET /files?count=3')).body

  const second = (await call(`GET /files?count=3&pageToken=${first.pageToken}`)).body

  expect(second.files).toHaveLength(2)
})

it('needs no body for a list, whatever the description says', async () => {
  const body: JsonObject = { requestBody: { required: true, content: { 'application/json': { schema: object({}) } } } }
  const call = await simulation.of(describeApi({ '/files': { get: { ...body, ...answers(list(file)) } } }))

  expect((await call('GET /files')).status).toBe(200)
})

it('reads the task that a field without a break between its words names', async () => {
  const call = await simulation.of(
    describeApi({
      '/tasks/{id}': { ...id, get: answers(object({ id: 'integer', title: 'string' })) },
      '/notes': { get: answers(list(object({ id: 'integer', taskid: 'integer' }, { required: ['taskid'] }))) },
      '/notes/{id}': { ...id, get: answers(object({ id: 'integer', taskid: 'integer' }, { required: ['taskid'] })) },
    }),
  )
  const [note] = (await call('GET /notes')).body

  expect((await call(`GET /tasks/${note.taskid}`)).body.id).toBe(note.taskid)
})

it('narrows a list by the parameter of a path that answers with the same list', async () => {
  const event = object({ id: 'string', device_id: 'string', kind: 'string' }, { required: ['device_id'] })
  const page = object({ count: 'integer', data: list(event) })
  const device: JsonObject = {
    parameters: [{ in: 'path', name: 'device_id', required: true, schema: { type: 'string' } }],
  }
  const call = await simulation.of(
    describeApi({ '/events/v3': { get: answers(page) }, '/events/v3/{device_id}': { ...device, get: answers(page) } }),
  )
  const [first] = (await call('GET /events/v3')).body.data

  const { data } = (await call(`GET /events/v3/${first.device_id}`)).body

  expect(data.map((shown: { device_id: string }) => shown.device_id)).toContain(first.device_id)
  expect(new Set(data.map((shown: { device_id: string }) => shown.device_id)).size).toBe(1)
})

it('has a next link among other links that are always present', async () => {
  const link = object({ href: 'string' }, { required: ['href'] })
  const none: JsonObject = { oneOf: [link, { type: 'null' }] }
  const links = object({ self: link, next: none, documentation: link }, { required: ['self', 'next', 'documentation'] })
  const get: JsonObject = {
    ...query(['limit', { type: 'integer' }], ['from', { type: 'string' }]),
    ...answers(object({ files: list(file), _links: links })),
  }
  const call = await simulation.of(describeApi({ '/files': { get } }), { files: 3 })

  const first = (await call('GET /files?limit=2')).body
  const second = (await call(`GET ${first._links.next.href}`)).body

  expect(second.files).toHaveLength(1)
  expect(second._links).toMatchObject({ next: null, documentation: { href: expect.any(String) } })
})

it('begins with page 1 where that is the default, whatever the least number is', async () => {
  const get: JsonObject = {
    ...query(['page', { type: 'integer', minimum: 0, default: 1 }], ['size', { type: 'integer' }]),
    ...answers(list(file)),
  }
  const call = await simulation.of(describeApi({ '/files': { get } }), { files: 3 })

  expect((await call('GET /files?page=1&size=5')).body).toHaveLength(3)
})

it('takes no token for a cursor, and a page next to a cursor for a number', async () => {
  const text: JsonObject = { type: 'string' }
  const get = (...more: [string, JsonObject][]): JsonObject => ({
    ...query(['token', text], ['count', text], ['page', text], ...more),
    ...answers(object({ files: list(file) })),
  })
  const call = await simulation.of(
    describeApi({ '/files': { get: get() }, '/others': { get: get(['cursor', text]) } }),
    { files: 3 },
  )

  for (const path of ['/files', '/others']) {
    const shown = async (page: number) => (await call(`GET ${path}?token=xoxb-1&count=2&page=${page}`)).body.files
    const [first, second] = [await shown(1), await shown(2)]
    expect(first).toHaveLength(2)
    expect(second.length).toBeGreaterThan(0)
    expect(second[0]).not.toEqual(first[0])
  }
})

it('shows no more records than the list of an answer may have', async () => {
  const few = { ...list(file), maxItems: 3 }
  const get: JsonObject = { ...query(['limit', { type: 'integer' }], ['offset', { type: 'integer' }]), ...answers(few) }
  const call = await simulation.of(describeApi({ '/files': { get }, '/others': { get: answers(few) } }), {
    files: 5,
    others: 5,
  })

  expect((await call('GET /others')).body).toHaveLength(3)
  expect((await call('GET /files?limit=5')).body).toHaveLength(3)
  expect((await call('GET /files?limit=5&offset=3')).body).toHaveLength(2)
})

it('continues after a record where the cursor of an answer has the form of keys', async () => {
  const shown = { items: [{ id: '018f1234-5678-4abc-9ef0-123456789abc', name: 'Ada' }], totalCount: null }
  const nextCursor = shown.items[0]?.id as string
  const content = { 'application/json': { example: { ...shown, nextCursor } } }
  const responses: JsonObject = { 200: { description: 'ok', content } }
  const parameters = query(['cursor', { type: 'string' }], ['limit', { type: 'integer' }])
  const one = {
    get: { ...inPath('id'), ...answers(object({ id: { type: 'string', format: 'uuid' }, name: 'string' })) },
  }
  const call = await simulation.of(
    describeApi({ '/people': { get: { ...parameters, responses } }, '/people/{id}': one }),
    {
      people: 5,
    },
  )
  const all = (await call('GET /people')).body.items

  const first = (await call('GET /people?limit=2')).body
  const second = (await call(`GET /people?limit=2&cursor=${first.nextCursor}`)).body
  const last = (await call(`GET /people?limit=2&cursor=${second.nextCursor}`)).body

  expect([...first.items, ...second.items, ...last.items]).toEqual(all)
  expect([first.totalCount, last.nextCursor]).toEqual([5, null])
})

it('takes pageSize for the size of a page beside the limit of an offset', async () => {
  const number: JsonObject = { type: 'integer' }
  const sizes = query(['limit', { ...number, default: 20 }], ['offset', number], ['page', number], ['pageSize', number])
  const call = await simulation.of(describeApi({ '/files': { get: { ...sizes, ...answers(list(file)) } } }))
  const all = (await call('GET /files?limit=5')).body

  const second = (await call('GET /files?page=2&pageSize=2&limit=50&offset=0')).body

  expect(second).toEqual(all.slice(2, 4))
})

it('takes numbers for a parameter of an object without properties that has the bounds of numbers', async () => {
  const bounds = { allOf: [{ $ref: '#/components/schemas/Object' }] }
  const get: JsonObject = {
    ...query(['limit', { minimum: 1, maximum: 50, default: 20, ...bounds }], ['page', { minimum: 1, ...bounds }]),
    ...answers(list(file)),
  }
  const components: JsonObject = { components: { schemas: { Object: { type: 'object', properties: {} } } } }
  const call = await simulation.of(describeApi({ '/files': { get } }, components), { files: 5 })

  expect((await call('GET /files?limit=2&page=3')).body).toHaveLength(1)
  expect((await call('GET /files?limit=99')).status).toBe(400)
})

it('continues after a record where the cursor is described as a uuid', async () => {
  const person = object({ id: { type: 'string', format: 'uuid' }, name: 'string' }, { required: ['id', 'name'] })
  const page = object({ items: list(person), nextCursor: { type: ['string', 'null'], format: 'uuid' } })
  const parameters = query(['cursor', { type: 'string' }], ['limit', { type: 'integer' }])
  const call = await simulation.of(describeApi({ '/people': { get: { ...parameters, ...answers(page) } } }), {
    people: 3,
  })

  const first = (await call('GET /people?limit=2')).body
  const second = (await call(`GET /people?limit=2&cursor=${first.nextCursor}`)).body

  expect(first.nextCursor).toBe(first.items[1].id)
  expect([second.items.length, second.nextCursor]).toEqual([1, null])
})

// Lob (`GET /postcards`), Pexels (`GET /v1/search`) and TheCatAPI (`GET /images/search`) filter by such a size.
it.each([
  ['a word', { type: 'string', enum: ['small', 'large'] }],
  ['several words', { type: 'array', items: { type: 'string', enum: ['small', 'large'] } }],
])('filters by a `size` that is %s', async (_, schema) => {
  const size = { type: 'string', enum: ['small', 'large'] }
  const get: JsonObject = {
    ...query(['size', schema]),
    ...answers(list(object({ id: 'string', size }))),
  }
  const call = await simulation.of(describeApi({ '/photos': { get } }), { photos: 20 })

  const all = (await call('GET /photos')).body
  const { body } = await call('GET /photos?size=large')

  expect(body).toEqual(all.filter((photo: { size: string }) => photo.size === 'large'))
  expect(body.length).toBeGreaterThan(0)
  expect(body.length).toBeLessThan(20)
})

// Spring Data: Komga, AlgaFood ("começa em 0") and sosoaliou83's task manager ("current page number (zero-based)").
it.each([
  ['says nothing of it', {}, [0, 2]],
  ['says 1', { minimum: 1 }, [1, 2]],
  ['is described from 1', { description: 'Page number, starting at 1' }, [1, 2]],
])('counts the pages of Spring Data from 0, unless its parameter %s', async (_, bound, [first, last]) => {
  const numbers = { number: 'integer', size: 'integer', totalElements: 'integer', totalPages: 'integer' } as const
  const page = object({ content: list(file), first: 'boolean', last: 'boolean', ...numbers })
  const { description = '', ...schema } = bound as JsonObject
  const parameters = [
    { ...inQuery('page', { type: 'integer', ...schema }), description },
    inQuery('size', { type: 'integer' }),
  ]
  const get: JsonObject = { parameters, ...answers(page) }
  const call = await simulation.of(describeApi({ '/files': { get } }), { files: 5 })

  const [newest, oldest] = await Promise.all([first, last].map((at) => call(`GET /files?size=2&page=${at}`)))

  expect(newest?.body).toMatchObject({ first: true, last: false, totalElements: 5, totalPages: 3 })
  expect(newest?.body.content).toHaveLength(2)
  expect(oldest?.body).toMatchObject({ number: last, first: false, last: first === 0 })
})
