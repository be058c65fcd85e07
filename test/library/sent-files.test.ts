import { expect, it } from 'vitest'
import { handlers } from '../../src/handlers.ts'
import { createSimulation } from '../../src/index.ts'

const responses = { 200: { description: 'ok', content: { 'application/json': {} } } }
const form = { schema: { type: 'object', properties: { title: { type: 'string' } } } }

/** Pictures that come in forms, beside their description. */
const spec = {
  openapi: '3.1.0',
  info: { title: 'Pictures', version: '1' },
  paths: {
    '/pictures': {
      post: { requestBody: { content: { 'application/json': {}, 'multipart/form-data': form } }, responses },
    },
    '/raw': { post: { requestBody: { content: { 'application/octet-stream': {} } }, responses } },
    '/latest': { get: { responses } },
  },
}

const open = () =>
  createSimulation(
    { spec },
    {
      webhooks: false,
      handlers: handlers({
        'POST /pictures': ({ body, files }) => ({ title: body.title ?? null, files }),
        'POST /raw': ({ files }) => ({ files }),
        'GET /latest': ({ respond }) =>
          respond({ headers: { 'Content-Type': 'image/png' }, body: Buffer.from('AMO/', 'base64') }),
      }),
    },
  )

it('gives a handler the fields and the files of a form, and sends its bytes', async () => {
  await using api = await open()
  const body = new FormData()
  body.set('title', 'Roof')
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
  expect(await raw.json()).toEqual({
    files: [{ field: '', name: '', type: 'application/octet-stream', size: 5, base64: 'Ynl0ZXM=' }],
  })
})

it('describes a file that is too large, without its bytes', async () => {
  await using api = await open()
  const body = new FormData()
  body.set('file', new Blob(['x'.repeat(8_000_001)]), 'large.txt')

  const sent = await api.fetch('/pictures', { method: 'POST', body })

  expect(await sent.json()).toMatchObject({ files: [{ size: 8_000_001, base64: null }] })
})
