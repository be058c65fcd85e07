import type { ReceivedWebhook } from '../../src/sink/received-webhook.ts'

let count = 0

/** A received webhook, as the sink would have made it. */
export function makeReceived(change: Partial<ReceivedWebhook> = {}): ReceivedWebhook {
  const id = `5b1f0f0e-6a86-4b63-9a8e-${String(++count).padStart(12, '0')}`
  return {
    type: 'task.created',
    id,
    created: '2026-11-21T05:00:00.000Z',
    data: { collection: 'tasks', id: `t_${count}`, object: { title: 'One' } },
    deliveryId: id,
    webhookId: 'webhook-1',
    attempt: 1,
    attempts: 1,
    duplicates: 0,
    answered: 200,
    headers: {},
    rawBody: new Uint8Array(),
    signature: { t: 1, v1: '', skewSeconds: 0 },
    receivedAt: 0,
    source: 'webhook',
    verified: true,
    ...change,
  }
}
