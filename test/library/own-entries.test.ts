import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readFolder } from '../../src/library/own-entries.ts'

let folder: string

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'backlot-library-')), 'My Hotel')
  await mkdir(folder)
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

const put = (file: string, text: string) => writeFile(join(folder, file), text)

it('takes missing facts from the description', async () => {
  await put('openapi.yaml', 'openapi: 3.1.0\ninfo: { title: Hotel, version: "1", description: Rooms. }\npaths: {}\n')

  const entry = await readFolder(folder)

  expect(entry).toMatchObject({ slug: 'my-hotel', name: 'Hotel', description: 'Rooms.', behaviour: [], volume: {} })
  expect(entry.openapi.openapi).toBe('3.1.0')
})

it('reads the plan and the entry next to the description', async () => {
  await put('openapi.json', '{ "openapi": "3.1.0", "paths": {} }')
  await put(
    'behaviour.yml',
    'rules:\n  - everySeconds: 3600\n    steps: [{ kind: touch, collection: rooms, count: 1 }]\n',
  )
  await put('entry.json', '{ "slug": "hotel", "name": "Seaview", "provider": "Seaview", "volume": { "rooms": 5 } }')

  const entry = await readFolder(folder)

  expect(entry).toMatchObject({ slug: 'hotel', name: 'Seaview', provider: 'Seaview', volume: { rooms: 5 } })
  expect(entry.behaviour).toEqual([{ everySeconds: 3600, steps: [{ kind: 'touch', collection: 'rooms', count: 1 }] }])
})

it('says what is missing', async () => {
  await expect(readFolder(folder)).rejects.toThrow('it has no openapi.json or openapi.yaml')
})

it('names the file and the field that do not fit', async () => {
  await put('openapi.json', '{ "openapi": "3.1.0", "paths": {} }')
  await put('entry.json', '{\n  "volume": {\n    "beds": 3,\n    "rooms": -1\n  }\n}')

  await expect(readFolder(folder)).rejects.toThrow(
    /entry\.json", line 4: Expected `volume\.rooms` to be from 0 to 1,000,000, got -1/,
  )
})

it('names all faults of a file', async () => {
  await put('model.yaml', 'collections:\n  rooms: { kye: id }\noperations:\n  GET /rooms: asGET /rooms\n')

  const { message } = (await readFolder(folder).catch((error: unknown) => error)) as Error

  expect(message.split('\n')).toEqual([
    expect.stringMatching(/model\.yaml", line 2: .* have no field "kye", got one\. Did you mean "key"\?/),
    expect.stringMatching(/model\.yaml", line 4: .* to be `example`, `computed`, or `as` with a method and a path/),
  ])
})

it('names the line of a field that no file has', async () => {
  await put('openapi.yaml', 'openapi: 3.1.0\npaths: {}\n')
  await put('entry.yaml', '# An inn\nname: Inn\nvolum: { rooms: 3 }\n')

  await expect(readFolder(folder)).rejects.toThrow(
    /entry\.yaml", line 3: Expected the file to have no field "volum", got one\. Did you mean "volume"\?/,
  )
})

it('names the row of a list that is wrong', async () => {
  await put('openapi.yaml', 'openapi: 3.1.0\npaths: {}\n')
  await put(
    'webhooks.yaml',
    'scheme: stripe\nevents:\n  - { on: rooms.created, type: room.new }\n  - on: rooms.moved\n    type: room.moved\n',
  )

  await expect(readFolder(folder)).rejects.toThrow(/webhooks\.yaml", line 4: Expected `events\[1\]\.on` to be /)
})

it('takes no file that an entry does not have, and no two of one name', async () => {
  await put('openapi.yaml', 'openapi: 3.1.0\npaths: {}\n')
  await put('behavior.yaml', '[]')
  await expect(readFolder(folder)).rejects.toThrow(/it has a file "behavior\.yaml", .*Did you mean "behaviour"\?/)

  await rm(join(folder, 'behavior.yaml'))
  await put('openapi.json', '{ "openapi": "3.1.0", "paths": {} }')
  await expect(readFolder(folder)).rejects.toThrow(/openapi\.yaml" is there too\. Keep one of them/)
})

it('reads records that are always there', async () => {
  await put('openapi.yaml', 'openapi: 3.1.0\npaths: {}\n')
  await mkdir(join(folder, 'seed'))
  await put('seed/rooms.yaml', '- { id: suite, beds: 4 }\n')

  const entry = await readFolder(folder)

  expect(entry.seed).toEqual({ rooms: [{ id: 'suite', beds: 4 }] })
})

it('names the file that is no JSON', async () => {
  await put('openapi.json', '{ "openapi": ')

  await expect(readFolder(folder)).rejects.toThrow(/Failed to read ".*openapi\.json": /)
})

it('names a folder of records that cannot be read', async () => {
  await put('openapi.yaml', 'openapi: 3.1.0\npaths: {}\n')
  await put('seed', 'rooms: []\n')

  await expect(readFolder(folder)).rejects.toThrow(/of a library entry: ENOTDIR\. It has to be a folder\./)
})
