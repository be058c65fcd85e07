import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

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

it('notes the moment of an action where the record has a field for it', async () => {
  const moment: JsonObject = { type: 'string', format: 'date-time' }
  const call = await simulation.of(articles({ published_at: moment }, { '/publish': { post: DONE } }))
  const [first] = (await call('GET /articles')).body

  await call(`POST /articles/${first.id}/publish`)

  const { body } = await call(`GET /articles/${first.id}`)
  expect(Math.abs(Date.now() - Date.parse(body.published_at))).toBeLessThan(60_000)
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

it('adds to a list of the record, and takes away', async () => {
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
