import type { Schema } from '../../schema/schema.ts'

const NOTHING = {
  name: undefined,
  raw: {},
  types: [],
  nullable: false,
  nullableByLetter: false,
  enum: undefined,
  format: undefined,
  pattern: undefined,
  minLength: undefined,
  maxLength: undefined,
  minimum: undefined,
  maximum: undefined,
  exclusiveMinimum: undefined,
  exclusiveMaximum: undefined,
  multipleOf: undefined,
  properties: new Map<string, Schema>(),
  required: new Set<string>(),
  additionalProperties: true,
  minProperties: undefined,
  maxProperties: undefined,
  items: undefined,
  minItems: undefined,
  maxItems: undefined,
  uniqueItems: false,
  variants: undefined,
  variantRule: 'anyOf',
  discriminator: undefined,
  readOnly: false,
  writeOnly: false,
  example: undefined,
  default: undefined,
  title: undefined,
  description: undefined,
} as const satisfies Schema

const TEXT: Schema = { ...NOTHING, types: ['string'] }
const MOMENT: Schema = { ...NOTHING, types: ['string'], format: 'date-time' }

/** What records of a collection look like whose description gives no schema. */
export const PLAIN_RECORD: Schema = {
  ...NOTHING,
  types: ['object'],
  properties: new Map([
    ['id', TEXT],
    ['name', TEXT],
    ['created_at', MOMENT],
    ['updated_at', MOMENT],
  ]),
}
