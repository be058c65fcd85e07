import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { about, type HostileShapes, named, nestedOf, ref, thing, times, towerOf } from './hostile-shape.ts'

const WIDE = thing(named(2_000, 'w', () => ({ type: 'string' })))

/** Collections at `/c0`, `/c1` and so on over `schema`, each with a path parameter of its own. */
function collectionsWith(
  size: number,
  schema: JsonObject,
  param: (at: number) => JsonObject,
  more: JsonObject,
): string {
  const paths = JSON.parse(about({ X: thing({ name: 'string' }) })).paths as JsonObject
  for (const at of times(size, (index) => index)) {
    const parameters = [{ name: 'key', in: 'path', required: true, schema: param(at) }]
    paths[`/c${at}`] = {
      get: answers({ type: 'array', items: schema }),
      post: { ...takes(schema), ...answers(schema) },
    }
    paths[`/c${at}/{key}`] = { get: { parameters, ...answers(schema) }, delete: { parameters, responses: { 204: {} } } }
  }
  return JSON.stringify(describeApi(paths, { components: { schemas: { X: thing({ name: 'string' }), ...more } } }))
}

/** Shapes whose cost lies in what is merged, and in how often the same is asked. */
export const HOSTILE_MERGES: HostileShapes = {
  'a lattice of parts': {
    sizes: [300],
    write: (size) =>
      about({
        X: thing({ value: ref('L0') }),
        ...named(size, 'L', (at) => ({
          allOf: [ref(`L${at + 1}`), ref(`L${at + 2}`), object(named(20, `p${at}_`, () => ({ type: 'string' })))],
        })),
        [`L${size}`]: object({ end: 'string' }),
        [`L${size + 1}`]: object({ end: 'string' }),
      }),
  },
  'a lattice of wide parts in many collections': {
    sizes: [500],
    write: (size) =>
      collectionsWith(size, { allOf: [ref('W'), object({ own: 'string' })] }, () => ({ type: 'string' }), { W: WIDE }),
  },
  'keys of many kinds of one wide record': {
    sizes: [1_000],
    write: (size) =>
      collectionsWith(size, ref('N'), (at) => ({ type: 'string', minLength: at }), {
        N: object(named(3_000, 'n', () => ({ type: 'boolean' }))),
      }),
  },
  'alternatives of alternatives with required names': {
    sizes: [60],
    write: towerOf((next, at) => ({
      oneOf: [
        { oneOf: [{ required: [`a${at}`] }, { required: [`b${at}`] }, object({ a: next }, { required: ['a'] })] },
        { anyOf: [next, { oneOf: [next, object({ c: next }, { required: ['c'] })] }] },
      ],
    })),
  },
  'negations inside negations': {
    sizes: [190],
    write: nestedOf((next) => ({ not: { anyOf: [next, { type: 'null' }] } })),
  },
  'references in a fan': {
    sizes: [200],
    write: (size) =>
      about({
        X: thing({ value: ref('F0') }),
        ...named(size, 'F', (at) =>
          object(
            Object.fromEntries(times(size, (other) => [`f${other}`, ref(`F${(at + other + 1) % size}`)])),
            at % 2 === 0 ? { required: ['f0', 'f1'] } : {},
          ),
        ),
      }),
  },
  'a discriminator of twenty thousand children': {
    sizes: [12_000],
    write: (size) =>
      about({
        X: {
          ...thing({ kind: 'string' }),
          discriminator: { propertyName: 'kind', mapping: named(size, 'k', (at) => `#/components/schemas/D${at}`) },
        },
        ...named(size, 'D', (at) => ({ allOf: [ref('X'), object({ [`p${at}`]: 'string' })] })),
        Any: { oneOf: times(size, (at) => ref(`D${at}`)), discriminator: { propertyName: 'kind' } },
        Holder: thing({ any: ref('Any') }),
      }),
  },
  'twenty thousand alternatives that include their parent': {
    sizes: [21_350],
    write: (size) =>
      about({
        X: {
          ...thing({ kind: 'string' }),
          oneOf: times(size, (at) => ref(`D${at}`)),
          discriminator: { propertyName: 'kind' },
        },
        ...named(size, 'D', (at) => ({ allOf: [ref('X'), object({ [`p${at}`]: 'string' })] })),
      }),
  },
  'twenty thousand alternatives beside properties': {
    sizes: [21_350],
    write: (size) =>
      about({
        X: {
          ...thing({ kind: 'string' }),
          oneOf: times(size, (at) => ref(`D${at}`)),
          discriminator: { propertyName: 'kind' },
        },
        ...named(size, 'D', (at) => object({ kind: 'string', [`p${at}`]: 'string' })),
      }),
  },
  'documents by the thousands': {
    sizes: [6_000],
    write: (size) => {
      const paths = JSON.parse(about({ X: thing({ name: 'string' }) })).paths as JsonObject
      for (const at of times(size, (index) => index)) {
        paths[`/settings${at}`] = { get: answers(ref('X')), put: { ...takes(ref('X')), ...answers(ref('X')) } }
      }
      return JSON.stringify(describeApi(paths, { components: { schemas: { X: thing({ name: 'string' }) } } }))
    },
  },
  'actions of a wide record': {
    sizes: [4_000],
    write: (size) => {
      const schemas = { X: thing(named(3_000, 'is_flag', () => ({ type: 'boolean' }))) }
      const paths = JSON.parse(about(schemas)).paths as JsonObject
      for (const at of times(size, (index) => index)) {
        paths[`/things/{id}/set_flag${at}`] = { post: { responses: { 200: { description: 'ok' } } } }
      }
      return JSON.stringify(describeApi(paths, { components: { schemas } } as JsonObject))
    },
  },
  'parameters of their own for each operation': {
    sizes: [1_400],
    write: (size) => {
      const schemas = { X: thing({ name: 'string' }) }
      const paths = JSON.parse(about(schemas)).paths as JsonObject
      for (const at of times(size, (index) => index)) {
        const parameters = times(30, (number) => ({
          name: `q${number}`,
          in: 'query',
          schema: { type: 'string', pattern: `^[a-z]{${at % 50},60}$`, enum: [`a${number}`, `b${at}`] },
        }))
        paths[`/o${at}`] = { get: { parameters, ...answers({ type: 'array', items: ref('X') }) } }
      }
      return JSON.stringify(describeApi(paths, { components: { schemas } } as JsonObject))
    },
  },
  'maps inside maps with conditions': {
    sizes: [90],
    write: towerOf((next) => ({
      type: 'object',
      additionalProperties: next,
      minProperties: 3,
      dependentSchemas: { a: { required: ['b'] }, b: next },
      propertyNames: { pattern: '^[a-z]{3,9}$' },
    })),
  },
  'anchors of YAML': {
    sizes: [20_000],
    write: (size) => {
      const names = times(
        size,
        (at) =>
          `    S${at}: &s${at}\n      type: object\n      properties: { a: *s${at % 2 === 0 ? 0 : 1}, n${at}: { type: string } }`,
      )
      return [
        'openapi: 3.1.0',
        'info: { title: Anchors, version: "1" }',
        'x-first: [&s0 { type: string }, &s1 { type: integer }]',
        'paths:',
        '  /things: { get: { responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: *s0 } } } } } } }',
        'components:',
        '  schemas:',
        ...names.slice(2),
      ].join('\n')
    },
  },
}
