import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const STATUS: JsonObject = { type: 'string', enum: ['idle', 'rebooting'] }

/** A record with numbers and texts. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Shown = any

const DONE = { responses: { 204: { description: 'done' } } }
const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const id: JsonObject = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }

/** A description of articles with these operations below one of them. */
function articles(fields: Parameters<typeof object>[0], below: Readonly<Record<string, JsonObject>>): JsonObject {
  const article = object({ id: 'string', title: 'string', ...fields })
  return describeApi({
    '/articles': { get: answers(list(article)), post: { ...takes(object({ title: 'string' })), ...answers(article) } },
    '/articles/{id}': { ...id, get: answers(article) },
    ...Object.fromEntries(Object.entries(below).map(([path, item]) => [`/articles/{id}${path}`, { ...id, ...item }])),
  })
}

it.each([
  ['POST', '/star', { starred: 'boolean' }, { starred: true }],
  ['DELETE', '/star', { starred: 'boolean' }, { starred: false }],
  ['POST', '/unlock', { is_locked: 'boolean' }, { is_locked: false }],
  ['POST', '/cancel', { status: 'string' }, { status: 'canceled' }],
  ['POST', '/actions/archive', { archived: 'boolean' }, { archived: true }],
] as const)('%s %s changes the flag or the status that its word names', async (method, path, fields, shown) => {
  const call = await simulation.of(articles(fields, { [path]: { [method.toLowerCase()]: DONE } }))
  const [first] = (await call('GET /articles')).body

  await call(`${method} /articles/${first.id}${path}`)

  expect((await call(`GET /articles/${first.id}`)).body).toMatchObject(shown)
})

it('turns a flag as the request asks, and names one that is asked in the query as unclear', async () => {
  const set = { ...takes(object({ active: 'boolean' })), ...DONE }
  const asked = { parameters: [{ in: 'query', name: 'active', required: true, schema: { type: 'boolean' } }], ...DONE }
  const described = articles(
    { isActive: 'boolean' },
    { '/set_active': { patch: set }, '/make-active': { patch: asked } },
  )
  const paths = { ...(described.paths as object), '/articles/read-all': { patch: DONE } }
  const call = await simulation.of({ ...described, paths })
  const [first] = (await call('GET /articles')).body

  const turned = []
  for (const active of [false, true, false]) {
    await call(`PATCH /articles/${first.id}/set_active`, { active })
    turned.push((await call(`GET /articles/${first.id}`)).body.isActive)
  }
  await call(`PATCH /articles/${first.id}/make-active?active=true`)

  expect(turned).toEqual([false, true, false])
  expect((await call(`GET /articles/${first.id}`)).body.isActive).toBe(false)
})

it.each([
  // Notifications of ManageHub (DistinctCodes), griot-registry and zalo-ute (kaytervn).
  ['PATCH', 'read-all'],
  ['POST', 'read-all'],
  ['PUT', 'readAll'],
])('%s /%s marks all as read', async (method, word) => {
  const note = object({ id: 'string', isRead: 'boolean' })
  const call = await simulation.of(
    describeApi({
      '/notes': { get: answers(list(note)) },
      '/notes/{id}': { ...id, patch: { ...takes(note), ...answers(note) } },
      [`/notes/${word}`]: { [method.toLowerCase()]: DONE },
    }),
  )

  await call(`${method} /notes/${word}`)

  expect((await call('GET /notes')).body).not.toContainEqual(expect.objectContaining({ isRead: false }))
})

it('notes the moment of an action where the record has a field for it', async () => {
  const moment: JsonObject = { type: 'string', format: 'date-time' }
  const call = await simulation.of(articles({ published_at: moment }, { '/publish': { post: DONE } }))
  const [first] = (await call('GET /articles')).body
  const before = Date.now() - 60_000

  await call(`POST /articles/${first.id}/publish`)

  const { body } = await call(`GET /articles/${first.id}`)
  expect(Date.parse(body.published_at)).toBeGreaterThanOrEqual(before)
})

it('puts what is written below a record into its field of that name', async () => {
  const call = await simulation.of(
    articles(
      { position: 'integer', kind: 'string' },
      {
        '/position': { put: { ...takes(object({ value: 'integer' })), ...DONE } },
        '/change_kind': { post: { ...takes(object({ kind_name: 'string' })), ...DONE } },
      },
    ),
  )
  const [first] = (await call('GET /articles')).body

  await call(`PUT /articles/${first.id}/position`, { value: 77 })
  await call(`POST /articles/${first.id}/change_kind`, { kind_name: 'essay' })

  expect((await call(`GET /articles/${first.id}`)).body).toMatchObject({ position: 77, kind: 'essay' })
})

