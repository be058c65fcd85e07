import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { about, type HostileShapes, named, ref, thing, times } from './hostile-shape.ts'

const PLAIN = () => JSON.parse(about({ X: thing({ name: 'string' }) })).paths as JsonObject
const withPaths = (paths: object, rest: JsonObject = {}): string =>
  JSON.stringify(
    describeApi(
      { ...PLAIN(), ...paths } as JsonObject,
      { components: { schemas: { X: thing({ name: 'string' }) } }, ...rest } as JsonObject,
    ),
  )
const crud = (base: string, schema: JsonObject): JsonObject => ({
  [base]: { get: answers({ type: 'array', items: schema }), post: { ...takes(schema), ...answers(schema) } },
  [`${base}/{id}`]: {
    get: answers(schema),
    put: { ...takes(schema), ...answers(schema) },
    delete: { responses: { 204: { description: 'gone' } } },
  },
})

/** Names that a careless program takes for something else. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  '__defineGetter__',
  'then',
  'length',
  'name',
  'toJSON',
  'null',
  'undefined',
  'NaN',
  '0',
  '-0',
  '1e3',
  '',
  ' ',
  '\u0000',
  '\u202etxt',
  '\ud800',
  'ａｄｍｉｎ',
  'аdmin',
  'é',
  'e\u0301',
  '🙂',
  '\u200b',
  'İ',
  'ß',
  '../..',
  '..',
  '.',
  '%2e%2e',
  '%00',
  '{id}',
  '$ref',
  '<script>',
  '"',
  "'",
  '\\',
  '\n',
  'a/b',
  'a~1b',
  'a?b=c',
  'a#b',
  'a;b',
]

/** Shapes of names, versions, notations, servers, links and parameters. */
export const HOSTILE_DOCUMENTS: HostileShapes = {
  'names of the prototype everywhere': {
    sizes: [1],
    write: () => {
      // Written as text: an object literal would set its prototype.
      const entries = (make: (name: string, at: number) => string) =>
        NAMES.map((name, at) => `${JSON.stringify(name)}:${make(name, at)}`).join(',')
      const schema = `{"type":"object","properties":{"id":{"type":"string"},${entries(() => '{"type":"string","enum":["__proto__","constructor"]}')}},"required":${JSON.stringify(NAMES)}}`
      const operation = (name: string, at: number) =>
        `{"get":{"operationId":${JSON.stringify(name)},"tags":${JSON.stringify([name])},"parameters":[{"name":${JSON.stringify(name)},"in":"${['query', 'header', 'cookie', 'path'][at % 4]}","schema":{"type":"string"}}],"responses":{"200":{"description":"","headers":{${JSON.stringify(name)}:{"schema":{"type":"string"}}},"content":{"application/json":{"schema":{"type":"array","items":{"$ref":${JSON.stringify(`#/components/schemas/${name}`)}}}}}}}},"post":{"requestBody":{"content":{"application/json":{"schema":${schema}}}},"responses":{"201":{"description":"","content":{"application/json":{"schema":${schema}}}}}}}`
      const plain = JSON.stringify(PLAIN()).slice(1, -1)
      return `{"openapi":"3.1.0","info":{"title":"__proto__","version":"constructor"},"tags":${JSON.stringify(NAMES.map((name) => ({ name })))},"paths":{${plain},${NAMES.map((name, at) => `${JSON.stringify(`/${name}`)}:${operation(name, at)},${JSON.stringify(`/${name}/{${name}}`)}:${operation(name, at)}`).join(',')}},"components":{"schemas":{"X":${schema},${entries(() => schema)}},"parameters":{${entries(() => '{}')}},"securitySchemes":{${entries(() => '{"type":"apiKey","in":"header","name":"__proto__"}')}}},"security":[{"__proto__":[]},{"constructor":["toString"]}]}`
    },
  },
  'paths that are the same in the end': {
    sizes: [800],
    write: (size) =>
      withPaths(
        Object.fromEntries(
          times(size, (at) => [
            [
              `/same/{p${at}}`,
              `//same/{p${at}}`,
              `/same/{p${at}}/`,
              `/SAME/{p${at}}`,
              `/%73ame/{p${at}}`,
              `/same/./{p${at}}`,
              `/same/x/../{p${at}}`,
              `same/{p${at}}`,
              `/same/{p${at}}?a=${at}`,
              `/same/{p${at}}#${at}`,
            ][at % 10],
            { get: answers(ref('X')), put: { ...takes(ref('X')), ...answers(ref('X')) } },
          ]),
        ),
      ),
  },
  'paths that are odd': {
    sizes: [1],
    write: () =>
      withPaths(
        Object.fromEntries(
          [
            '',
            '/',
            '//',
            '/{',
            '/}',
            '/{}',
            '/{}{}',
            '/a{b',
            '/a}b',
            '/{a}{b}',
            '/{a}.{b}',
            '/{a}:{b}',
            '/x:y',
            '/{a:.*}',
            '/{a*}',
            '/{?a,b}',
            '/{+a}',
            '/*',
            '/**',
            '/(a|b)',
            '/[a]',
            '/$metadata',
            "/a(b='{c}')",
            '/%',
            '/%zz',
            '/%2F',
            '/ ',
            '/\t',
            '/\u0000',
            '/../..',
            'no-slash',
            'http://x.example/a',
            '/ü/{ü}',
            '/{id}/{id}/{id}',
            `/${'a'.repeat(60_000)}`,
            '/things/{id}/{id}',
          ].map((path) => [path, crud('/z', ref('X'))['/z/{id}']]),
        ),
      ),
  },
  'servers of variables': {
    sizes: [2_000],
    write: (size) =>
      withPaths(PLAIN(), {
        servers: times(size, (at) => ({
          url: [
            `https://{v0}.{v${at}}.example/{v0}/{v1}{v2}`,
            '{v0}',
            '{{v0}}',
            '{__proto__}',
            '/',
            '//',
            'javascript:alert(1)',
            `https://x/${'{v0}'.repeat(100)}`,
            'https://[::1',
            '\u0000',
          ][at % 10] as string,
          variables: {
            ...named(5, 'v', (n) => ({ default: `{v${n + 1}}`, enum: times(5, (one) => `{v${one}}`) })),
            v0: { default: 'x'.repeat(1_000) },
          },
        })),
      } as JsonObject),
  },
  'a base path of megabytes': {
    sizes: [1_000_000],
    write: (size) =>
      withPaths(PLAIN(), { servers: [{ url: `https://x.example/${'a/'.repeat(size / 2)}` }] } as JsonObject),
  },
  'parameters of every style': {
    sizes: [30],
    write: (size) => {
      const deep = (levels: number): JsonObject =>
        levels === 0
          ? { type: 'string' }
          : object({ a: deep(levels - 1), b: { type: 'array', items: deep(levels - 1) } }, { required: ['a'] })
      const styles = ['matrix', 'label', 'form', 'simple', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'odd']
      const parameters = (['query', 'header', 'cookie', 'path'] as const).flatMap((place) =>
        styles.flatMap((style) =>
          [true, false].map((explode) => ({
            name: `${place}-${style}-${explode}`,
            in: place,
            style,
            explode,
            required: place === 'path',
            allowReserved: true,
            allowEmptyValue: true,
            schema: ref('Deep'),
            content: style === 'odd' ? { 'application/json': { schema: ref('Deep') } } : undefined,
          })),
        ),
      )
      return JSON.stringify(
        describeApi(
          {
            ...PLAIN(),
            ...Object.fromEntries(
              times(size, (at) => [
                `/styled${at}/{path-simple-false}/{path-matrix-true}`,
                { parameters, get: answers(ref('X')) },
              ]),
            ),
          } as unknown as JsonObject,
          { components: { schemas: { X: thing({ name: 'string' }), Deep: deep(8) } } } as JsonObject,
        ),
      )
    },
  },
  'required parameters that nothing can meet': {
    sizes: [500],
    write: (size) =>
      withPaths({
        '/need/{id}': {
          parameters: times(size, (at) => ({
            name: `q${at}`,
            in: ['query', 'header', 'cookie'][at % 3] as string,
            required: true,
            schema: { type: 'string', pattern: '^(?!x)x$', minLength: 1e6, enum: ['a'] },
          })),
          get: answers(ref('X')),
          post: { ...takes({ not: {} }), ...answers({ not: {} }) },
        },
      }),
  },
  'links in circles': {
    sizes: [1_000],
    write: (size) =>
      withPaths(
        Object.fromEntries(
          times(size, (at) => [
            `/l${at}`,
            {
              get: {
                operationId: `o${at}`,
                responses: {
                  200: {
                    description: 'ok',
                    links: {
                      next: { $ref: `#/components/links/L${at}` },
                      all: {
                        operationRef: `#/paths/~1l${(at + 1) % size}/get`,
                        parameters: { id: '$response.body#/links/next' },
                      },
                    },
                    content: { 'application/json': { schema: ref('X') } },
                  },
                },
              },
            },
          ]),
        ),
        {
          components: {
            schemas: { X: thing({ name: 'string' }) },
            links: named(size, 'L', (at) => ({ $ref: `#/components/links/L${(at + 1) % size}` })),
          },
        } as JsonObject,
      ),
  },
  'callbacks in circles': {
    sizes: [300],
    write: (size) =>
      withPaths(
        {
          '/subscribe': {
            post: {
              ...takes(ref('X')),
              ...answers(ref('X')),
              callbacks: { on: { $ref: '#/components/callbacks/C0' } },
            },
          },
          '/round': { $ref: '#/paths/~1round' },
          '/round2': { $ref: '#/paths/~1round3' },
          '/round3': { $ref: '#/paths/~1round2' },
        },
        {
          components: {
            schemas: { X: thing({ name: 'string' }) },
            callbacks: named(size, 'C', (at) => ({
              '{$request.body#/url}': {
                post: {
                  ...takes(ref('X')),
                  responses: { 200: { description: 'ok' } },
                  callbacks: { on: { $ref: `#/components/callbacks/C${(at + 1) % size}` } },
                },
              },
            })),
            pathItems: named(size, 'P', (at) => ({ $ref: `#/components/pathItems/P${(at + 1) % size}` })),
            responses: named(size, 'R', (at) => ({ $ref: `#/components/responses/R${(at + 1) % size}` })),
            parameters: named(size, 'Q', (at) => ({ $ref: `#/components/parameters/Q${(at + 1) % size}` })),
            requestBodies: named(size, 'B', (at) => ({ $ref: `#/components/requestBodies/B${(at + 1) % size}` })),
          },
        } as JsonObject,
      ),
  },
  'extensions of megabytes': {
    sizes: [800],
    write: (size) => {
      const odd = Object.fromEntries(
        times(size, (at) => [
          `x-e${at}`,
          { $ref: '#/x-e0', deep: times(20, () => ({ type: 'object', allOf: [{ $ref: '#/components/schemas/X' }] })) },
        ]),
      )
      return JSON.stringify({
        ...JSON.parse(withPaths({ '/a': { ...odd, get: { ...odd, ...answers({ ...ref('X'), ...odd }) } } })),
        ...odd,
      })
    },
  },
  'security of circles and oddities': {
    sizes: [500],
    write: (size) =>
      withPaths(
        {
          '/s': {
            get: {
              security: [
                {},
                { s0: 5 },
                [],
                null,
                'x',
                { gone: ['a'] },
                ...times(size, (at) => ({ [`s${at}`]: times(20, (n) => `scope${n}`) })),
              ],
              ...answers(ref('X')),
            },
          },
        } as object,
        {
          components: {
            schemas: { X: thing({ name: 'string' }) },
            securitySchemes: named(
              size,
              's',
              (at) =>
                [
                  { $ref: `#/components/securitySchemes/s${(at + 10) % size}` },
                  {
                    type: 'oauth2',
                    flows: {
                      implicit: { authorizationUrl: 'javascript:1', scopes: named(200, 'scope', () => 'x') },
                      odd: 5,
                    },
                  },
                  { type: 'apiKey', in: 'query', name: '' },
                  { type: 'apiKey', in: 'cookie', name: '__proto__' },
                  { type: 'http', scheme: `x${'a'.repeat(5_000)}` },
                  { type: 'openIdConnect', openIdConnectUrl: 'file:///etc/passwd' },
                  { type: 'mutualTLS' },
                  null,
                  7,
                  { type: 'apiKey', in: 'header', name: 'content-length' },
                ][at % 10],
            ),
          },
        } as unknown as JsonObject,
      ),
  },
  'OpenAPI 2 with everything odd': {
    sizes: [500],
    write: (size) =>
      JSON.stringify({
        swagger: '2.0',
        info: { title: 'Two', version: '1' },
        host: '{a}.example',
        basePath: '/\u0000//',
        schemes: ['ws', 'javascript'],
        consumes: times(size, (at) => `a/b${at}`),
        produces: times(size, (at) => `a/b${at}`),
        securityDefinitions: {
          a: { type: 'oauth2', flow: 'odd', scopes: [] },
          b: { type: 'basic' },
          __proto: { type: 'apiKey', in: 'body', name: 'x' },
        },
        parameters: named(size, 'P', (at) => ({
          name: `p${at}`,
          in: ['body', 'formData', 'query', 'header', 'path'][at % 5],
          type: ['array', 'file', 'string'][at % 3],
          collectionFormat: ['multi', 'tsv', 'odd'][at % 3],
          items: { type: 'array', items: { $ref: '#/definitions/X' } },
          schema: { $ref: '#/definitions/X' },
          required: true,
          exclusiveMinimum: true,
        })),
        definitions: {
          X: {
            type: 'object',
            discriminator: 'kind',
            required: ['id', 'kind'],
            properties: {
              id: { type: 'string' },
              kind: { type: 'string' },
              next: { $ref: '#/definitions/X' },
              list: { type: 'array', items: { $ref: '#/definitions/D0' } },
            },
          },
          ...named(size, 'D', (at) => ({
            allOf: [{ $ref: '#/definitions/X' }, { $ref: `#/definitions/D${(at + 1) % size}` }],
          })),
        },
        paths: {
          '/things': {
            get: {
              responses: {
                200: {
                  description: 'ok',
                  schema: { type: 'array', items: { $ref: '#/definitions/X' } },
                  examples: { 'application/json': times(1_000, () => ({ id: 'a' })) },
                },
              },
            },
            post: {
              parameters: times(size, (at) => ({ $ref: `#/parameters/P${at}` })),
              responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/X' } } },
            },
          },
          '/things/{id}': {
            get: { responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/X' } } } },
            patch: {
              parameters: [{ in: 'body', name: 'b', schema: { $ref: '#/definitions/X' } }],
              responses: { 200: { description: 'ok', schema: { type: 'file' } } },
            },
          },
        },
      }),
  },
  'OpenAPI 3.0 with what is nullable in circles': {
    sizes: [150],
    write: (size) =>
      JSON.stringify({
        ...JSON.parse(
          about({
            X: thing({ value: ref('N0'), any: { nullable: true, allOf: [ref('X')] } }),
            ...named(size, 'N', (at) => ({
              nullable: at % 2 === 0,
              oneOf: [
                ref(`N${(at + 1) % size}`),
                { nullable: true, allOf: [ref(`N${(at + 2) % size}`)] },
                { type: 'string', nullable: true, enum: [null], minimum: 5, exclusiveMinimum: true },
              ],
            })),
          }),
        ),
        openapi: '3.0.3',
      }),
  },
  'a version that nobody knows': {
    sizes: [1],
    write: () =>
      JSON.stringify({
        ...JSON.parse(withPaths({})),
        openapi: '3.9.9',
        swagger: '2.0',
        jsonSchemaDialect: 'https://x.example/dialect',
        webhooks: null,
        tags: 'x',
        servers: 'x',
        security: 'x',
        externalDocs: [],
        components: { schemas: [], responses: 5, parameters: null, pathItems: 'x' },
      }),
  },
  'everything is of another type': {
    sizes: [1],
    write: () => {
      const odd = [null, 5, 'x', [], [[]], true, {}, { $ref: '#/x' }]
      const paths = Object.fromEntries(
        odd.flatMap((value, at) => [
          [`/i${at}`, value],
          [`/g${at}`, { get: value, parameters: value, summary: value, servers: value }],
          [
            `/o${at}`,
            {
              get: {
                operationId: value,
                tags: value,
                parameters: [value],
                responses: value,
                requestBody: value,
                security: value,
                callbacks: value,
              },
            },
          ],
          [
            `/r${at}`,
            {
              post: {
                responses: {
                  200: value,
                  201: { content: value, headers: value, links: value },
                  202: { content: { 'application/json': value, '': { schema: value } } },
                },
                requestBody: { content: { 'application/json': value } },
              },
            },
          ],
        ]),
      )
      return withPaths(paths)
    },
  },
  'methods by the dozen': {
    sizes: [300],
    write: (size) =>
      withPaths(
        Object.fromEntries(
          times(size, (at) => [
            `/m${at}/{id}`,
            Object.fromEntries(
              [
                'get',
                'GET',
                'put',
                'post',
                'delete',
                'options',
                'head',
                'patch',
                'trace',
                'query',
                'connect',
                'link',
                'copy',
                '__proto',
                'x-y',
                'additionalOperations',
              ].map((method) => [method, { ...takes(ref('X')), ...answers(ref('X')) }]),
            ),
          ]),
        ),
      ),
  },
  'one parameter a thousand times': {
    sizes: [2_000],
    write: (size) =>
      withPaths({
        '/dup/{id}': {
          parameters: times(size, () => ({ name: 'id', in: 'path', required: true, schema: { type: 'string' } })),
          get: {
            parameters: times(size, (at) => ({
              name: ['id', 'ID', 'Id '][at % 3] as string,
              in: ['query', 'header', 'path', 'cookie', 'body'][at % 5] as string,
              schema: { type: 'integer' },
            })),
            ...answers(ref('X')),
          },
        },
      }),
  },
  'YAML of tags, times and merges': {
    sizes: [3_000],
    write: (size) =>
      [
        '%YAML 1.2',
        '---',
        'openapi: 3.1.0',
        'info: { title: !!str 2001-12-14t21:59:43.10-05:00, version: 1.0 }',
        'x-odd: [!!null null, !!float .inf, .nan, -.inf, 0o17, 0xff, 1_000, 012, yes, NO, on, ~, =, 1e400, -0, 18446744073709551616]',
        'x-base: &base { type: object, required: [id], properties: &props { id: { type: string } } }',
        'x-more: &more',
        '  <<: [*base, *base]',
        '  properties: { <<: *props, when: { type: string, example: 2001-12-14 } }',
        'paths:',
        '  /things:',
        '    get: { responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { <<: *more } } } } } } }',
        '  ? /things/{id}',
        '  : get: { responses: { 200: { description: ok, content: { application/json: { schema: *more } } } } }',
        'components:',
        '  schemas:',
        ...times(
          size,
          (at) => `    S${at}: { <<: [*more, *base], 1: 2, null: 3, true: 4, 2001-01-01: 5, n${at}: !!str yes }`,
        ),
      ].join('\n'),
  },
  'YAML that ends nowhere': {
    sizes: [1_000_000],
    write: (size) =>
      [
        'openapi: 3.1.0',
        'info: { title: Long, version: "1" }',
        `x-a: "${'\\x41'.repeat(size / 4)}"`,
        `x-b: '${"''".repeat(size / 4)}'`,
        'x-c: |+',
        ...times(size / 10, () => '  \u00a0 x '),
        'x-d: >-',
        ...times(size / 10, (at) => `${' '.repeat(2 + (at % 3))}y`),
        'paths: { /things: { get: { responses: { "200": { description: ok } } } } }',
      ].join('\n'),
  },
  'a field of a form in brackets of brackets': {
    sizes: [3_000],
    write: (size) => {
      const schema = { type: 'object', properties: { [`a${'[x]'.repeat(size)}`]: { type: 'string' } } }
      const post = { requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } } }
      return withPaths({ '/things': { post: { ...post, ...answers(ref('X')) }, get: answers(ref('X')) } })
    },
  },
  'YAML in brackets of YAML': {
    sizes: [150],
    write: (size) =>
      [
        'openapi: 3.1.0',
        'info: { title: Brackets, version: "1" }',
        ...times(3_000, (at) => `x-b${at}: ${'[{a: '.repeat(size / 2)}1${'}]'.repeat(size / 2)}`),
        'paths: { /things: { get: { responses: { "200": { description: ok } } } } }',
      ].join('\n'),
  },
  'YAML with a million comments': {
    sizes: [1_000_000],
    write: (size) =>
      [
        'openapi: 3.1.0',
        'info: { title: Comments, version: "1" }',
        ...times(size / 4, () => '#'),
        ...times(size / 8, () => '  # x'),
        'paths: { /things: { get: { responses: { "200": { description: ok } } } } }',
      ].join('\n'),
  },
  'texts of markup in every place': {
    sizes: [200],
    write: (size) => {
      const markup = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u0007\u001b[31m\u202e'.repeat(size)
      const operation = {
        summary: markup,
        description: markup,
        operationId: markup,
        tags: [markup],
        externalDocs: { url: `javascript:${markup}`, description: markup },
        deprecated: markup,
        ...answers({ type: 'string', description: markup, default: markup, enum: [markup], title: markup }),
      }
      return JSON.stringify({
        ...JSON.parse(withPaths({ '/a': { get: operation }, [`/${markup.slice(0, 500)}`]: { get: operation } })),
        info: { title: markup, version: markup, description: markup, contact: { url: markup }, license: markup },
      })
    },
  },
  'one name in many spellings': {
    sizes: [400],
    write: (size) =>
      withPaths(
        Object.assign(
          {},
          ...times(size, (at) =>
            crud(
              `/${['user', 'Users', 'USER', 'u-s-e-r', 'user_s', 'usérs', 'ｕｓｅｒ', 'useres', 'userses', 'uSeRs'][at % 10]}${'s'.repeat(Math.floor(at / 10))}`,
              ref('X'),
            ),
          ),
        ),
      ),
  },
  'words that never end': {
    sizes: [100_000],
    write: (size) =>
      withPaths({
        ...crud(
          `/${'aB'.repeat(size / 2)}`,
          thing({
            [`${'x_'.repeat(size)}id`]: 'string',
            [`${'A1'.repeat(size)}`]: 'string',
            [`${'s'.repeat(size)}`]: 'string',
            [`${'é'.repeat(size)}At`]: 'string',
          }),
        ),
      }),
  },
  'views of views of one list': {
    sizes: [2_000],
    write: (size) =>
      withPaths(
        Object.fromEntries(
          times(size, (at) => [
            `/things/{id}${times(1 + (at % 12), (level) => `/v${(at + level) % 50}/{k${level}}`).join('')}/list${at}`,
            {
              get: answers({ type: 'array', items: ref('X') }),
              delete: { responses: { 204: { description: 'gone' } } },
              put: {
                ...takes({ type: 'array', items: ref('X') }),
                ...answers(object({ data: { type: 'array', items: ref('X') } })),
              },
            },
          ]),
        ),
      ),
  },
  'fields that point at every collection': {
    sizes: [400],
    write: (size) =>
      withPaths(Object.assign({}, ...times(size, (at) => crud(`/kind${at}s`, ref('All')))), {
        components: {
          schemas: {
            X: thing({ name: 'string' }),
            All: object({
              id: 'string',
              ...Object.fromEntries(times(size, (at) => [`kind${at}_id`, { type: 'string' }])),
              ...Object.fromEntries(
                times(size, (at) => [`kind${at}_ids`, { type: 'array', items: { type: 'string' }, minItems: 20 }]),
              ),
              ...Object.fromEntries(times(size, (at) => [`kind${at}`, { anyOf: [{ type: 'string' }, ref('All')] }])),
            }),
          },
        },
      } as JsonObject),
  },
}
