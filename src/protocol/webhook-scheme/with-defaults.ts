import { DELIVERY_DEFAULTS, ID_DEFAULTS, SCHEME_DEFAULTS, SECRET_DEFAULTS } from './defaults.ts'
import type { NewWebhookFormat, WebhookFormat } from './webhook-format.ts'

/**
 * Adds the defaults to a built-in format, without loading zod: that takes 30 ms in each test file. A test compares the
 * result with the schema of `webhook-format.ts`.
 */
export function withDefaults({ scheme, delivery, ...rest }: NewWebhookFormat): WebhookFormat {
  const { secret, id } = scheme
  const whole = {
    ...rest,
    scheme: {
      ...SCHEME_DEFAULTS,
      ...scheme,
      ...(secret && { secret: { ...SECRET_DEFAULTS, ...secret } }),
      ...(id && { id: { ...ID_DEFAULTS, ...id } }),
    },
    delivery: { ...DELIVERY_DEFAULTS, ...delivery },
  }
  // No field is undefined: fields are left out, or have a value.
  return whole as WebhookFormat
}
