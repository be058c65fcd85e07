import type { Schema } from '../../../schema/schema.ts'
import type { Maker } from '../cell.ts'
import { mayBeNull, type Presence } from './presence.ts'

/** What a property takes before its values are planned, in units of the stock. */
export const UNPLANNED = 0.15

/** A property of the objects that one maker makes. */
export interface Property {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** Schema of the objects in the value, for which depth and cycles count; undefined where it holds none. */
  readonly nested: Schema | undefined
  /** What an object has when the value is missing: null where the schema allows null. */
  readonly absent: null | undefined
  readonly readOnly: boolean
  readonly writeOnly: boolean
  /** Undefined until a value is asked for: deep in a record most objects are left out. */
  plan: ValuePlan | undefined
}

/** How the values of a property are made, and when there is one. */
export interface ValuePlan {
  readonly presence: Presence
  readonly make: Maker
}

export function propertyOf(name: string, schema: Schema, required: boolean): Property {
  return {
    name,
    schema,
    required,
    nested: nestedSchema(schema),
    absent: mayBeNull(schema) ? null : undefined,
    readOnly: schema.readOnly,
    writeOnly: schema.writeOnly,
    plan: undefined,
  }
}

/** The schema of the objects inside a value; undefined where the value contains none. */
function nestedSchema(schema: Schema): Schema | undefined {
  if (schema.items) return nestedSchema(schema.items)
  const isObject =
    schema.properties.size > 0 ||
    typeof schema.additionalProperties === 'object' ||
    schema.variants?.some((variant) => variant.properties.size > 0)
  return isObject ? schema : undefined
}
