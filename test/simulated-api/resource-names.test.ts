import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { toModelDocument } from '../../src/service/openapi/write-model.ts'
import { answers, describeApi, inPath, inQuery, list, object, takes } from '../openapi/describe-api.ts'
import { parseModelDocument } from '../openapi/parse-model-document.ts'
import { simulate } from './simulate.ts'

/**
 * Resource names as Protocol Buffers describe them (google.aip.dev/122): the OpenAPI documents of memos
 * (usememos/memos, proto/gen/openapi.yaml), Instill (instill-ai/protobufs, openapi/v2) and Bytebase (api.bytebase.com),
 * and Google's own APIs (Jules, Pub/Sub).
 */
const name = (form: string) => ({ type: 'string', description: `The resource name.\n Format: ${form}` })
const state = { type: 'string', enum: ['STATE_UNSPECIFIED', 'ACTIVE', 'PAUSED'], readOnly: true }
const user = object({ name: name('users/{user}'), username: 'string', displayName: 'string' })
const topic = object(
  {
    name: name('projects/{project}/topics/{topic}'),
    displayName: 'string',
    state,
    owner: { ...name('users/{user}') },
    createTime: { type: 'string', format: 'date-time' },
  },
  { required: ['displayName', 'owner'] },
)
const message = object({ name: name('projects/{project}/topics/{topic}/messages/{message}'), text: 'string' })

const api = describeApi({
  '/v1/users': { get: answers(object({ users: list(user) })) },
  '/v1/users/{user}': { ...inPath('user'), get: answers(user) },
  '/v1/projects/{project}/topics': {
    ...inPath('project'),
    get: answers(object({ topics: list(topic) })),
    post: { ...takes(topic), ...answers(topic), parameters: [inQuery('topicId', { type: 'string' })] },
  },
  '/v1/projects/{project}/topics/{topic}': {
    ...inPath('project', 'topic'),
    get: answers(topic),
    patch: { ...takes(topic), ...answers(topic), parameters: [inQuery('updateMask', { type: 'string' })] },
    delete: answers({}),
  },
  '/v1/projects/{project}/topics/{topic}:pause': { ...inPath('project', 'topic'), post: answers(topic) },
  '/v1/projects/{project}/topics/{topic}/messages': {
    ...inPath('project', 'topic'),
    get: answers(object({ messages: list(message) })),
    post: { ...takes(message), ...answers(message) },
  },
  '/v1/projects/{project}/topics/{topic}/messages/{message}': {
    ...inPath('project', 'topic', 'message'),
    get: answers(message),
  },
})
const news = { displayName: 'News', owner: 'users/ada' }

it('names a new record by its path, with the last part that the client chooses', () => {
  const { send } = simulate(api)

  const made = send('POST', '/v1/projects/acme/topics?topicId=news', { json: news })
  const other = send('POST', '/v1/projects/acme/topics', { json: news }).body

  expect(made.body).toMatchObject({ name: 'projects/acme/topics/news', state: 'ACTIVE', ...news })
  expect(made.body.createTime).toMatch(/^\d{4}-/)
  expect(send('GET', `/v1/${made.body.name}`).body).toEqual(made.body)
  expect(other.name).toMatch(/^projects\/acme\/topics\/[\w-]+$/)
  expect(send('GET', `/v1/${other.name}`).body).toEqual(other)
  expect(send('POST', '/v1/projects/acme/topics?topicId=news', { json: news }).status).toBe(409)
  expect(send('POST', '/v1/projects/other/topics?topicId=news', { json: news }).status).toBe(200)
})

it('writes out a path whose parameter is a whole resource name, as gRPC-Gateway writes it', () => {
  const whole = (form: string, pattern: string) => ({
    parameters: [{ in: 'path', name: 'name', required: true, description: form, schema: { type: 'string', pattern } }],
  })
  const written = describeApi({
    '/v1/{parent}/topics': {
      parameters: [
        { in: 'path', name: 'parent', required: true, schema: { type: 'string', pattern: 'projects/[^/]+' } },
      ],
      post: { ...takes(topic), ...answers(topic) },
    },
    '/v1/{name}': {
      get: {
        ...whole('Format: projects/{project}/topics/{topic}', '^projects/[^/]+/topics/[^/]+$'),
        ...answers(topic),
      },
    },
    '/v1/{name}:pause': { ...whole('', 'projects/[^/]+/topics/[^/]+'), post: answers(topic) },
  })
  const model = readDescription(written)
  const { send } = simulate(parseModelDocument(JSON.parse(JSON.stringify(toModelDocument(model))), written))

  const made = send('POST', '/v1/projects/acme/topics', { json: news }).body

  expect(model.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/projects/{project}/topics',
    'GET /v1/projects/{project}/topics/{topic}',
    'POST /v1/projects/{project}/topics/{topic}:pause',
  ])
  expect(send('GET', `/v1/${made.name}`).body).toEqual(made)
  expect(send('POST', `/v1/${made.name}:pause`).body).toEqual({ ...made, state: 'PAUSED' })
})

