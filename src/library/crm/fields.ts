/** Fields that many records of the CRM have. */
import type { JsonObject } from '../../protocol/json.ts'
import { formatted, object, readOnly, text } from '../schema-fragments.ts'

export const createdAt = readOnly(formatted('date-time', 'When it was created'))
export const updatedAt = readOnly(formatted('date-time', 'When it last changed'))
export const recordId = readOnly(key('Identifier'))
export const address = object(
  {
    street: text('Street and number'),
    city: text('City'),
    postalCode: text('Postal code'),
    country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'Country, ISO 3166-1' },
  },
  'Postal address',
)

/** The number of a record. */
export function key(description: string): JsonObject {
  return { type: 'integer', format: 'int64', minimum: 1, description }
}
