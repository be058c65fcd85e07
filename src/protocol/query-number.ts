import * as z from 'zod'

/** A whole number in a query, in decimal digits only: `1e3`, `0x10` and `+5` are refused. */
export const queryNumber = (min: number, max: number) =>
  z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
    z.int().min(min).max(max),
  )
