import { didYouMean } from '../../names/nearest-name.ts'
import { invalidRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { type MessagePresetName, messagePresets } from './message-presets.ts'
import { type PaymentPresetName, paymentPresets } from './payment-presets.ts'
import { text } from './preset-fragments.ts'
import { type ToolPresetName, toolPresets } from './tool-presets.ts'
import type { NewWebhookFormat, WebhookFormat } from './webhook-format.ts'
import { withDefaults } from './with-defaults.ts'

/** The name of a built-in format: `stripe`, `standard-webhooks`. */
export type PresetName = 'svc' | ToolPresetName | PaymentPresetName | MessagePresetName

/** Built-in webhook formats, by name. Names and forms are facts of the providers' public documentation and SDKs. */
const PRESETS: Readonly<Record<PresetName, NewWebhookFormat>> = {
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

/** The names of the built-in formats. */
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[]

/** A built-in format; undefined for an unknown name. */
export function findPreset(name: string): WebhookFormat | undefined {
  return Object.hasOwn(PRESETS, name) ? withDefaults(PRESETS[name as PresetName]) : undefined
}

/** A built-in format. Throws `invalid_request` with the nearest name. @param others further names that are allowed */
export function getPreset(name: string, others: readonly string[] = []): WebhookFormat {
  const preset = findPreset(name)
  if (preset !== undefined) return preset
  const known = [...others, ...PRESET_NAMES]
  throw invalidRequest(
    `Expected \`scheme\` to be one of ${known.join(', ')}, got ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, known)}`,
  )
}
