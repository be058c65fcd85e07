import { expect, it } from 'vitest'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { CompiledApi } from '../../src/service/simulated-api/compiled/compiled-api.ts'

const ok = { responses: { 200: { description: 'ok' } } }
const api = new CompiledApi(
  readDescription({
    openapi: '3.0.3',
    info: { title: 'Paths', version: '1' },
    servers: [{ url: 'https://example.test/api/v2' }, { url: 'https://example.test/of/{owner}' }],
    paths: {
      '/users/me': { get: ok },
      '/users/{id}': { get: ok, delete: ok },
      '/users/{id}:suspend': { post: ok },
      // As in the descriptions of openslaq and of routes that swagger-jsdoc reads beside Express.
      '/teams/:team/members/:id': { get: ok },
      '/repos/{owner}/{repo}/compare/{base}...{head}': { get: ok },
      '/repos/{owner}/{repo}/contents/{path}': { get: ok },
      '/accounts/{sid}/messages/{message}.json': { get: ok },
      '/accounts/{sid}/messages.json': { get: ok },
      '/plain/': { get: ok },
    },
  }),
)

const find = (method: string, path: string) => {
  const found = api.router.find(method, path)
  return 'compiled' in found ? [found.compiled.operation.path, found.params] : [...found.allowed]
}

it('prefers static segments, and falls back where they lack the method', () => {
  expect(find('GET', '/users/me')).toEqual(['/users/me', {}])
  expect(find('DELETE', '/users/me')).toEqual(['/users/{id}', { id: 'me' }])
})

it('matches with the base path and without it, and with trailing slashes', () => {
  expect(find('GET', '/api/v2/users/7')).toEqual(['/users/{id}', { id: '7' }])
  expect(find('GET', '/users/7/')).toEqual(['/users/{id}', { id: '7' }])
  expect(find('GET', '/plain')).toEqual(['/plain/', {}])
})

it('decodes parameters', () => {
  expect(find('GET', '/users/a%20b%2Fc')).toEqual(['/users/{id}', { id: 'a b/c' }])
})

it('tells a verb after a colon from the parameter', () => {
  expect(find('POST', '/users/7:suspend')).toEqual(['/users/{id}:suspend', { id: '7' }])
})

it('takes a segment that begins with a colon as a parameter', () => {
  expect(find('GET', '/teams/a/members/7')).toEqual(['/teams/:team/members/:id', { team: 'a', id: '7' }])
})

it('splits several parameters of one segment', () => {
  expect(find('GET', '/repos/o/r/compare/v1...v2')).toEqual([
    '/repos/{owner}/{repo}/compare/{base}...{head}',
    { owner: 'o', repo: 'r', base: 'v1', head: 'v2' },
  ])
})

it('lets a last path parameter hold slashes', () => {
  expect(find('GET', '/repos/o/r/contents/src/a/b.ts')).toEqual([
    '/repos/{owner}/{repo}/contents/{path}',
    { owner: 'o', repo: 'r', path: 'src/a/b.ts' },
  ])
})

it('takes paths with .json and without', () => {
  expect(find('GET', '/accounts/AC1/messages.json')).toEqual(['/accounts/{sid}/messages.json', { sid: 'AC1' }])
  expect(find('GET', '/accounts/AC1/messages/SM1.json')).toEqual([
    '/accounts/{sid}/messages/{message}.json',
    { sid: 'AC1', message: 'SM1' },
  ])
  expect(find('GET', '/accounts/AC1/messages/SM1')).toEqual([
    '/accounts/{sid}/messages/{message}.json',
    { sid: 'AC1', message: 'SM1' },
  ])
})

it('names the methods that a path does have', () => {
  expect(find('PUT', '/users/7')).toEqual(['GET', 'DELETE'])
  expect(find('GET', '/nothing/here')).toEqual([])
})

it('takes a base path with a variable, as a parameter', () => {
  expect(find('GET', '/of/a%20b/users/7')).toEqual(['/users/{id}', { owner: 'a b', id: '7' }])
})
