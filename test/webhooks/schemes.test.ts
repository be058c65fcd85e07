import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import { createSimulation, defineScheme } from '../../src/index.ts'
import { getPreset, PRESET_NAMES } from '../../src/protocol/webhook-scheme/presets.ts'
import type { NewWebhookScheme } from '../../src/protocol/webhook-scheme/scheme.ts'
import { webhookFormat } from '../../src/protocol/webhook-scheme/webhook-format.ts'
import { startService } from '../../src/service.ts'
import { type SchemeInput, signWebhook, verifyWebhook } from '../../src/sink/verify.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { openApp } from '../support/open-app.ts'
import { makeEvent, openWebhooks } from './open-webhooks.ts'

const OWN: NewWebhookScheme = {
  algorithm: 'hmac-sha512',
  content: '{t}~{id}~{body}',
  encoding: 'base64url',
  secret: { prefix: 'acme_', bytes: 16, shown: 'alphanumeric' },
  headers: { 'X-Acme-Time': '{t}', 'X-Acme-Id': '{id}', 'X-Acme-Signature': 'acme={signature}' },
  toleranceSeconds: 30,
}

/** A service that registers webhooks over HTTP, and a sink that it may reach only by an option: it is no sink of the run. */
async function openService() {
  const service = await startService({ allowPrivateWebhooks: ['127.0.0.1/32'] })
  const headers = { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' }
  const call = async (path: string, body?: object) => {
    const init = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
    const answer = await fetch(`${service.url}/v1${path}`, init)
    return { status: answer.status, body: await answer.json() }
  }
  const { body } = await call('/simulations', { library: 'payments' })
  return { call, id: body.id as string, [Symbol.asyncDispose]: () => service.close() }
}

it('registers a webhook in a scheme by its name, and answers a secret of the provider’s form', async () => {
  await using service = await openService()
  const register = (scheme?: unknown) =>
    service.call(`/simulations/${service.id}/webhooks`, {
      url: 'https://127.0.0.1:9/hook',
      events: ['*'],
      ...(scheme !== undefined && { scheme }),
    })

  const [none, svc, stripe, standard, discord] = [
    await register(),
    await register('svc'),
    await register('stripe'),
    await register('standard-webhooks'),
    await register('discord'),
  ]

  expect(none.body.secret).toMatch(/^whsec_[0-9a-f]{64}$/)
  expect(Object.keys(svc.body)).toEqual(['id', 'url', 'events', 'secret', 'note'])
  expect(stripe.body).toMatchObject({ scheme: 'stripe', secret: expect.stringMatching(/^whsec_[0-9A-Za-z]{32}$/) })
  expect(standard.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  expect(discord.body.publicKey).toMatch(/^[0-9a-f]{64}$/)
  const detail = await service.call(`/simulations/${service.id}`)
  expect(detail.body.webhooks.map(({ scheme }: { scheme?: string }) => scheme)).toEqual([
    undefined,
    undefined,
    'stripe',
    'standard-webhooks',
    'discord',
  ])
  expect((await service.call('/meta')).body.extensions).toContain('webhook-schemes')
})

it.each([
  ['strpe', /^Expected `scheme` to be one of entry, svc, .*, got "strpe"\. Did you mean "stripe"\?$/],
  ['entry', /has no library entry with a webhooks\.yaml/],
  [{ ...OWN, algorithm: 'md5' }, /^Expected `scheme\.algorithm` to be one of .*hmac-sha256/],
  [{ ...OWN, content: '{t}.{boddy}' }, /^Expected `scheme\.content` to be a template of \{t\} .* without \{boddy\}/],
  [
    { ...OWN, headers: { 'X-Acme-Time': '{t}', 'X-Acme-Id': '{id}' } },
    /^Expected `scheme\.headers` to be headers, one of them/,
  ],
  [
    { ...OWN, headers: { 'X-Sig': '{signature}' } },
    /`scheme\.content` to be made of what the receiver has: no header carries/,
  ],
  [{ ...OWN, publicKey: 'jwk' }, /^Expected `scheme\.publicKey` to be left out: hmac-sha512 has no key pair/],
  [{ ...OWN, colour: 1 }, /^Expected `scheme` to have no field "colour"/],
  [{ ...OWN, toleranceSeconds: 0 }, /^Expected `scheme\.toleranceSeconds` to be/],
])('refuses the scheme %j over HTTP', async (scheme, message) => {
  await using service = await openService()

  const { status, body } = await service.call(`/simulations/${service.id}/webhooks`, {
    url: 'https://127.0.0.1:9/hook',
    events: ['*'],
    scheme,
  })

  expect(status).toBe(400)
  expect(body.error.message).toMatch(message)
})

it('sends in any scheme from any description: fixture, handler, replay', async () => {
  await using app = await openApp()
  await using simulation = await createSimulation('payments', { webhooks: { scheme: 'stripe' } })
  const { webhooks } = simulation
  const [customer] = await simulation.records<{ id: string }>('customers')

  await simulation.fetch(`/customers/${customer?.id}`, {
    method: 'PATCH',
    body: JSON.stringify({ name: 'Ada' }),
    headers: { 'content-type': 'application/json' },
  })
  const received = await simulation.expectWebhook('customer.updated', { data: { object: { name: 'Ada' } } })
  for (const as of ['identical', 'resigned', 'stale', 'tampered'] as const)
    await webhooks.replay(received, { to: app.url, as })

  const verdicts = app.requests.map(({ headers, body }) => {
    try {
      return Stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), webhooks.secret).type
    } catch {
      return 'refused'
    }
  })
  expect(verdicts).toEqual(['customer.updated', 'customer.updated', 'refused', 'refused'])
  expect(JSON.parse(Buffer.from(received.rawBody).toString())).toMatchObject({
    object: 'event',
    type: 'customer.updated',
    data: { object: { name: 'Ada' }, previous_attributes: { name: expect.any(String) } },
  })
})

