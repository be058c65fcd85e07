import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { answers, describeApi, modelOf, object, operationAt, takes } from '../describe-api.ts'
import { simulations } from './simulated.ts'

const simulation = simulations()

const list = (items: JsonObject): JsonObject => ({ type: 'array', items })
const call = (body: JsonObject, answer: JsonObject): JsonObject => ({ post: { ...takes(body), ...answers(answer) } })
const meta = object({ requestId: 'string' })
const key = object({ id: 'string', name: 'string', roles: list({ type: 'string' }) })
const byId = object({ keyId: 'string' }, { required: ['keyId'] })

const KEYS: JsonObject = {
  '/v2/keys.createKey': call(object({ name: 'string' }), object({ meta, data: object({ keyId: 'string' }) })),
  '/v2/keys.getKey': call(byId, object({ meta, data: key })),
  '/v2/keys.listKeys': call(object({ limit: 'integer' }), object({ meta, data: list(key) })),
  '/v2/keys.addRoles': call(
    object({ keyId: 'string', roles: list({ type: 'string' }) }, { required: ['keyId', 'roles'] }),
    object({ meta, data: list({ type: 'string' }) }),
  ),
  '/v2/keys.deleteKey': call(byId, object({ meta })),
}

it('takes a call that names its noun twice for one about that noun, and tells the key that it made', async () => {
  const send = await simulation.of(describeApi(KEYS))

  const { keyId } = (await send('POST /v2/keys.createKey', { name: 'CI' })).body.data

  expect((await send('POST /v2/keys.getKey', { keyId })).body.data).toMatchObject({ id: keyId, name: 'CI' })
  await send('POST /v2/keys.deleteKey', { keyId })
  expect((await send('POST /v2/keys.getKey', { keyId })).status).toBe(404)
})

it('adds to a list of the record where a call names the list', async () => {
  const send = await simulation.of(describeApi(KEYS))
  const { keyId } = (await send('POST /v2/keys.createKey', { name: 'CI' })).body.data

  await send('POST /v2/keys.addRoles', { keyId, roles: ['admin'] })

  expect((await send('POST /v2/keys.getKey', { keyId })).body.data.roles).toContain('admin')
})

it('shows records of the collection where the last word of a call is no verb and the answer is a list of them', () => {
  const schemas = { Document: object({ id: 'string', title: 'string' }) }
  const document = { $ref: '#/components/schemas/Document' }
  const one = object({ id: 'string' }, { required: ['id'] })
  const model = modelOf(
    {
      '/documents.info': call(one, object({ data: document })),
      '/documents.create': call(object({ title: 'string' }), object({ data: document })),
      '/documents.drafts': call(object({}), object({ data: list(document) })),
    },
    { components: { schemas } },
  )

  expect(operationAt(model, 'POST /documents.drafts').effect).toMatchObject({ kind: 'list', collection: 'documents' })
})

it('exchanges a token that another operation has made', async () => {
  const token = object({ public_token: 'string' })
  const call = await simulation.of(
    describeApi({
      '/sandbox/public_token/create': { post: answers(token) },
      '/item/public_token/create': { post: answers(token) },
      '/item/public_token/exchange': { post: { ...takes(token), ...answers(object({ access_token: 'string' })) } },
    }),
  )

  const made = (await call('POST /sandbox/public_token/create', {})).body
  const exchanged = await call('POST /item/public_token/exchange', made)

  expect(exchanged).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
})

it('answers with what a computation finds', async () => {
  const message = object({ content: { type: ['string', 'null'] } }, { required: ['content'] })
  const choices: JsonObject = { type: 'array', items: object({ message }, { required: ['message'] }) }
  const data: JsonObject = {
    type: 'array',
    items: object({ embedding: { type: 'array', items: { type: 'number' } } }, { required: ['embedding'] }),
  }
  const completion = object({ id: 'string', choices }, { required: ['id', 'choices'] })
  const call = await simulation.of(
    describeApi({
      '/completions': {
        post: {
          ...takes(object({ prompt: 'string' })),
          ...answers(completion),
        },
      },
      '/embeddings': {
        post: { ...takes(object({ input: 'string' })), ...answers(object({ data }, { required: ['data'] })) },
      },
    }),
  )

  const { body } = await call('POST /completions', { prompt: 'hi' })
  const found = (await call('POST /embeddings', { input: 'hi' })).body
  expect(body.choices[0].message.content).toEqual(expect.any(String))
  expect(found.data[0].embedding[0]).toEqual(expect.any(Number))
})
