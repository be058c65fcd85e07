import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../support/run-cli.ts'

const ROOMS = `openapi: 3.1.0
info: { title: Inn, version: '1', description: Rooms and guests. }
paths:
  /rooms:
    get: { operationId: listRooms, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Room' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { beds: { type: integer, minimum: 1 } } } } } }
      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } } }
  /rooms/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { 200: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Room' } } } } } }
components:
  schemas:
    Room: { type: object, required: [id, beds, state], properties: { id: { type: string }, beds: { type: integer }, state: { type: string, enum: [free, taken], default: free } } }
`

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-inn-'))
  writeFileSync(join(folder, 'inn.yaml'), ROOMS)
})
afterEach(() => rmSync(folder, { recursive: true }))

const library = (...args: string[]) => runCli(['library', ...args], {}, folder)

it('shows what the description of an entry says', async () => {
  mkdirSync(join(folder, 'inn'))
  writeFileSync(join(folder, 'inn/openapi.yaml'), ROOMS)

  const shown = await library('show', 'inn')

  expect(shown.stdout).toContain('inn  Inn: 3 operations\nRooms and guests.')
})

it('says in which step an entry does not do what its verify.yaml says', async () => {
  mkdirSync(join(folder, 'inn'))
  writeFileSync(join(folder, 'inn/openapi.yaml'), ROOMS)
  writeFileSync(
    join(folder, 'inn/client.mjs'),
    `export default ({ url, key }) => ({ rooms: { read: async (id) => {
    const answer = await fetch(url + '/rooms/' + id, { headers: { authorization: 'Bearer ' + key } })
    if (!answer.ok) throw Object.assign(new Error('refused'), { status: answer.status })
    return answer.json()
  } } })`,
  )
  writeFileSync(
    join(folder, 'inn/verify.yaml'),
    `steps:
  - { send: POST /rooms, body: { beds: 2 }, status: 201, expect: { beds: 2, state: free }, save: room }
  - { webhooks: [room.created] }
  - { call: rooms.read, with: [$room.id], expect: { id: $room.id } }
  - { call: rooms.read, with: [nope], throws: { status: 404 } }
  - { send: GET /rooms/$room.id, expect: { state: taken } }
`,
  )

  const checked = await library('check', 'inn')

  expect(checked.exitCode).toBe(1)
  expect(checked.stderr).toContain(
    'Failed in step 5 of verify.yaml (GET /rooms/$room.id): Expected `state` to be "taken", got "free".',
  )
})

it('shows built-in entries, and names the nearest for one that is not there', async () => {
  const shown = await library('show', 'payments', '--json')
  const unknown = await library('show', 'paymnts')

  expect(JSON.parse(shown.stdout)).toMatchObject({ slug: 'payments', operations: 40 })
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringContaining('Did you mean "payments"?')])
})

it('takes a text such as 12n for a BigInt, where a method wants or gives one', async () => {
  mkdirSync(join(folder, 'inn'))
  writeFileSync(join(folder, 'inn/openapi.yaml'), ROOMS)
  writeFileSync(
    join(folder, 'inn/client.mjs'),
    `export default () => ({
      double: ({ amount }) => ({ amount: amount * 2n }),
      fail: (amount) => { throw Object.assign(new Error('no'), { amount: amount + 1n }) },
    })`,
  )
  writeFileSync(
    join(folder, 'inn/verify.yaml'),
    `steps:
  - { call: double, with: [{ amount: 9007199254740993n }], expect: { amount: 18014398509481986n }, save: twice }
  - { call: double, with: [$twice], expect: { amount: 36028797018963972n } }
  - { call: fail, with: [-1n], throws: { amount: 0n } }
`,
  )

  const checked = await library('check', 'inn')

  expect([checked.exitCode, checked.stdout]).toEqual([0, expect.stringContaining('ok 3 steps of verify.yaml.')])
})

it('names the headers of the SDK that do nothing, unless the entry ignores them', async () => {
  mkdirSync(join(folder, 'inn'))
  writeFileSync(join(folder, 'inn/openapi.yaml'), ROOMS)
  writeFileSync(
    join(folder, 'inn/entry.yaml'),
    `sdk: { npm: inn, range: "*", headers: [inn-guest, inn-floor, inn-mood] }
ignored: [{ fields: [header.inn-mood], why: moods are not asked }]`,
  )
  writeFileSync(join(folder, 'inn/effects.yaml'), 'headers: { Inn-Floor: { $request: header.inn-floor } }')

  const checked = await library('check', 'inn')

  expect(checked.exitCode).toBe(1)
  expect(checked.stdout.match(/^unread Nothing.*$/gm)).toEqual([
    'unread Nothing reads header.inn-guest, which the SDK sends. Read it in a handler, or list it as `ignored` in entry.yaml.',
  ])
})

