import { expect, it } from 'vitest'
import { fitsPath, haveCommonPath, toPathPattern } from '../../src/protocol/path-pattern.ts'

const fits = (pattern: string, path: string, basePaths: string[] = []): boolean =>
  fitsPath(toPathPattern(pattern), path, basePaths)

it.each([
  ['*', '/'],
  ['/*', '/payments/1'],
  ['/payments*', '/payments/1/refunds'],
  ['/payments/{id}', '/payments/1'],
  ['/payments/:id', '/payments/1'],
  ['/payments/:id', '/payments/1/'],
  ['/payments/', '/payments'],
  ['/payments/:id/refunds', '/payments/1/refunds'],
  ['/payments/{id}:cancel', '/payments/1:cancel'],
  ['/repos/{owner}/{name}.json', '/repos/a/b.json'],
  ['*/refunds', '/payments/1/refunds'],
  ['/payments/*/refunds/{id}', '/payments/1/2/refunds/3'],
  ['/a*b*c', '/aXbXbc'],
  ['/files/{name}', '/files/a%2Fb'],
  ['/files/a b', '/files/a%20b'],
])('%s fits %s', (pattern, path) => {
  expect(fits(pattern, path)).toBe(true)
})

it.each([
  ['/payments', '/payments/1'],
  ['/payments/{id}', '/payments/'],
  ['/payments/{id}', '/payments/1/refunds'],
  ['/v1/things:cancel', '/v1/thingsX'],
  ['/payments/*', '/payments/'],
  ['/payments/*/refunds', '/payments/refunds'],
  ['/a*b*c', '/aXbXb'],
  ['/pay.ents', '/payments'],
])('%s does not fit %s', (pattern, path) => {
  expect(fits(pattern, path)).toBe(false)
})

it('takes base paths on either side', () => {
  const bases = ['/v1', '']

  expect(fits('/v1/tasks/{id}', '/tasks/1', bases)).toBe(true)
  expect(fits('/tasks/{id}', '/v1/tasks/1', bases)).toBe(true)
  expect(fits('/v*', '/tasks/1', bases)).toBe(true)
  expect(fits('/v2/tasks/{id}', '/tasks/1', bases)).toBe(false)
  expect(fits('/*/{id}', '/tasks', bases)).toBe(false)
  expect(fits('/tasks', '/of/me/tasks', ['/of/{owner}'])).toBe(true)
  expect(fits('/of/{owner}/tasks', '/tasks', ['/of/{owner}'])).toBe(true)
  expect(fits('/tasks', '/of/me', ['/of/{owner}'])).toBe(false)
})

it('decides on a pattern that a regular expression would try in every way', () => {
  expect(fits(`/${'*a'.repeat(20)}b`, `/${'a'.repeat(8_000)}`)).toBe(false)
})

it.each([
  ['/tasks/4*', '/tasks/{id}', true],
  ['/a*b', '/{name}', true],
  ['/*/comments', '/tasks/{id}/comments', true],
  ['/tasks/{id}', '/tasks/{id}/comments', false],
  ['/task*s', '/{collection}/{id}', true],
  ['/tasks', '/users', false],
])('finds whether a path fits both %s and %s', (left, right, isMet) => {
  expect(haveCommonPath(toPathPattern(left), toPathPattern(right))).toBe(isMet)
  expect(haveCommonPath(toPathPattern(right), toPathPattern(left))).toBe(isMet)
})
