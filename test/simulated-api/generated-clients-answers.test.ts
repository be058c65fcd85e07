import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, by, describeApi, inPath, inQuery, list, object, only, takes } from '../openapi/describe-api.ts'
import { simulate } from './simulate.ts'

const text = { type: 'string' }

describe('what answers say', () => {
  it('calls a list a list', () => {
    const page = object({ object: 'string', has_more: 'boolean', data: list(object({ id: 'string' })) })
    const { send } = simulate(describeApi({ '/accounts': { get: answers(page) } }))

    expect(send('GET', '/accounts').body.object).toBe('list')
  })

  it('tells how many pages there are, and what this one holds', () => {
    const about = object({ itemsTotal: 'integer', pagesTotal: 'integer', currentPageItems: 'integer' })
    const page = object({ data: list(object({ id: 'string' })), pagination: about })
    const limit = { parameters: [{ in: 'query', name: 'pageSize', schema: { type: 'integer' } }] }
    const { send } = simulate(describeApi({ '/videos': { get: { ...limit, ...answers(page) } } }), {
      volume: { videos: 5 },
    })

    expect(send('GET', '/videos?pageSize=2').body.pagination).toEqual({
      itemsTotal: 5,
      pagesTotal: 3,
      currentPageItems: 2,
    })
  })

  it('says of a write that its result is true, whatever else the record has of the answer', () => {
    const collection = object({ name: 'string', status: { type: 'string', enum: ['green'] } })
    const verdict = object({ time: 'number', status: { ...text, example: 'ok' }, result: 'boolean' })
    const { send } = simulate(
      describeApi({
        '/collections': { get: answers(list(collection)) },
        '/collections/{collection_name}': {
          ...inPath('collection_name'),
          get: answers(object({ result: object({ status: { type: 'string', enum: ['green'] }, points: 'integer' }) })),
          put: { ...takes(object({ size: 'integer' })), ...answers(verdict) },
        },
      }),
    )

    expect(send('PUT', '/collections/books', { json: { size: 4 } }).body.result).toBe(true)
  })

  it('makes one record where a body may have one or several, and answers with it', () => {
    const given = object({ amount: 'integer' })
    const saved = object(
      { transaction_ids: list(text), transaction: by('Transaction'), transactions: list(by('Transaction')) },
      { required: ['transaction_ids'] },
    )
    const { send } = simulate(
      describeApi(
        {
          '/transactions': {
            get: answers(object({ transactions: list(by('Transaction')) })),
            post: {
              ...takes(object({ transaction: given, transactions: list(given) })),
              ...answers(object({ data: saved })),
            },
          },
          '/transactions/{transaction_id}': {
            ...inPath('transaction_id'),
            get: answers(object({ transaction: by('Transaction') })),
          },
        },
        { components: { schemas: { Transaction: object({ id: 'string', amount: 'integer' }) } } },
      ),
    )

    const { data } = send('POST', '/transactions', { json: { transaction: { amount: 7 } } }).body

    expect(data.transaction.amount).toBe(7)
    expect(send('GET', `/transactions/${data.transaction.id}`).body.transaction).toEqual(data.transaction)
    expect(
      send('POST', '/transactions', { json: { transactions: [{ amount: 1 }, { amount: 2 }] } }).body.data.transactions,
    ).toHaveLength(2)
  })

  it('fills what a call says in a list of results, though nothing is required there', () => {
    const choice = object({ index: 'integer', message: object({ content: 'string' }) })
    const answer = object({ id: 'string', choices: list(choice) }, { required: ['id', 'choices'] })
    const { send } = simulate(
      describeApi({
        '/chat/completions': {
          post: { operationId: 'createCompletion', ...takes(object({ model: 'string' })), ...answers(answer) },
        },
      }),
    )

    expect(send('POST', '/chat/completions', { json: { model: 'm' } }).body.choices[0].message.content).toEqual(
      expect.any(String),
    )
  })

  it('writes an event whose data the description wraps', () => {
    const event = object({ data: object({ id: 'string' }, { required: ['id'] }) }, { required: ['data'] })
    const { send } = simulate(
      describeApi({
        '/answers': {
          post: {
            ...takes(object({ model: 'string' })),
            responses: { 200: { description: 'ok', ...only('text/event-stream', event) } },
          },
        },
      }),
    )

    expect(send('POST', '/answers', { json: { model: 'm' } }).text).toMatch(/^data: \{"id":"[^"]+"\}\n\n$/)
  })

  it('deletes the records that ids in the query name, and counts them', () => {
    const link = object({ id: 'string', url: 'string' })
    const many = { parameters: [inQuery('linkIds', list(text))], ...answers(object({ deletedCount: 'integer' })) }
    const { send } = simulate(
      describeApi({
        '/links': { get: answers(list(link)), post: { ...takes(object({ url: 'string' })), ...answers(link) } },
        '/links/{link_id}': { ...inPath('link_id'), get: answers(link) },
        '/links/bulk': { delete: many },
      }),
    )
    const ids = ['a', 'b'].map(
      (path) => send('POST', '/links', { json: { url: `https://example.com/${path}` } }).body.id,
    )

    expect(send('DELETE', `/links/bulk?linkIds=${ids.join(',')}`).body).toEqual({ deletedCount: 2 })
    expect(send('GET', `/links/${ids[0]}`).status).toBe(404)
  })

  it('shows name, size and type of an upload in the fields that are named so, if its client sends no others', () => {
    const files = object({ id: 'string', file_name: 'string', size: 'integer', content_type: 'string', name: 'string' })
    const media = object({ id: 'string', name: 'string', size_in_bytes: 'integer', mimeType: 'string' })
    const upload = (fields: JsonObject) => ({
      requestBody: {
        content: { 'multipart/form-data': { schema: object({ file: { type: 'string', format: 'binary' } }) } },
      },
      ...answers(fields),
    })
    const { send } = simulate(
      describeApi({
        '/files': { get: answers(list(files)), post: upload(files) },
        '/media': {
          get: answers(list(media)),
          post: {
            ...upload(media),
            requestBody: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
          },
        },
      }),
    )
    const part = (head: string, text: string) => `--x\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`
    const csv = part('name="file"; filename="a.csv"\r\ncontent-type: text/csv', 'a;b')
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }

    const file = send('POST', '/files', { text: `${csv}--x--\r\n`, headers }).body
    const named = send('POST', '/files', {
      text: `${csv}${part('name="file_name"', 'mine.csv')}--x--\r\n`,
      headers,
    }).body
    const image = send('POST', '/media', { text: 'PNG', headers: { 'content-type': 'image/png' } }).body

    expect(file).toMatchObject({ file_name: 'a.csv', size: 3, content_type: 'text/csv' })
    expect(named).toMatchObject({ file_name: 'mine.csv' })
    expect(image).toMatchObject({ size_in_bytes: 3, mimeType: 'image/png' })
  })

  it('keeps the name and the size of an uploaded file', () => {
    const file = object({ id: 'string', filename: 'string', bytes: 'integer' })
    const form = only('multipart/form-data', object({ file: { ...text, format: 'binary' } }))
    const { send } = simulate(
      describeApi({ '/files': { get: answers(list(file)), post: { requestBody: form, ...answers(file) } } }),
    )
    const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="train.jsonl"\r\n\r\n{}\n\r\n--x--\r\n'

    const made = send('POST', '/files', {
      text: body,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    }).body

    expect(made).toMatchObject({ filename: 'train.jsonl', bytes: 3 })
  })
})

