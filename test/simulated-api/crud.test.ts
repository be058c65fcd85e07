import { expect, it } from 'vitest'
import { answers, body, describeApi, list, object, path, string } from './describe-api.ts'
import { EPOCH, simulate } from './simulate.ts'
import { todoDescription } from './todo-description.ts'

it('remembers what was created, changed and deleted', () => {
  const { send } = simulate(todoDescription)

  const created = send('POST', '/tasks', { json: { title: 'Water the plants', priority: 2 } })
  expect(created).toMatchObject({ status: 201, body: { title: 'Water the plants', priority: 2 } })
  const { id } = created.body
  expect(created.headers.location).toBe(`http://127.0.0.1:4010/tasks/${id}`)
  expect(send('GET', `/tasks/${id}`).body).toEqual(created.body)
  expect(send('GET', '/v1/tasks?limit=1').body.data).toEqual([created.body])

  const updated = send('PATCH', `/tasks/${id}`, { json: { title: 'Water them all' }, at: EPOCH + 3_600_000 })
  expect(updated.body).toEqual({ ...created.body, title: 'Water them all', updated_at: '2025-06-15T13:00:00Z' })
  expect(updated.changes).toMatchObject([{ type: 'updated', collection: 'tasks', key: id }])

  expect(send('DELETE', `/tasks/${id}`)).toMatchObject({ status: 204, text: '' })
  expect(send('GET', `/tasks/${id}`)).toMatchObject({
    status: 404,
    body: { type: 'not_found', message: `Failed to find task "${id}": there is none with that key.` },
  })
})

it('shows a record under its parent alone', () => {
  const { send } = simulate(todoDescription)
  const [first, second] = send('GET', '/tasks').body.data

  const comment = send('POST', `/tasks/${first.id}/comments`, { json: { body: 'Done soon' } }).body

  expect(comment).toMatchObject({ body: 'Done soon', task_id: first.id })
  expect(send('GET', `/tasks/${first.id}/comments`).body).toContainEqual(comment)
  expect(send('GET', `/tasks/${second.id}/comments`).body).not.toContainEqual(comment)
  expect(send('GET', `/tasks/${first.id}/comments/${comment.id}`).status).toBe(200)
  expect(send('GET', `/tasks/${second.id}/comments/${comment.id}`).status).toBe(404)
  expect(send('DELETE', `/tasks/${first.id}/comments/${comment.id}`).body).toEqual({ id: comment.id, deleted: true })
})

it('accepts records below a parent that is not there, where no 404 is declared', () => {
  const loose = simulate(todoDescription)

  const comment = loose.send('POST', '/tasks/nobody/comments', { json: { body: 'x' } })
  expect(comment.status).toBe(201)
  expect(loose.send('GET', '/tasks/nobody/comments').body).toEqual([comment.body])
  expect(loose.send('GET', '/tasks/nobody').status).toBe(404)
})

it('keeps the keys that clients choose, and refuses one that is taken', () => {
  const { send } = simulate(todoDescription)

  expect(send('POST', '/labels', { json: { name: 'urgent-one' } })).toMatchObject({
    status: 201,
    body: { name: 'urgent-one' },
  })
  expect(send('POST', '/labels', { json: { name: 'urgent-one' } })).toMatchObject({
    status: 409,
    body: { type: 'conflict', message: 'Failed to create label "urgent-one": there is one with that `name` already.' },
  })
})

it('sets the status that a verb leads to', () => {
  const { send } = simulate(todoDescription)
  const { id } = send('POST', '/tasks', { json: { title: 'x' } }).body

  const completed = send('POST', `/tasks/${id}/complete`)

  expect(completed.body).toMatchObject({ id, status: 'completed' })
  expect(completed.changes).toMatchObject([{ type: 'updated', key: id }])
  expect(send('GET', `/tasks/${id}`).body.status).toBe('completed')
})

it('keeps one document where there is one', () => {
  const { send } = simulate(todoDescription)

  const changed = send('PATCH', '/settings', { json: { theme: 'dark', page_size: 12 } })

  expect(changed.body).toEqual({ theme: 'dark', page_size: 12 })
  expect(changed.changes).toMatchObject([{ type: 'updated', singleton: 'settings', scopeKey: '' }])
  expect(send('GET', '/settings').body).toEqual({ theme: 'dark', page_size: 12 })
})

it('merges objects on PATCH; null empties what may be null and removes the rest', () => {
  const { send } = simulate(todoDescription)
  const { id } = send('POST', '/tasks', {
    json: { title: 'x', due_date: '2025-07-01', metadata: { a: '1', b: '2' } },
  }).body

  const merged = send('PATCH', `/tasks/${id}`, {
    text: JSON.stringify({ due_date: null, metadata: { a: null, c: '3' } }),
    headers: { 'content-type': 'application/merge-patch+json' },
  })

  expect(merged.body).toMatchObject({ due_date: null, metadata: { b: '2', c: '3' } })
  expect(merged.body.metadata).not.toHaveProperty('a')
})

it('applies a JSON patch', () => {
  const { send } = simulate(todoDescription)
  const { id } = send('POST', '/tasks', { json: { title: 'x', tags: ['a'] } }).body

  const patched = send('PATCH', `/tasks/${id}`, {
    text: JSON.stringify([{ op: 'add', path: '/tags/-', value: 'b' }]),
    headers: { 'content-type': 'application/json-patch+json' },
  })

  expect(patched.body).toMatchObject({ title: 'x', tags: ['a', 'b'] })
})

