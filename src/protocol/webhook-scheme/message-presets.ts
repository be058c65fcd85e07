import { bodyHmac, HOUR, MINUTE, STANDARD_DELIVERY, standard, text } from './preset-fragments.ts'
import type { NewWebhookScheme } from './scheme.ts'
import type { NewWebhookFormat } from './webhook-format.ts'

const twilioForm: NewWebhookScheme = {
  algorithm: 'hmac-sha1',
  content: '{url}{form}',
  encoding: 'base64',
  secret: text(16),
  headers: {
    'I-Twilio-Idempotency-Token': '{delivery}',
    'X-Twilio-Signature': '{signature}',
    'User-Agent': 'TwilioProxy/1.1',
  },
  contentType: 'form',
}

/** The names of the presets in this file. */
export type MessagePresetName =
  | 'resend'
  | 'twilio'
  | 'twilio-json'
  | 'sendgrid'
  | 'slack'
  | 'discord'
  | 'intercom'
  | 'telnyx'
  | 'hubspot'
  | 'zendesk'

/** Webhook formats of providers for messages and for customer support. */
export const messagePresets: Readonly<Record<MessagePresetName, NewWebhookFormat>> = {
  resend: {
    scheme: standard('svix'),
    envelope: { type: { $event: 'type' }, created_at: { $time: 'iso' }, data: { $record: '.' } },
    delivery: STANDARD_DELIVERY,
  },
  twilio: {
    scheme: twilioForm,
    envelope: { $record: '.' },
    delivery: { timeoutSeconds: 15, retrySeconds: [], offAfter: null },
  },
  'twilio-json': {
    scheme: { ...twilioForm, content: '{url}', contentType: 'json', query: { bodySHA256: '{body_sha256}' } },
    envelope: { $record: '.' },
    delivery: { timeoutSeconds: 15, retrySeconds: [], offAfter: null },
  },
  sendgrid: {
    scheme: {
      algorithm: 'ecdsa-p256-sha256',
      content: '{t}{body}',
      encoding: 'base64',
      publicKey: 'spki-base64',
      headers: {
        'User-Agent': 'SendGrid Event API',
        'X-Twilio-Email-Event-Webhook-Timestamp': '{t}',
        'X-Twilio-Email-Event-Webhook-Signature': '{signature}',
      },
      batch: 100,
    },
    envelope: {
      event: { $event: 'type' },
      timestamp: { $time: 'unix' },
      sg_event_id: { $id: { length: 22 } },
      email: { $record: 'email' },
      data: { $record: '.' },
    },
    delivery: { retrySeconds: [MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 4 * HOUR, 8 * HOUR, 10 * HOUR] },
  },
  slack: {
    scheme: {
      algorithm: 'hmac-sha256',
      content: 'v0:{t}:{body}',
      secret: text(16),
      headers: {
        'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'X-Slack-Request-Timestamp': '{t}',
        'X-Slack-Signature': 'v0={signature}',
      },
      retryHeaders: { 'X-Slack-Retry-Num': '{retry}', 'X-Slack-Retry-Reason': '{retry_reason}' },
      toleranceSeconds: 300,
    },
    envelope: {
      token: 'backlot',
      team_id: 'T00BACKLOT',
      api_app_id: 'A00BACKLOT',
      event: { $record: '.' },
      type: 'event_callback',
      event_id: { $id: { prefix: 'Ev', length: 9, alphabet: 'upper' } },
      event_time: { $time: 'unix' },
      authorizations: [{ team_id: 'T00BACKLOT', user_id: 'U00BACKLOT', is_bot: true }],
    },
    delivery: { timeoutSeconds: 3, retrySeconds: [0, MINUTE, 5 * MINUTE] },
  },
  discord: {
    scheme: {
      algorithm: 'ed25519',
      content: '{t}{body}',
      publicKey: 'raw-hex',
      headers: {
        'User-Agent': 'Discord-Webhook/1.0 (+https://discord.com)',
        'X-Signature-Timestamp': '{t}',
        'X-Signature-Ed25519': '{signature}',
      },
    },
    envelope: {
      version: 1,
      application_id: '1000000000000000000',
      type: 1,
      event: { type: { $event: 'type' }, timestamp: { $time: 'iso' }, data: { $record: '.' } },
    },
    delivery: { timeoutSeconds: 3, retrySeconds: [5, 30, 2 * MINUTE, 5 * MINUTE] },
  },
  intercom: {
    scheme: bodyHmac('X-Hub-Signature', 'sha1={signature}', {
      algorithm: 'hmac-sha1',
      headers: { 'User-Agent': 'intercom-webhook/1.0', 'Intercom-Webhooks-Version': '1' },
    }),
    envelope: {
      type: 'notification_event',
      app_id: 'backlot',
      data: { type: 'notification_event_data', item: { $record: '.' } },
      topic: { $event: 'type' },
      id: { $id: { prefix: 'notif_', length: 24 } },
      delivery_attempts: 1,
      created_at: { $time: 'unix' },
    },
    delivery: { timeoutSeconds: 5, retrySeconds: [MINUTE], offStatus: [410] },
  },
  telnyx: {
    scheme: {
      algorithm: 'ed25519',
      content: '{t}|{body}',
      encoding: 'base64',
      publicKey: 'raw-base64',
      headers: {
        'User-Agent': 'telnyx-webhooks',
        'telnyx-timestamp': '{t}',
        'telnyx-signature-ed25519': '{signature}',
      },
      toleranceSeconds: 300,
    },
    envelope: {
      data: {
        record_type: 'event',
        event_type: { $event: 'type' },
        id: { $event: 'id' },
        occurred_at: { $time: 'iso' },
        payload: { $record: '.' },
      },
      meta: { attempt: 1 },
    },
    delivery: { timeoutSeconds: 2, retrySeconds: [5, 30] },
  },
  hubspot: {
    scheme: {
      algorithm: 'hmac-sha256',
      content: '{method}{url}{body}{t_ms}',
      encoding: 'base64',
      secret: { bytes: 16 },
      headers: {
        'X-HubSpot-Request-Timestamp': '{t_ms}',
        'X-HubSpot-Signature-v3': '{signature}',
        'X-HubSpot-Signature': '{secret_body_sha256}',
        'X-HubSpot-Signature-Version': 'v1',
      },
      batch: 100,
      toleranceSeconds: 300,
    },
    envelope: {
      eventId: { $id: { length: 9, alphabet: 'digits' } },
      subscriptionId: 1,
      portalId: 1,
      appId: 1,
      occurredAt: { $time: 'ms' },
      subscriptionType: { $event: 'type' },
      attemptNumber: 0,
      objectId: { $event: 'recordId' },
      object: { $record: '.' },
    },
    delivery: {
      timeoutSeconds: 5,
      finalStatus: [400, 401, 403, 404, 405],
      retrySeconds: [
        MINUTE,
        5 * MINUTE,
        15 * MINUTE,
        30 * MINUTE,
        HOUR,
        2 * HOUR,
        3 * HOUR,
        4 * HOUR,
        5 * HOUR,
        6 * HOUR,
      ],
    },
  },
  zendesk: {
    scheme: bodyHmac('X-Zendesk-Webhook-Signature', '{signature}', {
      content: '{t_iso}{body}',
      encoding: 'base64',
      secret: { bytes: 32, shown: 'base64' },
      headers: { 'X-Zendesk-Webhook-Signature-Timestamp': '{t_iso}' },
    }),
    envelope: {
      type: { $event: 'type' },
      id: { $event: 'id' },
      time: { $time: 'iso' },
      zendesk_event_version: '2022-11-06',
      detail: { $record: '.' },
      event: { previous: { $before: 'changed' } },
    },
    delivery: { timeoutSeconds: 12, retrySeconds: [MINUTE, 5 * MINUTE, 30 * MINUTE] },
  },
}
