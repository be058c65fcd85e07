import { createServer } from 'node:http'
import { Client } from '@hubspot/api-client'
import { Signature } from '@hubspot/api-client/lib/src/utils/signature.js'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { startForTest } from '../management/start-for-test.ts'

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { service } = await startForTest({ workerSinks: true, ...options })
  const { url: baseUrl, accountKey } = service
  const simulation = await createSimulation('hubspot', { service: { baseUrl, accountKey } })
  const { url, key } = simulation
  return { simulation, client: new Client({ basePath: url, accessToken: key, developerApiKey: key }) }
}

interface Told {
  readonly rawBody: Uint8Array
  readonly headers: Readonly<Record<string, unknown>>
}

/** Whether HubSpot's verifier accepts a delivery. */
function accepts(clientSecret: string, url: string, { rawBody, headers }: Told): boolean {
  return Signature.isValid({
    signatureVersion: 'v3',
    signature: String(headers['x-hubspot-signature-v3']),
    timestamp: Number(headers['x-hubspot-request-timestamp']),
    clientSecret,
    requestBody: Buffer.from(rawBody).toString(),
    url,
  })
}

it('tells a change once, to a subscription of the property that changed', async () => {
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  const received: Told[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.end()
    received.push({ rawBody: Buffer.concat(chunks), headers: request.headers })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const targetUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hubspot`
  const { settingsApi, subscriptionsApi } = client.webhooks
  await settingsApi.configure(7, { targetUrl, throttling: { maxConcurrentRequests: 5 } })
  await subscriptionsApi.create(7, { eventType: 'contact.propertyChange', propertyName: 'city', active: true } as never)

  const { id } = await client.crm.contacts.basicApi.create({ properties: { email: 'ada@shop.example' } })
  await client.crm.contacts.basicApi.update(id, { properties: { city: 'Rome', phone: '1' } })
  await simulation.webhooks.settled()
  server.close()

  expect(received.map(({ rawBody }) => JSON.parse(Buffer.from(rawBody).toString()))).toMatchObject([
    [{ subscriptionType: 'contact.propertyChange', objectId: Number(id), propertyName: 'city', propertyValue: 'Rome' }],
  ])
  expect(received.map((delivery) => accepts(simulation.key, targetUrl, delivery))).toEqual([true])
})
