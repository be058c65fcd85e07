import { useSimulation } from 'backlot/vitest'
import { expect, it } from 'vitest'

const hotel = useSimulation({ spec: 'bookings.yaml' }, { volume: { bookings: 0 } })

it('books a room for one guest in a night', async () => {
  await hotel.respondWith('POST /bookings', ({ body, records, refuse }) => {
    if (records.bookings.some({ roomId: body.roomId, arrivesOn: body.arrivesOn })) refuse(409, 'The room is taken.')
  })
  const [room] = await hotel.records<{ id: number }>('rooms')
  const guest = { name: 'Ada Lovelace', email: 'ada@example.com' }
  const body = JSON.stringify({ roomId: room?.id, guest, arrivesOn: '2027-05-01', nights: 1 })
  const book = async () => (await hotel.fetch('/bookings', { method: 'POST', body })).status

  expect([await book(), await book()]).toEqual([201, 409])
  await hotel.expectWebhook('booking.created')
})
