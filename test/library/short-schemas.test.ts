import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readFolder } from '../../src/library/own-entries.ts'
import { restoreSchemas, shortenSchemas } from '../../src/library/short-schemas.ts'
import type { Json } from '../../src/protocol/json.ts'

const LIBRARY = join(import.meta.dirname, '../../library')

/** With the names of `required` in one order. */
const inOrder = (value: Json): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, below) => (name === 'required' && Array.isArray(below) ? below.toSorted() : below)),
  )

it.each(readdirSync(LIBRARY))('leaves out of %s no more than can be put back', async (slug) => {
  const entry = JSON.parse(JSON.stringify(await readFolder(join(LIBRARY, slug))))

  const short = shortenSchemas(entry)

  expect(inOrder(restoreSchemas(short))).toEqual(inOrder(entry))
  expect(JSON.stringify(short).length).toBeLessThanOrEqual(JSON.stringify(entry).length)
})

it('shortens a list of all properties that are read, and no other', () => {
  const properties = { id: {}, key: { writeOnly: true }, name: {} }
  const whole = { a: { properties, required: ['id', 'name'] }, b: [{ properties, required: ['id'] }] }
  const others = { properties: { required: { type: 'boolean' } }, name: 'id', required: true }

  expect(shortenSchemas(whole)).toEqual({ a: { properties, required: 'all' }, b: [{ properties, required: ['id'] }] })
  expect(shortenSchemas(others)).toEqual(others)
})
