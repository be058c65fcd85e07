import { Client } from '@hubspot/api-client'
import { Signature } from '@hubspot/api-client/lib/src/utils/signature.js'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { type SeenRequest, startAnswering } from '../support/answering.ts'

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('hubspot')
  const { url, key } = simulation
  return { simulation, client: new Client({ basePath: url, accessToken: key, developerApiKey: key }) }
}

/** Whether HubSpot's verifier accepts a delivery. */
function accepts(clientSecret: string, url: string, { body, headers }: SeenRequest): boolean {
  return Signature.isValid({
    signatureVersion: 'v3',
    signature: String(headers['x-hubspot-signature-v3']),
    timestamp: Number(headers['x-hubspot-request-timestamp']),
    clientSecret,
    requestBody: body,
    url,
  })
}

it('tells a change once, to a subscription of the property that changed', async () => {
  const { simulation, client } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using app = await startAnswering((_request, _at, response) => void response.end())
  const targetUrl = `${app.url}/hubspot`
  const { settingsApi, subscriptionsApi } = client.webhooks
  await settingsApi.configure(7, { targetUrl, throttling: { maxConcurrentRequests: 5 } })
  await subscriptionsApi.create(7, { eventType: 'contact.propertyChange', propertyName: 'city', active: true } as never)

  const { id } = await client.crm.contacts.basicApi.create({ properties: { email: 'ada@shop.example' } })
  await client.crm.contacts.basicApi.update(id, { properties: { city: 'Rome', phone: '1' } })
  await simulation.webhooks.settled()

  expect(app.seen.map(({ body }) => JSON.parse(body))).toMatchObject([
    [{ subscriptionType: 'contact.propertyChange', objectId: Number(id), propertyName: 'city', propertyValue: 'Rome' }],
  ])
  expect(app.seen.map((delivery) => accepts(simulation.key, targetUrl, delivery))).toEqual([true])
})

it('refuses an access token that has expired by its own category', async () => {
  const { simulation, client } = await open()
  const { accessToken } = await client.oauth.tokensApi.create(
    'authorization_code',
    'code',
    'https://shop.example',
    'id',
    'secret',
  )
  const basePath = simulation.url

  await simulation.fastForward({ minutes: 31 })
  const refused = new Client({ basePath, accessToken }).crm.contacts.basicApi.getPage(1)

  await expect(refused).rejects.toMatchObject({
    code: 401,
    body: { category: 'EXPIRED_AUTHENTICATION', message: expect.stringMatching(/expired \d+ second\(s\) ago\.$/) },
  })
})

it('names an association in events and in v3 as HubSpot does', async () => {
  const { simulation, client } = await open()
  const { contacts, companies, objects } = client.crm
  const { id } = await contacts.basicApi.create({ properties: { email: 'ada@shop.example' } })
  const shop = await companies.basicApi.create({ properties: { name: 'Shop' } })
  const meeting = await objects.meetings.basicApi.create({ properties: { hs_timestamp: '2036-01-01T09:00:00Z' } })

  await client.crm.associations.v4.basicApi.createDefault('contacts', id, 'companies', shop.id)
  await client.crm.associations.v4.basicApi.createDefault('contacts', id, 'meetings', meeting.id)

  const primary = { associationType: 'COMPANY_TO_CONTACT', isPrimaryAssociation: true, associationRemoved: false }
  await simulation.expectWebhook('company.associationChange', { data: { object: primary } })
  // https://github.com/HubSpot/hubspot-api-php/issues/157
  const { associations } = await contacts.basicApi.getById(id, [], [], ['meetings'])
  expect(associations?.meetings?.results).toMatchObject([{ id: meeting.id, type: 'contact_to_meeting_event' }])
})
