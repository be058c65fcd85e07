import { didYouMean } from '../../names/nearest-name.ts'
import { invalidRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { NewWebhookDialect, WebhookDialect } from './dialect.ts'
import { type MessagePresetName, messagePresets } from './message-presets.ts'
import { type PaymentPresetName, paymentPresets } from './payment-presets.ts'
import { text } from './preset-fragments.ts'
import { type ToolPresetName, toolPresets } from './tool-presets.ts'
import { withDefaults } from './with-defaults.ts'

/** The name of a built-in dialect: `stripe`, `standard-webhooks`. */
export type PresetName = 'svc' | ToolPresetName | PaymentPresetName | MessagePresetName

/** Built-in webhook dialects, by name. Names and forms are facts of the providers' public documentation and SDKs. */
const PRESETS: Readonly<Record<PresetName, NewWebhookDialect>> = {
  svc: {
    scheme: {
      algorithm: 'hmac-sha256',
      content: '{t}.{body}',
      secret: text(32, 'whsec_'),
      headers: {
        'User-Agent': 'Svc-Webhooks/1.0',
        'Svc-Event': '{type}',
        'Svc-Delivery': '{delivery}',
        'Svc-Signature': 't={t},v1={signature}',
      },
      toleranceSeconds: LIMITS.signatureToleranceSeconds,
    },
    delivery: { timeoutSeconds: LIMITS.webhookTimeoutMs / 1_000, offAfter: LIMITS.webhookFailuresBeforeOff },
  },
  ...toolPresets,
  ...paymentPresets,
  ...messagePresets,
}

/** The names of the built-in dialects. */
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[]

/** A built-in dialect; undefined for an unknown name. */
export function findPreset(name: string): WebhookDialect | undefined {
  return Object.hasOwn(PRESETS, name) ? withDefaults(PRESETS[name as PresetName]) : undefined
}

/** A built-in dialect. Throws `invalid_request` with the nearest name. @param others further names that are allowed */
export function getPreset(name: string, others: readonly string[] = []): WebhookDialect {
  const preset = findPreset(name)
  if (preset !== undefined) return preset
  const known = [...others, ...PRESET_NAMES]
  throw invalidRequest(
    `Expected \`scheme\` to be one of ${known.join(', ')}, got ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, known)}`,
  )
}
