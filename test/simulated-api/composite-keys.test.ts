import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, by, describeApi, inPath, list, object, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

/** Repositories with an owner and a name, which are made below organizations and for the caller. */
const api = () => {
  const repo = by('Repository')
  const made = { ...takes(object({ name: 'string' }, { required: ['name'] })), ...answers(repo) }
  const paths = {
    '/orgs/{org}/repos': { ...inPath('org'), get: answers(list(repo)), post: made },
    '/user/repos': { get: answers(list(repo)), post: made },
    '/repos/{owner}/{repo}': {
      ...inPath('owner', 'repo'),
      get: answers(repo),
      patch: { ...takes(object({ description: 'string' })), ...answers(repo) },
      delete: answers(repo),
    },
  }
  const Repository = object({
    id: 'integer',
    name: 'string',
    description: 'string',
    owner: object({ id: 'integer', login: 'string' }),
  })
  return simulate(describeApi(paths, { components: { schemas: { Repository } } }))
}

it('finds what was made below an organization by its owner and name, and by its id', () => {
  const { send } = api()

  const made = send('POST', '/orgs/acme/repos', { json: { name: 'app' } }).body
  expect(made.owner.login).toBe('acme')
  expect(send('PATCH', '/repos/acme/app', { json: { description: 'x' } }).body.id).toBe(made.id)
  expect(send('GET', `/repos/${made.owner.login}/${made.id}`).body.name).toBe('app')
  expect(send('GET', `/repos/somebody-else/${made.id}`).status).toBe(404)
  expect(send('GET', '/orgs/acme/repos').body.map(({ id }: JsonObject) => id)).toContain(made.id)
  expect(send('DELETE', '/repos/acme/app').status).toBe(200)
  expect(send('GET', '/repos/acme/app').status).toBe(404)
})

it('gives what a caller makes an owner, by which it is found', () => {
  const { send } = api()

  const { owner, id } = send('POST', '/user/repos', { json: { name: 'app' } }).body
  expect(send('GET', `/repos/${owner.login}/app`).body.id).toBe(id)
})

it('reads and deletes at one path what was made below another, also where both change it', () => {
  const comment = by('Comment')
  const body = takes(object({ body: 'string' }))
  const { send } = simulate(
    describeApi(
      {
        '/issues': { get: answers(list(object({ id: 'string' }))), post: answers(object({ id: 'string' })) },
        '/issues/{index}': { ...inPath('index'), get: answers(object({ id: 'string' })) },
        '/issues/comments': { get: answers(list(comment)) },
        '/issues/comments/{id}': {
          ...inPath('id'),
          get: answers(comment),
          patch: { ...body, ...answers(comment) },
          delete: answers(comment),
        },
        '/issues/{index}/comments': {
          ...inPath('index'),
          get: answers(list(comment)),
          post: { ...body, ...answers(comment) },
        },
        '/issues/{index}/comments/{id}': { ...inPath('index', 'id'), patch: body, delete: answers(comment) },
      },
      { components: { schemas: { Comment: object({ id: 'integer', body: 'string' }) } } },
    ),
  )
  const [issue] = send('GET', '/issues').body

  const { id } = send('POST', `/issues/${issue.id}/comments`, { json: { body: 'Hi' } }).body
  expect(send('PATCH', `/issues/comments/${id}`, { json: { body: 'Ho' } }).body.body).toBe('Ho')
  expect(send('GET', `/issues/${issue.id}/comments`).body).toContainEqual({ id, body: 'Ho' })
  expect(send('DELETE', `/issues/comments/${id}`).status).toBe(200)
  expect(send('GET', `/issues/${issue.id}/comments`).body).not.toContainEqual({ id, body: 'Ho' })
})
