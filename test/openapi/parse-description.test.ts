import { expect, it } from 'vitest'
import { ApiError } from '../../src/protocol/errors.ts'
import { parseDescription } from '../../src/service/openapi/parse-description.ts'

async function refusal(text: string): Promise<ApiError> {
  const error = await parseDescription(text).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 422, code: 'invalid_spec' })
  return error as ApiError
}

it('reads JSON and YAML alike', async () => {
  const json = await parseDescription('{"openapi": "3.1.0", "info": {"title": "T"}}')
  const yaml = await parseDescription('openapi: 3.1.0\ninfo:\n  title: T\n')

  expect(json).toEqual({ openapi: '3.1.0', info: { title: 'T' } })
  expect(yaml).toEqual(json)
})

it('reads JSON behind a byte order mark, and YAML in flow style', async () => {
  expect(await parseDescription('\ufeff{"openapi": "3.1.0"}')).toEqual({ openapi: '3.1.0' })
  expect(await parseDescription('{openapi: 3.1.0, paths: {}}')).toEqual({ openapi: '3.1.0', paths: {} })
})

it('reads YAML whose quoted texts close at the beginning of a line', async () => {
  const text = "openapi: 3.1.0\ninfo:\n  title: 'Payroll of the year.\n\n'\n  version: '1'\npaths: {}\n"

  const { info } = await parseDescription(text)

  expect(info).toEqual({ title: 'Payroll of the year.\n', version: '1' })
})

it('reads YAML whose quoted certificates begin at the margin', async () => {
  const quoted = (mark: string) => `example: ${mark}-----BEGIN-----\nMIIF+3Dc=\n\nABC\n-----END-----\n${mark}`
  const text = `openapi: 3.0.0
components:
  schemas:
    A:
      ${quoted('"')}
    B:
      ${quoted("'")}
    C:
      description: begins - 'here
    D:
      description: and ends' here
`

  const { components } = await parseDescription(text)

  const example = '-----BEGIN----- MIIF+3Dc=\nABC -----END----- '
  const closedAtMargin = { C: { description: "begins - 'here" }, D: { description: "and ends' here" } }
  expect(components).toEqual({ schemas: { A: { example }, B: { example }, ...closedAtMargin } })
})

it('reads YAML whose flow maps close at the indentation of their parents', async () => {
  const text = `openapi: 3.0.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      parameters:
        - name: kind
          in: query
          schema: {
            type: string,
            enum: [
              a
            ]
          }
      responses: {
        '200': { description: ok }
      }
`

  const document = await parseDescription(text)

  expect(document.paths).toMatchObject({ '/a': { get: { parameters: [{ schema: { enum: ['a'] } }] } } })
})

it('keeps dates, words for booleans and statuses of YAML as they are written', async () => {
  const document = await parseDescription('date: 2024-01-31\nanswer: no\nresponses:\n  200: ok\n')

  expect(document).toEqual({ date: '2024-01-31', answer: 'no', responses: { '200': 'ok' } })
})

it('takes the last of two equal keys, as JSON does', async () => {
  expect(await parseDescription('a: 1\na: 2\n')).toEqual({ a: 2 })
})

it('names line and column of a fault in YAML', async () => {
  expect((await refusal('openapi: 3.1.0\npaths: {a: 1\nb: 2')).message).toMatch(
    /^Failed to read the description as YAML at line 3, column 1: .*\. Correct the text there\.$/,
  )
})

it('names the line of a second document, also where the first has no mark', async () => {
  const { message } = await refusal('# one\nopenapi: 3.1.0\npaths: {}\n---\nopenapi: 3.1.0\n')

  expect(message).toMatch(/^Failed to read the description as YAML at line 4: expected one document, got another\./)
  expect(await parseDescription('%YAML 1.2\n# one\n---\nopenapi: 3.1.0\n')).toEqual({ openapi: '3.1.0' })
})

it('names line and column of a fault in JSON', async () => {
  expect((await refusal('{\n  "openapi": "3.1.0",\n  "paths": \n')).message).toMatch(
    /^Failed to read the description as JSON at line \d+, column \d+: .*\. Correct the text there\.$/,
  )
})

