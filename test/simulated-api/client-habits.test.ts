import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, by, describeApi, inPath, inQuery, list, object, only, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const limited = { parameters: [inQuery('limit', { type: 'integer' })] }
const text = { type: 'string' }

/** Widgets that are made, listed and read, with more paths. */
function widgets(fields: Parameters<typeof object>[0], more: JsonObject = {}, rest: JsonObject = {}): JsonObject {
  const widget = object({ id: 'string', ...fields })
  return describeApi({
    '/widgets': { get: answers(list(widget)), post: { ...takes(object(fields, rest)), ...answers(widget) } },
    '/widgets/{id}': { ...inPath('id'), get: answers(widget) },
    ...more,
  })
}

describe('habits of clients', () => {
  it('finds a query in another case, and a path only as it is written', () => {
    const item = object({ id: 'string' })
    const paged = { parameters: [inQuery('Count', { type: 'integer' })], ...answers(list(item)) }
    const { send } = simulate(describeApi({ '/inboundrules': { get: paged } }), { volume: { inboundrules: 5 } })

    expect(send('GET', '/inboundrules?count=2').body).toHaveLength(2)
    expect(send('GET', '/inboundRules?count=2').status).toBe(404)
  })

  it('asks for no parameter that has a default, and for no field that the path gives', () => {
    const item = object({ templateId: 'integer', name: 'string' })
    const required = object({ templateId: 'integer', name: 'string' }, { required: ['templateId', 'name'] })
    const separator = { ...inQuery('separator', { ...text, default: ',' }), required: true }
    const { send } = simulate(
      describeApi({
        '/templates': { get: { parameters: [separator], ...answers(list(item)) } },
        '/templates/{templateId}': { ...inPath('templateId'), get: answers(item), put: takes(required) },
        '/mails/{idOrAlias}': {
          ...inPath('idOrAlias'),
          get: answers(object({ id: 'string' })),
          put: takes(object({ id: 'string' }, { required: ['id'] })),
        },
        '/mails': { get: answers(list(object({ id: 'string' }))) },
      }),
    )
    const [{ templateId }] = send('GET', '/templates').body
    const [{ id }] = send('GET', '/mails').body
    expect(send('PUT', `/mails/${id}`, { json: {} }).status).toBe(200)

    expect(send('PUT', `/templates/${templateId}`, { json: { name: 'Ada' } }).status).toBe(200)
    expect(send('PUT', `/templates/${templateId}`, { json: {} }).status).toBe(400)
  })

  it('takes an only file that has its own name in place of the field', () => {
    const file = object({ file: { ...text, format: 'binary' } }, { required: ['file'] })
    const { send } = simulate(
      describeApi({ '/scans': { post: { requestBody: only('multipart/form-data', file), ...answers(object({})) } } }),
    )
    const part = (name: string, file: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\nabc\r\n--x--`
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }

    expect(send('POST', '/scans', { text: part('a.mp4', 'a.mp4'), headers }).status).toBe(200)
    expect(send('POST', '/scans', { text: part('other', 'a.mp4'), headers }).status).toBe(400)
  })

  it('answers a list with as many results', () => {
    const result = object({ to: 'string', id: 'string' }, { required: ['to', 'id'] })
    const { send } = simulate(
      describeApi({ '/mail/batch': { post: { ...takes(list(object({ to: 'string' }))), ...answers(list(result)) } } }),
    )

    const { body } = send('POST', '/mail/batch', { json: [{ to: 'a@x.test' }, { to: 'b@x.test' }] })

    expect(body.map(({ to }: JsonObject) => to)).toEqual(['a@x.test', 'b@x.test'])
  })

  it('says what is wrong where errors have only a title, or only a status', () => {
    const problem = object({ title: 'string', status: 'integer', problems: list(by('Problem')) })
    const failing = (schema: JsonObject) => ({ responses: { 404: { description: 'no', ...json(schema) } } })
    const json = (schema: JsonObject) => only('application/json', schema)
    const item = { ...inPath('id'), get: { ...failing(by('Problem')) } }
    const { send } = simulate(
      describeApi(
        { '/notes/{id}': item, '/tags/{id}': { ...inPath('id'), get: failing(object({ status: 'integer' })) } },
        { components: { schemas: { Problem: problem } } },
      ),
    )

    const message = expect.stringContaining('there is none with that key')
    expect(send('GET', '/notes/zz').body).toEqual({ title: message, status: 404 })
    expect(send('GET', '/tags/zz').body).toEqual({ status: 404, message })
  })

  it('shows the key under `id` where an answer calls it so', () => {
    const listed = object({ messageId: 'string', text: 'string' })
    const { send } = simulate(
      describeApi({
        '/messages': {
          get: answers(object({ messages: list(listed) })),
          post: { ...takes(object({ text: 'string' })), ...answers(object({ id: 'string', text: 'string' })) },
        },
        '/messages/{messageId}': { ...inPath('messageId'), get: answers(listed) },
      }),
    )

    const { id } = send('POST', '/messages', { json: { text: 'hi' } }).body

    expect(send('GET', `/messages/${id}`).body).toMatchObject({ messageId: id, text: 'hi' })
  })

  it('answers a deletion with the ids of what is gone', () => {
    const gone = answers(object({ data: list(text) }))
    const { send } = simulate(
      widgets(
        { name: 'string' },
        { '/gadgets/{id}': { ...inPath('id'), get: answers(object({ id: 'string' })), delete: gone } },
      ),
    )
    const { send: other } = simulate(
      describeApi({
        '/gadgets': { get: answers(list(object({ id: 'string' }))) },
        '/gadgets/{id}': { ...inPath('id'), get: answers(object({ id: 'string' })), delete: gone },
      }),
    )
    const [{ id }] = other('GET', '/gadgets').body

    expect(other('DELETE', `/gadgets/${id}`).body).toEqual({ data: [id] })
    expect(send('DELETE', '/gadgets/none').status).toBe(404)
  })

  it('pages by links with a relation', () => {
    const link = object({ rel: 'string', href: 'string' })
    const next = { ...text, format: 'uri' }
    const page = object({ next, data: list(object({ id: 'string' })), links: list(link) })
    const { send } = simulate(describeApi({ '/plans': { get: { ...limited, ...answers(page) } } }), {
      volume: { plans: 5 },
    })
    const seen: string[] = []

    let at = '/plans?limit=2'
    for (let turn = 0; at !== '' && turn < 9; turn++) {
      const { body } = send('GET', at)
      seen.push(...body.data.map(({ id }: JsonObject) => id))
      const href = body.links.find(({ rel }: JsonObject) => rel === 'next')?.href
      expect(href).toBe(body.next)
      at = href === undefined ? '' : href.slice(href.indexOf('/plans'))
    }

    expect(new Set(seen).size).toBe(5)
    expect(seen).toHaveLength(5)
  })
})

describe('habits of clients of a few providers', () => {
  it('reads JSON that is sent as a plain text', () => {
    const item = object({ id: 'string', name: 'string' })
    const { send } = simulate(
      describeApi({ '/items': { post: { ...takes(object({ name: 'string' })), ...answers(item) } } }),
    )
    const headers = { 'content-type': 'text/plain' }

    expect(send('POST', '/items', { text: '{"name":"Ada"}', headers }).body.name).toBe('Ada')
    expect(send('POST', '/items', { text: 'Ada', headers }).status).toBe(415)
  })

  it('takes any value in a JSON Patch, whatever the description calls it', () => {
    const step = object({ op: 'string', path: 'string', value: 'object' }, { required: ['op', 'path'] })
    const project = object({ key: 'string', name: 'string' })
    const { send } = simulate(
      describeApi({
        '/projects': { get: answers(list(project)) },
        '/projects/{key}': {
          ...inPath('key'),
          get: answers(project),
          patch: { ...takes(list(step)), ...answers(project) },
        },
      }),
    )
    const [{ key }] = send('GET', '/projects').body

    const patch = [{ op: 'replace', path: '/name', value: 'Ours' }]
    expect(send('PATCH', `/projects/${key}`, { json: patch }).body.name).toBe('Ours')
    expect(send('PATCH', `/projects/${key}`, { json: [{ op: 1, path: '/name' }] }).status).toBe(400)
  })

  it('does not take a deleted record for the caller, whatever it was called', () => {
    const project = object({ key: 'string' })
    const { send } = simulate(
      describeApi({
        '/projects': { get: answers(list(project)), post: { ...takes(project), ...answers(project) } },
        '/projects/{key}': { ...inPath('key'), get: answers(project), delete: {} },
      }),
    )
    send('POST', '/projects', { json: { key: 'mine' } })

    expect(send('GET', '/projects/mine').body.key).toBe('mine')
    send('DELETE', '/projects/mine')
    expect(send('GET', '/projects/mine').status).toBe(404)
  })

  it('says what is wrong in the alternative that has a place for it', () => {
    const code = object({ code: 'string' })
    const withMessage = object({ err_code: 'string', err_msg: 'string' })
    const no = { description: 'no', ...only('application/json', { oneOf: [code, withMessage] }) }
    const { send } = simulate(describeApi({ '/notes/{id}': { ...inPath('id'), get: { responses: { 404: no } } } }))

    expect(send('GET', '/notes/zz').body.err_msg).toMatch(/there is none with that key/)
  })
})
