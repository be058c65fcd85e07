import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../openapi/schema.ts'
import { checkOf, type SchemaCheck } from '../validation/check.ts'

/** A declared field, with what is asked of it for every record. */
interface Field {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  /** Whether answers leave it out. */
  readonly isHidden: boolean
  readonly check: SchemaCheck
}

const MAX_DEPTH = 60
const fieldLists = new WeakMap<Schema, readonly Field[]>()

/**
 * Whether an object is already what an answer shows: nothing but declared fields, in the declared order, each of them
 * fitting. Most kept records are, and need not be made anew to be shown.
 */
export function isExactObject(value: JsonObject, schema: Schema, depth: number): boolean {
  if (schema.variants !== undefined || depth > MAX_DEPTH) return false
  const fields = fieldsOf(schema)
  let at = 0
  for (const name in value) {
    while (at < fields.length && fields[at]?.name !== name) if (fields[at++]?.isRequired) return false
    const field = fields[at++]
    if (field === undefined || field.isHidden || !isExactValue(value[name] as Json, field, depth)) return false
  }
  while (at < fields.length) if (fields[at++]?.isRequired) return false
  return true
}

function isExactValue(value: Json, { schema, check }: Field, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return check.find(value) === undefined
  if (Array.isArray(value)) return isExactArray(value, schema, depth + 1)
  return isOfType(schema, 'object') && isExactObject(value, schema, depth + 1)
}

/** Lists whose items depend on one another or on their place are left to the slower way. */
function isExactArray(values: readonly Json[], schema: Schema, depth: number): boolean {
  const { items, variants, minItems, maxItems, uniqueItems, raw } = schema
  const isTuple = 'prefixItems' in raw || Array.isArray(raw.items)
  if (isTuple || variants !== undefined || items === undefined || !isOfType(schema, 'array')) return false
  if (values.length < (minItems ?? 0) || values.length > (maxItems ?? Number.POSITIVE_INFINITY)) return false
  if (uniqueItems && values.length > 1) return false
  if (values.length === 0) return true
  const check = checkOf(items, 'response')
  for (const value of values) if (!isExactItem(value, items, check, depth)) return false
  return true
}

function isExactItem(value: Json, schema: Schema, check: SchemaCheck, depth: number): boolean {
  if (Array.isArray(value)) return false
  if (isJsonObject(value)) return isOfType(schema, 'object') && isExactObject(value, schema, depth)
  return check.find(value) === undefined
}

const isOfType = ({ types }: Schema, type: 'object' | 'array'): boolean => types.length === 0 || types.includes(type)

function fieldsOf(schema: Schema): readonly Field[] {
  const known = fieldLists.get(schema)
  if (known) return known
  const { properties, required } = schema
  const undeclared = [...required].filter((name) => !properties.has(name))
  const fields = [...properties].map(([name, field]): Field => {
    const isRequired = required.has(name)
    const isHidden = field.writeOnly && !isRequired
    return { name, schema: field, isRequired, isHidden, check: checkOf(field, 'response') }
  })
  const missing = undeclared.map((name): Field => {
    return { name, schema, isRequired: true, isHidden: true, check: checkOf(schema, 'response') }
  })
  const list = [...fields, ...missing]
  fieldLists.set(schema, list)
  return list
}