it('reads forms by the schema', () => {
  const { send } = simulate(todoDescription)
  const { id } = send('POST', '/tasks', { json: { title: 'x' } }).body

  const changed = send('PATCH', `/tasks/${id}`, {
    text: 'priority=4&metadata[color]=red',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

  expect(changed.body).toMatchObject({ priority: 4, metadata: { color: 'red' } })
})

it('answers a repeated idempotency key once, and refuses it with another body', () => {
  const { send } = simulate(todoDescription)
  const headers = { 'idempotency-key': 'k1' }

  const first = send('POST', '/tasks', { json: { title: 'once' }, headers })
  const second = send('POST', '/tasks', { json: { title: 'once' }, headers })
  const other = send('POST', '/tasks', { json: { title: 'twice' }, headers })

  expect(second.body).toEqual(first.body)
  expect(second.changes).toEqual([])
  expect(other.status).toBe(422)
})

it('answers 304 to clients with the current record, and 412 to a change based on an older one', () => {
  const { send } = simulate(todoDescription)
  const { id } = send('POST', '/tasks', { json: { title: 'x' } }).body
  const { etag } = send('GET', `/tasks/${id}`).headers

  expect(send('GET', `/tasks/${id}`, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, text: '' })
  expect(send('PATCH', `/tasks/${id}`, { json: { title: 'y' }, headers: { 'if-match': etag } }).status).toBe(200)
  expect(send('PATCH', `/tasks/${id}`, { json: { title: 'z' }, headers: { 'if-match': etag } }).status).toBe(412)
  expect(send('GET', `/tasks/${id}`, { headers: { 'if-none-match': etag } }).status).toBe(200)
})

it('changes what is there when a creation repeats an id that it may leave out', () => {
  const pet = {
    type: 'object',
    required: ['name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' }, tag: { type: 'string' } },
  }
  const body = { content: { 'application/json': { schema: pet } } }
  const shown = { responses: { 200: { description: 'ok', ...body } } }
  const { send } = simulate({
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets': { post: { requestBody: body, ...shown } },
      '/pets/{petId}': {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
        get: shown,
      },
    },
  })

  send('POST', '/pets', { json: { id: 900, name: 'Mochi', tag: 'cat' } })
  const repeated = send('POST', '/pets', { json: { id: 900, name: 'Momo' } })

  expect(repeated.changes).toMatchObject([{ type: 'updated', key: '900' }])
  expect(send('GET', '/pets/900').body).toEqual({ id: 900, name: 'Momo', tag: 'cat' })
})

it.each([
  ['parent_id', string({ nullable: true }), (held: unknown) => held],
  [
    'parent',
    { ...object({ id: string(), title: string() }), nullable: true },
    (held: { id?: unknown } | null) => held?.id,
  ],
])('keeps a tree of records by their %s', (name, schema, idOf) => {
  const Task = object({ id: string(), title: string(), [name]: schema })
  const { send } = simulate(
    describeApi(
      {
        '/tasks': { get: { responses: answers(list('$Task')) } },
        '/tasks/{id}': { parameters: [path('id')], get: { responses: answers('$Task') } },
        '/tasks/{id}/subtasks': {
          parameters: [path('id')],
          get: { responses: answers(list('$Task')) },
          post: { requestBody: body(object({ title: string() })), responses: answers('$Task', 201) },
        },
      },
      { Task },
    ),
    { volume: { tasks: 20 } },
  )
  const all: Record<string, never>[] = send('GET', '/tasks').body
  const below = (id: unknown) => send('GET', `/tasks/${id}/subtasks`).body

  for (const { id } of all) expect(below(id)).toEqual(all.filter((task) => idOf(task[name] as never) === id))
  expect(all.flatMap(({ id }) => below(id)).length).toBeGreaterThan(0)

  const parent = all[3]?.id
  const made = send('POST', `/tasks/${parent}/subtasks`, { json: { title: 'Small steps' } }).body

  expect(idOf(made[name])).toBe(parent)
  expect(below(parent)).toContainEqual(made)
  expect(below(all[4]?.id)).not.toContainEqual(made)
})

it('keeps what was sent under the name of a field, whatever is sent under a name like it', () => {
  const Hook = object({ id: string(), team_id: string() })
  const { send } = simulate(
    describeApi(
      {
        '/hooks': { get: { responses: answers(list('$Hook')) } },
        '/hooks/{id}': {
          parameters: [path('id')],
          get: { responses: answers('$Hook') },
          put: { requestBody: body('$Hook'), responses: answers('$Hook') },
        },
      },
      { Hook },
    ),
  )
  const { id } = send('GET', '/hooks').body[0]

  const named = send('PUT', `/hooks/${id}`, { json: { team_id: 'blue', team: 'red' } }).body
  const alike = send('PUT', `/hooks/${id}`, { json: { team: 'red' } }).body

  expect(named.team_id).toBe('blue')
  expect(alike.team_id).toBe('red')
})

it('ends a new record after the beginning that a client sends', () => {
  const time = string({ format: 'date-time' })
  const visit = object({ id: string(), starts_at: time, ends_at: time }, ['id', 'starts_at', 'ends_at'])
  const { send } = simulate(
    describeApi(
      {
        '/visits': {
          get: { responses: answers(list('$Visit')) },
          post: { requestBody: body(object({ starts_at: time }, ['starts_at'])), responses: answers('$Visit', 201) },
        },
      },
      { Visit: visit },
    ),
  )

  const made = send('POST', '/visits', { json: { starts_at: '2031-01-04T09:00:00Z' } })

  expect(made.body.ends_at).toMatch(/^2031-01-04T1\d:00:00Z$/)
})
