import { eventKinds } from '../../names/event-kinds.ts'
import { findPreset } from '../../protocol/dialect/presets.ts'
import { explainUnknownKind } from '../../protocol/event.ts'
import type { RegisteredWebhook } from '../../protocol/webhook.ts'
import type { ApiModel } from '../openapi/model.ts'
import { secretNote, type WebhookSetting } from '../webhooks/webhook-settings.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

/** The answer to a registration. A dialect that no name says to a receiver is the library entry's: its scheme is told as data. */
export function toRegistered(webhook: WebhookSetting, webhooks: Webhooks, model: ApiModel): RegisteredWebhook {
  const { scheme, events } = webhook
  const form = webhooks.formOf(webhook.id)
  const kinds = form?.types ?? eventKinds(model)
  const warnings = events.flatMap((filter) => explainUnknownKind(filter, kinds) ?? [])
  const isEntry = typeof scheme === 'string' && (findPreset(scheme) === undefined || form?.types !== undefined)
  return {
    ...webhook,
    ...(isEntry && form !== undefined && { signing: form.dialect.scheme }),
    note: secretNote(webhook),
    ...(warnings.length > 0 && { warnings }),
  }
}
