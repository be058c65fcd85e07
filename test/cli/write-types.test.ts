import { expect, it } from 'vitest'
import { writeTypes } from '../../src/cli/write-types.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'

it('writes no text of a description outside of its comment', () => {
  const end = "1 */ console.log('out')\n/*"
  const responses = { 200: { description: 'ok' } }
  const paths = { '/a': { get: { summary: end, responses } } }

  const types = writeTypes(readDescription({ openapi: '3.1.0', info: { title: end, version: end }, paths }))

  for (const line of types.split('\n').filter((text) => text.includes('console.log')))
    expect(line).toMatch(/^\s*\/\*\*(?:(?!\*\/).)*\*\/$/)
})
