import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { integer, object, string } from '../simulated-api/describe-api.ts'
import { type OpenSimulation, openSimulation } from './open-simulation.ts'
import { describeThings } from './resource.ts'

let open: OpenSimulation | undefined

afterEach(async () => {
  await open?.[Symbol.asyncDispose]()
  open = undefined
})

/** A simulation of things, with short ways to it. */
async function simulate(description: JsonObject, creation: Record<string, unknown> = {}) {
  const simulation = await openSimulation({ spec: JSON.stringify(description), behaviour: [], ...creation })
  open = simulation
  const send = async (method: string, path: string, json?: unknown) => {
    const response = await simulation.call(path, {
      method,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const ids = async (field = 'id') =>
    ((await send('GET', '/things?limit=100')).body as JsonObject[]).map((thing) => thing[field])
  return { ...simulation, send, ids }
}

/** A thing whose id the server sets. */
const numbered = (more: JsonObject = {}) =>
  object({ id: integer({ readOnly: true, ...more }), name: string() }, ['id', 'name'])
/** A thing whose id the client sends. */
const chosen = object({ id: string(), name: string() }, ['id'])
const named = object({ name: string() })

const hourly = (...steps: object[]) => [{ everySeconds: 3_600, steps }]

it('refuses to make a record where no id is left, until one is deleted', async () => {
  const { send, ids } = await simulate(describeThings(numbered({ minimum: 1, maximum: 5 }), { sent: named }), {
    volume: { things: 4 },
  })

  const statuses = []
  for (let made = 0; made < 3; made++) statuses.push((await send('POST', '/things', { name: 'new' })).status)
  const refused = await send('POST', '/things', { name: 'new' })
  await send('DELETE', '/things/2')
  const again = await send('POST', '/things', { name: 'again' })

  expect(statuses).toEqual([201, 409, 409])
  expect(refused.body.error).toEqual({
    code: 'conflict',
    message: 'Failed to create thing: every `id` that its schema allows is taken. Delete a thing first.',
  })
  expect(again).toMatchObject({ status: 201, body: { id: 2 } })
  expect((await ids()).toSorted()).toEqual([1, 2, 3, 4, 5])
})

it('continues a plan that finds no id for another record', async () => {
  const { manage, ids } = await simulate(describeThings(numbered({ minimum: 1, maximum: 5 }), { sent: named }), {
    volume: { things: 3 },
    behaviour: hourly({ kind: 'create', collection: 'things', count: 2 }),
  })

  const turned = await manage('POST', '/fast-forward', { hours: 3 })

  expect(turned).toEqual({ status: 200, body: { hours: 3, changes: 2 } })
  expect((await ids()).toSorted()).toEqual([1, 2, 3, 4, 5])
})

it('refuses a request that makes two records of one id, and makes neither', async () => {
  const { send, ids } = await simulate(describeThings(chosen), { volume: { things: 0 } })

  const refused = await send('POST', '/things/batch', [
    { id: 'x', name: 'a' },
    { id: 'x', name: 'b' },
  ])

  expect(refused.status).toBe(409)
  expect(refused.body.error.message).toBe('Failed to create thing "x": there is one with that `id` already.')
  expect(await ids()).toEqual([])
})

it('gives the records of one request ids of their own behind one that a client chose', async () => {
  const { send, ids } = await simulate(describeThings(numbered(), { sent: named }), { volume: { things: 2 } })

  await send('PUT', '/things/4', { name: 'own' })
  await send('POST', '/things/batch', [{ name: 'a' }, { name: 'b' }])

  const all = await ids()
  expect(all).toHaveLength(5)
  expect(new Set(all).size).toBe(5)
})

it('gives records without an id field keys like those of the others, of their own', async () => {
  const note = object({ title: string() })
  const { send, ids } = await simulate(describeThings(note), { volume: { things: 5 } })

  const first = await send('POST', '/things', { title: 'first' })
  await send('POST', '/things/batch', [{ title: 'a' }, { title: 'b' }])
  const key = first.headers.get('location')?.split('/').at(-1)
  const read = await send('GET', `/things/${key}`)
  await send('DELETE', `/things/${key}`)

  expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  expect(read.body.title).toBe('first')
  expect(await ids('title')).toEqual(expect.arrayContaining(['a', 'b']))
  expect(await ids('title')).toHaveLength(7)
})

it('drops steps that write the id of a record', async () => {
  const { manage } = await simulate(describeThings(chosen))

  const plan = await manage<{ rules: { steps: object[] }[] }>('PUT', '/behaviour', {
    rules: hourly(
      { kind: 'create', collection: 'things', values: { id: 'x' } },
      { kind: 'update', collection: 'things', set: { id: 'same' } },
      { kind: 'update', collection: 'things', regenerate: ['id'] },
      { kind: 'transition', collection: 'things', field: 'id', to: 'same' },
      { kind: 'update', collection: 'things', set: { name: 'same' } },
    ),
  })

  expect(plan.body.rules[0]?.steps).toEqual([{ kind: 'update', collection: 'things', set: { name: 'same' } }])
})

it('refuses given records of one id, and ids that are none', async () => {
  const creating = (things: object[]) =>
    openSimulation({ spec: JSON.stringify(describeThings(chosen)), seedRecords: { things } })

  await expect(creating([{ id: 'x' }, { id: 'y' }, { id: 'x' }])).rejects.toThrow(
    '{"error":{"code":"invalid_request","message":"Expected `seedRecords.things[2].id` to be unique, got \\"x\\" again. Give the record another id, or none to have one made."}}',
  )
  await expect(creating([{ id: { at: 1 } }])).rejects.toThrow(
    '{"error":{"code":"invalid_request","message":"Expected `seedRecords.things[0].id` to be a text or a number, got an object. Give the record another id, or none to have one made."}}',
  )
})

it('refuses more given records than there are ids', async () => {
  const region = object({ id: string({ enum: ['eu', 'us'] }), name: string() }, ['id'])
  const creating = openSimulation({
    spec: JSON.stringify(describeThings(region)),
    seedRecords: { things: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
  })

  await expect(creating).rejects.toThrow(
    'Expected `seedRecords.things` to have at most 2 records without an `id` of their own, got 3: the schema of `id` allows no more.',
  )
})

it('gives generated records the ids that given ones leave free', async () => {
  const letters = object({ id: string({ enum: ['a', 'b', 'c'] }), name: string() }, ['id'])
  const { ids, send } = await simulate(describeThings(letters), {
    volume: { things: 3 },
    seedRecords: { things: [{ id: 'a' }, { id: 'c' }] },
  })

  expect(await ids()).toEqual(['a', 'c', 'b'])
  expect((await send('GET', '/things/b')).body.id).toBe('b')
})

it('keeps generated ids close to given ones', async () => {
  const { ids, send } = await simulate(describeThings(numbered(), { sent: named }), {
    volume: { things: 7 },
    seedRecords: { things: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  })

  expect(await ids()).toEqual([1, 2, 3, 7, 6, 5, 4, 10, 9, 8])
  for (const id of [10, 9, 8]) expect((await send('GET', `/things/${id}`)).body.id).toBe(id)
})

it('gives no record the id of another, and knows it by its new one', async () => {
  const coded = object({ code: string(), name: string() }, ['code'])
  const { send, ids } = await simulate(describeThings(coded, { param: 'code' }), {
    seedRecords: { things: [{ code: 'a' }, { code: 'b' }] },
    volume: { things: 0 },
  })

  const kept = await send('PATCH', '/things/a', { code: 'b', name: 'mine' })
  const renamed = await send('PATCH', '/things/a', { code: 'z' })
  const [old, now] = [await send('GET', '/things/a'), await send('GET', '/things/z')]
  const second = await send('POST', '/things', { code: 'z' })
  const freed = await send('POST', '/things', { code: 'a', name: 'another' })

  expect(kept).toMatchObject({ status: 200, body: { code: 'a', name: 'mine' } })
  expect([renamed.status, second.status, freed.status]).toEqual([200, 409, 201])
  expect([old.body, now.body]).toEqual([renamed.body, renamed.body])
  expect((await send('GET', '/things/a')).body.name).toBe('another')
  expect(await ids('code')).toEqual(['a', 'z', 'b'])
})
