import { type ChildProcess, fork } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { buildConnector, Client } from 'undici'
import { loadEntry } from '../../src/library/built-in-entries.ts'
import type { WebhookEvent } from '../../src/protocol/event.ts'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { toEntryParts } from '../../src/service/management/entry-parts.ts'
import type { ApiWebhooks } from '../../src/service/webhooks/event-forms.ts'
import { ReachableAddresses } from '../../src/service/webhooks/reachable-addresses.ts'
import { WebhookSettings } from '../../src/service/webhooks/webhook-settings.ts'
import { Webhooks } from '../../src/service/webhooks/webhooks.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { toAnnounced } from '../../test/webhooks/announced-event.ts'
import { atLeastOfFloor, atMost, type BenchRow, median } from '../bench-row.ts'

const ROUNDS = 7
const DELIVERIES = 3_000
const CHANGES = 2_000
const SECRET = `whsec_${'5a'.repeat(32)}`

interface Endpoint {
  port: number
  ca: string
}

/**
 * Deliveries on one lane beside a bare undici POST with an HMAC over the same kind of connection to the same endpoint in
 * another process; deliveries as Stripe signs and shapes them beside our own; and the time from a change until it is in a sink's inbox.
 */
export async function run(): Promise<BenchRow[]> {
  const child = fork(new URL('../webhooks/endpoint.ts', import.meta.url))
  try {
    const [endpoint] = (await once(child, 'message')) as [Endpoint]
    return [...(await measureDeliveries(endpoint)), await measureArrival()]
  } finally {
    await stop(child)
  }
}

async function measureDeliveries(endpoint: Endpoint): Promise<BenchRow[]> {
  const stripe = await loadEntry('stripe')
  const entry = stripe && (await toEntryParts(stripe)).apiWebhooks
  const [ours, bare, asStripe]: [number[], number[], number[]] = [[], [], []]
  for (let round = -1; round < ROUNDS; round++) {
    const [floor, own, told] = [
      await sendBare(endpoint, DELIVERIES),
      await sendOurs(endpoint, DELIVERIES),
      await sendOurs(endpoint, DELIVERIES, entry),
    ]
    // The first round warms up.
    if (round < 0) continue
    bare.push(floor)
    ours.push(own)
    asStripe.push(told)
  }
  const unit = '/s'
  return [
    atLeastOfFloor({ name: 'webhook deliveries', value: median(ours), unit, floor: median(bare), least: 0.7 }),
    atLeastOfFloor({ name: 'deliveries as Stripe', value: median(asStripe), unit, floor: median(ours), least: 0.9 }),
  ]
}

/** The complete sender on one lane, in the scheme of `entry` where given. Returns deliveries per second. */
async function sendOurs({ port, ca }: Endpoint, count: number, entry?: ApiWebhooks): Promise<number> {
  const { webhooks, id } = openWebhooks(`https://127.0.0.1:${port}/hooks`, { port, ca }, entry)
  webhooks.enqueue(toAnnounced(makeEvent(count)))
  await webhooks.settled(60_000)
  const startedAt = performance.now()
  for (let index = 0; index < count; index++) webhooks.enqueue(toAnnounced(makeEvent(index)))
  if (!(await webhooks.settled(60_000))) throw new Error('Failed to measure deliveries: they did not settle.')
  const seconds = (performance.now() - startedAt) / 1_000
  const sent = webhooks.deliveries(id)
  if (sent.length === 0 || sent.some(({ state }) => state !== 'delivered')) throw new Error('A delivery failed.')
  await webhooks.dispatcher.close()
  return count / seconds
}

/** The floor: one undici client, one body, an HMAC and a POST at a time. */
async function sendBare({ port, ca }: Endpoint, count: number): Promise<number> {
  const connect = buildConnector({ ca, allowH2: false, maxCachedSessions: 0 })
  const client = new Client(`https://127.0.0.1:${port}`, { connect, pipelining: 1, allowH2: false })
  const body = Buffer.from(JSON.stringify(makeEvent(1)))
  const post = async () => {
    const t = Math.floor(Date.now() / 1_000)
    const v1 = createHmac('sha256', SECRET).update(`${t}.`).update(body).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1.0',
      'svc-event': 'product.created',
      'svc-delivery': '40a0a23b-7b00-851d-b50e-f36778d616d8',
      'svc-signature': `t=${t},v1=${v1}`,
    }
    const answer = await client.request({ path: '/hooks', method: 'POST', headers, body })
    await answer.body.dump()
  }
  await post()
  const startedAt = performance.now()
  for (let index = 0; index < count; index++) await post()
  const seconds = (performance.now() - startedAt) / 1_000
  await client.close()
  return count / seconds
}

async function measureArrival(): Promise<BenchRow> {
  await using sink = await startSink()
  const path = sink.open()
  const { webhooks, id, secret } = openWebhooks(path.url, { port: sink.port, ca: (await sink.ca()) ?? '' })
  path.trust({ webhookId: id, secret })
  const waits: number[] = []
  for (let index = 0; index < CHANGES; index++) {
    const startedAt = performance.now()
    webhooks.enqueue(toAnnounced(makeEvent(index)))
    await path.inbox.waitFor({ matches: () => true }, { timeoutMs: 5_000 })
    waits.push(performance.now() - startedAt)
    await webhooks.settled(5_000)
  }
  await webhooks.dispatcher.close()
  return atMost({ name: 'change to inbox p50', value: median(waits.slice(CHANGES / 10)), unit: 'ms', most: 2 })
}

function openWebhooks(url: string, { port, ca }: Endpoint, entry?: ApiWebhooks) {
  const reachable = new ReachableAddresses()
  reachable.add({ ip: '127.0.0.1', port, ca })
  const webhooks = new Webhooks({ runtime: systemRuntime, reachable, entry })
  const settings = new WebhookSettings()
  const webhook = { id: systemRuntime.uuid(), url, events: ['*'], secret: SECRET, ...(entry && { scheme: 'entry' }) }
  settings.add(webhook)
  webhooks.update(settings)
  return { webhooks, ...webhook }
}

/** A product of Stripe, about 700 bytes as JSON. */
function makeEvent(index: number): WebhookEvent {
  const id = `5b1f0f0e-6a86-4b63-9a8e-${String(index).padStart(12, '0')}`
  const object = { id: `prod_${index}`, name: 'Gold', object: 'product', description: 'x'.repeat(480) }
  return {
    id,
    type: 'product.created',
    created: '2026-11-21T05:00:00.000Z',
    data: { collection: 'products', id: `prod_${index}`, object },
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.disconnect()
  await exited
}
