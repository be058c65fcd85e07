import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'

let folder: string

const OPENAPI = `
openapi: 3.1.0
info: { title: Parcels, version: '1' }
paths:
  /parcels:
    get: { responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { state: { type: string } } } } } }
      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } } }
  /parcels/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }], responses: { 200: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } } } }
components:
  schemas:
    Parcel: { type: object, required: [id, state, seal], properties: { id: { type: string, readOnly: true }, seal: { type: [string, 'null'], default: null }, state: { type: string, enum: [packed, sent] } } }
`
const WEBHOOKS = `
scheme: stripe
envelope: { id: { $id: { prefix: evt_ } }, type: { $event: type }, version: { $entry: apiVersion }, sealed: { $time: { of: seal } }, data: { object: { $record: . } } }
events:
  - { on: parcels.created, type: parcel.announced }
  - { on: parcels.*, changes: [state], type: parcel.moved }
  - { on: parcels.*, changes: [seal], type: parcel.sealed }
  - { on: parcels.created, becomes: { state: sent }, types: [parcel.sent, parcel.left] }
`

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-spoken-'))
  await writeFile(join(folder, 'entry.yaml'), "slug: parcels\napiVersion: '2026-01-01'\n")
  await writeFile(join(folder, 'openapi.yaml'), OPENAPI)
  await writeFile(join(folder, 'webhooks.yaml'), WEBHOOKS)
  await writeFile(join(folder, 'behaviour.yaml'), '[{ everySeconds: 3600, steps: [] }]')
})
afterEach(() => rm(folder, { recursive: true }))

it("tells an entry's events in its provider's words, and signs them so that its SDK accepts them", async () => {
  const { simulate } = await startForTest({ library: [folder], workerSinks: true })
  await using parcels = await simulate('parcels', {
    volume: { parcels: 0 },
  })

  await parcels.fetch('/parcels', { method: 'POST', body: '{"state":"sent"}' })
  await parcels.expectWebhook('parcel.left')

  const received = parcels.webhooks.all()
  expect(received.map(({ type }) => type)).toEqual(['parcel.announced', 'parcel.moved', 'parcel.sent', 'parcel.left'])
  for (const { rawBody, headers } of received) {
    const signature = String(headers['stripe-signature'])
    const event = Stripe.webhooks.constructEvent(Buffer.from(rawBody), signature, parcels.webhooks.secret)
    expect(event).toMatchObject({ version: '2026-01-01', data: { object: { state: 'sent' } } })
    expect(event).not.toHaveProperty('sealed')
  }
})

it('refuses two entries of one slug', async () => {
  await expect(startForTest({ library: [folder, folder] })).rejects.toThrow(/both have the slug "parcels"/)
})
