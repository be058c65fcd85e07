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
