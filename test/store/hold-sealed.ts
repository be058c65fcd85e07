import { expect } from 'vitest'
import { ManagementClient } from '../../src/client/management-client.ts'
import { type Service, startService } from '../../src/service/start.ts'
import { ACCOUNT_KEY, manage } from './manage.ts'

const KEY = 'svc_sim_0123456789abcdef'
export const OLD = 'the old secret of this store: long'
export const NEW = 'the new secret of this store: long'

export const startSealed = (store: string, storeSecrets?: string[]) =>
  startService({
    store,
    storeSecrets,
    addresses: 'path',
    accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
    allowPrivateWebhooks: ['127.0.0.1'],
    simulations: [{ library: 'task-tracker', key: KEY }],
  })

const SNAPSHOTS = '/simulations/task-tracker/snapshots'

const snapshotsOf = async (service: Service) => (await manage(service, 'GET', SNAPSHOTS)).body.data

/**
 * A store keeps nothing of a simulation that whoever reads its tables sees, goes on from before it was sealed, and takes another secret. @param read everything that is in its tables
 */
export async function holdSealed(store: string, read: () => Promise<string>): Promise<void> {
  await (await startSealed(store)).close()
  const first = await startSealed(store, [OLD])
  const client = new ManagementClient({ baseUrl: first.url, accountKey: ACCOUNT_KEY })
  const hook = await client.registerWebhook('task-tracker', { url: 'http://127.0.0.1:1/', events: ['*'] })
  const created = await fetch(`${first.url}/s/task-tracker/v1/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Known to nobody', key: 'KNOWN' }),
  })
  expect(created.status).toBe(201)
  const taken = await manage(first, 'POST', `${SNAPSHOTS}?name=Named%20for%20few`)
  const snapshot = taken.body.id
  await client.readLogs('task-tracker')
  await first.close()
  const secrets = [hook.secret as string, 'Known to nobody', 'Named for few']
  const text = await read()
  for (const secret of secrets) expect(text).not.toContain(secret)

  const second = await startSealed(store, [NEW, OLD])
  const again = new ManagementClient({ baseUrl: second.url, accountKey: ACCOUNT_KEY })
  const parameters = { id: 'task-tracker' }
  expect((await again.call('listWebhooks', { parameters })).data).toMatchObject([{ id: hook.id }])
  expect(await again.readLogs('task-tracker')).toMatchObject([{ method: 'POST', status: 201 }])
  const deliveries = await again.call('listDeliveries', { parameters: { ...parameters, webhookId: hook.id } })
  expect(deliveries.data).toMatchObject([{ event: { type: 'project.created' } }])
  await again.call('restoreSnapshot', { parameters: { ...parameters, snapshotId: snapshot } })
  expect(await snapshotsOf(second)).toMatchObject([{ name: 'Named for few' }])
  await second.close()
}
