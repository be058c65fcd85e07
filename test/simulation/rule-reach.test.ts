import { expect, it } from 'vitest'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { explainReach } from '../../src/service/simulation/requests/rule-reach.ts'

const operation = { responses: { 200: { description: 'OK' } } }
const model = readDescription({
  openapi: '3.1.0',
  info: { title: 'Tasks', version: '1' },
  servers: [{ url: 'https://api.example.com/v2/api' }],
  paths: {
    '/tasks': { get: operation, post: operation },
    '/tasks/{id}': { get: operation, patch: operation },
    '/tasks/{id}/comments': { get: operation },
  },
})

const explain = (method: string, pathPattern: string): string | undefined =>
  explainReach({ method, pathPattern }, model)

it.each([
  ['*', '*'],
  ['*', '/*'],
  ['GET', '/tasks'],
  ['GET', '/tas*'],
  ['PATCH', '/tasks/*'],
  ['PATCH', '/tasks/41'],
  ['GET', '/tasks/4*'],
  ['GET', '/tasks/41/comm*'],
  ['GET', '/v2/api/tasks'],
  ['GET', '/v2*'],
  ['HEAD', '/tasks'],
  ['OPTIONS', '/tasks/41'],
])('lets %s %s be, which an operation can meet', (method, pathPattern) => {
  expect(explain(method, pathPattern)).toBeUndefined()
})

it.each([
  ['GET', '/task'],
  ['*', '/tsaks*'],
  ['DELETE', '/tasks/41'],
  ['GET', '/tasks/41/comments/7'],
  ['PATCH', '/tasks/41/*'],
  ['GET', '/v1/api/tasks'],
])('says that %s %s meets no operation', (method, pathPattern) => {
  expect(explain(method, pathPattern)).toMatch(
    new RegExp(`^No operation of this API matches ${method.replace('*', '\\*')} /.+\\. Nearest are \\w+ /tasks`),
  )
})

it('names the nearest first', () => {
  expect(explain('GET', '/task')).toBe(
    'No operation of this API matches GET /task. Nearest are GET /tasks, POST /tasks, GET /tasks/{id}.',
  )
})
