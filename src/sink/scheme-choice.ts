import { type WebhookDialect, webhookDialect } from '../protocol/dialect/dialect.ts'
import { getPreset, type PresetName } from '../protocol/dialect/presets.ts'
import { type NewWebhookScheme, webhookScheme } from '../protocol/dialect/scheme.ts'
import { parseRequest } from '../protocol/parse-request.ts'

/** A scheme by the name of a provider, or as data. */
export type SchemeChoice = PresetName | NewWebhookScheme

/** The dialect of a choice: a scheme as data tells events as we do. Throws `invalid_request` for one that is unknown or wrong. */
export function chosenDialect(choice: SchemeChoice | string): WebhookDialect {
  if (typeof choice === 'string') return getPreset(choice)
  return webhookDialect.parse({ scheme: parseRequest(webhookScheme, choice, 'scheme') })
}
