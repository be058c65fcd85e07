import { handlers } from 'backlot/handlers'
import { expectTypeOf } from 'vitest'
import type { Api } from '../fixture/bookings/types.ts'

export const typed = handlers<Api>({
  'POST /bookings': ({ body, records, create, refuse, next }) => {
    expectTypeOf(body.nights).toEqualTypeOf<number>()
    expectTypeOf(next().total).toEqualTypeOf<number>()
    const room = records.rooms.get(body.room_id) ?? refuse(404)
    expectTypeOf(room.rate).toEqualTypeOf<number>()
    // @ts-expect-error: no field of a booking
    records.bookings.find({ rom_id: room.id })
    // @ts-expect-error: not a declared error
    if (body.nights > 9) refuse(418)
    // @ts-expect-error: no field of the body
    body.night
    return create({ ...body, total: body.nights * room.rate, status: 'pending' })
  },
  'POST /bookings/{id}/remind': ({ record, path, update }) => {
    expectTypeOf(path).toEqualTypeOf<{ id: string }>()
    expectTypeOf(record.nights).toEqualTypeOf<number>()
    // @ts-expect-error: no status of a booking
    update({ status: 'forgotten' })
    // @ts-expect-error: no collection of the API
    return update({ total: 1 }) ?? records.room
  },
  'GET /reports/occupancy': ({ record, query }) => {
    expectTypeOf(record).toEqualTypeOf<undefined>()
    // @ts-expect-error: no parameter of the query
    query.from
    return { rooms: 1 }
  },
  expire: ({ record, update, now }) => update({ status: now.getTime() > 0 ? 'expired' : record.status }),
  // @ts-expect-error: not an operation
  'POST /bokings': () => 1,
})

export const untyped = handlers({
  'POST /anything': ({ body, create }) => create({ ...body, name: 'any' }),
  // @ts-expect-error: asynchronous reads are not possible
  'GET /anything': ({ body }) => body.json(),
})
