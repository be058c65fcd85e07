import { expect, it } from 'vitest'
import type { ApiTypes } from '../../src/fixture/api-types.ts'
import type { ContextOf, Handlers } from '../../src/fixture/handlers.ts'
import { handlers } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { indexEffects } from '../../src/service/simulated-api/facts/entry-effects.ts'
import { type Handler, toHandlerTable, UserFunctions } from '../../src/service/simulated-api/handlers/user-functions.ts'
import { simulate } from './simulate.ts'

const json = (schema: JsonObject) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const inData = (schema: JsonObject) => ({
  description: 'ok',
  ...json({ type: 'object', required: ['data'], properties: { data: schema } }),
})
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

/** Bookings of rooms; each answer has its records in `data`. */
const BOOKINGS: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Bookings', version: '1' },
  paths: {
    '/rooms': {
      get: {
        parameters: ['rate', 'limit'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
        responses: { 200: inData({ type: 'array', items: ref('room') }) },
      },
      post: { requestBody: json(ref('room')), responses: { 201: inData(ref('room')) } },
    },
    '/rooms/{id}': {
      parameters: [id],
      get: { responses: { 200: inData(ref('room')) } },
      patch: { requestBody: json({ type: 'object' }), responses: { 200: inData(ref('room')) } },
      delete: { responses: { 204: { description: 'ok' } } },
    },
    '/bookings': {
      get: { responses: { 200: inData({ type: 'array', items: ref('booking') }) } },
      post: { requestBody: json(ref('booking')), responses: { 201: inData(ref('booking')) } },
    },
    '/bookings/{id}': { parameters: [id], get: { responses: { 200: inData(ref('booking')) } } },
    '/bookings/{id}/cancel': {
      parameters: [id],
      post: {
        requestBody: json({ type: 'object', properties: { reason: { type: 'string' } } }),
        responses: { 200: inData(ref('booking')) },
      },
    },
    '/mine': { get: { responses: { 200: inData(ref('room')) } } },
    '/rooms/{id}/plan': {
      parameters: [id],
      get: {
        responses: { 200: { description: 'ok', content: { 'application/pdf': { schema: { type: 'string' } } } } },
      },
      put: {
        requestBody: { content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } },
        responses: { 200: inData(ref('room')) },
      },
    },
    '/report': { get: { responses: { 200: { description: 'ok', ...json({ type: 'object' }) } } } },
  },
  components: {
    schemas: {
      room: {
        type: 'object',
        required: ['id', 'name', 'rate'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string' },
          rate: { type: 'integer' },
          plan: { type: 'object', properties: { bytes: { type: 'integer' } } },
        },
      },
      booking: {
        type: 'object',
        required: ['id', 'room_id', 'nights'],
        properties: {
          id: { type: 'string', readOnly: true },
          room_id: { type: 'string' },
          nights: { type: 'integer' },
          total: { type: 'integer', readOnly: true },
          status: { type: 'string', enum: ['pending', 'cancelled'] },
          cancel_reason: { type: 'string' },
        },
      },
    },
  },
}

it('answers creations and changes in their envelope where an entry has no effect of them', () => {
  const { send } = simulate(BOOKINGS, {
    entryEffects: indexEffects({ facts: {} }),
    volume: { rooms: 0 },
  })

  const made = send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } })
  const changed = send('PATCH', `/rooms/${made.body.data?.id}`, { json: { rate: 90 } })

  expect(made.body).toEqual({ data: { id: expect.any(String), name: 'Attic', rate: 80 } })
  expect(changed.body).toEqual({ data: { ...made.body.data, rate: 90 } })
})

type Booking = { id: string; room_id: string; nights: number; status: string }
interface Api extends ApiTypes {
  records: { rooms: { id: string; name: string; rate: number }; bookings: Booking }
  events: object
}

const HANDLERS = handlers<Api>({
  'POST /bookings': ({ body, records, create, refuse, id }) => {
    const room = records.rooms.get(String(body.room_id)) ?? refuse(404, 'There is no such room.')
    if (records.bookings.some(({ room_id, status }) => room_id === room.id && status !== 'cancelled'))
      refuse(409, { detail: 'The room is taken.', field: 'room_id' })
    return create({ ...body, id: id('bo_'), total: Number(body.nights) * room.rate, status: 'pending' })
  },
  'POST /bookings/{id}/cancel': ({ record, body, update }) => {
    update({ status: 'cancelled', cancel_reason: body?.reason ?? `none for ${record.id}` })
  },
  'PATCH /rooms/{id}': ({ now, next }) => ({ ...next(), name: `Room of ${now.getTime()}` }),
  'GET /report': ({ records, random }) => ({
    rooms: records.rooms.count(),
    cancelled: records.bookings.count({ status: 'cancelled' }),
    draws: [random(), random()],
  }),
  'DELETE /rooms/{id}': ({ next, respond }) => {
    next()
    return respond({ status: 202, headers: { 'X-Removed': '1' } })
  },
})

