import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toIso, toIsoSeconds } from '../../src/runtime/date-text.ts'

it('writes every moment as Date does', () => {
  const moments = fc.oneof(
    fc.integer({ min: -62_200_000_000_000, max: 253_500_000_000_000 }),
    fc.double({ min: -1e13, max: 1e13, noNaN: true }),
  )

  fc.assert(fc.property(moments, (ms) => toIso(ms) === new Date(ms).toISOString()))
})

it.each([0, -1, 951_782_400_000, 4_107_542_399_999, -62_167_219_200_000, 253_402_300_800_000])('writes %i', (ms) => {
  expect(toIso(ms)).toBe(new Date(ms).toISOString())
})

it('refuses values that are not times', () => {
  expect(() => toIso(Number.NaN)).toThrow(RangeError)
})

it('leaves the fraction out', () => {
  expect(toIsoSeconds(1_000)).toBe('1970-01-01T00:00:01Z')
})