it('keeps what comes in the order in which it came where nothing identifies it', async () => {
  const entry = object({ message: 'string' })
  const call = await simulation.of(
    describeApi({ '/history': { get: answers(list(entry)), post: { ...takes(entry), ...answers(entry) } } }),
    { history: 2 },
  )

  await call('POST /history', { message: 'first' })
  await call('POST /history', { message: 'second' })

  const messages = (await call('GET /history')).body.map(({ message }: { message: string }) => message)
  expect(messages.slice(0, 2)).toEqual(['second', 'first'])
})

it.each([
  [
    'POST',
    '/reset-secret',
    { client_secret: 'string' },
    (before: Shown) => ({ client_secret: expect.not.stringMatching(new RegExp(`^${before.client_secret}$`)) }),
  ],
  ['POST', '/reboot', { status: STATUS }, () => ({ status: 'rebooting' })],
] as const)('%s %s renews a secret, or sets the state in progress', async (method, path, fields, expected) => {
  const call = await simulation.of(articles({ ...fields }, { [path]: { [method.toLowerCase()]: DONE } }))
  const [{ id: key }] = (await call('GET /articles')).body
  const { body: before } = await call(`GET /articles/${key}`)

  await call(`${method} /articles/${key}${path}`)

  expect((await call(`GET /articles/${key}`)).body).toMatchObject(expected(before))
})

it('puts what is sent for a part of a record that is an object or a list into the field of its name', async () => {
  const dates = object({ start: 'string', due: 'string' })
  const call = await simulation.of(
    articles(
      { dates, languages: list({ type: 'string' }) },
      {
        '/dates': { put: { ...takes(dates), ...DONE } },
        '/languages': { put: { ...takes(list({ type: 'string' })), ...DONE } },
      },
    ),
  )
  const [first] = (await call('GET /articles')).body

  await call(`PUT /articles/${first.id}/dates`, { start: 'today', due: 'tomorrow' })
  await call(`PUT /articles/${first.id}/languages`, ['de', 'fr'])

  expect((await call(`GET /articles/${first.id}`)).body).toMatchObject({
    dates: { start: 'today', due: 'tomorrow' },
    languages: ['de', 'fr'],
  })
})

it('gives records that no schema describes the state that an action leads to', async () => {
  const nothing = { responses: { 200: { description: 'ok' } } }
  const call = await simulation.of(
    describeApi({
      '/containers': {
        get: { operationId: 'listContainers', ...nothing },
        post: { operationId: 'createContainer', ...nothing },
      },
      '/containers/{id}': { ...id, get: nothing },
      '/containers/{id}/pause': { ...id, post: nothing },
      '/containers/{id}/label': { ...id, put: { ...takes(object({ value: 'string' })), ...nothing } },
    }),
  )
  const [first] = (await call('GET /containers')).body

  await call(`POST /containers/${first.id}/pause`)
  await call(`PUT /containers/${first.id}/label`, { value: 'red' })

  expect((await call(`GET /containers/${first.id}`)).body).toMatchObject({ status: 'paused', label: 'red' })
})

it('keeps the record of another collection that an action answers with', async () => {
  const job = object({ id: 'integer', command: 'string', progress: 'integer', error: 'string' })
  const call = await simulation.of(
    describeApi({
      '/servers': { get: answers(list(object({ id: 'string', name: 'string' }))) },
      '/servers/{id}': { ...id, get: answers(object({ id: 'string', name: 'string' })) },
      '/servers/{id}/actions': { ...id, get: answers(object({ actions: list(job) })) },
      '/servers/{id}/actions/poweroff': { ...id, post: answers(object({ action: job })) },
      '/actions/{action_id}': { get: answers(object({ action: job })) },
    }),
  )
  const [first] = (await call('GET /servers')).body

  const { action } = (await call(`POST /servers/${first.id}/actions/poweroff`)).body
  const listed = (await call(`GET /servers/${first.id}/actions`)).body.actions

  expect(action).toMatchObject({ command: 'poweroff' })
  expect(listed).toContainEqual(action)
  expect((await call(`GET /actions/${action.id}`)).body).toEqual({ action })
})

it('keeps the times of a copy where no client can send any', async () => {
  const event = object({ id: 'string', title: 'string', startsAt: { type: 'string', format: 'date-time' } })
  const call = await simulation.of(
    describeApi({
      '/events': { get: answers(list(event)) },
      '/events/{id}': { ...id, get: answers(event) },
      '/events/{id}/duplicate': { ...id, post: answers(event) },
    }),
  )
  const [first] = (await call('GET /events')).body

  const copy = (await call(`POST /events/${first.id}/duplicate`)).body

  expect(copy).toEqual({ ...first, id: copy.id })
})

