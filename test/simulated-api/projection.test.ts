import { expect, it } from 'vitest'
import type { Schema } from '../../src/schema/schema.ts'
import type { Dataset } from '../../src/service/dataset/dataset.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { Projector } from '../../src/service/simulated-api/presentation/project.ts'
import { describeApi, integer, list, object, string } from './describe-api.ts'

const example: Dataset['example'] = (schema, _key, hint) =>
  schema?.enum?.[0] ?? (schema?.types[0] === 'integer' ? 0 : `made ${hint?.name}`)
const projector = new Projector({ example, answerExamples: () => ({ isSpent: false, example }) })

/** The schema that a description of one operation answers with. */
function schemaOf(schema: unknown, schemas: Record<string, never> = {}): Schema {
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema: schema as never } } } }
  const model = readDescription(describeApi({ '/x': { get: { responses } } }, schemas))
  return model.operations[0]?.success.content.get('application/json')?.schema as Schema
}

it('keeps what fits, drops what is unknown, makes what is required and missing', () => {
  const schema = schemaOf(object({ id: string(), count: integer(), name: string() }, ['id', 'name']))

  expect(projector.project({ id: 'a', count: 3, other: true }, schema, 'k')).toEqual({
    id: 'a',
    count: 3,
    name: 'made name',
  })
})

it('keeps unknown fields where the schema is free', () => {
  expect(projector.project({ a: 1 }, schemaOf({ type: 'object' }), 'k')).toEqual({ a: 1 })
  expect(
    projector.project({ a: '1', b: 2 }, schemaOf({ type: 'object', additionalProperties: string() }), 'k'),
  ).toEqual({ a: '1', b: '2' })
})

it('finds fields that are written in another manner', () => {
  const schema = schemaOf(object({ createdAt: string(), owner_id: string() }))

  expect(projector.project({ created_at: 'now', ownerId: 'u1' }, schema, 'k')).toEqual({
    createdAt: 'now',
    owner_id: 'u1',
  })
})

it('shows an object by its id where a text is wanted, and an id as an object where one is', () => {
  const schema = schemaOf(
    object({ customer: string(), plan: object({ id: string(), name: string() }, ['id', 'name']) }),
  )

  expect(projector.project({ customer: { id: 'cus_1', name: 'A' }, plan: 'p1' }, schema, 'k')).toEqual({
    customer: 'cus_1',
    plan: { id: 'p1', name: 'made name' },
  })
})

it('keeps a text where an object would do as well', () => {
  const schema = schemaOf(object({ customer: { anyOf: [string(), object({ id: string() })] } }))

  expect(projector.project({ customer: 'cus_1' }, schema, 'k')).toEqual({ customer: 'cus_1' })
})

it('converts between the types of one value', () => {
  const schema = schemaOf(object({ id: string(), count: integer(), day: string({ format: 'date' }), at: integer() }))

  expect(
    projector.project({ id: 7, count: '12', day: '2025-06-15T12:00:00Z', at: '2025-06-15T12:00:00Z' }, schema, 'k'),
  ).toEqual({
    id: '7',
    count: 12,
    day: '2025-06-15',
    at: 1_749_988_800,
  })
})

it('chooses the alternative that the discriminator names, else by constants, else by shared fields', () => {
  const cat = object({ kind: string({ enum: ['cat'] }), lives: integer() }, ['kind'])
  const dog = object({ kind: string({ enum: ['dog'] }), tricks: list(string()) }, ['kind'])
  const open = { oneOf: [object({ a: string(), x: integer() }, ['a']), object({ b: string(), y: integer() }, ['b'])] }

  expect(projector.project({ kind: 'dog', tricks: ['sit'], lives: 9 }, schemaOf({ oneOf: [cat, dog] }), 'k')).toEqual({
    kind: 'dog',
    tricks: ['sit'],
  })
  expect(projector.project({ b: 'B', y: 1, x: 2 }, schemaOf(open), 'k')).toEqual({ b: 'B', y: 1 })
})

it('leaves out secrets that only clients send', () => {
  const schema = schemaOf(object({ email: string(), password: string({ writeOnly: true }) }))

  expect(projector.project({ email: 'a@b.test', password: 'x' }, schema, 'k')).toEqual({ email: 'a@b.test' })
})

it('makes a null where only a value will do', () => {
  const schema = schemaOf(object({ a: string(), b: string({ nullable: true }) }, ['a']))

  expect(projector.project({ a: null, b: null }, schema, 'k')).toEqual({ a: 'made a', b: null })
})
