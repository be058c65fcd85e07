import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { simulations } from '../unseen/simulated.ts'
import { TEXT, WHOLE } from './resource.ts'

const simulation = simulations()

const ID: JsonObject = { name: 'id', in: 'path', required: true, schema: WHOLE }
const ETAG: JsonObject = { headers: { ETag: { schema: TEXT } } }
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })
const NOTE: JsonObject = { type: ['string', 'null'] }

/** A collection whose records are made with POST and replaced with PUT. */
function describe(plural: string, fields: JsonObject, required: string[], replacing = required): JsonObject {
  const shown = { ...ETAG, ...json({ type: 'object', required: ['id'], properties: { id: WHOLE, ...fields } }) }
  const sends = (names: string[]) => ({ requestBody: json({ type: 'object', required: names, properties: fields }) })
  return {
    openapi: '3.1.0',
    info: { title: plural, version: '1' },
    paths: {
      [`/${plural}`]: { post: { ...sends(required), responses: { 201: { description: 'made', ...shown } } } },
      [`/${plural}/{id}`]: {
        parameters: [ID],
        get: { responses: { 200: { description: 'one', ...shown } } },
        put: { ...sends(replacing), responses: { 200: { description: 'replaced', ...shown } } },
      },
    },
  }
}

// Ory Kratos ("The full identity payload is expected"), PayPal ("Fully updates an invoice") and NetBox (with PATCH for
// parts) replace; WorkOS, whose PUT requires nothing, leaves omitted fields as they are.
it.each([
  ['books', { title: TEXT, subtitle: NOTE }, { title: 'Emma', subtitle: 'A novel' }, { subtitle: null }],
  ['courses', { name: TEXT, seats: { ...WHOLE, default: 20 } }, { name: 'Latin', seats: 8 }, { seats: 20 }],
  ['devices', { serial: TEXT, owner: TEXT }, { serial: 'A1', owner: 'Ada' }, { owner: undefined }],
])('a PUT of %s with required fields drops what it leaves out', async (plural, fields, first, dropped) => {
  const [name = ''] = Object.keys(fields)
  const call = await simulation.of(describe(plural, fields, [name]))
  const made = await call(`POST /${plural}`, first)

  const replaced = await call(`PUT /${plural}/${made.body.id}`, { [name]: 'other' })

  expect(made.body).toMatchObject(first)
  expect(replaced.body).toEqual({ id: made.body.id, [name]: 'other', ...dropped })
})

it('a PUT that requires nothing keeps what it leaves out', async () => {
  const call = await simulation.of(describe('books', { title: TEXT, subtitle: NOTE }, ['title'], []))
  const made = await call('POST /books', { title: 'Emma', subtitle: 'A novel' })

  const updated = await call(`PUT /books/${made.body.id}`, { title: 'Persuasion' })

  expect(updated.body).toMatchObject({ title: 'Persuasion', subtitle: 'A novel' })
})

it('writes answer with the ETag that they declare', async () => {
  const call = await simulation.of(describe('books', { title: TEXT }, ['title']))
  const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')

  const made = await call('POST /books', { title: 'Emma' })
  const read = await call(`GET /books/${made.body.id}`)
  const replaced = await call(`PUT /books/${made.body.id}`, { title: 'Lady Susan' }, { 'if-match': `${tagOf(made)}` })
  const refused = await call(`PUT /books/${made.body.id}`, { title: 'Sanditon' }, { 'if-match': `${tagOf(made)}` })

  expect(tagOf(made)).toBe(tagOf(read))
  expect([replaced.status, refused.status]).toEqual([200, 412])
  expect(tagOf(replaced)).toBe(tagOf(await call(`GET /books/${made.body.id}`)))
})
