/** Fields that many records of the payments API have. */
import type { JsonObject } from '../../protocol/json.ts'
import { formatted, readOnly } from '../schema-fragments.ts'

/** 5,000.00 in a currency with cents. */
export const LARGEST_AMOUNT = 500_000

export const createdAt = readOnly(formatted('date-time', 'When it was created'))
export const updatedAt = readOnly(formatted('date-time', 'When it last changed'))
export const currency: JsonObject = {
  type: 'string',
  enum: ['EUR', 'USD', 'GBP', 'SEK'],
  description: 'Currency, ISO 4217',
}
export const metadata: JsonObject = {
  type: 'object',
  description: 'Your own keys and values',
  maxProperties: 20,
  additionalProperties: { type: 'string', maxLength: 500 },
  example: { source: 'web' },
}

/** An id that shows what it belongs to: `cus_8sKd02mQpX41vBnz`. */
export function prefixedId(prefix: string): JsonObject {
  return {
    type: 'string',
    pattern: `^${prefix}_[A-Za-z0-9]{16}$`,
    description: `Identifier, begins with \`${prefix}_\``,
  }
}
