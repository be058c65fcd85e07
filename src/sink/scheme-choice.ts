import { invalidRequest } from '../protocol/errors.ts'
import { getPreset, type PresetName } from '../protocol/webhook-scheme/presets.ts'
import type { NewWebhookScheme, WebhookScheme } from '../protocol/webhook-scheme/scheme.ts'
import type { WebhookFormat } from '../protocol/webhook-scheme/webhook-format.ts'
import { withDefaults } from '../protocol/webhook-scheme/with-defaults.ts'

/** A validated scheme from data. {@link defineScheme} makes it. */
export class DefinedScheme {
  readonly scheme: WebhookScheme

  constructor(scheme: WebhookScheme) {
    this.scheme = scheme
  }
}

/** A scheme by the name of a provider, or a result of {@link defineScheme}. */
export type SchemeChoice = PresetName | DefinedScheme

/**
 * Checks a webhook scheme of your own. The validator is loaded at the first call, so that other test files do not load
 * it.
 *
 * @throws ApiError `invalid_request`, with the field and its bound
 * @example
 * const acme = await defineScheme({ algorithm: 'hmac-sha256', content: '{body}', headers: { 'X-Acme': '{signature}' } })
 * verifyWebhook({ scheme: acme, headers, rawBody, secret })
 */
export async function defineScheme(scheme: NewWebhookScheme): Promise<DefinedScheme> {
  const [{ parseRequest }, { webhookScheme }] = await Promise.all([
    import('../protocol/parse-request.ts'),
    import('../protocol/webhook-scheme/scheme.ts'),
  ])
  return new DefinedScheme(parseRequest(webhookScheme, scheme, 'scheme'))
}

/** The format of a choice: a scheme from data uses our own form of events. Throws `invalid_request` for an unknown scheme. */
export function chosenFormat(choice: SchemeChoice | string): WebhookFormat {
  if (typeof choice === 'string') return getPreset(choice)
  if (choice instanceof DefinedScheme) return withDefaults({ scheme: choice.scheme })
  throw invalidRequest(
    'Expected `scheme` to be the name of a provider, or a scheme that `await defineScheme({ ... })` has checked, got an object.',
  )
}
