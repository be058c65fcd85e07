import { useSimulation } from 'backlot/vitest'
import { describe, expect, it } from 'vitest'
import { description, isBookings } from '../description.ts'

describe.runIf(isBookings)('bookings', () => {
  const hotel = useSimulation({ spec: description }, { volume: { rooms: 5, bookings: 30 } })

  const post = (path: string, body?: object) =>
    hotel.fetch(path, {
      method: 'POST',
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })

  it('has as many records as asked for', async () => {
    const response = await hotel.fetch('/bookings')

    expect(await response.json()).toMatchObject({ total: 30 })
  })

  it('books a room and cancels it', async () => {
    const [room] = await hotel.records<{ id: number }>('rooms')
    const guest = { name: 'Ada Lovelace', email: 'ada@example.com' }

    const booked = await post('/bookings', { roomId: room?.id, guest, arrivesOn: '2027-05-01', nights: 3 })
    const booking = (await booked.json()) as { id: string }
    const cancelled = await post(`/bookings/${booking.id}/cancel`)

    expect(booked.status).toBe(201)
    expect(await cancelled.json()).toMatchObject({ id: booking.id, guest, status: 'cancelled' })
    await hotel.expectWebhooks(['booking.created', 'booking.updated'])
  })

  it('refuses a booking that does not fit the description', async () => {
    const response = await post('/bookings', { roomId: 1, guest: { name: 'Ada' }, arrivesOn: 'tomorrow', nights: 0 })

    expect(response.status).toBe(400)
  })
})
