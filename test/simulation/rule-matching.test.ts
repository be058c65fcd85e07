import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ResponseRule } from '../../src/protocol/response-rule.ts'
import { type OpenSimulation, openSimulation } from './open-simulation.ts'

let simulation: OpenSimulation

beforeEach(async () => {
  simulation = await openSimulation({ library: 'task-tracker', seed: 'rules' })
})

afterEach(() => simulation[Symbol.asyncDispose]())

interface Refused {
  error: { code: string; message: string }
}

/** Adds a rule that answers 418 where it acts. */
const addRule = <T = ResponseRule>(match: object) =>
  simulation.manage<T>('POST', '/rules', { name: 'teapot', kind: 'error', config: { status: 418 }, ...match })

const isMet = async (path: string, init?: RequestInit): Promise<boolean> =>
  (await simulation.call(path, init)).status === 418

const post = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers,
})

it.each(['/tasks/{id}', '/tasks/:taskId', '/*/{id}', '/tas*s/*'])('meets one task by %s', async (pathPattern) => {
  const { body } = await addRule({ method: 'GET', pathPattern })

  expect(body).not.toHaveProperty('warning')
  expect(await isMet('/tasks/1')).toBe(true)
  expect(await isMet('/tasks')).toBe(false)
})

it.each([
  ['/v1/tasks', '/tasks', true],
  ['/tasks', '/v1/tasks', true],
  ['/v*', '/tasks', true],
  ['/v1*', '/labels', true],
  ['/tasks/', '/tasks/', true],
  ['/t%61*', '/t%61sks', true],
  ['/tasks', '/t%61sks', true],
  ['*', '/tasks', true],
  ['/t', '/tasks', false],
  ['/tasks', '//tasks', false],
  ['/projects*', '/tasks', false],
  ['/v2*', '/tasks', false],
])('by %s meets %s: %s', async (pathPattern, path, met) => {
  await addRule({ method: '*', pathPattern })

  expect(await isMet(path)).toBe(met)
})

it('meets one operation, however its path is written', async () => {
  const { body } = await addRule({ operation: 'listTasks' })

  expect(body).toMatchObject({ method: '*', pathPattern: '*', operation: 'listTasks', firings: 0 })
  expect(await isMet('/tasks?limit=1')).toBe(true)
  expect(await isMet('/tasks/')).toBe(true)
  expect(await isMet('/tasks/1')).toBe(false)
  expect(await isMet('/tasks', post({ title: 'New' }))).toBe(false)
})

it('refuses an unknown operation with the nearest', async () => {
  const answer = await addRule<Refused>({ operation: 'listTask' })

  expect(answer.status).toBe(400)
  expect(answer.body.error).toEqual({
    code: 'bad_request',
    message: 'Expected `operation` to be an operation of this API, got "listTask". Did you mean "listTasks"?',
  })
})

it('names the id of an operation that is called by its method and path', async () => {
  const { body } = await addRule<Refused>({ operation: 'GET /tasks' })

  expect(body.error.message).toContain('got "GET /tasks". Did you mean "listTasks"?')
})

it('says that operation, method and path meet nothing together', async () => {
  const { body } = await addRule({ operation: 'listTasks', method: 'POST' })

  expect(body.warning).toMatch(/^No operation of this API matches POST \* together with operation listTasks\. Nearest/)
})

it('still wants method and path where no operation is given', async () => {
  const answer = await addRule<Refused>({ method: 'GET' })

  expect(answer.body.error.message).toBe('Expected `pathPattern` to be a string, got nothing.')
})

it.each([
  ['query', { status: 'done' }, '/tasks?status=done&limit=1', '/tasks?status=open'],
  ['query', { limit: 1 }, '/tasks?limit=1', '/tasks?limit=2'],
  ['query', { limit: null }, '/tasks', '/tasks?limit=2'],
])('meets what the %s holds: %j', async (part, wanted, met, other) => {
  await addRule({ method: 'GET', pathPattern: '/tasks', when: { [part]: wanted } })

  expect([await isMet(met), await isMet(other)]).toEqual([true, false])
})

it('meets what headers hold, in any case', async () => {
  await addRule({ method: '*', pathPattern: '*', when: { headers: { 'Idempotency-Key': 'a', 'x-none': null } } })

  expect(await isMet('/tasks', { headers: { 'idempotency-key': 'a' } })).toBe(true)
  expect(await isMet('/tasks', { headers: { 'idempotency-key': 'a', 'x-none': '1' } })).toBe(false)
  expect(await isMet('/tasks')).toBe(false)
})

it('meets a part of the body', async () => {
  await addRule({ operation: 'createTask', when: { body: { title: 'Bad', labels: ['a'] } } })

  expect(await isMet('/tasks', post({ title: 'Bad', labels: ['a'], priority: 'high' }))).toBe(true)
  expect(await isMet('/tasks', post({ title: 'Bad', labels: ['a', 'b'] }))).toBe(false)
  expect(await isMet('/tasks', post({ title: 'Good', labels: ['a'] }))).toBe(false)
  expect(await isMet('/tasks', { method: 'POST', body: '{"title": "Bad", ' })).toBe(false)
})

it('meets a part of a form, in which numbers are texts', async () => {
  await addRule({ method: 'POST', pathPattern: '/tasks', when: { body: { title: 'Bad', meta: { points: 3 } } } })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  expect(await isMet('/tasks', { method: 'POST', headers: form, body: 'title=Bad&meta[points]=3' })).toBe(true)
  expect(await isMet('/tasks', { method: 'POST', headers: form, body: 'title=Bad&meta[points]=4' })).toBe(false)
})

it('counts only the requests that it meets', async () => {
  await addRule({
    method: 'GET',
    pathPattern: '/tasks',
    when: { query: { limit: 1 } },
    config: { status: 418, times: 1 },
  })

  expect([await isMet('/tasks'), await isMet('/tasks?limit=1'), await isMet('/tasks?limit=1')]).toEqual([
    false,
    true,
    false,
  ])
  const { body } = await simulation.manage<{ rules: ResponseRule[] }>('GET', '')
  expect(body.rules).toMatchObject([{ firings: 1 }])
})

it.each([
  [
    { when: { headers: { a: ['b'] } } },
    '`when.headers.a` to be a string, a number, a boolean or null, got an array of 1 item.',
  ],
  [
    { when: { bdy: {} } },
    '`when` to have no field "bdy", got one. Did you mean "body"? It may have query, headers, body.',
  ],
  [{ when: { body: 'x'.repeat(17_000) } }, '`when` to be at most 16,384 characters of JSON, got an object.'],
  [{ pathPattern: '/a?b=c' }, '`pathPattern` to be a path that starts with `/` or `*`, without a query, got "/a?b=c".'],
  [{ pathPattern: '/*a'.repeat(21) }, '`pathPattern` to be a path with at most 20 of `*`, `{name}` and `:name`, got'],
])('refuses %j', async (wrong, message) => {
  const answer = await addRule<Refused>({ method: 'GET', pathPattern: '/tasks', ...wrong })

  expect(answer.status).toBe(400)
  expect(answer.body.error.message).toContain(`Expected ${message}`)
})
