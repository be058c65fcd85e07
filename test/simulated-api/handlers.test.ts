import { expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/protocol/json.ts'
import { EntryEffects } from '../../src/service/simulated-api/facts/entry-effects.ts'
import { type Handler, WholeAnswer } from '../../src/service/simulated-api/handlers/handler.ts'
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
      get: { responses: { 200: inData({ type: 'array', items: ref('room') }) } },
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
  const { send } = simulate(BOOKINGS, { conduct: new EntryEffects({ effects: [], facts: {} }), volume: { rooms: 0 } })

  const made = send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } })
  const changed = send('PATCH', `/rooms/${made.body.data?.id}`, { json: { rate: 90 } })

  expect(made.body).toEqual({ data: { id: expect.any(String), name: 'Attic', rate: 80 } })
  expect(changed.body).toEqual({ data: { ...made.body.data, rate: 90 } })
})

/** Handlers as a user would write them. */
const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [
    'POST /bookings',
    ({ body, id }, draft) => {
      if (!isJsonObject(body)) return draft.refuse(422, { message: 'Expected a booking.' })
      const room = draft.get('rooms', String(body.room_id))
      if (room === undefined) return draft.refuse(404, { code: 'not_found', message: 'There is no such room.' })
      const isTaken = draft.where('bookings', { room_id: String(room.id) }).some(({ status }) => status !== 'cancelled')
      if (isTaken) return draft.refuse(409, { code: 'taken', message: 'The room is taken.', field: 'room_id' })
      const total = Number(body.nights) * Number(room.rate)
      return draft.create('bookings', { ...body, id: id('bo_'), total, status: 'pending' }).record
    },
  ],
  [
    'POST /bookings/{id}/cancel',
    ({ path, body, record }, draft) => {
      const reason = isJsonObject(body) ? (body.reason ?? null) : null
      const cancelled = { ...record, status: 'cancelled', cancel_reason: reason }
      draft.update({ collection: 'bookings', key: path.id ?? '' }, cancelled)
      return cancelled
    },
  ],
  ['PATCH /rooms/{id}', ({ now }, draft) => ({ ...draft.next(), name: `Room of ${now}` })],
  [
    'GET /report',
    ({ random }, draft) => ({
      rooms: draft.count('rooms'),
      cancelled: draft.count('bookings', { status: 'cancelled' }),
      draws: [random(), random()],
    }),
  ],
  [
    'DELETE /rooms/{id}',
    (_, draft) => {
      draft.next()
      return new WholeAnswer({ status: 202, headers: { 'X-Removed': '1' }, body: null })
    },
  ],
])

const start = () => simulate(BOOKINGS, { handlers: HANDLERS, volume: { rooms: 0, bookings: 0 } })

it('creates, searches and refuses by a handler, in the form of the description', () => {
  const { send } = start()
  const room = send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } }).body.data

  const made = send('POST', '/bookings', { json: { room_id: room.id, nights: 3 } })
  const again = send('POST', '/bookings', { json: { room_id: room.id, nights: 1 } })
  const lost = send('POST', '/bookings', { json: { room_id: 'none', nights: 1 } })

  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({ room_id: room.id, nights: 3, total: 240, status: 'pending' })
  expect(made.body.data.id).toMatch(/^bo_\w{24}$/)
  expect(send('GET', `/bookings/${made.body.data.id}`).body).toEqual(made.body)
  expect([again.status, again.changes, lost.status]).toEqual([409, [], 404])
  expect(again.text).toContain('The room is taken.')
})

it('gives a handler the record that the path names, and changes it', () => {
  const { send } = start()
  const room = send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } }).body.data
  const booking = send('POST', '/bookings', { json: { room_id: room.id, nights: 3 } }).body.data

  const cancelled = send('POST', `/bookings/${booking.id}/cancel`, { json: { reason: 'rain' } })

  expect(cancelled.body.data).toEqual({ ...booking, status: 'cancelled', cancel_reason: 'rain' })
  expect(cancelled.changes).toHaveLength(1)
  expect(send('POST', '/bookings', { json: { room_id: room.id, nights: 1 } }).status).toBe(201)
})

it('does by next what the model says, and answers as the handler does', () => {
  const { send, world } = start()
  const room = send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } }).body.data

  const changed = send('PATCH', `/rooms/${room.id}`, { json: { rate: 90 }, at: 1_000 })
  const removed = send('DELETE', `/rooms/${room.id}`)

  expect(changed.body.data).toEqual({ id: room.id, name: 'Room of 1000', rate: 90 })
  expect(changed.changes).toMatchObject([{ type: 'updated', record: { name: 'Attic', rate: 90 } }])
  expect([removed.status, removed.headers, world.collection('rooms').count]).toEqual([202, { 'x-removed': '1' }, 0])
})

it('counts and draws in a handler, the same in every run', () => {
  const [first, second] = [start(), start()].map(({ send }) => {
    const room = send('POST', '/rooms', { json: { name: 'Attic', rate: 80 } }).body.data
    send('POST', '/bookings', { json: { room_id: room.id, nights: 3 } })
    return send('GET', '/report').body
  })

  expect(first).toEqual({ rooms: 1, cancelled: 0, draws: [expect.any(Number), expect.any(Number)] })
  expect(first.draws[0]).not.toBe(first.draws[1])
  expect(second).toEqual(first)
})
