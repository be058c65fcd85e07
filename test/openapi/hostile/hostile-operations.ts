import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { about, type HostileShapes, named, ref, thing, times } from './hostile-shape.ts'

/** The plain paths over a small record, and `paths`; `rest` holds what these refer to. */
function beside(paths: object, rest: { components?: JsonObject } & JsonObject = {}): string {
  const schemas = { X: thing({ name: 'string' }) }
  const plain = JSON.parse(about(schemas)).paths as JsonObject
  const { components, ...more } = rest
  return JSON.stringify(
    describeApi({ ...plain, ...paths }, {
      ...more,
      components: { ...components, schemas: { ...schemas, ...(components?.schemas as JsonObject) } },
    } as JsonObject),
  )
}

const pathsOf = (count: number, make: (at: number) => [string, unknown]) => Object.fromEntries(times(count, make))
const sharedItem = { $ref: '#/x-shared' }
const crud = (base: string, schema: JsonObject): JsonObject => ({
  [base]: { get: answers({ type: 'array', items: schema }), post: { ...takes(schema), ...answers(schema) } },
  [`${base}/{id}`]: { get: answers(schema), patch: { ...takes(schema), ...answers(schema) } },
})

/** Shapes of paths and operations: many, long, shared, or odd. */
export const HOSTILE_OPERATIONS: HostileShapes = {
  'one operation at thousands of paths': {
    sizes: [14_900],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [`/p${at}/{a${at}}`, sharedItem]),
        { 'x-shared': { get: { operationId: 'same', summary: 's', tags: ['a'], ...answers(ref('X')) } } },
      ),
  },
  'a hundred thousand paths': {
    sizes: [100_000],
    write: (size) => beside(pathsOf(size, (at) => [`/p${at}`, {}])),
  },
  'a hundred thousand operations': {
    sizes: [100_000],
    write: (size) => beside(pathsOf(size, (at) => [`/p${at}`, { get: {} }])),
  },
  'thousands of lists': {
    sizes: [7_000],
    write: (size) =>
      beside(
        pathsOf(size * 2, (at) => [
          at % 2 === 0 ? `/c${at}` : `/c${at - 1}/{id}`,
          { $ref: at % 2 === 0 ? '#/x-list' : '#/x-item' },
        ]),
        { 'x-list': { get: answers({ type: 'array', items: ref('X') }) }, 'x-item': { get: answers(ref('X')) } },
      ),
  },
  'thousands of collections without a schema': {
    sizes: [7_000],
    write: (size) =>
      beside(pathsOf(size * 2, (at) => [at % 2 === 0 ? `/c${at}` : `/c${at - 1}/{id}`, { get: { responses: {} } }])),
  },
  'collections of one name below each other': {
    sizes: [3_000],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [
          `/${times(1 + (at % 28), (level) => `items/{i${level}}`).join('/')}/v${at}/items/{id}`,
          { get: answers(ref('X')) },
        ]),
      ),
  },
  'actions of one record': {
    sizes: [9_000],
    write: (size) => beside(pathsOf(size, (at) => [`/things/{id}/act${at}`, { post: { responses: { 200: {} } } }])),
  },
  'thousands of parameters in one path': {
    sizes: [30],
    write: (size) =>
      beside(
        pathsOf(500, (at) => [
          `/x${at}/${times(size, (level) => `{${'a'.repeat(20)}${level}}-{b${level}}.{c${level}}`).join('/')}`,
          { get: answers(ref('X')) },
        ]),
      ),
  },
  'a segment of a thousand parameters': {
    sizes: [400],
    write: (size) => beside({ [`/x/${times(size, (at) => `{${at}}`).join('')}`]: { get: answers(ref('X')) } }),
  },
  'parameters of one operation': {
    sizes: [30_000],
    write: (size) =>
      beside({
        '/wide': {
          get: {
            ...answers({ type: 'array', items: ref('X') }),
            parameters: times(size, (at) => ({ name: `p${at}`, in: 'query', schema: { type: 'string' } })),
          },
        },
      }),
  },
  'three thousand shared parameters at each path': {
    sizes: [14_900],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [`/p${at}/{id${at}}`, sharedItem]),
        {
          'x-shared': {
            parameters: times(3_000, (at) => ({ name: `q${at}`, in: 'query', schema: { type: 'string' } })),
            get: answers({ type: 'array', items: ref('X') }),
          },
        },
      ),
  },
  'tags, security and statuses that all operations share': {
    sizes: [14_900],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [`/p${at}`, sharedItem]),
        {
          'x-shared': {
            get: {
              tags: times(20_000, (at) => `t${at}`),
              security: times(20_000, (at) => ({ [`s${at % 10}`]: [] })),
              responses: Object.fromEntries(times(1_000, (at) => [`x${at}`, { description: 'd' }])),
            },
          },
        },
      ),
  },
  'security of the whole description': {
    sizes: [14_900],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [`/p${at}`, { get: {} }]),
        {
          security: times(10_000, (at) => ({ [`s${at}`]: [], [`u${at}`]: [] })),
          components: { securitySchemes: named(10_000, 's', () => ({ type: 'http', scheme: 'bearer' })) },
        },
      ),
  },
  'schemes of which any will do': {
    sizes: [14_900],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [`/p${at}`, { get: {} }]),
        {
          components: {
            securitySchemes: named(10_000, 's', (at) => ({ type: 'apiKey', in: 'header', name: `x-${at}` })),
          },
        },
      ),
  },
  'path items with forty-nine thousand keys': {
    sizes: [14_900],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [`/p${at}`, sharedItem]),
        { 'x-shared': { ...named(49_000, 'x-k', () => 1), get: answers(ref('X')) } },
      ),
  },
  'path items with methods that are no objects': {
    sizes: [14_900],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [`/p${at}`, sharedItem]),
        { 'x-shared': { additionalOperations: named(50_000, 'M', () => 1) } },
      ),
  },
  servers: {
    sizes: [50_000],
    write: (size) =>
      beside(
        {},
        {
          servers: times(size, (at) => ({
            url: `https://h{a}/v${at}/{b}`,
            variables: named(3, 'b', () => ({ default: 'x' })),
          })),
        },
      ),
  },
  'a server with thousands of variables': {
    sizes: [14_900],
    write: (size) =>
      beside(
        {},
        {
          servers: [
            {
              url: `https://h/${times(size, (at) => `{v${at}}`).join('/')}`,
              variables: named(size, 'v', (at) => ({ default: `{v${(at + 1) % size}}{v${(at + 2) % size}}` })),
            },
          ],
        },
      ),
  },
  'headers of every answer': {
    sizes: [5_000],
    write: (size) => {
      const headers = named(size, 'x-h', (at) => ({ schema: { type: 'string', minLength: at % 50 } }))
      const item = {
        get: {
          responses: { 200: { description: 'ok', headers, content: { 'application/json': { schema: ref('X') } } } },
        },
      }
      return beside({ '/account': item, '/things/{id}': item, '/p': sharedItem }, { 'x-shared': item })
    },
  },
  'headers of long texts': {
    sizes: [500],
    write: (size) => {
      const headers = named(size, 'x-h', () => ({ schema: { type: 'string', minLength: 60_000 }, required: true }))
      const item = {
        get: {
          responses: { 200: { description: 'ok', headers, content: { 'application/json': { schema: ref('X') } } } },
        },
      }
      return beside({ '/account': item, '/things/{id}': item })
    },
  },
  'media types of every answer': {
    sizes: [14_900],
    write: (size) => {
      const content = Object.fromEntries(times(size, (at) => [`application/v${at}+json`, { schema: ref('X') }]))
      const item = {
        get: { responses: { 200: { description: 'ok', content } } },
        put: { requestBody: { content }, responses: { 200: { description: 'ok', content } } },
      }
      return beside({ '/account': item, '/things/{id}': item })
    },
  },
  'examples of every answer': {
    sizes: [14_900],
    write: (size) => {
      const examples = named(size, 'e', (at) => ({ value: { id: `${at}`, deep: [[[at]]] } }))
      const item = {
        get: {
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: ref('X'), examples } } } },
        },
      }
      return beside({ '/account': item, '/things/{id}': item, '/things': item })
    },
  },
  'callbacks, links and webhooks': {
    sizes: [5_000],
    write: (size) => {
      const operation = { ...takes(ref('X')), ...answers(ref('X')) }
      return beside(
        {
          '/subscribe': {
            post: {
              ...operation,
              callbacks: named(size, 'c', () => ({ '{$request.body#/url}': { post: operation } })),
              responses: {
                201: {
                  description: 'ok',
                  links: named(size, 'l', (at) => ({
                    operationId: `o${at}`,
                    parameters: { id: '$response.body#/id' },
                  })),
                },
              },
            },
          },
        },
        { webhooks: named(size, 'w', () => ({ post: operation })) },
      )
    },
  },
  'references that lead nowhere': {
    sizes: [40_000],
    write: (size) =>
      beside(
        pathsOf(9_000, (at) => [`/p${at}`, { get: answers(ref(`None${at}`)) }]),
        {
          components: { schemas: { Y: thing(named(size - 9_000, 'p', (at) => ref(`Gone${at}`))) } },
        },
      ),
  },
  'references through references': {
    sizes: [2_000],
    write: (size) =>
      beside(
        {
          '/deep': {
            get: answers({ $ref: `#/components/schemas/A${'/properties/a'.repeat(size)}` }),
          },
          ...pathsOf(2_000, (at) => [
            `/deep${at}`,
            { get: answers({ $ref: `#/components/schemas/A${'/properties/a'.repeat(at % 200)}` }) },
          ]),
        },
        { components: { schemas: { A: object({ a: ref('A') }) } } },
      ),
  },
  'long names everywhere': {
    sizes: [3_000],
    write: (size) => {
      const long = 'LongName'.repeat(100)
      return beside(
        Object.assign(
          {},
          ...times(60, (at) => crud(`/${long}${at}`, thing(named(5, long, () => ({ type: 'string' }))))),
        ),
        {
          components: {
            schemas: named(size, long, (at) =>
              object({ [`${long}_id`]: 'string', [`x${at}`]: ref(`${long}${(at + 1) % size}`) }),
            ),
          },
        },
      )
    },
  },
  'a title of megabytes': {
    sizes: [4_000_000],
    write: (size) =>
      JSON.stringify({
        ...(JSON.parse(beside({})) as JsonObject),
        info: { title: 'T'.repeat(size), version: 'v'.repeat(100_000), description: 'd' },
      }),
  },
  'an operation id of megabytes': {
    sizes: [4_000_000],
    write: (size) =>
      beside({ '/a': { get: { operationId: 'aB'.repeat(size / 2), tags: ['t'], ...answers(ref('X')) } } }),
  },
  'calls by name': {
    sizes: [9_000],
    write: (size) =>
      beside(
        pathsOf(size, (at) => [
          `/rpc/${['get', 'list', 'create', 'update', 'delete', 'cancel'][at % 6]}Noun${at % 1_000}v${at}`,
          {
            post: {
              operationId: `o${at}`,
              ...takes(object({ noun_id: 'string', ids: { type: 'array', items: { type: 'string' } } })),
              ...answers(object({ data: ref('X'), ok: 'boolean' })),
            },
          },
        ]),
      ),
  },
  'calls with keys in their paths': {
    sizes: [4_000],
    write: (size) => {
      const emptySchema = { responses: { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } } }
      const long = 'OfTheVeryLong'.repeat(4)
      return beside(
        pathsOf(size, (at) => {
          const noun = `thing${at % 1_000}`
          const path = [
            `/${noun}/get${noun}ById/{id}`,
            `/${noun}/create${noun}`,
            `/get${long}${at}/{id}`,
            `/${noun}/me`,
          ][Math.floor(at / 1_000) % 4]
          return [path ?? '', { [path?.includes('create') ? 'post' : 'get']: emptySchema }]
        }),
      )
    },
  },
  'relations between all collections': {
    sizes: [1_500],
    write: (size) =>
      beside(Object.assign({}, ...times(size, (at) => crud(`/kind${at}s`, ref(`K${at % 300}`)))), {
        components: {
          schemas: named(300, 'K', (at) =>
            object({
              id: 'string',
              ...named(20, 'kind', (other) => ({ type: 'string', description: `${at}${other}` })),
              ...Object.fromEntries(times(20, (other) => [`kind${(at * 20 + other) % size}_id`, { type: 'string' }])),
            }),
          ),
        },
      }),
  },
}
