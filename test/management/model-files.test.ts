import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { modelFolder } from '../../src/runtime/compile-cache.ts'
import { ModelFiles } from '../../src/service/management/model-files.ts'
import type { ApiModel } from '../../src/service/openapi/model.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { toModelDocument } from '../../src/service/openapi/write-model.ts'
import { answers, describeApi, list, object } from '../openapi/describe-api.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-models-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A description of one list, longer than those that are not kept. */
const descriptionOf = (title: string) =>
  describeApi(
    { '/tasks': { get: answers(list(object({ id: 'string', status: 'string' }))) } },
    { info: { title, version: '1', description: 'long '.repeat(3_000) } },
  )

/** Keeps the model of a description, and returns its text. */
async function keep(title = 'Tasks', files = new ModelFiles(folder, '1')): Promise<string> {
  const text = JSON.stringify(descriptionOf(title))
  files.write(text, readDescription(JSON.parse(text)))
  await files.settled()
  return text
}

const read = (text: string, release = '1'): Promise<ApiModel | undefined> => new ModelFiles(folder, release).read(text)
const names = () => readdirSync(folder)
const only = () => join(folder, names()[0] ?? '')

it('reads the model of a text that another process has written', async () => {
  const text = await keep()

  const model = await read(text)

  expect(model && toModelDocument(model)).toEqual(toModelDocument(readDescription(JSON.parse(text))))
  expect(statSync(only()).mode & 0o777).toBe(0o600)
})

it('reads none of another text or release, and keeps none of a short text', async () => {
  const text = await keep()

  expect(await read(`${text} `)).toBeUndefined()
  expect(await read(text, '2')).toBeUndefined()
  const files = new ModelFiles(folder, '1')
  files.write('{}', readDescription(descriptionOf('Short')))
  await files.settled()
  expect(names()).toHaveLength(1)
})

describe('a file that cannot be trusted', () => {
  it.each<[string, (path: string) => void]>([
    ['is cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, -10))],
    ['is empty', (path) => writeFileSync(path, '')],
    ['was changed', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"Tasks"', '"Tusks"'))],
    ['holds something else', (path) => writeFileSync(path, withHash('[]\n[]'))],
    ['may be written by others', (path) => chmodSync(path, 0o666)],
    ['is a link', replaceByLink],
  ])('is left out and written again: it %s', async (_, spoil) => {
    const text = await keep()
    spoil(only())

    expect(await read(text)).toBeUndefined()
    await keep()
    expect((await read(text))?.title).toBe('Tasks')
  })
})

it('lets several processes write one file at the same time', async () => {
  const texts = await Promise.all(Array.from({ length: 8 }, () => keep()))

  expect(names()).toHaveLength(1)
  expect((await read(texts[0] ?? ''))?.title).toBe('Tasks')
})

it('removes the files that were used least recently', async () => {
  const files = new ModelFiles(folder, '1')
  const first = await keep('API 0', files)
  for (let number = 1; number < 64; number++) await keep(`API ${number}`, files)
  await read(first)

  await keep('API 64', files)

  expect(names()).toHaveLength(64)
  expect(await read(first)).toBeDefined()
  expect(await read(JSON.stringify(descriptionOf('API 1')))).toBeUndefined()
})

it('does without a folder that cannot be written to', async () => {
  const text = await keep('Tasks', new ModelFiles(join(folder, 'gone'), '1'))

  expect(await read(text)).toBeUndefined()
  expect(names()).toEqual([])
})

it('has a folder of the user alone, elsewhere if chosen, and none if turned off', () => {
  expect(modelFolder(folder)).toBe(join(folder, 'backlot', 'models'))
  expect(statSync(join(folder, 'backlot', 'models')).mode & 0o777).toBe(0o700)
  expect(modelFolder('off')).toBeUndefined()
})

function replaceByLink(path: string): void {
  renameSync(path, `${path}-2`)
  symlinkSync(`${path}-2`, path)
}

const withHash = (body: string): string => `${createHash('sha256').update(body).digest('hex')}\n${body}`