it('keeps the start of an entry that stops', async () => {
  const time: JsonObject = { type: 'string', format: 'date-time' }
  const entry = object({ id: 'string', startedAt: time, endedAt: { ...time, type: ['string', 'null'] } })
  const call = await simulation.of(
    describeApi({
      '/entries': { get: answers({ type: 'array', items: entry }), post: { ...takes(entry), ...answers(entry) } },
      '/entries/{id}': { ...id, get: answers(entry) },
      '/entries/{id}/stop': { ...id, post: answers(entry) },
    }),
  )
  const made = (await call('POST /entries', { startedAt: '2026-01-01T10:00:00Z' })).body

  expect((await call(`POST /entries/${made.id}/stop`)).body.startedAt).toBe('2026-01-01T10:00:00Z')
})

it('copies a record as a new one, and leaves the source as it is', async () => {
  const status = { type: 'string', enum: ['draft', 'published'] }
  const publishedAt = { type: ['string', 'null'], format: 'date-time' }
  const article = object({ id: 'string', title: 'string', body: 'string', status, publishedAt })
  const call = await simulation.of(
    articles(
      { body: 'string', status, publishedAt },
      {
        '/publish': { post: answers(article) },
        '/duplicate': { post: { ...takes(object({ title: 'string' })), ...answers(article) } },
      },
    ),
  )
  const [{ id }] = (await call('GET /articles')).body
  const first = (await call(`POST /articles/${id}/publish`)).body
  expect(first).toMatchObject({ status: 'published', publishedAt: expect.any(String) })

  const { body: copy } = await call(`POST /articles/${first.id}/duplicate`, { title: 'Second' })

  expect(copy.id).not.toBe(first.id)
  expect((await call(`GET /articles/${copy.id}`)).body).toMatchObject({
    title: 'Second',
    body: first.body,
    status: 'draft',
    publishedAt: null,
  })
  expect((await call(`GET /articles/${first.id}`)).body).toEqual(first)
})

it.each([['POST', '/sync', { last_sync_at: 'string' }, 'last_sync_at']] as const)(
  '%s %s sets the moment that its word names',
  async (method, path, fields, field) => {
    const call = await simulation.of(articles(fields, { [path]: { [method.toLowerCase()]: DONE } }))
    const [first] = (await call('GET /articles')).body
    const at = (record: Shown) => field.split('.').reduce((value, name) => value?.[name], record)

    await call(`${method} /articles/${first.id}${path}`)

    const { body } = await call(`GET /articles/${first.id}`)
    expect(at(body)).not.toBe(at(first))
    expect(Number.isFinite(Date.parse(at(body)))).toBe(true)
  },
)

it('acts on the record of a collection that a path names by the same words below others', async () => {
  const { paths } = articles({ locked: 'boolean' }, {}) as { paths: JsonObject }
  const call = await simulation.of({
    ...articles({}, {}),
    paths: { ...paths, '/desk/articles/{id}/lock': { ...id, post: DONE } },
  })
  const [{ id: key }] = (await call('GET /articles')).body

  await call(`POST /desk/articles/${key}/lock`)

  expect((await call(`GET /articles/${key}`)).body.locked).toBe(true)
})

it.each([
  ['POST', '/follow', { following: 'boolean' }, { following: true }],
  ['POST', '/enable', { disabled_at: { type: ['string', 'null'], format: 'date-time' } }, { disabled_at: null }],
  ['POST', '/unarchive', { archived_at: { type: ['string', 'null'], format: 'date-time' } }, { archived_at: null }],
  ['POST', '/stop', { status: { type: 'string', enum: ['idle', 'active'] } }, { status: 'idle' }],
] as const)('%s %s says in %o what another word for it says', async (method, path, fields, shown) => {
  const call = await simulation.of(articles({ ...fields } as never, { [path]: { [method.toLowerCase()]: DONE } }))
  const [first] = (await call('GET /articles')).body

  await call(`${method} /articles/${first.id}${path}`)

  expect((await call(`GET /articles/${first.id}`)).body).toMatchObject(shown)
})

it('gives another token to a record below which one is posted', async () => {
  const call = await simulation.of(articles({ auth_token: 'string' }, { '/token': { post: DONE } }))
  const [first] = (await call('GET /articles')).body

  await call(`POST /articles/${first.id}/token`)

  const { body } = await call(`GET /articles/${first.id}`)
  expect(body.auth_token).not.toBe(first.auth_token)
})
