import type { NewWebhookScheme } from './scheme.ts'

/** In seconds. */
export const MINUTE = 60
/** In seconds. */
export const HOUR = 60 * MINUTE
/** A secret of random bytes, whose text is the key. */
export const text = (bytes = 32, prefix = '') => ({ bytes, prefix }) as const

/** Standard Webhooks (standardwebhooks.com) and similar schemes: headers with a common prefix, a secret in base64. */
export function standard(headers: string, bytes = 24, more: Partial<NewWebhookScheme> = {}): NewWebhookScheme {
  return {
    algorithm: 'hmac-sha256',
    content: '{id}.{t}.{body}',
    encoding: 'base64',
    secret: { prefix: 'whsec_', bytes, shown: 'base64', key: 'base64', strip: 'whsec_' },
    id: { prefix: 'msg_', length: 27 },
    toleranceSeconds: 300,
    ...more,
    headers: {
      [`${headers}-id`]: '{id}',
      [`${headers}-timestamp`]: '{t}',
      [`${headers}-signature`]: 'v1,{signature}',
      ...more.headers,
    },
  }
}

export const STANDARD_ENVELOPE = { type: { $event: 'type' }, timestamp: { $time: 'iso' }, data: { $record: '.' } }
/** As Svix documents it; 410 switches the endpoint off. */
export const STANDARD_DELIVERY = {
  timeoutSeconds: 15,
  retrySeconds: [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  offStatus: [410],
}

/** A signature of the body alone, in one header. */
export function bodyHmac(header: string, template: string, more: Partial<NewWebhookScheme> = {}): NewWebhookScheme {
  return {
    algorithm: 'hmac-sha256',
    content: '{body}',
    secret: text(),
    ...more,
    headers: { [header]: template, ...more.headers },
  }
}
