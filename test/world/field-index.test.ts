import { expect, it } from 'vitest'
import { FieldIndex } from '../../src/service/world/field-index.ts'

it('takes memory for members, not for the positions between them', () => {
  const index = new FieldIndex(['email'])
  const before = process.memoryUsage().arrayBuffers

  for (let position = 0; position < 20_000; position++) index.add(position, `${position}@example.com`)

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
  expect([...index.with('19999@example.com')]).toEqual([19_999])
})

it('keeps no set of a value that no record has any more', () => {
  const index = new FieldIndex(['count'])

  for (let value = 0; value < 100_000; value++) {
    index.add(0, value)
    index.delete(0, value)
  }

  expect(index.valueCount).toBe(0)
})
