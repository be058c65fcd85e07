import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { PRESET_NAMES, type PresetName } from '../../src/protocol/webhook-scheme/presets.ts'
import { signWebhook, verifyWebhook } from '../../src/sink/verify.ts'
import { startSink } from '../../src/sink/webhook-sink.ts'
import { makeEvent, openWebhooks } from './open-webhooks.ts'
import { type ReceivedDelivery, VERIFIERS } from './provider-verifiers.ts'

const NAMES = PRESET_NAMES.filter((name): name is Exclude<PresetName, 'svc'> => name !== 'svc')
/** Schemes that refuse what is too old, by the provider's own verifier. */
const OLD_REFUSED = NAMES.filter((name) =>
  [
    'standard-webhooks',
    'svix',
    'resend',
    'clerk',
    'openai',
    'polar',
    'stripe',
    'slack',
    'workos',
    'hubspot',
    'paddle',
    'plaid',
    'linear',
    'telnyx',
  ].includes(name),
)
const event = makeEvent(1, {
  type: 'customer.created',
  data: { collection: 'customers', id: 'cus_1', object: { id: 'cus_1', email: 'a@b.example', note: 'é✓😀' } },
})

/** A delivery, and when it came: some schemes refuse it seconds later. */
type Delivered = ReceivedDelivery & { at: number }

const deliveries = new Map<string, Delivered & { received: object }>()

/** One delivery of each scheme, over TLS, to a sink that verifies. */
beforeAll(async () => {
  await using sink = await startSink()
  await using open = openWebhooks({ allow: [{ port: sink.port, ca: (await sink.ca()) ?? '' }] })
  const paths = new Map<PresetName, ReturnType<typeof sink.open>>()
  const secrets = new Map<PresetName, { secret: string; publicKey?: string }>()
  for (const scheme of NAMES) {
    const path = sink.open()
    const { id, secret, publicKey } = await open.webhooks.register({ url: path.url, events: ['*'], scheme })
    path.trust({ webhookId: id, secret, scheme, ...(publicKey !== undefined && { publicKey }) })
    paths.set(scheme, path)
    secrets.set(scheme, { secret, ...(publicKey !== undefined && { publicKey }) })
  }

  open.webhooks.enqueue(event)
  await open.webhooks.settled(120_000)
  // A busy machine may be too slow for Discord's 5 s: the next attempts follow.
  const isMissing = () => [...paths.values()].some(({ inbox }) => inbox.all().length + inbox.rejected().length === 0)
  for (let attempts = 2; attempts < 20 && isMissing(); attempts++) await open.webhooks.advance({ seconds: 60 })

  for (const [scheme, path] of paths) {
    const [received] = path.inbox.all()
    const [refused] = path.inbox.rejected()
    if (received === undefined) throw new Error(`${scheme}: ${refused?.detail ?? 'nothing came'}`)
    const { secret = '', publicKey = '' } = secrets.get(scheme) ?? {}
    const { headers, rawBody } = received
    const digest = scheme === 'twilio-json' ? `?bodySHA256=${await sha256(rawBody)}` : ''
    deliveries.set(scheme, {
      headers,
      rawBody,
      url: path.url + digest,
      secret,
      publicKey,
      at: received.receivedAt,
      received,
    })
  }
})

afterEach(() => void vi.useRealTimers())

it.each(NAMES)('sends what the own verifier of %s accepts, and refuses once it is altered', async (scheme) => {
  const delivery = deliveryOf(scheme)
  const altered = { ...delivery, rawBody: alter(delivery.rawBody) }

  expect(await accepts(scheme, delivery)).toBe(true)
  expect(await accepts(scheme, altered)).toBe(false)
  expect(verdict(scheme, delivery)).toBe('verified')
  expect(verdict(scheme, altered)).toBe('signature_mismatch')
})

it.each(NAMES)('tells a sink of the run what a delivery of %s is about', (scheme) => {
  const { received } = deliveries.get(scheme) as { received: object }

  expect(received).toMatchObject({
    type: 'customer.created',
    id: event.id,
    created: event.created,
    data: { collection: 'customers', id: 'cus_1', object: { id: 'cus_1', email: 'a@b.example' } },
    verified: true,
  })
})

it.each(OLD_REFUSED)('refuses with the own verifier of %s what is too old', async (scheme) => {
  const { rawBody, url, secret, publicKey } = deliveryOf(scheme)
  const sign = (t: number) => ({ ...signWebhook({ scheme, rawBody, url, secret, t }), secret, publicKey, at })
  const at = Date.now()
  const now = Math.floor(at / 1_000)

  expect(await accepts(scheme, sign(now))).toBe(true)
  expect(await accepts(scheme, sign(now - 301))).toBe(false)
  expect(verdict(scheme, sign(now))).toBe('verified')
  expect(verdict(scheme, sign(now - 301))).toBe('timestamp_out_of_tolerance')
})

function deliveryOf(scheme: PresetName): Delivered {
  const delivery = deliveries.get(scheme)
  if (delivery === undefined) throw new Error(`Nothing was delivered in the scheme ${scheme}.`)
  return delivery
}

async function accepts(scheme: (typeof NAMES)[number], delivery: Delivered): Promise<boolean> {
  vi.useFakeTimers({ toFake: ['Date'], now: delivery.at })
  try {
    const verdict = await VERIFIERS[scheme](delivery)
    return verdict !== false && verdict !== undefined
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error
    return false
  }
}

function verdict(scheme: PresetName, { headers, rawBody, url, secret, publicKey, at }: Delivered): string {
  try {
    verifyWebhook({ scheme, headers, rawBody, url, secret: publicKey || secret, now: at })
    return 'verified'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** Changes the address of the customer; in a body that signs its items, what they sign. */
function alter(rawBody: Uint8Array): Uint8Array {
  const text = Buffer.from(rawBody).toString()
  return Buffer.from(
    text.replace(/"eventCode":"c|a@b|a%40b/, (found) => (found.startsWith('"') ? '"eventCode":"k' : 'k')),
  )
}

async function sha256(rawBody: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(rawBody).digest('hex')
}
