import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { startForTest } from '../management/start-for-test.ts'
import { answers, body, describeApi, integer, list, object, path, string } from '../simulated-api/describe-api.ts'
import { createCore, run, START } from './core-session.ts'

/** A simulation, with ways to its records, triggers and events. */
async function simulate(creation: object) {
  const { create, call } = await startForTest()
  const made = await create(creation)
  const send = (method: string, at: string, sent?: unknown) => call(method, `/v1/simulations/${made.id}${at}`, sent)
  const all = async (name: string): Promise<JsonObject[]> => (await send('GET', `/records/${name}?limit=500`)).body.data
  const trigger = async (type: string, fields: object = {}) => (await send('POST', '/trigger', { type, fields })).body
  const types = async (): Promise<string[]> =>
    (await send('GET', '/events')).body.data.map(({ type, quiet = false }: { type: string; quiet?: boolean }) =>
      quiet ? `(${type})` : type,
    )
  return { made, send, all, trigger, types }
}

it('can be undone like any command, and gives another core the same state', () => {
  const [core, follower] = [createCore({ plan: { rules: [] } }), createCore({ plan: { rules: [] } })]
  const id = core.world.collection('tasks').pickKey(0) as string
  const before = JSON.stringify(core.dump())
  const fields = { title: 'Mine' }
  core.begin()

  run(core, { at: START, kind: 'edit-record', edit: { kind: 'create', collection: 'tasks', fields }, isQuiet: true })
  run(core, {
    at: START,
    kind: 'edit-record',
    edit: { kind: 'update', collection: 'tasks', id, fields },
    isQuiet: false,
  })
  run(core, { at: START, kind: 'trigger-event', trigger: { type: 'task.deleted', fields: {} }, isQuiet: false })
  const delta = core.draft()
  if (delta !== undefined) follower.apply(JSON.parse(JSON.stringify(delta)))
  const after = core.events()
  core.undo()

  expect(after.map(({ cause, quiet }) => [cause, quiet])).toEqual([
    ['edit', undefined],
    ['edit', undefined],
    ['edit', true],
  ])
  expect(follower.events()).toEqual(after)
  expect(JSON.stringify(core.dump())).toBe(before)
})

it('notes the moment where the status of a record changes, and leaves what is given', async () => {
  const { send, all } = await simulate({ library: 'payments', behaviour: [] })
  const open = (await all('invoices')).filter(({ status }) => status === 'open')
  const [first, second] = open as [JsonObject, JsonObject]
  const paid_at = '2020-01-01T00:00:00Z'

  const noted = (await send('PATCH', `/records/invoices/${first.id}`, { status: 'paid' })).body.record
  const given = (await send('PATCH', `/records/invoices/${second.id}`, { status: 'paid', paid_at })).body.record

  expect([noted.status, noted.paid_at]).toEqual(['paid', expect.stringMatching(/^\d{4}-/)])
  expect(given.paid_at).toBe(paid_at)
})

const child = object({ id: integer({ readOnly: true }), text: string(), tags: list(string()) }, ['id', 'text'])
const nested = describeApi(
  {
    '/boards': {
      get: { responses: answers(list('$Board')) },
      post: { requestBody: body('$Board'), responses: answers('$Board', 201) },
    },
    '/boards/{id}': { parameters: [path('id')], get: { responses: answers('$Board') } },
    '/boards/{board_id}/notes': {
      parameters: [path('board_id')],
      get: { responses: answers(list('$Note')) },
      post: { requestBody: body('$Note'), responses: answers('$Note', 201) },
    },
    '/boards/{board_id}/notes/{id}': {
      parameters: [path('board_id'), path('id')],
      get: { responses: answers('$Note') },
    },
    '/settings': {
      get: { responses: answers('$Settings') },
      put: { requestBody: body('$Settings'), responses: answers('$Settings') },
    },
  },
  {
    Board: object({ id: integer({ readOnly: true }), name: string() }, ['id', 'name']),
    Note: child,
    Settings: object({ theme: string({ enum: ['light', 'dark'] }) }, ['theme']),
  },
)

it('makes a record below the parent that the parameter of its path names, or else below one that is there', async () => {
  const { made, all, send } = await simulate({ spec: JSON.stringify(nested), volume: { boards: 3, notes: 0 } })
  const boards = (await all('boards')).map(({ id }) => id as number)
  const notesOf = async (board: number | undefined) => {
    const headers = { authorization: `Bearer ${made.apiKey}` }
    const notes = await (await fetch(`${made.url}/boards/${board}/notes`, { headers })).json()
    return notes.map(({ text }: { text: string }) => text)
  }

  await send('POST', '/records/notes', { board_id: boards[1], text: 'here' })
  await send('POST', '/records/notes', { text: 'anywhere' })

  const found = await Promise.all(boards.map(notesOf))
  expect(found[1]).toContain('here')
  expect(found.flat().sort()).toEqual(['anywhere', 'here'])
})

it('triggers on a record that fits, and moves it from where the plan would', async () => {
  const { trigger, all } = await simulate({ library: 'payments' })
  const before = new Map((await all('invoices')).map(({ id, status }) => [id, status]))

  const paid = await trigger('invoice.paid', { currency: 'EUR' })

  expect(paid).toMatchObject({ type: 'invoice.updated', data: { object: { status: 'paid', currency: 'EUR' } } })
  expect(['open', 'overdue', 'past_due']).toContain(before.get(paid.data.id))
})

it('makes a record in silence where none fits', async () => {
  const { trigger, types } = await simulate({ library: 'payments', volume: { invoices: 0 }, behaviour: [] })

  const paid = await trigger('invoice.paid')
  const gone = await trigger('invoice.deleted', { status: 'void' })

  expect(paid.data.object.status).toBe('paid')
  expect(gone.data.id).not.toBe(paid.data.id)
  expect(await types()).toEqual(['invoice.deleted', '(invoice.created)', 'invoice.updated', '(invoice.created)'])
})

it('triggers events of documents of which there is one, and checks their fields', async () => {
  const { trigger } = await simulate({ spec: JSON.stringify(nested) })

  const changed = await trigger('settings.updated', { theme: 'dark' })
  const wrong = await trigger('settings.updated', { theme: 'drak' })

  expect(changed).toMatchObject({ type: 'settings.updated', data: { object: { theme: 'dark' } }, cause: 'edit' })
  expect(wrong.error.message).toMatch(/Did you mean "dark"\?$/)
})

it('takes a field out of a record for null, where the record may be without it', async () => {
  const { send, all } = await simulate({ spec: JSON.stringify(nested), volume: { notes: 1 } })
  const [note] = await all('notes')

  const { body } = await send('PATCH', `/records/notes/${note?.id}`, { tags: null })

  expect(body.record).toEqual({ id: note?.id, text: note?.text })
})
