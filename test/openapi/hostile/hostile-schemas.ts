import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { about, both, type HostileShapes, named, ref, thing, times, towerOf } from './hostile-shape.ts'

/** `count` collections, each of the schema that `make` gives. */
function collectionsOf(count: number, make: (at: number) => JsonObject, schemas: Record<string, JsonObject>): string {
  const paths = Object.assign(
    {},
    ...times(count, (at) => ({
      [`/kind${at}`]: {
        get: answers({ type: 'array', items: make(at) }),
        post: { ...takes(make(at)), ...answers(make(at)) },
      },
      [`/kind${at}/{id}`]: { get: answers(make(at)) },
    })),
  )
  const plain = JSON.parse(about({})).paths as JsonObject
  return JSON.stringify(
    describeApi({ ...plain, ...paths }, { components: { schemas: { X: ref('B'), ...schemas } } } as JsonObject),
  )
}

/** Shapes of schemas: wide, deep, in circles, or with keywords in great numbers. */
export const HOSTILE_SCHEMAS: HostileShapes = {
  'twenty thousand properties': {
    sizes: [20_000],
    write: (size) => about({ X: thing(named(size, 'property_', () => ({ type: 'string' }))) }),
  },
  'twenty thousand optional properties': {
    sizes: [20_000, 80_000],
    write: (size) => about({ X: object({ id: 'string', ...named(size, 'property_', () => ({ type: 'string' })) }) }),
  },
  'twenty thousand references to records': {
    sizes: [20_000],
    write: (size) =>
      about({
        X: object({
          id: 'string',
          ...named(size, 'thing_id_', () => ({ type: 'string' })),
          ...named(size, 'x', () => ref('X')),
        }),
      }),
  },
  'a hundred thousand required names': {
    sizes: [100_000],
    write: (size) => about({ X: object({ id: 'string' }, { required: ['id', ...times(size, (at) => `r${at}`)] }) }),
  },
  'a wide part of many collections': {
    sizes: [1_000],
    write: (size) =>
      collectionsOf(size, (at) => ({ allOf: [ref('B'), object({ [`own${at}`]: 'string' })] }), {
        B: thing(named(5_000, 'p', () => ({ type: 'string' }))),
      }),
  },
  'a wide schema of many collections': {
    sizes: [3_000],
    write: (size) => collectionsOf(size, () => ref('B'), { B: thing(named(5_000, 'p', () => ({ type: 'string' }))) }),
  },
  'wide parts inside each other': {
    sizes: [190],
    write: towerOf((next, at) => ({ allOf: [next, object(named(100, `p${at}_`, () => next))] })),
  },
  'the same properties in all parts': {
    sizes: [190],
    write: towerOf((next, at) => ({
      allOf: [next, object({ ...named(50, 'same', () => both(next)), [`p${at}`]: 'string' })],
    })),
  },
  'parts that merge what merges': {
    sizes: [30],
    write: (size) =>
      about({
        X: thing({ value: ref('M0') }),
        ...named(size, 'M', (at) => ({
          allOf: [
            object({ a: ref(`M${(at + 1) % size}`) }),
            object({ a: ref(`M${(at + 2) % size}`) }),
            object({ a: ref(`M${(at + 3) % size}`) }),
          ],
        })),
      }),
  },
  'properties that must fit twenty schemas': {
    sizes: [20],
    write: (size) =>
      about({
        X: { allOf: times(size, (at) => thing({ a: ref(`P${at}`), b: ref(`P${(at * 7) % size}`) })) },
        ...named(size, 'P', (at) => ({
          allOf: times(size, (other) =>
            object({ a: ref(`P${(at + other) % size}`), [`c${at}_${other}`]: ref(`P${other}`) }),
          ),
        })),
      }),
  },
  'patterns of property names': {
    sizes: [20_000],
    write: (size) =>
      about({
        X: thing({
          value: {
            type: 'object',
            minProperties: 100,
            patternProperties: Object.fromEntries(times(size, (at) => [`^(a+)+${at}$`, { type: 'string' }])),
            additionalProperties: false,
          },
        }),
      }),
  },
  'names of a map': {
    sizes: [1],
    write: () =>
      about({
        X: thing({
          a: {
            type: 'object',
            minProperties: 100_000,
            propertyNames: { pattern: '^[a-z]{1,2}$' },
            additionalProperties: { type: 'string' },
          },
          b: {
            type: 'object',
            minProperties: 1_000_000,
            propertyNames: { enum: ['a', 'b'] },
            additionalProperties: ref('X'),
          },
          c: { type: 'object', minProperties: 5_000, propertyNames: { maxLength: 1 }, additionalProperties: true },
        }),
      }),
  },
  'unions with negations': {
    sizes: [500],
    write: (size) =>
      about({
        X: thing({
          value: { allOf: times(size, (at) => ({ not: { enum: times(100, (n) => at * n) } })), type: 'integer' },
          other: { anyOf: times(size, (at) => ({ not: { type: 'string', pattern: `^${at}` } })) },
        }),
      }),
  },
  'negations of negations': {
    sizes: [150],
    write: towerOf((next) => ({ not: { allOf: [next, next, { not: next }] } as JsonObject })),
  },
  'conditions in conditions': {
    sizes: [100],
    write: towerOf((next, at) => ({
      if: next,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: object({ [`t${at}`]: next }, { required: [`t${at}`] }),
      else: object({ e: next }, { required: ['e'] }),
      dependentSchemas: { a: next },
      unevaluatedProperties: next,
    })),
  },
  'constants of megabytes': {
    sizes: [20_000],
    write: (size) =>
      about({ X: thing({ value: { const: times(size, (at) => ({ at, deep: { at } })) }, other: ref('X') }) }),
  },
  'an enum of long texts': {
    sizes: [40],
    write: (size) =>
      about({ X: thing(named(20, 'p', () => ref('E'))), E: { enum: times(size, (at) => `${at}`.repeat(40_000)) } }),
  },
  'enums that meet in parts': {
    sizes: [100],
    write: (size) =>
      about({
        X: thing(named(100, 'p', (at) => ({ allOf: times(size, (other) => ref(`E${(at + other) % size}`)) }))),
        ...named(size, 'E', (at) => ({ enum: times(400, (n) => n * (at + 1)) })),
      }),
  },
  'enums of objects that meet in parts': {
    sizes: [20],
    write: (size) =>
      about({
        X: thing(named(100, 'p', (at) => ({ allOf: times(size, (other) => ref(`E${(at + other) % size}`)) }))),
        ...named(size, 'E', (at) => ({ enum: times(2_000, (n) => ({ n: [n], at: n % 7 === 0 ? 0 : at })) })),
      }),
  },
  'a tuple of thousands': {
    sizes: [10_000],
    write: (size) =>
      about({
        X: thing({
          value: {
            type: 'array',
            prefixItems: times(size, (at) => ({ type: 'string', const: `v${at}` })),
            minItems: size,
            items: false,
          },
        }),
      }),
  },
  'a loose tuple of records': {
    sizes: [300],
    write: (size) =>
      about({
        X: thing({ value: { items: times(size, (at) => ref(`T${at}`)) } }),
        ...named(size, 'T', () => ({ items: [ref('X'), ref('X'), ref('T0')] })),
      }),
  },
  'lists of lists of records': {
    sizes: [100],
    write: (size) =>
      about({
        X: object({
          id: 'string',
          ...named(size, 'list', () => ({ type: 'array', minItems: 5, maxItems: 100, items: ref('X') })),
        }),
      }),
  },
  'a record that embeds all others': {
    sizes: [300],
    write: (size) =>
      collectionsOf(size, (at) => ref(`K${at}`), {
        B: thing(named(size, 'kind', (at) => ref(`K${at}`))),
        ...named(size, 'K', (at) =>
          object({
            id: 'string',
            ...Object.fromEntries(times(size, (other) => [`kind${other}`, ref(`K${(at + other) % size}`)])),
          }),
        ),
      }),
  },
  'variants of variants of records': {
    sizes: [300],
    write: (size) =>
      about({
        X: { oneOf: times(size, (at) => ref(`V${at}`)) },
        ...named(size, 'V', (at) => ({
          allOf: [thing({ [`p${at}`]: 'string' })],
          oneOf: [object({ a: ref(`V${(at + 1) % size}`) }), object({ b: ref(`V${(at + 2) % size}`) })],
        })),
      }),
  },
  'alternatives with a thousand properties': {
    sizes: [300],
    write: (size) =>
      about({
        X: thing({
          value: {
            oneOf: times(size, (at) => ({
              allOf: [ref('Wide'), object({ [`p${at}`]: 'string' }, { required: [`p${at}`] })],
            })),
          },
        }),
        Wide: thing(named(1_000, 'w', () => ({ type: 'integer' }))),
      }),
  },
  'required alternatives that never fit': {
    sizes: [200],
    write: (size) =>
      about({
        X: thing({
          value: {
            allOf: [
              {
                oneOf: times(size, (at) =>
                  object({ [`a${at}`]: { const: at } }, { required: [`a${at}`], additionalProperties: false }),
                ),
              },
              {
                oneOf: times(size, (at) =>
                  object({ [`b${at}`]: { const: at } }, { required: [`b${at}`], additionalProperties: false }),
                ),
              },
              { anyOf: times(size, () => ref('X')) },
            ],
          },
        }),
      }),
  },
  'a discriminator of thousands': {
    sizes: [3_000],
    write: (size) =>
      about({
        X: {
          oneOf: times(size, (at) => ref(`D${at}`)),
          discriminator: { propertyName: 'kind', mapping: named(size, 'k', (at) => `#/components/schemas/D${at}`) },
        },
        ...named(size, 'D', (at) => thing({ kind: { type: 'string' }, [`p${at}`]: 'string' })),
      }),
  },
  'a discriminator of children': {
    sizes: [3_000],
    write: (size) =>
      about({
        X: {
          ...thing({ kind: 'string' }),
          discriminator: { propertyName: 'kind', mapping: named(size, 'k', (at) => `#/components/schemas/D${at}`) },
        },
        ...named(size, 'D', (at) => ({ allOf: [ref('X'), object({ [`p${at}`]: ref(`D${(at + 1) % size}`) })] })),
        Holder: object(named(size, 'd', (at) => ref(`D${at}`))),
      }),
  },
  'descriptions of megabytes': {
    sizes: [1_000_000],
    write: (size) =>
      about({
        X: {
          ...thing({
            status: { type: 'string', description: `One of: ${times(size / 10, (at) => `\`v${at}\``).join(', ')}` },
            color: { type: 'string', title: 'A'.repeat(size) },
          }),
          description: 'word '.repeat(size / 5),
        },
      }),
  },
  'numbers at the edge': {
    sizes: [500],
    write: (size) =>
      about({
        X: thing(
          named(size, 'n', (at) => ({
            type: at % 2 === 0 ? 'integer' : 'number',
            minimum: -1.7e308,
            maximum: 1.7e308,
            multipleOf: [1e-308, 0.1, 3.3e300, 7e-5, 1e17][at % 5] as number,
            format: 'int64',
          })),
        ),
      }),
  },
  'numbers of everything that is odd': {
    sizes: [1],
    write: () =>
      about({
        X: thing({
          a: { type: 'array', minItems: -5, maxItems: 1e308, items: { type: 'string', minLength: 1e308 } },
          b: { type: 'string', minLength: 5, maxLength: -3 },
          c: { type: 'object', minProperties: 1e308, additionalProperties: { type: 'integer' } },
          d: { type: 'array', minItems: 1e308, uniqueItems: true, items: { type: 'boolean' } },
          e: { type: 'array', minItems: 1.5, maxItems: 0.5, items: true },
          f: { type: 'string', format: 'x'.repeat(100_000) },
          g: { type: times(1_000, (at) => `t${at}`) },
        }),
      }),
  },
  'formats and patterns at odds': {
    sizes: [300],
    write: (size) =>
      about({
        X: thing(
          named(size, 'p', (at) => ({
            type: 'string',
            format: ['uuid', 'date-time', 'email', 'uri', 'ipv4'][at % 5] as string,
            pattern: `^(?!.*a)(?=.*b{${at % 40}})[c-z]{50,60}$`,
            minLength: 10_000,
          })),
        ),
      }),
  },
  'an id that nothing fits': {
    sizes: [1],
    write: () =>
      about({
        X: object(
          { id: { type: 'string', pattern: '^(?!x)x$', minLength: 1_000 }, name: 'string', uuid: { enum: ['a'] } },
          { required: ['id'] },
        ),
      }),
  },
  'an id of two values': {
    sizes: [1],
    write: () =>
      about({
        X: object({ id: { type: 'string', enum: ['a', 'b'] }, n: { type: 'integer' } }, { required: ['id', 'n'] }),
      }),
  },
  'an id of sixty thousand characters': {
    sizes: [60_000],
    write: (size) =>
      about({ X: object({ id: { type: 'string', minLength: size, maxLength: size } }, { required: ['id'] }) }),
  },
  'an id with a large pattern': {
    sizes: [400],
    write: (size) =>
      about({
        X: object(
          { id: { type: 'string', pattern: `^${'[a-z0-9]{1,9}-?(x|y|zz)'.repeat(size)}$` } },
          { required: ['id'] },
        ),
      }),
  },
}
