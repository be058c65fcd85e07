import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PresetName } from '../../src/protocol/webhook-scheme/presets.ts'

/** A delivery as a provider's own library is given it. */
export interface ReceivedDelivery {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  rawBody: Uint8Array
  url: string
  secret: string
  publicKey: string
}

/** Whether a provider's own library accepts a delivery. Throwing is refusing. */
type Verify = (delivery: ReceivedDelivery) => Promise<unknown>

const require = createRequire(import.meta.url)
const text = ({ rawBody }: ReceivedDelivery): string => Buffer.from(rawBody).toString()
const head = ({ headers }: ReceivedDelivery, name: string): string => headers[name] ?? ''

/** A module that the package does not export: its whole entry would take seconds to load. */
async function inside(name: string, file: string) {
  const main = require.resolve(name)
  const root = main.slice(0, main.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length)
  return import(pathToFileURL(join(root, file)).href)
}

const standard: Verify = async (delivery) => {
  const { Webhook } = await import('standardwebhooks')
  return new Webhook(delivery.secret).verify(text(delivery), delivery.headers)
}

const bodyHmac =
  (header: string, prefix: string, algorithm: string, encoding: 'hex' | 'base64'): Verify =>
  async (delivery) => {
    const { createHmac } = await import('node:crypto')
    const digest = createHmac(algorithm, delivery.secret).update(delivery.rawBody).digest(encoding)
    return head(delivery, header) === prefix + digest
  }

