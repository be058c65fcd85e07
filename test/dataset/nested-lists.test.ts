import { expect, it } from 'vitest'
import type { Json } from '../../src/protocol/json.ts'
import { simulate } from '../simulated-api/simulate.ts'

const depthOf = (value: Json): number => (Array.isArray(value) ? 1 + Math.max(0, ...value.map(depthOf)) : 0)

// A list of conditions or of such lists, as filters often are. Each level takes stack, which a process has little of.
it('ends lists that are alternatives of their own items', () => {
  const Filter = {
    anyOf: [
      { type: 'array', items: { $ref: '#/components/schemas/Filter' } },
      { type: 'array', items: { $ref: '#/components/schemas/Filter' }, minItems: 1 },
      { type: 'object', required: ['field'], properties: { field: { type: 'string' } } },
    ],
  }
  const Search = {
    type: 'object',
    required: ['id', 'filters'],
    properties: { id: { type: 'string' }, filters: { $ref: '#/components/schemas/Filter' } },
  }
  const ok = (schema: object) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
  const { send } = simulate(
    {
      openapi: '3.0.3',
      info: { title: 'Searches', version: '1' },
      paths: {
        '/searches': { get: { responses: ok({ type: 'array', items: Search }) } },
        '/searches/{id}': { get: { responses: ok(Search) } },
      },
      components: { schemas: { Filter } },
    } as Parameters<typeof simulate>[0],
    { volume: { searches: 100 } },
  )

  const depths = send('GET', '/searches').body.map(({ filters }: { filters: Json }) => depthOf(filters))
  expect(Math.max(...depths)).toBeGreaterThan(1)
  expect(Math.max(...depths)).toBeLessThan(6)
})
