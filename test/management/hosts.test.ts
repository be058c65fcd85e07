import { expect, it } from 'vitest'
import { ManagementClient } from '../../src/client/management-client.ts'
import { startService } from '../../src/service.ts'

const paths = { '/pets': { get: { responses: { 200: { description: 'ok' } } } } }
const server = {
  url: 'https://{region}.pets.test/{version}',
  variables: { region: { default: 'eu' }, version: { default: 'v1' } },
}
const spec = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [server, { url: 'http://localhost:3000' }, { url: '/v1' }, { url: 'https://files.pets.test' }],
  paths,
})

it.each([
  ['the servers of a description', { spec }, { 'eu.pets.test': '', 'files.pets.test': '' }],
  ['the entry before them', { spec, entry: { hosts: { 'api.pets.test': '/v1' } } }, { 'api.pets.test': '/v1' }],
  ['a built-in entry', { library: 'sendgrid' }, { 'api.sendgrid.com': '', 'api.eu.sendgrid.com': '' }],
])('reads host names from %s', async (_, source, hosts) => {
  await using service = await startService()
  const client = new ManagementClient({ baseUrl: service.url, accountKey: service.accountKey })

  const { id } = await client.createSimulation(source)

  expect((await client.getSimulation(id)).hosts).toEqual(hosts)
  await client.close()
})

it('refuses a host that is an address', async () => {
  await using service = await startService()
  const client = new ManagementClient({ baseUrl: service.url, accountKey: service.accountKey })

  const creation = client.createSimulation({ spec, entry: { hosts: ['https://api.pets.test/v1'] } })

  await expect(creation).rejects.toThrow(/hosts/)
  await client.close()
})
