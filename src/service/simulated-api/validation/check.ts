import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { JsonType, Schema } from '../../openapi/schema.ts'
import { checkArray } from './check-array.ts'
import { checkObject } from './check-object.ts'
import { numberChecks, stringChecks } from './check-scalar.ts'
import { checkVariants } from './check-variants.ts'
import type { Problem } from './problem.ts'

/**
 * Which side a value is checked for. In a request, fields that only the server sets (`readOnly`) are not asked for and
 * `null` stands for an optional field that is not set; in a response, `writeOnly` fields are not asked for.
 */
export type Direction = 'request' | 'response'

/** Undefined when the value fits. */
export type Check = (value: Json) => Problem | undefined

/** Deeper values than this are taken as they are: no description means them. */
const MAX_DEPTH = 200
const checks = { request: new WeakMap<Schema, Check>(), response: new WeakMap<Schema, Check>() }
let depth = 0

/** The check for a schema: closures, made when it is first used, and once for all simulations of the description. */
export function checkOf(schema: Schema, direction: Direction): Check {
  const known = checks[direction].get(schema)
  if (known) return known
  let compiled: Check | undefined
  const check: Check = (value) => {
    compiled ??= compile(schema, direction)
    if (depth > MAX_DEPTH) return undefined
    depth++
    try {
      return compiled(value)
    } finally {
      depth--
    }
  }
  checks[direction].set(schema, check)
  return check
}

/** Whether a value is one that an answer may carry at a place of this schema. */
export const fits = (schema: Schema, value: Json): boolean => checkOf(schema, 'response')(value) === undefined

function compile(schema: Schema, direction: Direction): Check {
  const parts = [
    schema.enum && checkEnum(schema.enum),
    ...stringChecks(schema, direction),
    ...numberChecks(schema, direction),
    checkArray(schema, direction),
    checkObject(schema, direction),
    checkVariants(schema, direction),
  ].filter((part) => part !== undefined)
  const { types } = schema
  const isNullable = direction === 'request' ? schema.nullable : schema.nullableByLetter
  const allowsNull = isNullable || (types.length === 0 && schema.enum === undefined && schema.variants === undefined)
  return (value) => {
    if (value === null && allowsNull) return undefined
    if (types.length > 0 && !hasType(value, types)) return { path: [], expected: nameTypes(types), got: value }
    for (const part of parts) {
      const problem = part(value)
      if (problem) return problem
    }
    return undefined
  }
}

function checkEnum(allowed: readonly Json[]): Check {
  const scalars = new Set(allowed)
  const texts = new Set(allowed.filter((item) => typeof item === 'object').map((item) => JSON.stringify(item)))
  const expected = allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${listSome(allowed)}`
  return (value) => {
    if (scalars.has(value) || (texts.size > 0 && texts.has(JSON.stringify(value)))) return undefined
    return { path: [], expected, got: value }
  }
}

function listSome(values: readonly Json[]): string {
  const shown = values.slice(0, 10).map((value) => JSON.stringify(value))
  return values.length > shown.length ? `${shown.join(', ')}, ...` : shown.join(', ')
}

function hasType(value: Json, types: readonly JsonType[]): boolean {
  for (const type of types) if (isOfType(value, type)) return true
  return false
}

/** Whether a value has one of JSON Schema's types. */
export function isOfType(value: Json, type: JsonType): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function nameTypes(types: readonly JsonType[]): string {
  const names = types.map((type) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`))
  return names.length === 1 ? (names[0] as string) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
