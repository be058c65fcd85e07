import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'

const spec = `
openapi: 3.1.0
info: { title: Wallets, version: 1.0.0 }
paths:
  /methods:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Method' } } } }
      responses: { "201": { description: Kept, content: { application/json: { schema: { $ref: '#/components/schemas/Method' } } } } }
components:
  schemas:
    Method:
      oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Bank' }]
      discriminator: { propertyName: type, mapping: { card: '#/components/schemas/Card', bank: '#/components/schemas/Bank' } }
    Card: { type: object, required: [type, number], properties: { type: { const: card }, number: { type: string } } }
    Bank: { type: object, required: [type, iban], properties: { type: { const: bank }, iban: { type: string } } }
`

it.each([
  [{ type: 'paypal' }, 'Expected `type` to be one of "card", "bank", got "paypal".'],
  [{ iban: 'SE35' }, 'Expected `type` to be one of "card", "bank", got nothing.'],
  [{ type: 'card', iban: 'SE35' }, 'Expected `number` to be present, got nothing.'],
])('says of %o which alternatives there are, or what the one that it names lacks', async (body, message) => {
  await using wallets = await createSimulation({ spec })

  const answer = await wallets.fetch('/methods', { method: 'POST', body: JSON.stringify(body) })

  expect(answer.ok).toBe(false)
  expect((await wallets.requests())[0]?.warnings).toEqual([message])
})

const vehicles = (mapping: string) => `
openapi: 3.0.3
info: { title: Vehicles, version: 1.0.0 }
paths:
  /vehicles:
    get: { responses: { "200": { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Vehicle' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Vehicle' } } } }
      responses: { "201": { description: Kept, content: { application/json: { schema: { $ref: '#/components/schemas/Vehicle' } } } } }
  /vehicles/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { "200": { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Vehicle' } } } } } }
  /vans:
    get: { responses: { "200": { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Van' } } } } } } }
components:
  schemas:
    Vehicle:
      type: object
      required: [kind]
      properties: { id: { type: string }, kind: { type: string } }
      discriminator: { propertyName: kind${mapping} }
    Van: { allOf: [{ $ref: '#/components/schemas/Vehicle' }, { type: object, required: [load], properties: { load: { type: integer } } }] }
    Taxi: { allOf: [{ $ref: '#/components/schemas/Vehicle' }, { type: object, required: [seats], properties: { seats: { type: integer } } }] }
`

it('takes the children that a discriminator names for the alternatives of their parent', async () => {
  const spec = vehicles(", mapping: { v: '#/components/schemas/Van', t: Taxi }")
  await using fleet = await createSimulation({ spec })
  const send = (body: object) => fleet.fetch('/vehicles', { method: 'POST', body: JSON.stringify(body) })

  const all = (await (await fleet.fetch('/vehicles')).json()) as { kind: string }[]
  const made = (await (await send({ kind: 't', seats: 4 })).json()) as { id: string }
  const read = await (await fleet.fetch(`/vehicles/${made.id}`)).json()
  const refused = await Promise.all([{ kind: 'v', seats: 4 }, { kind: 'boat' }].map(send))

  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['v', 't']))
  for (const one of all) expect(one).toHaveProperty(one.kind === 'v' ? 'load' : 'seats')
  expect(read).toMatchObject({ kind: 't', seats: 4 })
  expect(refused.map(({ status }) => status)).toEqual([400, 400])
})

it('takes a request that names no child where the parent does not ask for one', async () => {
  const spec = vehicles(', mapping: { v: Van, t: Taxi }').replace('      required: [kind]\n', '')
  await using fleet = await createSimulation({ spec })
  const send = (body: object) => fleet.fetch('/vehicles', { method: 'POST', body: JSON.stringify(body) })

  const answers = await Promise.all([{ id: 'mine' }, { id: 5 }, { kind: 'v' }, { kind: 'boat' }].map(send))

  expect(answers.map(({ status }) => status)).toEqual([201, 400, 400, 400])
})

it('gives a child the name of its component where the discriminator has no mapping', async () => {
  await using fleet = await createSimulation({ spec: vehicles('') })

  const [van] = (await (await fleet.fetch('/vans')).json()) as object[]

  expect(van).toMatchObject({ kind: 'Van', load: expect.any(Number) })
})

it('leaves the value of a child that a component of its own lists', async () => {
  const spec = vehicles('')
    .replace('components:\n  schemas:\n', '$&    VanKind: { type: string, enum: [van] }\n')
    .replace('properties: { load:', "properties: { kind: { $ref: '#/components/schemas/VanKind' }, load:")
  await using fleet = await createSimulation({ spec })

  const [van] = (await (await fleet.fetch('/vans')).json()) as object[]

  expect(van).toMatchObject({ kind: 'van' })
})