const start = (given: Handlers<Api> = HANDLERS) => {
  const functions = new UserFunctions([
    toHandlerTable(given as unknown as Record<string, Handler>, readDescription(BOOKINGS), 'it'),
  ])
  return { ...simulate(BOOKINGS, { functions, volume: { rooms: 0, bookings: 0 } }), functions }
}
const addRoom = ({ send }: ReturnType<typeof start>) =>
  send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } }).body.data

it('creates, searches and refuses by a handler, in the form of the description', () => {
  const simulated = start()
  const { send } = simulated
  const room = addRoom(simulated)

  const made = send('POST', '/bookings', { json: { room_id: room.id, nights: 3 } })
  const again = send('POST', '/bookings', { json: { room_id: room.id, nights: 1 } })
  const lost = send('POST', '/bookings', { json: { room_id: 'none', nights: 1 } })

  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({ room_id: room.id, nights: 3, total: 240, status: 'pending' })
  expect(made.body.data.id).toMatch(/^bo_\w{24}$/)
  expect(made.headers.location).toBe(`http://127.0.0.1:4010/bookings/${made.body.data.id}`)
  expect(send('GET', `/bookings/${made.body.data.id}`).body).toEqual(made.body)
  expect([again.status, again.changes, lost.status]).toEqual([409, [], 404])
  expect(again.text).toContain('The room is taken.')
})

it('gives a handler the record that the path names, and answers with its change', () => {
  const simulated = start()
  const { send } = simulated
  const room = addRoom(simulated)
  const booking = send('POST', '/bookings', { json: { room_id: room.id, nights: 3 } }).body.data

  const cancelled = send('POST', `/bookings/${booking.id}/cancel`, { json: { reason: 'rain' } })
  const unknown = send('POST', '/bookings/none/cancel', { json: {} })

  expect(cancelled.body.data).toEqual({ ...booking, status: 'cancelled', cancel_reason: 'rain' })
  expect(cancelled.changes).toHaveLength(1)
  expect([unknown.status, unknown.changes]).toEqual([404, []])
  expect(send('POST', '/bookings', { json: { room_id: room.id, nights: 1 } }).status).toBe(201)
})

it('replaces a record by a new one with its id in one request', () => {
  const simulated = start({
    'PATCH /rooms/{id}': ({ record, records }) => {
      const id = String(record.id)
      records.rooms.remove(id)
      const made = records.rooms.create({ id, name: 'New', rate: 1 })
      return { ...made, name: `${made.name}, of ${records.rooms.count()} and ${records.rooms.where({}).length}` }
    },
  })
  const { send } = simulated
  const room = addRoom(simulated)

  const replaced = send('PATCH', `/rooms/${room.id}`, { json: {} })

  expect(replaced.body.data).toEqual({ id: room.id, name: 'New, of 1 and 1', rate: 1 })
  expect(replaced.changes).toMatchObject([
    { type: 'deleted', key: room.id },
    { type: 'created', key: room.id },
  ])
  expect(send('GET', `/rooms/${room.id}`).body.data).toEqual({ id: room.id, name: 'New', rate: 1 })
})

it('does by next what the model says, and answers as the handler does', () => {
  const simulated = start()
  const { send, world } = simulated
  const room = addRoom(simulated)

  const changed = send('PATCH', `/rooms/${room.id}`, { json: { rate: 90 }, at: 1_000 })
  const removed = send('DELETE', `/rooms/${room.id}`)

  expect(changed.body.data).toEqual({ id: room.id, name: 'Room of 1000', rate: 90 })
  expect(changed.changes).toMatchObject([{ type: 'updated', record: { name: 'Attic', rate: 90 } }])
  expect([removed.status, removed.headers, world.collection('rooms').count]).toEqual([202, { 'x-removed': '1' }, 0])
})

it('counts and draws in a handler, the same in every run', () => {
  const [first, second] = [start(), start()].map((simulated) => {
    const room = addRoom(simulated)
    simulated.send('POST', '/bookings', { json: { room_id: room.id, nights: 3 } })
    return simulated.send('GET', '/report').body
  })

  expect(first).toEqual({ rooms: 1, cancelled: 0, draws: [expect.any(Number), expect.any(Number)] })
  expect(first.draws[0]).not.toBe(first.draws[1])
  expect(second).toEqual(first)
})

