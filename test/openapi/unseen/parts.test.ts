import { beforeEach, describe, expect, it } from 'vitest'
import { answers, describeApi, object, takes } from '../describe-api.ts'
import { type Call, simulations } from './simulated.ts'

const simulation = simulations()

const contact = object({ email: 'string', phone: 'string' })
const customer = object({ id: 'string', name: 'string', contact })
const id = { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }] }
const DONE = { responses: { 204: { description: 'done' } } }

const DESCRIPTION = describeApi({
  '/customers': { get: answers({ type: 'array', items: customer }) },
  '/customers/{id}': { ...id, get: answers(customer), patch: { ...takes(customer), ...answers(customer) } },
  '/customers/{id}/contact': {
    ...id,
    get: answers(contact),
    put: { ...takes(contact), ...answers(contact) },
    delete: DONE,
  },
})

describe('a document that is a field of the record above it', () => {
  let call: Call
  let path: string
  beforeEach(async () => {
    call = await simulation.of(DESCRIPTION)
    path = `/customers/${(await call('GET /customers')).body[0].id}`
  })

  it('shows what the record shows', async () => {
    expect((await call(`GET ${path}/contact`)).body).toEqual((await call(`GET ${path}`)).body.contact)
  })

  it('changes with the record', async () => {
    await call(`PATCH ${path}`, { contact: { phone: '+41 44 000 00 00' } })

    expect((await call(`GET ${path}/contact`)).body.phone).toBe('+41 44 000 00 00')
  })

  it('changes the record, and no other', async () => {
    const [, other] = (await call('GET /customers')).body

    await call(`PUT ${path}/contact`, { email: 'a@example.com', phone: '1' })

    expect((await call(`GET ${path}`)).body.contact).toEqual({ email: 'a@example.com', phone: '1' })
    expect((await call(`GET /customers/${other.id}`)).body).toEqual(other)
  })

  it('goes out of the record when it is deleted', async () => {
    expect((await call(`DELETE ${path}/contact`)).status).toBe(204)

    expect((await call(`GET ${path}/contact`)).status).toBe(404)
    expect((await call(`GET ${path}`)).body.contact).toBeUndefined()

    await call(`PATCH ${path}`, { contact: { phone: '2' } })
    expect((await call(`GET ${path}/contact`)).body.phone).toBe('2')
  })
})