/** The provider's own verifier of each scheme; where there is none, one written by its documentation. */
export const VERIFIERS: Readonly<Record<Exclude<PresetName, 'svc'>, Verify>> = {
  'standard-webhooks': standard,
  svix: async (delivery) => {
    const { Webhook } = await import('svix')
    return new Webhook(delivery.secret).verify(text(delivery), delivery.headers)
  },
  resend: async (delivery) => {
    const { Resend } = await import('resend')
    return new Resend('re_test').webhooks.verify({
      payload: text(delivery),
      headers: {
        id: head(delivery, 'svix-id'),
        timestamp: head(delivery, 'svix-timestamp'),
        signature: head(delivery, 'svix-signature'),
      },
      webhookSecret: delivery.secret,
    })
  },
  clerk: async (delivery) => {
    const { verifyWebhook } = await import('@clerk/backend/webhooks')
    const request = new Request('https://app.test/hooks', {
      method: 'POST',
      headers: delivery.headers,
      body: text(delivery),
    })
    return verifyWebhook(request, { signingSecret: delivery.secret })
  },
  openai: async (delivery) => {
    const { Webhooks } = await import('openai/resources/webhooks')
    const webhooks = new Webhooks({ webhookSecret: delivery.secret } as never)
    await webhooks.verifySignature(text(delivery), delivery.headers)
    return true
  },
  polar: async (delivery) => {
    const { webhooks } = await import('@polar-sh/sdk/2026-10')
    return webhooks.validateEvent(text(delivery), delivery.headers, delivery.secret)
  },
  stripe: async (delivery) => {
    const { default: Stripe } = await import('stripe')
    return Stripe.webhooks.constructEvent(
      Buffer.from(delivery.rawBody),
      head(delivery, 'stripe-signature'),
      delivery.secret,
    )
  },
  github: async (delivery) => {
    const { Webhooks } = await import('@octokit/webhooks')
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const webhooks = new Webhooks({ secret: delivery.secret, log: { debug() {}, info() {}, warn() {}, error() {} } })
    webhooks.onAny(() => resolve(true))
    await webhooks.verifyAndReceive({
      id: head(delivery, 'x-github-delivery'),
      name: head(delivery, 'x-github-event') as never,
      payload: text(delivery),
      signature: head(delivery, 'x-hub-signature-256'),
    })
    return promise
  },
  slack: async (delivery) => {
    const { verifySlackRequest } = await import('@slack/bolt/dist/receivers/verify-request.js')
    verifySlackRequest({
      signingSecret: delivery.secret,
      body: text(delivery),
      headers: {
        'x-slack-signature': head(delivery, 'x-slack-signature'),
        'x-slack-request-timestamp': Number(head(delivery, 'x-slack-request-timestamp')),
      },
    })
    return true
  },
  twilio: async (delivery) => {
    const { validateRequest } = await import('twilio/lib/webhooks/webhooks.js')
    const form = Object.fromEntries(new URLSearchParams(text(delivery)))
    return validateRequest(delivery.secret, head(delivery, 'x-twilio-signature'), delivery.url, form)
  },
  'twilio-json': async (delivery) => {
    const { validateRequestWithBody } = await import('twilio/lib/webhooks/webhooks.js')
    return validateRequestWithBody(delivery.secret, head(delivery, 'x-twilio-signature'), delivery.url, text(delivery))
  },
  sendgrid: async (delivery) => {
    const { EventWebhook } = await import('@sendgrid/eventwebhook')
    const webhook = new EventWebhook()
    return webhook.verifySignature(
      webhook.convertPublicKeyToECDSA(delivery.publicKey),
      Buffer.from(delivery.rawBody),
      head(delivery, 'x-twilio-email-event-webhook-signature'),
      head(delivery, 'x-twilio-email-event-webhook-timestamp'),
    )
  },
  workos: async (delivery) => {
    const { WorkOS } = await import('@workos-inc/node')
    return new WorkOS('sk_test').webhooks.verifyHeader({
      payload: JSON.parse(text(delivery)),
      sigHeader: head(delivery, 'workos-signature'),
      secret: delivery.secret,
    })
  },
  shopify: async (delivery) => {
    await import('@shopify/shopify-api/adapters/node')
    const { shopifyApi } = await import('@shopify/shopify-api')
    const shopify = shopifyApi({
      apiKey: 'key',
      apiSecretKey: delivery.secret,
      apiVersion: '2026-10' as never,
      isEmbeddedApp: false,
      hostName: 'app.test',
      logger: { level: 0 },
    })
    const rawRequest = { method: 'POST', url: '/hooks', headers: delivery.headers } as never
    return (await shopify.webhooks.validate({ rawBody: text(delivery), rawRequest })).valid
  },
  discord: async (delivery) => {
    const { verifyKey } = await import('discord-interactions')
    const [signature, timestamp] = [head(delivery, 'x-signature-ed25519'), head(delivery, 'x-signature-timestamp')]
    return verifyKey(Buffer.from(delivery.rawBody), signature, timestamp, delivery.publicKey)
  },
  square: async (delivery) => {
    const { WebhooksHelper } = await inside('square', 'wrapper/WebhooksHelper.js')
    return WebhooksHelper.verifySignature({
      requestBody: text(delivery),
      signatureHeader: head(delivery, 'x-square-hmacsha256-signature'),
      signatureKey: delivery.secret,
      notificationUrl: delivery.url,
    })
  },
  hubspot: async (delivery) => {
    const { Signature } = await import('@hubspot/api-client/lib/src/utils/signature.js')
    return Signature.isValid({
      signatureVersion: 'v3',
      signature: head(delivery, 'x-hubspot-signature-v3'),
      timestamp: Number(head(delivery, 'x-hubspot-request-timestamp')),
      clientSecret: delivery.secret,
      requestBody: text(delivery),
      url: delivery.url,
    })
  },
  paddle: async (delivery) => {
    const { Paddle } = await import('@paddle/paddle-node-sdk')
    const { webhooks } = new Paddle('key')
    return webhooks.isSignatureValid(text(delivery), delivery.secret, head(delivery, 'paddle-signature'))
  },
  'adyen-payments': async (delivery) => {
    const { default: HmacValidator } = require('@adyen/api-library/lib/src/utils/hmacValidator.js')
    const [{ NotificationRequestItem: item }] = JSON.parse(text(delivery)).notificationItems
    return new HmacValidator().validateHMAC(item, delivery.secret)
  },
  'adyen-platforms': async (delivery) => {
    const { default: HmacValidator } = require('@adyen/api-library/lib/src/utils/hmacValidator.js')
    return new HmacValidator().validateHMACSignature(delivery.secret, head(delivery, 'hmacsignature'), text(delivery))
  },
  plaid: async (delivery) => {
    const { importJWK, jwtVerify } = await import('jose')
    const { createHash } = await import('node:crypto')
    const key = await importJWK(JSON.parse(delivery.publicKey), 'ES256')
    const { payload } = await jwtVerify(head(delivery, 'plaid-verification'), key, {
      algorithms: ['ES256'],
      maxTokenAge: '5 min',
    })
    return payload.request_body_sha256 === createHash('sha256').update(delivery.rawBody).digest('hex')
  },
  linear: async (delivery) => {
    const { LinearWebhookClient } = await import('@linear/sdk/webhooks')
    return new LinearWebhookClient(delivery.secret).verify(
      Buffer.from(delivery.rawBody),
      head(delivery, 'linear-signature'),
    )
  },
  intercom: bodyHmac('x-hub-signature', 'sha1=', 'sha1', 'hex'),
  asana: bodyHmac('x-hook-signature', '', 'sha256', 'hex'),
  docusign: bodyHmac('x-docusign-signature-1', '', 'sha256', 'base64'),
  zendesk: async (delivery) => {
    const { createHmac } = await import('node:crypto')
    const signed = head(delivery, 'x-zendesk-webhook-signature-timestamp') + text(delivery)
    const digest = createHmac('sha256', delivery.secret).update(signed).digest('base64')
    return head(delivery, 'x-zendesk-webhook-signature') === digest
  },
  telnyx: async (delivery) => {
    const { TelnyxWebhook } = await import('telnyx/lib/webhooks')
    await new TelnyxWebhook(delivery.publicKey).verify(text(delivery), delivery.headers)
    return true
  },
  razorpay: async (delivery) => {
    const { validateWebhookSignature } = await import('razorpay/dist/utils/razorpay-utils.js')
    return validateWebhookSignature(text(delivery), head(delivery, 'x-razorpay-signature'), delivery.secret)
  },
  easypost: async (delivery) => {
    const EasyPost = require('@easypost/api')
    return new EasyPost('key').Utils.validateWebhook(Buffer.from(delivery.rawBody), delivery.headers, delivery.secret)
  },
}