it('reads and changes the records of any collection, with its own changes', () => {
  const seen: unknown[] = []
  const simulated = start({
    'GET /report': ({ records }) => {
      const attic = records.rooms.create({ name: 'Attic', rate: 1 })
      const cellar = records.rooms.create({ name: 'Cellar', rate: 2 })
      records.rooms.update(attic, { rate: 3 })
      records.rooms.remove(cellar.id)
      seen.push([...records.rooms].map(({ name }) => name))
      seen.push(records.rooms.find({ name: 'Attic' })?.rate, records.rooms.find({ name: 'Cellar' }))
      seen.push(records.rooms.where(({ rate }) => rate > 2).length, records.rooms.count(), records.rooms.get(null))
      return { ok: true }
    },
  })

  const { changes } = simulated.send('GET', '/report')

  expect(seen).toEqual([['Attic'], 3, undefined, 1, 1, undefined])
  expect(changes).toMatchObject([{ type: 'created', collection: 'rooms', record: { name: 'Attic', rate: 3 } }])
})

it('does what the model says where a handler gives no value, with what the handler has changed', () => {
  const simulated = start({
    'POST /rooms': ({ body, refuse }) => {
      if (body.rate === 0) refuse(422, { message: 'No room is free of charge.', code: 'free' })
    },
    'PATCH /rooms/{id}': ({ update, next }) => {
      update({ name: 'Renamed' })
      next()
    },
  })
  const { send } = simulated
  const room = addRoom(simulated)

  const refused = send('POST', '/rooms', { json: { name: 'Gift', rate: 0 } })
  const patched = send('PATCH', `/rooms/${room.id}`, { json: { rate: 90 } })

  expect([room.name, refused.status]).toEqual(['Attic', 422])
  expect(send('GET', `/rooms/${room.id}`).body.data).toEqual({ id: room.id, name: 'Renamed', rate: 90 })
  expect(patched.changes).toHaveLength(1)
})

it('narrows a list before its page is cut, and reads a parameter itself', () => {
  const { send } = start({
    'GET /rooms': ({ query, next }) => {
      next({ where: ({ rate }) => Number(rate) <= Number(query.rate), ignore: ['rate'] })
    },
  })
  for (const rate of [80, 90, 70]) send('POST', '/rooms', { json: { name: `for ${rate}`, rate } })

  const names = ['/rooms?rate=85', '/rooms?rate=85&limit=1'].map((path) =>
    send('GET', path).body.data.map(({ name }: JsonObject) => name),
  )

  expect(names).toEqual([['for 70', 'for 80'], ['for 70']])
})

it('leaves fields of the body out of what the API would do', () => {
  const { send } = start({ 'PATCH /rooms/{id}': ({ next }) => next({ drop: ['rate'] }) })
  const { body } = send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } })

  const patched = send('PATCH', `/rooms/${body.data.id}`, { json: { name: 'Loft', rate: 90 } })

  expect(patched.body.data).toMatchObject({ name: 'Loft', rate: 80 })
})

it('answers with a record in the envelope of a document that shows it, or whose upload changes it', () => {
  const simulated = start({
    'GET /mine': ({ records }) => records.rooms.find({ rate: 90 }),
    'PUT /rooms/{id}/plan': ({ path, records }) => records.rooms.update(String(path.id), { rate: 90 }),
  })
  const room = addRoom(simulated)

  const answer = simulated.send('PUT', `/rooms/${room.id}/plan`, {
    text: '%PDF-1.4',
    headers: { 'content-type': 'application/pdf' },
  })

  expect(answer.body).toEqual({ data: { ...room, rate: 90 } })
  expect(simulated.send('GET', '/mine').body).toEqual(answer.body)
})