it('names words, addresses and ids in answers that the provider would not have', async () => {
  mkdirSync(join(folder, 'inn'))
  const inn = ROOMS.replace(
    'required: [id, beds, state], properties: { id: { type: string },',
    'required: [id, view], properties: { id: { type: string, pattern: "^room_[a-z]{9}$" }, view: { type: string }, page: {}, room: {},',
  )
  writeFileSync(join(folder, 'inn/openapi.yaml'), inn)
  writeFileSync(join(folder, 'inn/entry.yaml'), 'volume: { rooms: 0 }')
  writeFileSync(
    join(folder, 'inn/handlers.mjs'),
    "export default { 'POST /rooms': ({ next, update }) => (next(), update({ page: 'https://inn.test/room', room: '11.25' })) }",
  )
  writeFileSync(join(folder, 'inn/verify.yaml'), 'steps: [{ send: POST /rooms, body: { beds: 2 } }]')

  const checked = await library('check', 'inn')

  expect(checked.exitCode).toBe(1)
  expect(checked.stdout.match(/^filler Step.*$/gm)).toEqual([
    expect.stringMatching(/^filler Step 1 \(POST \/rooms\) shows a text of the word lists in `view`: \S+/),
    'filler Step 1 (POST /rooms) shows an address where nothing answers in `page`: https://inn.test/room',
    'filler Step 1 (POST /rooms) shows another id in `room` than of a room, which begins with room_: 11.25',
  ])
})

it('names the parameters and fields that do nothing, unless the entry gives a reason', async () => {
  mkdirSync(join(folder, 'inn'))
  const inn = ROOMS.replace('beds: { type: integer, minimum: 1 }', '$&, view: { type: string }, pets: { type: string }')
  writeFileSync(join(folder, 'inn/openapi.yaml'), inn)
  writeFileSync(join(folder, 'inn/effects.yaml'), 'headers: { Inn-Door: open }')

  const unread = await library('check', 'inn')
  writeFileSync(
    join(folder, 'inn/entry.yaml'),
    'ignored: [{ fields: [body.view, body.pets, body.beds], on: POST /rooms, why: no inn has views }]',
  )
  const listed = await library('check', 'inn')
  const shown = await library('show', 'inn')

  expect(unread.exitCode).toBe(1)
  expect(unread.stdout).toContain(
    'unread POST /rooms does nothing with body.view. Read it in a handler, or list it as `ignored` in entry.yaml.',
  )
  expect(listed.exitCode).toBe(1)
  expect(listed.stdout).toContain(
    'unread POST /rooms reads body.beds, or has none, but entry.yaml lists it as `ignored`.',
  )
  expect(listed.stdout).not.toContain('body.view')
  expect(shown.stdout).toContain('It takes and ignores:\n  body.view, body.pets, body.beds: no inn has views')
})

it('knows what handlers read by their steps, whatever words their code has', async () => {
  mkdirSync(join(folder, 'inn'))
  const inn = ROOMS.replace('beds: { type: integer, minimum: 1 }', '$&, view: { type: string }, pets: { type: string }')
  writeFileSync(join(folder, 'inn/openapi.yaml'), inn)
  writeFileSync(
    join(folder, 'inn/handlers.ts'),
    `export default { 'POST /rooms': ({ body: { beds, view }, create }) => create({ beds, state: view ?? ['free', 'pets'][0] }) }`,
  )
  writeFileSync(join(folder, 'inn/verify.yaml'), 'steps: [{ send: POST /rooms, body: { beds: 2 } }]')

  const { stdout } = await library('check', 'inn')

  expect(stdout.match(/^unread.*$/gm)).toEqual([
    'unread POST /rooms does nothing with body.pets. Read it in a handler, or list it as `ignored` in entry.yaml.',
  ])
})

it('knows a field as kept that only some requests leave out', async () => {
  mkdirSync(join(folder, 'inn'))
  writeFileSync(join(folder, 'inn/openapi.yaml'), ROOMS)
  writeFileSync(
    join(folder, 'inn/handlers.mjs'),
    "export default { 'POST /rooms': ({ body, records, next }) => next(records.rooms.count() > 0 || body.suite ? { drop: ['beds'] } : {}) }",
  )
  writeFileSync(join(folder, 'inn/entry.yaml'), 'volume: { rooms: 0 }')
  const send = '{ send: POST /rooms, body: { beds: 2 } }'
  writeFileSync(join(folder, 'inn/verify.yaml'), `steps: [${send}, ${send}]`)

  const { stdout } = await library('check', 'inn')

  expect(stdout.match(/^unread.*beds.*$/gm)).toBeNull()
})
