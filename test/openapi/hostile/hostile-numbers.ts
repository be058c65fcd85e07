import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { about, type HostileShapes, named, nestedOf, ref, thing, times, towerOf } from './hostile-shape.ts'

const text = (rest: JsonObject): JsonObject => ({ type: 'string', ...rest })
const EDGES = [1e308, -1e308, 5e-324, -0, 2 ** 53 + 2, -(2 ** 53) - 2, 1e-300, 1.7976931348623157e308, 0.1, 1e21]

/** Shapes of bounds, patterns, discriminators, defaults and examples. */
export const HOSTILE_NUMBERS: HostileShapes = {
  'bounds at the edge of numbers': {
    sizes: [1],
    write: () =>
      about({
        X: thing(
          Object.assign(
            {},
            ...EDGES.flatMap((low, at) =>
              EDGES.map((high, other) => ({
                [`n${at}x${other}`]: { type: at % 2 === 0 ? 'number' : 'integer', minimum: low, maximum: high },
                [`e${at}x${other}`]: {
                  type: other % 2 === 0 ? 'number' : 'integer',
                  exclusiveMinimum: low,
                  exclusiveMaximum: high,
                  multipleOf: Math.abs(EDGES[(at + other) % 10] ?? 1) || 1e-300,
                },
              })),
            ),
          ),
        ),
      }),
  },
  'bounds that are no numbers': {
    sizes: [1],
    write: () =>
      about({
        X: thing({
          a: { type: 'integer', minimum: '5', maximum: { $ref: '#' }, multipleOf: 0 },
          b: { type: 'number', multipleOf: -3, exclusiveMinimum: true, minimum: null },
          c: { type: 'array', minItems: '7', maxItems: [], items: 5 },
          d: { type: 'string', minLength: -1, maxLength: 1e308, pattern: 7 },
          e: { type: 'object', required: 'a', properties: [1, 2], additionalProperties: 'x' },
          f: { type: { type: 'string' }, enum: {}, const: null },
          g: { enum: [], oneOf: [], anyOf: {}, allOf: 'x' },
          h: { $ref: 5 },
          i: { $ref: '#/components/schemas/X/properties/i' },
        } as Record<string, JsonObject>),
      }),
  },
  'parts with bounds at odds': {
    sizes: [150],
    write: towerOf((next, at) => ({
      allOf: [
        next,
        { type: 'string', minLength: at * 1_000, maxLength: at * 10, pattern: `^[a-z]{${at},}$` },
        { type: at % 2 === 0 ? 'integer' : 'string', minimum: at, maximum: -at, multipleOf: 7 * (at + 1) },
      ],
    })),
  },
  'a step for each of a thousand parts': {
    sizes: [1_000],
    write: (size) =>
      about({
        X: thing({
          value: { allOf: times(size, (at) => ({ type: 'integer', multipleOf: at + 1, minimum: 1, maximum: 1e15 })) },
          other: { allOf: times(size, (at) => ({ type: 'number', multipleOf: 1 / (at + 3) })) },
        }),
      }),
  },
  'patterns that must all be met': {
    sizes: [300],
    write: (size) =>
      about({
        X: thing({
          value: {
            allOf: times(size, (at) =>
              text({ pattern: `^(?=.*[${String.fromCharCode(97 + (at % 26))}])[a-z]{${at % 40},90}$` }),
            ),
          },
          other: { allOf: times(size, (at) => text({ pattern: `${'[^a]*'.repeat(at % 30)}b{${at}}` })) },
        }),
      }),
  },
  'patterns of other engines': {
    sizes: [40],
    write: (size) =>
      about({
        X: thing(
          Object.assign(
            {},
            ...[
              '(?<a>x)\\k<a>{1,}',
              '(a)\\1+',
              '(?>a+)b',
              '(?i)abc',
              '[[:alpha:]]{3}',
              '\\A\\d+\\Z',
              '(?P<n>a)(?P=n)',
              'a{,5}',
              '[a-z&&[^aeiou]]+',
              '\\p{Script=Greek}{3,}',
              '\\u{1F600}+',
              '^\\cA$',
              '[^]',
              '[]',
              'a**',
              '(?<!a)b',
              '*',
              '(',
              '\\',
              '[z-a]',
              'x{5,2}',
              '(?:)',
              '^$',
              '\\0',
              '\\x00{9}',
              '(?#comment)a',
              'a++',
              '(?(1)a|b)',
              '\\Qa.b\\E',
              '^(?:(?:(?:(?:a?)?)?)?){1000}$',
            ].map((pattern, at) => ({
              [`p${at}`]: text({ pattern }),
              [`l${at}`]: text({ pattern, minLength: size, maxLength: size + 1 }),
            })),
          ),
        ),
      }),
  },
  'enums shared by everything': {
    sizes: [45_000],
    write: (size) =>
      about({
        X: thing({
          status: ref('E'),
          state: ref('E'),
          list: { type: 'array', items: ref('E'), uniqueItems: true, minItems: 500 },
          map: { type: 'object', propertyNames: ref('E'), minProperties: 200, additionalProperties: ref('E') },
        }),
        E: text({ enum: times(size, (at) => `value ${at}`) }),
      }),
  },
  'enums of everything': {
    sizes: [4_000],
    write: (size) =>
      about({
        X: thing(
          named(50, 'p', (at) => ({
            type: ['string', 'integer', 'boolean', 'null', 'array', 'object'][at % 6] as string,
            enum: times(
              size,
              (n): JsonObject[string] =>
                [n, `${n}`, null, n % 2 === 0, [n, [n]], { n: { n } }, -0, 1e308][n % 8] ?? null,
            ),
          })),
        ),
      }),
  },
  'an enum of every length': {
    sizes: [2_500],
    write: (size) =>
      about({
        X: thing({
          id: text({ enum: times(size, (at) => 'x'.repeat(at)) }),
          value: text({ enum: times(size, (at) => 'é'.repeat(at % 500)), minLength: size / 2 }),
        }),
      }),
  },
  'a default of megabytes': {
    sizes: [1_000_000],
    write: (size) =>
      about({
        X: thing({
          a: text({ default: 'x'.repeat(size), maxLength: 10 }),
          b: { type: 'integer', default: 'y'.repeat(size) },
          c: { type: 'array', items: { type: 'integer' }, default: times(size / 10, (at) => at) },
        }),
      }),
  },
  'examples of megabytes everywhere': {
    sizes: [200_000],
    write: (size) => {
      const example = { $ref: '#/components/examples/E' }
      const item = {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema: ref('X'), examples: { a: example, b: example } } },
            },
          },
        },
      }
      const plain = JSON.parse(about({ X: thing({ name: 'string' }) })).paths as JsonObject
      return JSON.stringify(
        describeApi(
          { ...plain, ...Object.fromEntries(times(300, (at) => [`/p${at}`, item])) } as JsonObject,
          {
            components: {
              schemas: { X: { ...thing({ name: 'string' }), examples: times(1_000, (at) => ({ id: `${at}` })) } },
              examples: { E: { value: times(size, (at) => ({ at })) } },
            },
          } as JsonObject,
        ),
      )
    },
  },
  'examples that no schema fits': {
    sizes: [3_000],
    write: (size) =>
      about({
        X: {
          ...thing({
            name: { type: 'string', example: 7 },
            value: { type: 'integer', example: { a: times(size, (at) => `${at}`) } },
          }),
          example: { id: [[]], name: null, extra: times(size, () => ({ id: 5 })) },
        },
      }),
  },
  'a discriminator that maps to itself': {
    sizes: [200],
    write: (size) =>
      about({
        X: {
          ...thing({ kind: 'string' }),
          oneOf: [ref('X'), ref('A0')],
          discriminator: {
            propertyName: 'kind',
            mapping: {
              self: '#/components/schemas/X',
              gone: '#/components/schemas/Gone',
              text: 'X',
              odd: 7,
              url: 'http://127.0.0.1:1/x.json',
              proto: '__proto__',
            },
          },
        },
        ...named(size, 'A', (at) => ({
          allOf: [ref('X'), ref(`A${(at + 1) % size}`)],
          discriminator: {
            propertyName: ['kind', 'constructor', '__proto__', 'id'][at % 4] as string,
            mapping: named(size, 'k', (other) => `A${(at + other) % size}`),
          },
        })),
      } as Record<string, JsonObject>),
  },
  'a discriminator of the identifier': {
    sizes: [50],
    write: (size) =>
      about({
        X: {
          oneOf: times(size, (at) => ref(`D${at}`)),
          discriminator: { propertyName: 'id', mapping: named(size, 'k', (at) => `#/components/schemas/D${at}`) },
        },
        ...named(size, 'D', (at) => thing({ id: text({ enum: [`k${at}`] }), next: ref('X') })),
      }),
  },
  'dynamic references': {
    sizes: [100],
    write: (size) =>
      about({
        X: {
          $dynamicAnchor: 'node',
          ...thing({
            value: { $dynamicRef: '#node' },
            list: { type: 'array', minItems: 2, items: { $dynamicRef: '#node' } },
          }),
          $recursiveAnchor: true,
        },
        ...named(size, 'T', (at) => ({
          $id: `https://x.example/t${at}`,
          $dynamicAnchor: 'node',
          $ref: `https://x.example/t${(at + 1) % size}`,
          $defs: { [`d${at}`]: { $recursiveRef: '#' } },
          properties: { a: { $dynamicRef: `https://x.example/t${(at + 2) % size}#node` } },
        })),
      } as Record<string, JsonObject>),
  },
  'references that are not local': {
    sizes: [500],
    write: (size) =>
      about({
        X: thing(
          named(size, 'r', (at) => ({
            $ref: [
              'http://127.0.0.1:9/x.json#/a',
              'file:///etc/passwd',
              '../x.yaml#/components/schemas/A',
              '#',
              '#/',
              '#/components',
              '#/paths/~1things/get',
              '#/components/schemas/X/properties/r0',
              '#/components/schemas/%58',
              '#/components/schemas/__proto__',
              '#/constructor/prototype',
              '%',
              '#/%',
              '#/components/schemas/X/required/0',
              '#/info/title',
            ][at % 15] as string,
          })),
        ),
      }),
  },
  'definitions inside schemas': {
    sizes: [150],
    write: nestedOf((next) => ({
      $defs: { a: { type: 'string' }, b: { $ref: '#/$defs/a' } },
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' }, b: next },
      definitions: { a: { $ref: '#/definitions/a' } },
      $anchor: 'here',
    })),
  },
  'all keywords that check at each level': {
    sizes: [60],
    write: towerOf((next) => ({
      type: ['object', 'array', 'null'],
      contains: next,
      minContains: 3,
      maxContains: 2,
      prefixItems: [next, next],
      unevaluatedItems: next,
      contentSchema: next,
      contentMediaType: 'application/json',
      contentEncoding: 'base64',
      dependentRequired: { a: ['b'], b: ['a', 'c'] },
      dependencies: { a: ['b'], c: next },
      propertyNames: { not: next },
      patternProperties: { '^a': next, '.*': next },
      minProperties: 2,
    })),
  },
  'the same answer in every status and type': {
    sizes: [1],
    write: (size) => {
      const content = named(size, 'application/x', () => ({
        schema: ref('X'),
        encoding: named(50, 'e', () => ({ contentType: 'a/b', headers: named(20, 'h', () => ({ schema: ref('X') })) })),
      }))
      const responses = Object.fromEntries(
        [
          'default',
          '1XX',
          '2XX',
          '200',
          '204',
          '304',
          '3XX',
          '4xx',
          '500',
          '5XX',
          '600',
          '099',
          'x-a',
          '-1',
          '2.5',
          '__proto__',
        ].map((status) => [status, { description: status, content }]),
      )
      return JSON.stringify(
        describeApi(
          {
            ...(JSON.parse(about({})).paths as JsonObject),
            '/a': {
              get: { responses },
              post: { ...takes(ref('X')), responses },
              head: { responses },
              options: { responses },
              trace: { responses },
            },
          },
          { components: { schemas: { X: thing({ a: object({ b: 'string' }) }) } } } as JsonObject,
        ),
      )
    },
  },
  'an answer of everything': {
    sizes: [1],
    write: () =>
      JSON.stringify(
        describeApi(
          {
            ...(JSON.parse(about({})).paths as JsonObject),
            ...Object.fromEntries(
              [
                true,
                false,
                {},
                null,
                'x',
                [],
                5,
                { type: [] },
                { type: 'file' },
                { not: {} },
                { type: 'null' },
                { const: { a: 1 } },
                { type: 'string', format: 'binary', minLength: 1e9 },
              ].map((schema, at) => [
                `/odd${at}`,
                {
                  ...answers(schema as JsonObject),
                  get: answers(schema as JsonObject),
                  post: { ...takes(schema as JsonObject), ...answers(schema as JsonObject) },
                },
              ]),
            ),
          } as JsonObject,
          { components: { schemas: { X: true } } } as unknown as JsonObject,
        ),
      ),
  },
}