it('checks before a handler what belongs to the request: its body, its record, If-Match', () => {
  let called = 0
  const simulated = start({
    'PATCH /rooms/{id}': () => {
      called++
    },
    'POST /bookings': () => {
      called++
    },
  })
  const { send } = simulated
  const room = addRoom(simulated)

  const answers = [
    send('POST', '/bookings', { json: { nights: 'many' } }),
    send('PATCH', '/rooms/none', { json: {} }),
    send('PATCH', `/rooms/${room.id}`, { json: { rate: 1 }, headers: { 'if-match': '"old"' } }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([400, 404, 412])
  expect(called).toBe(0)
})

it.each<[string, (context: ContextOf<Api, string>) => unknown, string]>([
  ['throws', () => (undefined as unknown as { name: string }).name, "reading 'name'"],
  ['is asynchronous', async () => 1, 'to answer at once, got a promise'],
  ['writes what no record may have', ({ update }) => update({ rate: 'much' }), 'Expected `rate` to be an integer'],
  ['misspells a field', ({ update }) => update({ raet: 1 }), 'Did you mean "rate"?'],
  ['changes an id', ({ update }) => update({ id: 'other' }), 'Expected it to keep its id, got "other"'],
  [
    'misspells a collection',
    ({ records }) => (records as { room?: unknown }).room,
    'Failed to find the collection "room". Did you mean "rooms"?',
  ],
  ['changes a record in place', ({ record }) => Object.assign(record, { rate: 1 }), 'read only'],
  ['narrows what is no list', ({ next }) => next({ where: () => false }), 'it lists no records. Call `next()`'],
  ['emits what nobody declares', ({ emit }) => emit('room.painted'), 'Failed to emit "room.painted"'],
])('answers 500, changes nothing and notes the error of a handler that %s', (_, handler, message) => {
  const simulated = start({ 'PATCH /rooms/{id}': handler as () => unknown })
  const room = addRoom(simulated)

  const answer = simulated.send('PATCH', `/rooms/${room.id}`, { json: { rate: 2 } })

  expect([answer.status, answer.changes]).toEqual([500, []])
  expect(answer.body.error.message).toContain(message)
  expect(simulated.functions.faults).toMatchObject([
    { handler: 'PATCH /rooms/{id}', message: expect.stringContaining(message), stack: expect.stringContaining('at ') },
  ])
})

it('does the calls of a handler again, where its request is sent again with its idempotency key', () => {
  const simulated = start({
    'POST /bookings': ({ body, call, create, refuse }) => {
      call('POST', '/rooms', { name: 'A', rate: 1 })
      return Number(body.nights) > 7 ? refuse(409, 'Too many nights.') : create(body)
    },
  })
  const book = (nights: number) =>
    simulated.send('POST', '/bookings', { json: { room_id: 'r', nights }, headers: { 'idempotency-key': 'once' } })

  const [refused, made] = [book(8), book(7)]

  expect([refused.status, refused.changes, made.status]).toEqual([409, [], 201])
  expect(made.changes).toMatchObject([{ collection: 'rooms', record: { name: 'A' } }, { collection: 'bookings' }])
})

it('does each call of a handler among what it has changed so far', () => {
  const simulated = start({
    'POST /bookings': ({ body, call, create }) => {
      const roomOf = ({ body }: { body: unknown }) => (body as { data: Api['records']['rooms'] }).data
      const [first, second] = ['A', 'B'].map((name) => roomOf(call('POST', '/rooms', { name, rate: 1 })))
      const path = `/rooms/${second?.id}`
      call('PATCH', path, { rate: 5 })
      call('DELETE', `/rooms/${first?.id}`)
      return create({ ...body, nights: roomOf(call('GET', path)).rate })
    },
  })

  const made = simulated.send('POST', '/bookings', { json: { room_id: 'r', nights: 1 } })

  expect([made.status, made.body.data.nights]).toEqual([201, 5])
  expect(made.changes).toMatchObject([
    { type: 'created', collection: 'rooms', record: { name: 'B', rate: 5 } },
    { type: 'created', collection: 'bookings' },
  ])
  expect(made.changes).toHaveLength(2)
})

it('warns of an answer that the description does not allow', () => {
  const simulated = start({ 'GET /rooms/{id}': ({ record }) => ({ data: { id: record.id } }) })
  const room = addRoom(simulated)

  const { body, warnings } = simulated.send('GET', `/rooms/${room.id}`)

  expect(body).toEqual({ data: { id: room.id } })
  expect(warnings).toEqual([
    'The handler GET /rooms/{id} answers what the description does not allow: Expected `data.name` to be present, got nothing.',
  ])
})

it('keeps what only the request has out of a record, and refuses names that neither has', () => {
  const simulated = start({ 'POST /bookings': ({ body, create }) => create({ ...body, status: 'pending' }) })

  const made = simulated.send('POST', '/bookings', { json: { room_id: 'r', nights: 1, card: '4242' } })

  expect([made.status, made.body.data.card]).toEqual([201, undefined])
})

it('refuses handlers of what the API does not have, all at once', () => {
  const given = { 'POST /booking': () => 1, 'GET  /rooms': () => 1, 'GET /report': 5 }

  const read = () => start(given as unknown as Handlers<Api>)

  expect(read).toThrow(
    'Failed to use the handlers of it: no operation is "POST /booking". Did you mean "POST /bookings"? no operation is "GET  /rooms". Did you mean "GET /rooms"? "GET /report" is no function',
  )
})
