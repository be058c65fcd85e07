import { expect, it } from 'vitest'
import { sizeOf, valuesIn } from '../../src/protocol/size-of.ts'

it('counts the names of fields, which a client may make as long as their values', () => {
  const record = { ['n'.repeat(5_000)]: ['a', { b: null }] }

  expect(sizeOf(record)).toBe(8 + 5_000 + 8 + 1 + 8 + 1 + 8)
  expect(valuesIn(record)).toBe(5)
})
