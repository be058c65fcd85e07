import { DELIVERY_DEFAULTS, ID_DEFAULTS, SCHEME_DEFAULTS, SECRET_DEFAULTS } from './defaults.ts'
import type { NewWebhookScheme, WebhookScheme } from './scheme.ts'
import type { NewWebhookFormat, WebhookFormat } from './webhook-format.ts'

/**
 * Adds the defaults to a built-in format, without loading zod: that takes 30 ms in each test file. A test compares the
 * result with the schema of `webhook-format.ts`.
 */
export function withDefaults({ scheme, delivery = {}, ...rest }: NewWebhookFormat): WebhookFormat {
  const {
    timeoutSeconds = DELIVERY_DEFAULTS.timeoutSeconds,
    success = DELIVERY_DEFAULTS.success,
    retrySeconds = DELIVERY_DEFAULTS.retrySeconds,
    finalStatus = DELIVERY_DEFAULTS.finalStatus,
    offAfter = DELIVERY_DEFAULTS.offAfter,
    offStatus = DELIVERY_DEFAULTS.offStatus,
  } = delivery
  return {
    ...rest,
    scheme: schemeWithDefaults(scheme),
    delivery: { timeoutSeconds, success, retrySeconds, finalStatus, offAfter, offStatus },
  }
}

function schemeWithDefaults({
  encoding = SCHEME_DEFAULTS.encoding,
  headers = SCHEME_DEFAULTS.headers,
  contentType = SCHEME_DEFAULTS.contentType,
  batch = SCHEME_DEFAULTS.batch,
  secret,
  id,
  ...rest
}: NewWebhookScheme): WebhookScheme {
  return {
    ...rest,
    encoding,
    headers,
    contentType,
    batch,
    ...(secret !== undefined && { secret: secretWithDefaults(secret) }),
    ...(id !== undefined && { id: { prefix: id.prefix ?? ID_DEFAULTS.prefix, length: id.length } }),
  }
}

function secretWithDefaults({
  prefix = SECRET_DEFAULTS.prefix,
  bytes = SECRET_DEFAULTS.bytes,
  shown = SECRET_DEFAULTS.shown,
  key = SECRET_DEFAULTS.key,
  ...rest
}: NonNullable<NewWebhookScheme['secret']>): NonNullable<WebhookScheme['secret']> {
  return { ...rest, prefix, bytes, shown, key }
}
