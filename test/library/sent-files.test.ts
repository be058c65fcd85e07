import { expect, it } from 'vitest'
import type { LibraryEntry } from '../../src/service.ts'
import { startForTest } from '../management/start-for-test.ts'

const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
const form = { schema: { type: 'object', properties: { whole: { type: 'object' } } } }

/** Pictures that come in forms, beside their description. */
const pictures: LibraryEntry = {
  slug: 'pictures',
  name: 'Pictures',
  provider: 'Pictures',
  vertical: 'homes',
  description: '',
  openapi: {
    openapi: '3.1.0',
    info: { title: 'Pictures', version: '1' },
    paths: {
      '/pictures': {
        post: {
          requestBody: { content: { 'application/json': {}, 'multipart/form-data': form } },
          responses: ok,
        },
      },
      '/raw': { post: { requestBody: { content: { 'application/octet-stream': {} } }, responses: ok } },
      '/latest': { get: { responses: ok } },
    },
    'x-backlot-collections': {
      pictures: { record: { type: 'object', properties: { id: { type: 'string' }, bytes: { type: 'string' } } } },
    },
  },
  volume: { pictures: 0 },
  behaviour: [],
  effects: {
    forms: { json: 'whole' },
    rows: [
      {
        on: 'POST /pictures',
        also: [{ create: 'pictures', values: { id: 'one', bytes: { $request: 'files.0.base64' } } }],
        answer: { title: { $request: 'body.title' }, files: { $request: 'files' } },
      },
      { on: 'POST /raw', answer: { $request: 'files' } },
      {
        on: 'GET /latest',
        let: { picture: { of: 'pictures', id: 'one' } },
        media: [{ body: { $picture: 'bytes' }, base64: true, type: 'image/png' }],
      },
    ],
  },
}

async function open() {
  const { simulate } = await startForTest({ library: [pictures] })
  return simulate('pictures', { webhooks: false })
}

it('reads a form field with JSON next to files, and returns the bytes of the files', async () => {
  await using api = await open()
  const body = new FormData()
  body.set('whole', JSON.stringify({ title: 'Roof' }))
  body.set('files[0]', new Blob(['\u0000\u00ff'], { type: 'image/png' }), 'roof.png')

  const sent = await api.fetch('/pictures', { method: 'POST', body })
  const latest = await api.fetch('/latest')

  const file = { field: 'files[0]', name: 'roof.png', type: 'image/png', size: 3, base64: 'AMO/' }
  expect(await sent.json()).toEqual({ title: 'Roof', files: [file] })
  expect(latest.headers.get('content-type')).toBe('image/png')
  expect(await latest.text()).toBe('\u0000\u00ff')
})

it('takes JSON as before, and a body that is a file', async () => {
  await using api = await open()
  const headers = { 'content-type': 'application/octet-stream' }

  const json = await api.fetch('/pictures', { method: 'POST', body: JSON.stringify({ title: 'Roof' }) })
  const raw = await api.fetch('/raw', { method: 'POST', body: 'bytes', headers })

  expect(await json.json()).toEqual({ title: 'Roof', files: [] })
  expect(await raw.json()).toEqual([
    { field: '', name: '', type: 'application/octet-stream', size: 5, base64: 'Ynl0ZXM=' },
  ])
})

it('describes a file that is too large, without its bytes', async () => {
  await using api = await open()
  const body = new FormData()
  body.set('file', new Blob(['x'.repeat(8_000_001)]), 'large.txt')

  const sent = await api.fetch('/pictures', { method: 'POST', body })

  expect(await sent.json()).toMatchObject({ files: [{ size: 8_000_001, base64: null }] })
})