it('spoils, answers badly and tries again in a scheme as in our own', async () => {
  await using simulation = await createSimulation('payments', { webhooks: { scheme: 'standard-webhooks' } })
  const { webhooks } = simulation
  const [first, second] = await simulation.records<{ id: string }>('customers')
  await webhooks.fault({ kind: 'badSignature', times: 1 })
  await simulation.fetch(`/customers/${first?.id}`, { method: 'DELETE' })
  await webhooks.settled()

  await webhooks.advance('5s')
  webhooks.respond({ status: 500, times: 1 })
  await simulation.fetch(`/customers/${second?.id}`, { method: 'DELETE' })
  await webhooks.settled()
  await webhooks.advance('5s')

  expect(webhooks.rejected()).toMatchObject([{ reason: 'signature_mismatch', status: 401 }])
  expect(webhooks.all().map(({ attempt, answered }) => [attempt, answered])).toEqual([
    [1, 200],
    [2, 200],
  ])
})

it('sends forms, and batches of what waits together', async () => {
  await using sink = await startSink()
  await using open = openWebhooks({ allow: [{ port: sink.port, ca: (await sink.ca()) ?? '' }] })
  const paths = { twilio: sink.open(), hubspot: sink.open() }
  for (const scheme of ['twilio', 'hubspot'] as const) {
    const { id, secret } = await open.webhooks.register({ url: paths[scheme].url, events: ['*'], scheme })
    paths[scheme].trust({ webhookId: id, secret, scheme })
  }

  for (const index of [1, 2, 3]) open.webhooks.enqueue(makeEvent(index))
  await open.webhooks.settled(120_000)

  expect(paths.twilio.inbox.all()).toMatchObject(
    [1, 2, 3].map((index) => ({ data: { object: { title: `Task ${index}` } } })),
  )
  expect(paths.hubspot.inbox.all()).toMatchObject(
    [1, 2, 3].map((index) => ({ data: { id: `t_${index}`, object: { title: `Task ${index}` } } })),
  )
  expect(new Set(paths.hubspot.inbox.all().map(({ deliveryId }) => deliveryId)).size).toBe(1)
})

it('sends only the provider’s headers to receivers other than the run’s sinks, which read the events anyway', async () => {
  await using sink = await startSink({ tls: 'terminated-upstream' })
  const path = sink.open()
  await using service = await openService()
  const { body } = await service.call(`/simulations/${service.id}/webhooks`, {
    url: path.url,
    events: ['*'],
    scheme: 'github',
  })
  path.trust({ webhookId: body.id, secret: body.secret, scheme: 'github' })

  await service.call(`/simulations/${service.id}/trigger`, { type: 'customer.created' })
  await service.call(`/simulations/${service.id}/deliveries/settled`)

  const [webhook] = path.inbox.all()
  expect(webhook).toMatchObject({ type: 'customer.created', data: { collection: 'customer' } })
  expect(Object.keys(webhook?.headers ?? {}).filter((name) => /^(backlot|svc)-/.test(name))).toEqual([])
})

it('verifies what a scheme of one’s own signs, and what an independent HMAC signs by it', async () => {
  const own = await defineScheme(OWN)
  const secret = 'acme_0123456789abcdef'
  const rawBody = '{"a":1}'
  const t = Math.floor(Date.now() / 1_000)
  const signed = signWebhook({ scheme: own, rawBody, secret, id: 'evt-1' })
  const signature = createHmac('sha512', secret).update(`${t}~evt-1~${rawBody}`).digest('base64url')
  const headers = new Headers({
    'X-Acme-Time': String(t),
    'X-Acme-Id': 'evt-1',
    'X-Acme-Signature': `acme=${signature}`,
  })

  expect(verifyWebhook({ scheme: own, headers: signed.headers, rawBody, secret })).toMatchObject({ secretIndex: 0 })
  expect(verifyWebhook({ scheme: own, headers, rawBody, secret: ['other', secret] })).toMatchObject({ secretIndex: 1 })
  expect(() => verifyWebhook({ scheme: own, headers, rawBody: '{"a":2}', secret })).toThrow(
    /no signature in `X-Acme-Signature`/,
  )
  expect(() => verifyWebhook({ scheme: 'stripe', header: undefined, rawBody, secret })).toThrow(
    /no `Stripe-Signature` header/,
  )
  expect(() =>
    verifyWebhook({
      scheme: 'square',
      headers: { 'x-square-hmacsha256-signature': `${'a'.repeat(43)}=` },
      rawBody,
      secret,
    }),
  ).toThrow(/`url` to be the address/)
})

it('refuses a scheme of one’s own that is wrong, and one that was not checked', async () => {
  const unchecked = { scheme: OWN, headers: {}, rawBody: '{}', secret: 'acme_1' } as unknown as SchemeInput

  await expect(defineScheme({ ...OWN, batch: 0 })).rejects.toThrow(
    'Expected `scheme.batch` to be from 1 to 1,000, got 0.',
  )
  await expect(createSimulation('payments', { webhooks: { scheme: { ...OWN, batch: 0 } } })).rejects.toThrow(
    'Expected `scheme.batch` to be from 1 to 1,000, got 0.',
  )
  expect(() => verifyWebhook(unchecked)).toThrow('a scheme that `await defineScheme({ ... })` has checked')
})

it.each(PRESET_NAMES)('completes the preset %s as the schema of formats would', (name) => {
  const preset = getPreset(name)

  expect(webhookFormat.parse(preset)).toEqual(preset)
})