describe('what actions take and answer', () => {
  const conversation = object({
    id: 'string',
    type: { type: 'string', example: 'conversation' },
    state: { type: 'string', enum: ['open', 'closed', 'snoozed'] },
  })
  const reply = (word: string) =>
    object({ message_type: { type: 'string', enum: [word] }, type: { type: 'string', enum: ['admin'] } })
  const paths = {
    '/conversations': { get: answers(list(conversation)), post: { ...takes(object({})), ...answers(conversation) } },
    '/conversations/{id}': { ...inPath('id'), get: answers(conversation) },
    '/conversations/{id}/parts': {
      ...inPath('id'),
      post: { ...takes({ oneOf: [reply('close'), reply('snoozed')] }), ...answers(conversation) },
    },
  }

  it('do what a value of the body says, and keep what the record is', () => {
    const { send } = simulate(describeApi(paths))
    const { id } = send('POST', '/conversations', { json: {} }).body
    const say = (message_type: string) =>
      send('POST', `/conversations/${id}/parts`, { json: { message_type, type: 'admin' } })

    expect(say('close').status).toBe(200)
    expect(send('GET', `/conversations/${id}`).body).toMatchObject({ state: 'closed', type: 'conversation' })
    say('snoozed')
    expect(send('GET', `/conversations/${id}`).body.state).toBe('snoozed')
  })
})
