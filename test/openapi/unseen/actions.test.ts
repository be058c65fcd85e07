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

const inPath = (name: string): JsonObject => ({ in: 'path', name, required: true, schema: { type: 'string' } })

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

it('adds to a list of the record, and removes from it', async () => {
  const followers = list(object({ id: 'string', name: 'string' }))
  const user = takes(object({ follower: 'string' }))
  const call = await simulation.of(
    articles(
      { followers },
      { '/addFollower': { post: { ...user, ...DONE } }, '/removeFollower': { post: { ...user, ...DONE } } },
    ),
  )
  const [first] = (await call('GET /articles')).body
  const ids = async () => (await call(`GET /articles/${first.id}`)).body.followers.map((one: { id: string }) => one.id)

  await call(`POST /articles/${first.id}/addFollower`, { follower: 'u-1' })
  const added = await ids()
  await call(`POST /articles/${first.id}/removeFollower`, { follower: 'u-1' })

  expect(added).toContain('u-1')
  expect(await ids()).not.toContain('u-1')
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

it('clears a collection', async () => {
  const call = await simulation.of(
    describeApi({
      '/notes': { get: answers(list(object({ id: 'string' }))), post: answers(object({ id: 'string' })) },
      '/notes/{id}': { ...id, get: answers(object({ id: 'string' })) },
      '/notes/clear': { post: DONE },
    }),
  )

  await call('POST /notes/clear')

  expect((await call('GET /notes')).body).toEqual([])
})

it.each([
  ['POST', '/vote', { votes_count: 'integer' }, (before: Shown) => ({ votes_count: before.votes_count + 1 })],
  ['DELETE', '/like', { likes: 'integer' }, (before: Shown) => ({ likes: Math.max(0, before.likes - 1) })],
  ['POST', '/raise-priority', { priority: 'integer' }, (before: Shown) => ({ priority: before.priority + 1 })],
  [
    'POST',
    '/reset-secret',
    { client_secret: 'string' },
    (before: Shown) => ({ client_secret: expect.not.stringMatching(new RegExp(`^${before.client_secret}$`)) }),
  ],
  ['POST', '/reboot', { status: STATUS }, () => ({ status: 'rebooting' })],
] as const)('%s %s counts, renews or says what is going on', async (method, path, fields, expected) => {
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

it('copies a record, and leaves the source as it is', async () => {
  const article = object({ id: 'string', title: 'string', body: 'string' })
  const call = await simulation.of(
    articles(
      { body: 'string' },
      { '/duplicate': { post: { ...takes(object({ title: 'string' })), ...answers(article) } } },
    ),
  )
  const [first] = (await call('GET /articles')).body

  const { body: copy } = await call(`POST /articles/${first.id}/duplicate`, { title: 'Second' })

  expect(copy.id).not.toBe(first.id)
  expect((await call(`GET /articles/${copy.id}`)).body).toMatchObject({ title: 'Second', body: first.body })
  expect((await call(`GET /articles/${first.id}`)).body).toEqual(first)
})

it.each([
  ['POST', '/approve', { approval: object({ approved_at: 'string', approved_by: 'string' }) }, 'approval.approved_at'],
  ['POST', '/sync', { last_sync_at: 'string' }, 'last_sync_at'],
  ['POST', '/verify-email', { email_verified_at: 'string' }, 'email_verified_at'],
] as const)('%s %s sets the moment that its word names', async (method, path, fields, field) => {
  const call = await simulation.of(articles(fields, { [path]: { [method.toLowerCase()]: DONE } }))
  const [first] = (await call('GET /articles')).body
  const at = (record: Shown) => field.split('.').reduce((held, name) => held?.[name], record)

  await call(`${method} /articles/${first.id}${path}`)

  const { body } = await call(`GET /articles/${first.id}`)
  expect(at(body)).not.toBe(at(first))
  expect(Number.isFinite(Date.parse(at(body)))).toBe(true)
})

it('sets and clears the flag that a noun names, where nothing reads it by itself', async () => {
  const call = await simulation.of(
    articles({ auto_renew: 'boolean' }, { '/auto_renewal': { put: DONE, delete: DONE } }),
  )
  const [{ id: key }] = (await call('GET /articles')).body
  const isRenewed = async () => (await call(`GET /articles/${key}`)).body.auto_renew

  await call(`PUT /articles/${key}/auto_renewal`)
  expect(await isRenewed()).toBe(true)
  await call(`DELETE /articles/${key}/auto_renewal`)
  expect(await isRenewed()).toBe(false)
})

it('adds to the list that the word or the argument of an action names, and takes out of it', async () => {
  const tag = takes(object({ tag: 'string' }))
  const feed = takes(object({ feed_key: 'string' }))
  const call = await simulation.of(
    articles(
      { tags: list({ type: 'string' }), feeds: list({ type: 'string' }) },
      {
        '/tag': { post: { ...tag, ...DONE } },
        '/add': { post: { ...feed, ...DONE } },
        '/remove': { post: { ...feed, ...DONE } },
      },
    ),
  )
  const [{ id: key }] = (await call('GET /articles')).body

  await call(`POST /articles/${key}/tag`, { tag: 'new' })
  await call(`POST /articles/${key}/add`, { feed_key: 'weather' })
  const { tags, feeds } = (await call(`GET /articles/${key}`)).body
  await call(`POST /articles/${key}/remove`, { feed_key: 'weather' })

  expect(tags).toContain('new')
  expect(feeds).toContain('weather')
  expect((await call(`GET /articles/${key}`)).body.feeds).not.toContain('weather')
})

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
  ['POST', '/like', { favorite: 'boolean' }, { favorite: true }],
  ['DELETE', '/like', { favorite: 'boolean' }, { favorite: false }],
  ['POST', '/follow', { following: 'boolean' }, { following: true }],
  ['POST', '/approve', { pending_approval: 'boolean' }, { pending_approval: false }],
  ['POST', '/enable', { disabled_at: { type: ['string', 'null'], format: 'date-time' } }, { disabled_at: null }],
  ['POST', '/unarchive', { archived_at: { type: ['string', 'null'], format: 'date-time' } }, { archived_at: null }],
  [
    'POST',
    '/cancel',
    { status: { enum: ['JOB_STATUS_QUEUED', 'JOB_STATUS_CANCELED'] } },
    { status: 'JOB_STATUS_CANCELED' },
  ],
  ['POST', '/stop', { status: { type: 'string', enum: ['idle', 'active'] } }, { status: 'idle' }],
] as const)('%s %s says in %o what another word for it says', async (method, path, fields, shown) => {
  const call = await simulation.of(articles({ ...fields } as never, { [path]: { [method.toLowerCase()]: DONE } }))
  const [first] = (await call('GET /articles')).body

  await call(`${method} /articles/${first.id}${path}`)

  expect((await call(`GET /articles/${first.id}`)).body).toMatchObject(shown)
})

it('notes the moment of what is done again, and of what is done to a part', async () => {
  const moment: JsonObject = { type: 'string', format: 'date-time' }
  const call = await simulation.of(
    articles(
      { last_processed_at: moment, payment_dispute_lost_at: moment },
      { '/reprocess': { post: DONE }, '/lose_dispute': { post: DONE } },
    ),
  )
  const [first] = (await call('GET /articles')).body
  const before = Date.now() - 60_000

  await call(`POST /articles/${first.id}/reprocess`)
  await call(`POST /articles/${first.id}/lose_dispute`)

  const { body } = await call(`GET /articles/${first.id}`)
  for (const at of [body.last_processed_at, body.payment_dispute_lost_at]) {
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
  }
})

it('gives another token to a record below which one is posted', async () => {
  const call = await simulation.of(articles({ auth_token: 'string' }, { '/token': { post: DONE } }))
  const [first] = (await call('GET /articles')).body

  await call(`POST /articles/${first.id}/token`)

  const { body } = await call(`GET /articles/${first.id}`)
  expect(body.auth_token).not.toBe(first.auth_token)
})

it('puts, changes and takes out the item of a list of the record that the path names', async () => {
  const item = object({ code: 'string', amount: 'integer' })
  const cart = object({ id: 'string', coupons: list(item), officeIds: list({ type: 'string' }) })
  const below = (path: string) => ({ parameters: [...(id.parameters as JsonObject[]), inPath(path)] })
  const call = await simulation.of(
    describeApi({
      '/carts': { get: answers(list(cart)), post: { ...takes(object({ name: 'string' })), ...answers(cart) } },
      '/carts/{id}': { ...id, get: answers(cart) },
      '/carts/{id}/coupons': { ...id, post: { ...takes(item), ...answers(cart) } },
      '/carts/{id}/coupons/{code}': {
        ...below('code'),
        put: { ...takes(item), ...answers(cart) },
        delete: answers(cart),
      },
      '/carts/{id}/grant_office_access/{officeId}': { ...below('officeId'), post: DONE },
      '/carts/{id}/revoke_office_access/{officeId}': { ...below('officeId'), post: DONE },
    }),
  )
  const [{ id: key }] = (await call('GET /carts')).body
  const shown = async () => (await call(`GET /carts/${key}`)).body

  await call(`POST /carts/${key}/coupons`, { code: 'SPRING', amount: 5 })
  expect((await shown()).coupons).toContainEqual({ code: 'SPRING', amount: 5 })
  await call(`PUT /carts/${key}/coupons/SPRING`, { amount: 7 })
  expect((await shown()).coupons).toContainEqual({ code: 'SPRING', amount: 7 })
  await call(`DELETE /carts/${key}/coupons/SPRING`)
  expect((await shown()).coupons.map(({ code }: Shown) => code)).not.toContain('SPRING')
  await call(`POST /carts/${key}/grant_office_access/o-1`)
  expect((await shown()).officeIds).toContain('o-1')
  await call(`POST /carts/${key}/revoke_office_access/o-1`)
  expect((await shown()).officeIds).not.toContain('o-1')
})

it.each([
  ['deposit', { balance: 'number' }, { amount: 20.5 }, { balance: 20.5 }],
  ['withdraw', { balance: 'number' }, { amount: 5 }, { balance: -5 }],
  ['top-up', { wallet_balance: 'number', points: 'number' }, { value: 10 }, { wallet_balance: 10 }],
  ['add-stock', { stock: 'integer', price: 'number' }, { quantity: 7 }, { stock: 7 }],
  ['redeem-points', { points: 'integer', balance: 'number' }, { points: 3 }, { points: -3 }],
] as const)('POST /%s changes what the record has by the amount of the request', async (verb, fields, sent, change) => {
  const body = takes(object(Object.fromEntries(Object.keys(sent).map((name) => [name, 'number']))))
  const call = await simulation.of(articles(fields, { [`/${verb}`]: { post: { ...body, ...DONE } } }))
  const [first] = (await call('GET /articles')).body
  const read = async (): Promise<Shown> => (await call(`GET /articles/${first.id}`)).body

  const before = await read()
  await call(`POST /articles/${first.id}/${verb}`, sent)

  const after = await read()
  for (const [name, by] of Object.entries(change)) expect(after[name] - before[name]).toBeCloseTo(by)
  expect(after).toEqual({ ...before, ...Object.fromEntries(Object.keys(change).map((name) => [name, after[name]])) })
})

it('changes a balance that is a text', async () => {
  const balance: JsonObject = { type: 'string', pattern: '^[0-9]+\\.[0-9]{2}$' }
  const call = await simulation.of(
    articles({ balance }, { '/deposit': { post: { ...takes(object({ amount: 'string' })), ...DONE } } }),
  )
  const [first] = (await call('GET /articles')).body

  await call(`POST /articles/${first.id}/deposit`, { amount: '1.25' })

  const { body } = await call(`GET /articles/${first.id}`)
  expect(Number(body.balance) - Number(first.balance)).toBeCloseTo(1.25)
  expect(body.balance).toMatch(/^\d+\.\d\d$/)
})
