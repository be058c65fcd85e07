import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { HOSTILE_DOCUMENTS } from './hostile-documents.ts'
import { HOSTILE_MERGES } from './hostile-merges.ts'
import { HOSTILE_MIXTURES } from './hostile-mixtures.ts'
import { HOSTILE_NUMBERS } from './hostile-numbers.ts'
import { HOSTILE_OPERATIONS } from './hostile-operations.ts'
import { HOSTILE_SCHEMAS } from './hostile-schemas.ts'
import {
  about,
  both,
  type HostileShapes,
  named,
  nestedOf,
  overSharedSchema,
  ref,
  thing,
  times,
  towerOf,
} from './hostile-shape.ts'

/** Shapes by name, with the sizes that are tried. */
export const HOSTILE_SHAPES: HostileShapes = {
  ...HOSTILE_DOCUMENTS,
  ...HOSTILE_MERGES,
  ...HOSTILE_MIXTURES,
  ...HOSTILE_NUMBERS,
  ...HOSTILE_OPERATIONS,
  ...HOSTILE_SCHEMAS,
  'arrays that want ten arrays': {
    sizes: [7, 40],
    write: nestedOf((next) => ({ type: 'array', minItems: 10, items: next })),
  },
  'objects with lists of ten objects': {
    sizes: [30],
    write: towerOf((next) => object({ items: { type: 'array', minItems: 10, items: next } }, { required: ['items'] })),
  },
  'a list of a million': {
    sizes: [1],
    write: () => about({ X: thing({ value: { type: 'array', minItems: 1_000_000, items: thing({ n: 'string' }) } }) }),
  },
  'a million different numbers': {
    sizes: [1],
    write: () =>
      about({
        X: thing({
          value: {
            type: 'array',
            minItems: 1_000_000,
            uniqueItems: true,
            items: { type: 'integer', minimum: 1, maximum: 3 },
          },
        }),
      }),
  },
  'different objects that are all the same': {
    sizes: [6],
    write: towerOf((next) => ({
      type: 'array',
      minItems: 50,
      uniqueItems: true,
      items: object({ a: next }, { required: ['a'] }),
    })),
  },
  'two required properties a level': { sizes: [150], write: towerOf(both) },
  'two optional properties a level': { sizes: [150], write: towerOf((next) => object({ a: next, b: next })) },
  'twenty optional properties a level': {
    sizes: [40],
    write: towerOf((next) => object(named(20, 'p', () => next))),
  },
  'a hundred properties of a hundred properties': {
    sizes: [10],
    write: towerOf((next) => object(named(100, 'p', () => next))),
  },
  'two alternatives a level, in properties': {
    sizes: [60],
    write: towerOf((next) => ({
      oneOf: [object({ a: next }, { required: ['a'] }), object({ b: next }, { required: ['b'] })],
    })),
  },
  'two like alternatives a level, in properties': {
    sizes: [60],
    write: towerOf((next) => ({
      oneOf: [object({ a: next }, { required: ['a'] }), object({ a: next }, { required: ['a'] })],
    })),
  },
  'two alternatives a level, directly': {
    sizes: [60],
    write: towerOf((next) => ({ oneOf: [next, { allOf: [next] }] })),
  },
  'alternatives of any kind a level': {
    sizes: [60],
    write: towerOf((next) => ({ anyOf: [object({ a: next }), object({ a: next, b: next }), next] })),
  },
  'alternatives around lists': {
    sizes: [40],
    write: towerOf((next) => ({
      oneOf: [
        { type: 'array', items: next, minItems: 2 },
        { type: 'array', items: next, maxItems: 5 },
      ],
    })),
  },
  'alternatives that all hold each other': {
    sizes: [10],
    write: (size) =>
      about({
        X: thing({ value: ref('V0') }),
        ...named(size, 'V', (at) => ({
          oneOf: times(size, (other) =>
            object({ [`k${other}`]: ref(`V${(at + other) % size}`) }, { required: [`k${other}`] }),
          ),
        })),
      }),
  },
  'alternatives that are each other': {
    sizes: [300],
    write: (size) =>
      about({ X: ref('V0'), ...named(size, 'V', () => ({ oneOf: times(size, (other) => ref(`V${other}`)) })) }),
  },
  'a thousand alternatives': {
    sizes: [5_000],
    write: (size) =>
      about({ X: thing({ value: { oneOf: times(size, (at) => object({ a: 'string', [`p${at}`]: 'string' })) } }) }),
  },
  'a thousand alternatives that are records': {
    sizes: [300],
    write: (size) =>
      about({
        X: { oneOf: times(size, (at) => ref(`V${at}`)) },
        ...named(size, 'V', (at) => thing({ [`p${at}`]: ref('X') })),
      }),
  },
  'discriminators in circles': {
    sizes: [3, 50],
    write: (size) =>
      about({
        X: ref('D0'),
        ...named(size, 'D', (at) => ({
          oneOf: [ref(`D${(at + 1) % size}`), ref(`D${(at + 2) % size}`)],
          discriminator: {
            propertyName: 'kind',
            mapping: named(size, 'k', (other) => `#/components/schemas/D${other}`),
          },
        })),
      }),
  },
  'a parent whose children are its parts': {
    sizes: [300],
    write: (size) =>
      about({
        X: {
          ...thing({ kind: 'string', next: ref('X') }),
          discriminator: { propertyName: 'kind', mapping: named(size, 'k', (at) => `#/components/schemas/C${at}`) },
          oneOf: times(size, (at) => ref(`C${at}`)),
        },
        ...named(size, 'C', (at) => ({
          allOf: [ref('X'), object({ [`c${at}`]: ref('X') }, { required: [`c${at}`] })],
        })),
      }),
  },
  'a chain of parts': {
    sizes: [10_000],
    write: towerOf((next, at) => ({ allOf: [next, object({ [`p${at}`]: 'string' })] })),
  },
  'parts that are included twice': {
    sizes: [190],
    write: towerOf((next, at) => ({ allOf: [{ allOf: [next] }, { allOf: [next, object({ [`p${at}`]: 'string' })] }] })),
  },
  'thousands of schemas that include all others': {
    sizes: [1_000],
    write: (size) =>
      about({
        X: thing({ value: ref('P0'), all: object(named(size, 'p', (at) => ref(`P${at}`))) }),
        ...named(size, 'P', (at) => ({
          allOf: times(Math.min(size, 150), (other) => ref(`P${(at + other + 1) % size}`)),
          properties: { [`own${at}`]: { type: 'string' } },
        })),
      }),
  },
  'properties merged again and again': {
    sizes: [150],
    write: towerOf((next) => ({
      allOf: [object({ a: next }, { required: ['a'] }), object({ a: both(next) }, { required: ['a'] })],
    })),
  },
  'references in a chain': { sizes: [5_000], write: towerOf((next) => next) },
  'a schema that requires itself': {
    sizes: [1],
    write: () =>
      about({ X: thing({ one: ref('X'), two: ref('X'), three: { type: 'array', minItems: 3, items: ref('X') } }) }),
  },
  'schemas that require each other': {
    sizes: [60],
    write: (size) =>
      about({
        X: thing({ value: ref('R0') }),
        ...named(size, 'R', (at) =>
          object(
            named(6, 'p', (p) => ref(`R${(at * 7 + p + 1) % size}`)),
            { required: times(6, (p) => `p${p}`) },
          ),
        ),
      }),
  },
  'schemas that may hold each other': {
    sizes: [500],
    write: (size) =>
      about({
        X: thing({ value: ref('R0') }),
        ...named(size, 'R', (at) => object(named(30, 'p', (p) => ref(`R${(at * 7 + p + 1) % size}`)))),
      }),
  },
  'maps of maps': {
    sizes: [150],
    write: nestedOf((next) => ({ type: 'object', minProperties: 10, additionalProperties: next })),
  },
  'maps of a million entries': {
    sizes: [1_000_000],
    write: (size) =>
      about({ X: thing({ value: { type: 'object', minProperties: size, additionalProperties: { type: 'string' } } }) }),
  },
  'optional maps of maps': {
    sizes: [150],
    write: nestedOf((next) => ({ type: 'object', additionalProperties: next })),
  },
  'maps of alternatives of maps': {
    sizes: [60],
    write: towerOf((next) => ({
      oneOf: [
        { type: 'object', additionalProperties: next },
        { type: 'object', minProperties: 2, additionalProperties: next },
      ],
    })),
  },
  'a huge enum': {
    sizes: [400_000],
    write: (size) => about({ X: thing({ value: { type: 'string', enum: times(size, (at) => `v${at}`) } }) }),
  },
  'a huge enum of objects': {
    sizes: [100_000],
    write: (size) => about({ X: thing({ value: { enum: times(size, (at) => ({ at, list: [at] })) } }) }),
  },
  'a huge enum that many share': {
    sizes: [20_000],
    write: (size) =>
      about({
        X: thing(named(500, 'p', () => ref('E'))),
        E: { type: 'string', enum: times(size, (at) => `v${at}`) },
      }),
  },
  'a long pattern': {
    sizes: [1_000_000],
    write: (size) => about({ X: thing({ value: { type: 'string', pattern: `^(${'ab?'.repeat(size / 3)})*$` } }) }),
  },
  'a long pattern of alternatives': {
    sizes: [1_000_000],
    write: (size) =>
      about({ X: thing({ value: { type: 'string', pattern: `^(${times(size / 8, (at) => `a${at}`).join('|')})$` } }) }),
  },
  'patterns of big repetitions': {
    sizes: [5],
    write: (size) =>
      about({
        X: thing({ value: { type: 'string', pattern: `^${'('.repeat(size)}[a-z]{1000}${'){1000}'.repeat(size)}$` } }),
      }),
  },
  'patterns that go back': {
    sizes: [30],
    write: (size) =>
      about({
        X: thing({
          a: { type: 'string', pattern: `^${'(a+)+'.repeat(size)}$` },
          b: { type: 'string', pattern: '^(.*)*(.*)*x$', minLength: 3_000 },
        }),
      }),
  },
  'thousands of patterns': {
    sizes: [5_000],
    write: (size) =>
      about({
        X: thing(
          named(size, 'p', (at) => ({ type: 'string', pattern: `^(?:${at}[a-z]{3,60}(?:-[0-9]{2,40}){2,20})+$` })),
        ),
      }),
  },
  'thousands of long patterns': {
    sizes: [1_000],
    write: (size) =>
      about({
        X: thing(
          named(size, 'p', (at) => ({ type: 'string', pattern: `^(?:${at}${'[a-z]?x+(b|c)*'.repeat(280)})+$` })),
        ),
      }),
  },
  'patterns of look-aheads': {
    sizes: [500],
    write: (size) =>
      about({
        X: thing({
          value: {
            type: 'string',
            pattern: `^${times(size, (at) => `(?=.*${at})(?!.*x{${at}})`).join('')}.*$`,
            minLength: 1_000,
          },
        }),
      }),
  },
  'long texts': {
    sizes: [1_000],
    write: (size) => about({ X: thing(named(size, 'p', () => ({ type: 'string', minLength: 1_000_000 }))) }),
  },
  'lists of long texts': {
    sizes: [1],
    write: () =>
      about({ X: thing({ value: { type: 'array', minItems: 1_000, items: { type: 'string', minLength: 65_000 } } }) }),
  },
  'steps that no number fits': {
    sizes: [1],
    write: () =>
      about({
        X: thing({
          a: { type: 'number', multipleOf: 1e-300 },
          b: { type: 'number', multipleOf: 5e-324, minimum: 1e308 },
          c: { type: 'integer', multipleOf: 1e300, minimum: 1, maximum: 2 },
          d: {
            type: 'array',
            uniqueItems: true,
            minItems: 900,
            items: { type: 'integer', multipleOf: 7, minimum: 0, maximum: 100 },
          },
          e: { type: 'number', minimum: 1e308, maximum: -1e308 },
          f: { type: 'number', minimum: -1e308, maximum: 1e308, multipleOf: 0.1 },
        }),
      }),
  },
  'thousands of properties': {
    sizes: [1_000],
    write: (size) => about({ X: thing(named(size, 'property_number_', () => ({ type: 'string' }))) }),
  },
  'thousands of objects in a record': {
    sizes: [1_000],
    write: (size) =>
      about({ X: thing(named(size, 'p', () => ref('O'))), O: object(named(20, 'q', () => ({ type: 'integer' }))) }),
  },
  'thousands of required names': {
    sizes: [500],
    write: (size) => about({ X: object({ id: 'string' }, { required: ['id', ...times(size, (at) => `r${at}`)] }) }),
  },
  'collections over a shared schema': {
    sizes: [300, 3_000],
    write: (size, seed) => {
      const paths = Object.fromEntries(
        times(size, (at) => [
          [
            `/c${seed}x${at}`,
            { get: answers({ type: 'array', items: ref('X') }), post: { ...takes(ref('X')), ...answers(ref('X')) } },
          ],
          [`/c${seed}x${at}/{id}`, { get: answers(ref('X')), delete: { responses: { 204: { description: 'gone' } } } }],
        ]).flat(),
      )
      const schemas = {
        X: thing(named(500, 'ref_', (at) => ref(`S${at}`))),
        ...named(500, 'S', (at) => object({ id: 'string', name: 'string', [`c${seed}x${at}_id`]: 'string' })),
      }
      return JSON.stringify(
        describeApi({ ...(JSON.parse(about({ X: schemas.X as JsonObject })).paths as JsonObject), ...paths }, {
          components: { schemas },
        } as JsonObject),
      )
    },
  },
  'collections below each other over a shared schema': {
    sizes: [1_000],
    write: (size) => {
      const paths = Object.fromEntries(
        times(size, (at) => {
          const path = times(Math.min(at % 25, at), (level) => `/a${level}/{p${level}}`).join('')
          return [
            [
              `${path}/n${at}`,
              { get: answers({ type: 'array', items: ref('X') }), post: { ...takes(ref('X')), ...answers(ref('X')) } },
            ],
            [`${path}/n${at}/{id}`, { get: answers(ref('X')) }],
          ]
        }).flat(),
      )
      const schemas = { X: thing(named(20, 'field_', (at) => (at % 2 === 0 ? { type: 'string' } : ref('X')))) }
      return JSON.stringify(
        describeApi({ ...(JSON.parse(about(schemas)).paths as JsonObject), ...paths }, {
          components: { schemas },
        } as JsonObject),
      )
    },
  },
  'documents over a shared schema': {
    sizes: [3_000],
    write: (size) => {
      const paths = Object.fromEntries(
        times(size, (at) => [
          `/d${at}/settings`,
          { get: answers(ref('X')), put: { ...takes(ref('X')), ...answers(ref('X')) } },
        ]),
      )
      return overSharedSchema(paths)
    },
  },
  'calls over a shared schema': {
    sizes: [300],
    write: (size) => {
      const paths = Object.fromEntries(
        times(size, (at) => [`/things/{id}/act${at}`, { post: { ...takes(ref('X')), ...answers(ref('X')) } }]),
      )
      return overSharedSchema(paths)
    },
  },
  'parameters that all paths share': {
    sizes: [10_000],
    write: (size) => {
      const item = {
        parameters: times(300, (at) => ({ $ref: `#/components/parameters/q${at}` })),
        get: answers({ type: 'array', items: ref('X') }),
      }
      const paths = Object.fromEntries(times(size, (at) => [`/p${at}`, { $ref: '#/x-shared' }]))
      const parameters = named(300, 'q', (at) => ({
        name: `q${at}`,
        in: 'query',
        schema: { type: 'string', enum: times(50, (n) => `${at}v${n}`) },
      }))
      const schemas = { X: thing({ name: 'string' }) }
      return JSON.stringify(
        describeApi({ ...(JSON.parse(about(schemas)).paths as JsonObject), ...paths }, {
          components: { schemas, parameters },
          'x-shared': item,
        } as JsonObject),
      )
    },
  },
  'answers that all operations share': {
    sizes: [5_000],
    write: (size) => {
      const responses = Object.fromEntries(times(400, (at) => [`${200 + at}`, { $ref: '#/components/responses/R' }]))
      const paths = Object.fromEntries(times(size, (at) => [`/p${at}`, { $ref: '#/x-shared' }]))
      const schemas = { X: thing({ name: 'string' }) }
      return JSON.stringify(
        describeApi({ ...(JSON.parse(about(schemas)).paths as JsonObject), ...paths }, {
          components: {
            schemas,
            responses: {
              R: {
                description: 'r',
                headers: named(50, 'h', () => ({ schema: { type: 'string' } })),
                content: named(20, 'application/v', () => ({ schema: ref('X') })),
              },
            },
          },
          'x-shared': { get: { responses } },
        } as JsonObject),
      )
    },
  },
  'error shapes of error shapes': {
    sizes: [8],
    write: (size) =>
      about({
        X: object(
          named(size, 'err', (at) => ({ allOf: [ref('X'), object({ [`message${at}`]: 'string' })] })),
          {
            required: times(size, (at) => `err${at}`),
          },
        ),
      }),
  },
  'wrappers of wrappers': {
    sizes: [300],
    write: (size) =>
      about({
        X: {
          oneOf: times(size, (at) =>
            object({ data: ref('X'), [`result${at}`]: ref('X'), [`list${at}List`]: ref('X') }),
          ),
        },
      }),
  },
  'an example of megabytes': {
    sizes: [10_000],
    write: (size) =>
      about({
        X: thing({
          value: { example: times(size, (at) => ({ at })) },
          other: { type: 'object', default: { a: times(size, (at) => at) } },
        }),
      }),
  },
  'paths with a thousand words': {
    sizes: [2_000],
    write: (size) => {
      const schemas = { X: thing({ name: 'string' }) }
      const paths = Object.fromEntries(
        times(size, (at) => [
          `/${times(28, (level) => `w${(at * 31 + level * 7) % 97}/{p${level}}`).join('/')}`,
          { get: answers(ref('X')) },
        ]),
      )
      return JSON.stringify(
        describeApi({ ...(JSON.parse(about(schemas)).paths as JsonObject), ...paths }, {
          components: { schemas },
        } as JsonObject),
      )
    },
  },
  'aliases of aliases': {
    sizes: [30],
    write: (size) =>
      [
        'openapi: 3.1.0',
        'info: { title: Laughs, version: "1" }',
        'x-laughs:',
        '  a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]',
        ...times(size, (at) => `  a${at + 1}: &a${at + 1} [${times(9, () => `*a${at}`).join(', ')}]`),
        'paths:',
        '  /things:',
        '    get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/X" } } } } } } }',
        '  /things/{id}:',
        '    get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/X" } } } } } }',
        `components: { schemas: { X: { type: object, properties: { id: { type: string }, value: { example: *a${size} } } } } }`,
      ].join('\n'),
  },
  'merges of a large map': {
    sizes: [50_000],
    write: (size) =>
      [
        'openapi: 3.1.0',
        'info: { title: Merges, version: "1" }',
        `x-base: &base { ${times(2_000, (at) => `k${at}: 1`).join(', ')} }`,
        'x-merged:',
        ...times(size, () => '  - { <<: *base }'),
        'paths:',
        '  /things:',
        '    get: { responses: { "200": { description: ok } } }',
      ].join('\n'),
  },
  'aliases around schemas': {
    sizes: [20],
    write: (size) =>
      [
        'openapi: 3.1.0',
        'info: { title: Aliases, version: "1" }',
        'x-schemas:',
        '  s0: &s0 { type: string }',
        ...times(
          size,
          (at) =>
            `  s${at + 1}: &s${at + 1} { type: object, required: [a, b], properties: { a: *s${at}, b: *s${at} } }`,
        ),
        'paths:',
        '  /things:',
        `    get: { responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: string }, value: *s${size} } } } } } } } }`,
      ].join('\n'),
  },
}
