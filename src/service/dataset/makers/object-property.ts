import type { Schema } from '../../../schema/schema.ts'
import type { Maker } from '../cell.ts'
import { mayBeNull, type Presence } from './presence.ts'

/** Memory of a property before its values are planned, in units of the stock. */
export const UNPLANNED = 0.15

/** A property of the objects that one maker makes. */
export interface Property {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  /** Schema of the objects in the value, for depth and cycles; undefined without objects. */
  readonly nested: Schema | undefined
  /** The value of an absent property: null where the schema allows null. */
  readonly absent: null | undefined
  readonly readOnly: boolean
  readonly writeOnly: boolean
  /** Undefined before the first value: most deep objects are omitted. */
  plan: ValuePlan | undefined
}

/** How a property's values are made, and when it has one. */
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

/** The schema of the objects inside a value; undefined without objects. */
function nestedSchema(schema: Schema): Schema | undefined {
  if (schema.items) return nestedSchema(schema.items)
  const isObject =
    schema.properties.size > 0 ||
    typeof schema.additionalProperties === 'object' ||
    schema.variants?.some((variant) => variant.properties.size > 0)
  return isObject ? schema : undefined
}
