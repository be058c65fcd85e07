import { bodyHmac, HOUR, MINUTE, STANDARD_DELIVERY, STANDARD_ENVELOPE, standard, text } from './preset-fragments.ts'
import type { NewWebhookFormat } from './webhook-format.ts'

/** The names of the presets in this file. */
export type ToolPresetName =
  | 'standard-webhooks'
  | 'svix'
  | 'clerk'
  | 'openai'
  | 'github'
  | 'workos'
  | 'linear'
  | 'asana'
  | 'docusign'
  | 'easypost'

/** Webhook formats of other providers: identity, code, documents, and the standard itself. */
export const toolPresets: Readonly<Record<ToolPresetName, NewWebhookFormat>> = {
  'standard-webhooks': { scheme: standard('webhook'), envelope: STANDARD_ENVELOPE, delivery: STANDARD_DELIVERY },
  svix: { scheme: standard('svix'), envelope: STANDARD_ENVELOPE, delivery: STANDARD_DELIVERY },
  clerk: {
    scheme: standard('svix'),
    envelope: {
      type: { $event: 'type' },
      object: 'event',
      data: { $record: '.' },
      timestamp: { $time: 'ms' },
      instance_id: 'ins_backlot',
      event_attributes: { http_request: { client_ip: '', user_agent: '' } },
    },
    delivery: STANDARD_DELIVERY,
  },
  openai: {
    // https://developers.openai.com/api/docs/guides/webhooks shows a request.
    scheme: standard('webhook', 32, {
      id: { prefix: 'wh_', length: 32 },
      headers: { 'User-Agent': 'OpenAI/1.0 (+https://platform.openai.com/docs/webhooks)' },
    }),
    envelope: {
      id: { $id: { prefix: 'evt_', length: 32, alphabet: 'hex' } },
      object: 'event',
      created_at: { $time: 'unix' },
      type: { $event: 'type' },
      data: { $record: '.' },
    },
    delivery: STANDARD_DELIVERY,
  },
  github: {
    scheme: bodyHmac('X-Hub-Signature-256', 'sha256={signature}', {
      secret: text(20),
      headers: {
        'User-Agent': 'GitHub-Hookshot/b4ck107',
        'X-GitHub-Event': '{subject}',
        'X-GitHub-Delivery': '{delivery}',
        'X-GitHub-Hook-ID': '{hook}',
      },
    }),
    envelope: { action: { $event: 'action' }, '{subject}': { $record: '.' } },
    delivery: { retrySeconds: [], offAfter: null },
  },
  workos: {
    scheme: {
      algorithm: 'hmac-sha256',
      content: '{t_ms}.{body}',
      secret: { bytes: 25, shown: 'alphanumeric' },
      headers: { 'WorkOS-Signature': 't={t_ms}, v1={signature}' },
      toleranceSeconds: 180,
    },
    envelope: {
      id: { $id: { prefix: 'event_', length: 26, alphabet: 'upper' } },
      event: { $event: 'type' },
      data: { $record: '.' },
      created_at: { $time: 'iso' },
      context: {},
    },
    delivery: { retrySeconds: [MINUTE, 30 * MINUTE, 4 * HOUR, 12 * HOUR, 24 * HOUR, 32 * HOUR] },
  },
  linear: {
    scheme: bodyHmac('Linear-Signature', '{signature}', {
      secret: { prefix: 'lin_wh_', bytes: 40, shown: 'alphanumeric' },
      headers: {
        'User-Agent': 'Linear-Webhook',
        'Linear-Delivery': '{delivery}',
        'Linear-Event': '{subject}',
        'Linear-Timestamp': '{t_ms}',
      },
      stamp: { '/webhookTimestamp': '{t_ms}' },
      toleranceSeconds: 60,
    }),
    envelope: {
      action: { $event: 'action' },
      type: { $event: 'subject' },
      createdAt: { $time: 'iso' },
      data: { $record: '.' },
      updatedFrom: { $before: 'changed' },
      organizationId: '00000000-0000-4000-8000-000000000001',
      webhookId: '00000000-0000-4000-8000-000000000002',
    },
    delivery: { timeoutSeconds: 5, success: [200], retrySeconds: [MINUTE, HOUR, 6 * HOUR] },
  },
  asana: {
    scheme: bodyHmac('X-Hook-Signature', '{signature}'),
    envelope: { events: [{ action: { $event: 'action' }, resource: { $record: '.' }, created_at: { $time: 'iso' } }] },
    delivery: {
      retrySeconds: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, 12 * HOUR],
      offStatus: [410],
    },
  },
  docusign: {
    scheme: bodyHmac('X-DocuSign-Signature-1', '{signature}', {
      encoding: 'base64',
      secret: { bytes: 32, shown: 'base64' },
    }),
    envelope: {
      event: { $event: 'type' },
      apiVersion: 'v2.1',
      uri: '',
      retryCount: 0,
      configurationId: 1,
      generatedDateTime: { $time: 'iso' },
      data: { $record: '.' },
    },
    delivery: { retrySeconds: [5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 40 * MINUTE, 80 * MINUTE, 160 * MINUTE] },
  },
  easypost: {
    scheme: bodyHmac('X-Hmac-Signature', 'hmac-sha256-hex={signature}', { secret: { bytes: 32, normalize: 'NFKD' } }),
    envelope: {
      id: { $id: { prefix: 'evt_', length: 32, alphabet: 'hex' } },
      object: 'Event',
      mode: 'test',
      description: { $event: 'type' },
      created_at: { $time: 'iso' },
      previous_attributes: { $before: 'changed' },
      result: { $record: '.' },
      status: 'pending',
    },
    delivery: { timeoutSeconds: 7, retrySeconds: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 8 * HOUR] },
  },
}
