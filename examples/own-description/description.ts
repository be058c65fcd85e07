import { fileURLToPath } from 'node:url'

/** The description that the tests run against: `OPENAPI_PATH`, else the bookings of a small hotel. */
export const description = process.env.OPENAPI_PATH ?? fileURLToPath(new URL('bookings.yaml', import.meta.url))

/** Whether it is the one of this example. */
export const isBookings = process.env.OPENAPI_PATH === undefined
