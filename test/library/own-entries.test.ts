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

it('takes from the description what nobody said', async () => {
  await put('openapi.yaml', 'openapi: 3.1.0\ninfo: { title: Hotel, version: "1", description: Rooms. }\npaths: {}\n')

  const entry = await readFolder(folder)

  expect(entry).toMatchObject({ slug: 'my-hotel', name: 'Hotel', description: 'Rooms.', behaviour: [], volume: {} })
  expect(entry.openapi.openapi).toBe('3.1.0')
})

it('reads the plan and the entry beside the description', async () => {
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
  await put('entry.json', '{ "volume": { "rooms": -1 } }')

  await expect(readFolder(folder)).rejects.toThrow(
    /entry\.json": Expected `volume\.rooms` to be from 0 to 1,000,000, got -1/,
  )
})

it('names the file that is no JSON', async () => {
  await put('openapi.json', '{ "openapi": ')

  await expect(readFolder(folder)).rejects.toThrow(/Failed to read ".*openapi\.json": /)
})
