import { bodyHmac, HOUR, MINUTE, STANDARD_DELIVERY, STANDARD_ENVELOPE, standard } from './preset-fragments.ts'
import type { NewWebhookFormat } from './webhook-format.ts'

const ADYEN_ITEM = '/notificationItems/0/NotificationRequestItem'

/** The names of the presets in this file. */
export type PaymentPresetName =
  | 'stripe'
  | 'square'
  | 'paddle'
  | 'adyen-payments'
  | 'adyen-platforms'
  | 'plaid'
  | 'razorpay'
  | 'polar'
  | 'shopify'

/** Webhook formats of providers for payments and shops. */
export const paymentPresets: Readonly<Record<PaymentPresetName, NewWebhookFormat>> = {
  stripe: {
    scheme: {
      algorithm: 'hmac-sha256',
      content: '{t}.{body}',
      secret: { prefix: 'whsec_', bytes: 32, shown: 'alphanumeric' },
      headers: {
        'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'Stripe-Signature': 't={t},v1={signature}',
      },
      toleranceSeconds: 300,
    },
    envelope: {
      id: { $id: { prefix: 'evt_', length: 24 } },
      object: 'event',
      account: { $event: 'account' },
      api_version: { $entry: 'apiVersion' },
      created: { $time: 'unix' },
      data: { object: { $record: '.' }, previous_attributes: { $before: 'changed' } },
      livemode: false,
      pending_webhooks: 1,
      request: { id: { $request: 'id' }, idempotency_key: { $request: 'header.idempotency-key' } },
      type: { $event: 'type' },
    },
    delivery: { timeoutSeconds: 20, retrySeconds: [HOUR, 2 * HOUR, 4 * HOUR] },
  },
  square: {
    scheme: bodyHmac('x-square-hmacsha256-signature', '{signature}', {
      content: '{url}{body}',
      encoding: 'base64',
      secret: { bytes: 16, shown: 'base64url' },
      headers: { 'User-Agent': 'Square Connect v2', 'square-environment': 'Sandbox' },
    }),
    envelope: {
      merchant_id: 'MLBACKLOT',
      type: { $event: 'type' },
      event_id: { $event: 'id' },
      created_at: { $time: 'iso' },
      data: { type: { $event: 'subject' }, id: { $event: 'recordId' }, object: { '{subject}': { $record: '.' } } },
    },
    delivery: {
      retrySeconds: [1, 2, 4, 8, 16, 32].map((minutes) => minutes * MINUTE).concat(new Array(70).fill(HOUR)),
    },
  },
  paddle: {
    scheme: {
      algorithm: 'hmac-sha256',
      content: '{t}:{body}',
      secret: { prefix: 'pdl_ntfset_', bytes: 26, shown: 'alphanumeric' },
      headers: { 'User-Agent': 'Paddle', 'Paddle-Signature': 'ts={t};h1={signature}' },
      toleranceSeconds: 5,
    },
    envelope: {
      event_id: { $id: { prefix: 'evt_', length: 26 } },
      event_type: { $event: 'type' },
      occurred_at: { $time: 'iso' },
      notification_id: { $id: { prefix: 'ntf_', length: 26 } },
      data: { $record: '.' },
    },
    delivery: { timeoutSeconds: 5, success: [200], retrySeconds: [MINUTE, 10 * MINUTE, HOUR] },
  },
  'adyen-payments': {
    scheme: {
      algorithm: 'hmac-sha256',
      content: [
        'pspReference',
        'originalReference',
        'merchantAccountCode',
        'merchantReference',
        'amount/value',
        'amount/currency',
        'eventCode',
        'success',
      ]
        .map((name) => `{${ADYEN_ITEM}/${name}}`)
        .join(':'),
      encoding: 'base64',
      secret: { bytes: 32, key: 'hex' },
      headers: { 'User-Agent': 'Adyen HttpClient 1.0' },
      place: `${ADYEN_ITEM}/additionalData/hmacSignature`,
    },
    envelope: {
      live: 'false',
      notificationItems: [
        {
          NotificationRequestItem: {
            additionalData: {},
            amount: { currency: 'EUR', value: 0 },
            pspReference: { $id: { length: 16, alphabet: 'upper' } },
            eventCode: { $event: 'type' },
            eventDate: { $time: 'iso' },
            merchantAccountCode: 'Backlot',
            merchantReference: { $event: 'recordId' },
            reason: '',
            success: 'true',
            data: { $record: '.' },
          },
        },
      ],
    },
    delivery: {
      retrySeconds: [2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR],
    },
  },
  'adyen-platforms': {
    scheme: bodyHmac('hmacsignature', '{signature}', {
      encoding: 'base64',
      secret: { bytes: 32, key: 'hex' },
      headers: { 'User-Agent': 'Adyen HttpClient 1.0', protocol: 'HmacSHA256' },
    }),
    envelope: { type: { $event: 'type' }, environment: 'test', timestamp: { $time: 'iso' }, data: { $record: '.' } },
    delivery: {
      retrySeconds: [2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR],
    },
  },
  plaid: {
    scheme: {
      algorithm: 'jwt-es256',
      publicKey: 'jwk',
      claims: { iat: '{t}', request_body_sha256: '{body_sha256}' },
      headers: { 'Plaid-Verification': '{signature}' },
      toleranceSeconds: 300,
    },
    envelope: {
      webhook_type: { $event: 'subject' },
      webhook_code: { $event: 'action' },
      environment: 'sandbox',
      data: { $record: '.' },
    },
    delivery: { retrySeconds: [30, 2 * MINUTE, 8 * MINUTE, 32 * MINUTE, 128 * MINUTE, 512 * MINUTE] },
  },
  razorpay: {
    scheme: bodyHmac('X-Razorpay-Signature', '{signature}', {
      headers: { 'User-Agent': 'Razorpay-Webhook/v1', 'X-Razorpay-Event-Id': '{id}' },
    }),
    envelope: {
      entity: 'event',
      account_id: 'acc_backlot',
      event: { $event: 'type' },
      contains: [{ $event: 'subject' }],
      payload: { '{subject}': { entity: { $record: '.' } } },
      created_at: { $time: 'unix' },
    },
    delivery: { timeoutSeconds: 5, retrySeconds: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR] },
  },
  polar: {
    scheme: { ...standard('webhook'), secret: { prefix: 'polar_whs_', bytes: 32, shown: 'alphanumeric' } },
    envelope: STANDARD_ENVELOPE,
    delivery: STANDARD_DELIVERY,
  },
  shopify: {
    scheme: bodyHmac('X-Shopify-Hmac-Sha256', '{signature}', {
      encoding: 'base64',
      headers: {
        'User-Agent': 'Shopify-Captain-Hook',
        'X-Shopify-Topic': '{type}',
        'X-Shopify-Shop-Domain': 'backlot.example',
        'X-Shopify-API-Version': '2026-10',
        'X-Shopify-Webhook-Id': '{delivery}',
        'X-Shopify-Event-Id': '{id}',
        'X-Shopify-Triggered-At': '{t_iso}',
      },
    }),
    envelope: { $record: '.' },
    delivery: {
      timeoutSeconds: 5,
      retrySeconds: [MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE, 45 * MINUTE, HOUR, 69 * MINUTE],
      offAfter: 1,
    },
  },
}
