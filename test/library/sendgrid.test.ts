import { join } from 'node:path'
import { EventWebhook } from '@sendgrid/eventwebhook'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'
import { type SeenRequest, startAnswering } from '../support/answering.ts'

const FOLDER = join(import.meta.dirname, '../../library/sendgrid')
const MAIL = { to: 'ada@shop.example', from: 'shop@shop.example', subject: 'Hello', text: 'Hi' }
const HOOKS = '/v3/user/webhooks/event/settings'

/** What `client.mjs` gives, as the tests call it. */
interface Clients {
  readonly mail: { send(mail: object): Promise<[{ statusCode: number; headers: Record<string, string> }, unknown]> }
  readonly client: {
    request(request: object): Promise<[{ statusCode: number }, Record<string, string>]>
  }
}

async function open(options: Parameters<typeof startForTest>[0] = {}) {
  const { simulate } = await startForTest({ workerSinks: true, ...options })
  const simulation = await simulate('sendgrid')
  const { default: connect } = await import(join(FOLDER, 'client.mjs'))
  const clientOf = (key: string): Clients => connect({ url: simulation.url, key })
  return { simulation, clientOf, ...clientOf(simulation.key) }
}

/** Whether SendGrid's verifier accepts a delivery, with more at the end of its body where given. */
function accepts(publicKey: string, { body, headers }: SeenRequest, more = ''): boolean {
  const verifier = new EventWebhook()
  return verifier.verifySignature(
    verifier.convertPublicKeyToECDSA(publicKey),
    Buffer.from(body + more),
    String(headers['x-twilio-email-event-webhook-signature']),
    String(headers['x-twilio-email-event-webhook-timestamp']),
  )
}

it('delivers the events that a registered webhook asks for, signed with the key that it shows', async () => {
  const { simulation, client, mail } = await open({ allowPrivateWebhooks: ['127.0.0.1'] })
  await using app = await startAnswering((_request, _at, response) => void response.end())
  const url = `${app.url}/events`
  const hook = { url, enabled: true, delivered: true }
  const [, { id }] = await client.request({ method: 'POST', url: HOOKS, body: hook })
  const [, { public_key = '' }] = await client.request({
    method: 'PATCH',
    url: `${HOOKS}/signed/${id}`,
    body: { enabled: true },
  })

  const [{ headers }] = await mail.send({ ...MAIL, customArgs: { order: '7' }, categories: ['welcome'] })
  await simulation.fastForward({ minutes: 15 })
  await simulation.webhooks.settled()

  const events = app.seen.flatMap(({ body }) => JSON.parse(body))
  expect(events).toMatchObject([{ event: 'delivered', email: MAIL.to, order: '7', category: ['welcome'] }])
  expect(events[0].sg_message_id).toContain(headers['x-message-id'])
  expect(app.seen.every((delivery) => accepts(public_key, delivery))).toBe(true)
})

it('takes the API keys that it made', async () => {
  const { client, clientOf } = await open()
  const [, { api_key = '' }] = await client.request({ method: 'POST', url: '/v3/api_keys', body: { name: 'CI' } })

  const [{ statusCode }] = await clientOf(api_key.slice('SG.'.length)).mail.send(MAIL)

  expect([statusCode, api_key]).toEqual([202, expect.stringMatching(/^SG\.\w{22}\.\w{43}$/)])
  await expect(clientOf('wrong').mail.send(MAIL)).rejects.toMatchObject({ code: 401 })
})

it('sends at the time that was asked for, and not what was canceled', async () => {
  const { simulation, client, mail } = await open()
  const sendAt = Math.floor(Date.now() / 1000) + 3_600
  const [, { batch_id: batchId }] = await client.request({ method: 'POST', url: '/v3/mail/batch' })
  await mail.send({ ...MAIL, sendAt })
  await mail.send({ ...MAIL, sendAt, batchId, to: 'bob@shop.example' })
  const status = async () => (await simulation.records('messages')).map(({ status }) => status)
  await simulation.fastForward({ minutes: 30 })
  const before = await status()
  await client.request({
    method: 'POST',
    url: '/v3/user/scheduled_sends',
    body: { batch_id: batchId, status: 'cancel' },
  })

  await simulation.fastForward({ hours: 1 })

  expect([before, await status()]).toEqual([
    ['queued', 'queued'],
    ['delivered', 'canceled'],
  ])
})