it('finds what lies below a record by the name of both, and all that is listed by its name', () => {
  const { send } = simulate(api)
  send('POST', '/v1/projects/acme/topics?topicId=news', { json: news })
  const made = send('POST', '/v1/projects/acme/topics/news/messages', { json: { text: 'Hi' } }).body

  const listed = send('GET', '/v1/projects/acme/topics/news/messages').body.messages
  const topics = send('GET', '/v1/projects/acme/topics').body.topics

  expect(made.name).toMatch(/^projects\/acme\/topics\/news\/messages\/[\w-]+$/)
  expect(listed).toEqual([made])
  for (const topic of topics) expect(send('GET', `/v1/${topic.name}`).body).toEqual(topic)
  for (const { owner } of topics.slice(1)) expect(send('GET', `/v1/${owner}`).status).toBe(200)
})

it('refers to records by their names only where a description says so', () => {
  const { send } = simulate(api)

  const [ada] = send('GET', '/v1/users').body.users

  expect(ada).toMatchObject({ name: expect.stringMatching(/^users\//), username: expect.not.stringContaining('/') })
  expect(ada.displayName).not.toContain('/')
})

it('changes only the fields of an update mask, and asks for no others', () => {
  const { send } = simulate(api)
  send('POST', '/v1/projects/acme/topics?topicId=news', { json: news })
  const sent = { displayName: 'Old news', owner: 'users/eve' }

  const changed = send('PATCH', '/v1/projects/acme/topics/news?updateMask=display_name', { json: sent })
  const partial = send('PATCH', '/v1/projects/acme/topics/news?updateMask=owner', { json: { owner: 'users/eve' } })

  expect(changed.body).toMatchObject({ displayName: 'Old news', owner: 'users/ada' })
  expect(partial).toMatchObject({ status: 200, body: { displayName: 'Old news', owner: 'users/eve' } })
})

it('takes the form of names from a line of model.yaml, where no description has it', () => {
  const plain = object({ name: 'string', displayName: 'string' })
  const line = { collections: { topics: { resource: 'projects/{project}/topics/{topic}' } } }
  const paths = {
    '/v1/projects/{project}/topics': { ...inPath('project'), post: { ...takes(plain), ...answers(plain) } },
    '/v1/projects/{project}/topics/{topic}': { ...inPath('project', 'topic'), get: answers(plain) },
  }
  const { send } = simulate(describeApi(paths, { 'x-backlot': line }))

  const made = send('POST', '/v1/projects/acme/topics', { json: { displayName: 'News' } }).body

  expect(made.name).toMatch(/^projects\/acme\/topics\/[\w-]+$/)
  expect(send('GET', `/v1/${made.name}`).body).toEqual(made)
})

it('says at the line that records have no field for a resource name', () => {
  const line = { collections: { topics: { resource: 'topics/{topic}' } } }
  const get = answers(object({ id: 'string', title: 'string' }))

  expect(() =>
    simulate(describeApi({ '/topics/{topic}': { ...inPath('topic'), get } }, { 'x-backlot': line })),
  ).toThrow(/resource/)
})

it('refuses with the codes of gRPC where errors are described as its status', () => {
  const details = list(object({ '@type': 'string' }))
  const status = object({ code: { type: 'integer', format: 'int32' }, message: 'string', details })
  const shown = answers(topic).responses as JsonObject
  const get = {
    responses: { ...shown, default: { description: 'error', content: { 'application/json': { schema: status } } } },
  }
  const { send } = simulate(
    describeApi({ '/v1/projects/{project}/topics/{topic}': { ...inPath('project', 'topic'), get } }),
  )

  const refused = send('GET', '/v1/projects/acme/topics/none')

  expect(refused.status).toBe(404)
  expect(refused.body).toEqual({ code: 5, message: expect.stringContaining('topics/none'), details: [] })
})

it('never makes the value of a field that is not set', () => {
  const { send } = simulate(api)
  send('POST', '/v1/projects/acme/topics?topicId=news', { json: news })

  const states = send('GET', '/v1/projects/acme/topics').body.topics.map(
    (topic: typeof news & { state: string }) => topic.state,
  )

  expect(new Set(states)).toEqual(new Set(['ACTIVE', 'PAUSED']))
  expect(send('POST', '/v1/projects/acme/topics/news:pause').body.state).toBe('PAUSED')
  expect(send('GET', '/v1/projects/acme/topics/none').status).toBe(404)
})
