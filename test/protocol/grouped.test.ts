import { expect, it } from 'vitest'
import { grouped } from '../../src/protocol/grouped.ts'

it.each([0, 7, 999, 1_000, 12_345, 1_048_576, 100_000_000, -1_234, 0.25, 1_234.5, Number.MAX_SAFE_INTEGER])(
  'writes %d as English does',
  (value) => {
    expect(grouped(value)).toBe(value.toLocaleString('en-US', { maximumFractionDigits: 20 }))
  },
)
