import { eventKinds } from '../../names/event-kinds.ts'
import { findPreset } from '../../protocol/dialect/presets.ts'
import { explainUnknownKind } from '../../protocol/event.ts'
import type { RegisteredWebhook } from '../../protocol/webhook.ts'
import type { ApiModel } from '../openapi/model.ts'
import type { EventForm } from '../webhooks/event-form.ts'
import { secretNote, type WebhookSetting } from '../webhooks/webhook-settings.ts'

/** The answer to a registration. A dialect that no name says to a receiver is the library entry's: its scheme is told as data. */
export function toRegistered(webhook: WebhookSetting, form: EventForm | undefined, model: ApiModel): RegisteredWebhook {
  const { scheme, events } = webhook
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