it.each([
  ['', 'the text is empty'],
  ['  \n', 'the text is empty'],
  ['[1]', 'it is an array, not an object'],
  ['just words', 'it is a string, not an object'],
])('refuses %j', async (text, fact) => {
  expect((await refusal(text)).message).toContain(fact)
})

it('refuses JSON that is nested 20,000 levels deep', async () => {
  const text = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`

  expect((await refusal(text)).message).toContain('nested')
})

it('refuses YAML whose aliases grow past all bounds', async () => {
  const levels = Array.from({ length: 30 }, (_, at) => `l${at + 1}: &l${at + 1} [*l${at}, *l${at}, *l${at}]`)
  const text = ['l0: &l0 [x, x]', ...levels].join('\n')

  expect((await refusal(text)).message).toContain('its YAML aliases hold more than')
})

it('refuses YAML that holds itself', async () => {
  expect((await refusal('a: &a\n  b: *a\n')).message).toMatch(/the alias at \/a\/b holds itself/)
})

it('takes keys away that would reach a prototype', async () => {
  const json = await parseDescription('{"__proto__": {"polluted": true}, "paths": {"__proto__": {"x": 1}}}')
  const yaml = await parseDescription('__proto__:\n  polluted: true\npaths: {}\n')

  expect(Object.keys(json)).toEqual(['paths'])
  expect(json.paths).toEqual({})
  expect(Object.keys(yaml)).toEqual(['paths'])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

it('reads JSON with comments', async () => {
  const text = '// head\n{ /* of\ntwo lines */ "openapi": "3.1.0", // last\n "x-url": "https://a.example//b/*c*/", }'
  const broken = await refusal('{\n// of pets\n"openapi": "3.1.0"\n"paths": {}\n}')

  expect(await parseDescription(text)).toEqual({ openapi: '3.1.0', 'x-url': 'https://a.example//b/*c*/' })
  expect(broken.message).toContain('line 4')
  expect((await refusal('// of pets\nopenapi: 3.1.0\ninfo: {}')).message).toMatch(/: Unexpected token 'o'\. Correct/)
})

it('takes no address or type of media in YAML for a comment', async () => {
  const text = `{openapi: 3.1.0,
    servers: [{url: https://a.example/v1}],
    paths: {/a: {content: {'*/*': {a: 1}, 'image/*': {b: 2}, x: '*/*'}}}}`

  expect(await parseDescription(text)).toEqual({
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example/v1' }],
    paths: { '/a': { content: { '*/*': { a: 1 }, 'image/*': { b: 2 }, x: '*/*' } } },
  })
})

it.each(['/* ', '\\"'])(
  'reads comments and texts without an end in a time that grows with their length: %j',
  async (part) => {
    const { message } = await refusal(`{${part.repeat(400_000)}`)

    expect(message).toContain('Failed to read the description as JSON')
  },
  20_000,
)

it('takes no description for a GraphQL schema because a text in it begins like one', async () => {
  const text = 'openapi: 3.1.0\ninfo:\n  description: |\n    type Query {\n      pets: [Pet]\n    }\n'

  expect(Object.keys(await parseDescription(text))).toEqual(['openapi', 'info'])
  expect(await parseDescription('type: object\nschema: {}\n')).toEqual({ type: 'object', schema: {} })
})

it.each([
  ['<!DOCTYPE html>\n<html><body>Not found: sign in</body></html>', 'an HTML page. Download the description itself.'],
  ['<?xml version="1.0"?>\n<definitions/>', 'XML. Pass an OpenAPI description'],
  [
    '# Pets\n"""All of them"""\ntype Query {\n  pets(id: ID!): [Pet]\n}\n',
    'a GraphQL schema. GraphQL is not simulated.',
  ],
  ['schema {\n  query: Query\n}\n', 'a GraphQL schema.'],
  ['#%RAML 1.0\ntitle: Pets\n/pets:\n  get:\n', 'RAML. Export or convert it to OpenAPI 3.'],
  ['version https://git-lfs.github.com/spec/v1\noid sha256:1a\nsize 9\n', 'a pointer of Git LFS. Run `git lfs pull`.'],
])('says what a text is that is no description: %s', async (text, kind) => {
  expect((await refusal(text)).message).toContain(`it is ${kind}`)
})
