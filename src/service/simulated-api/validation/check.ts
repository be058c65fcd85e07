import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { JsonType, Schema } from '../../openapi/schema.ts'
import { checkArray } from './check-array.ts'
import { checkObject } from './check-object.ts'
import { checkNumber, checkText } from './check-scalar.ts'
import { checkVariants } from './check-variants.ts'
import type { Problem } from './problem.ts'

/**
 * Which side a value is checked for. In a request, fields that only the server sets (`readOnly`) are not asked for and
 * `null` stands for an optional field that is not set; in a response, `writeOnly` fields are not asked for.
 */
export type Direction = 'request' | 'response'

/** Deeper values than this are taken as they are: no description means them. */
const MAX_DEPTH = 200
const checks = { request: new WeakMap<Schema, SchemaCheck>(), response: new WeakMap<Schema, SchemaCheck>() }
let depth = 0

/** The check for a schema, once for all simulations of the description. */
export function checkOf(schema: Schema, direction: Direction): SchemaCheck {
  const known = checks[direction].get(schema)
  if (known) return known
  const check = new SchemaCheck(schema, direction)
  checks[direction].set(schema, check)
  return check
}

/** Whether a value is one that an answer may carry at a place of this schema. */
export const fits = (schema: Schema, value: Json): boolean => checkOf(schema, 'response').find(value) === undefined

/** What a schema asks for, worked out. */
interface Demands {
  /** One bit for each type that is allowed; 0 where any is. */
  readonly types: number
  readonly allowsNull: boolean
  readonly ofAny: ((value: Json) => Problem | undefined) | undefined
  readonly ofText: ((text: string) => Problem | undefined) | undefined
  readonly ofNumber: ((value: number) => Problem | undefined) | undefined
  readonly ofArray: ((value: Json[]) => Problem | undefined) | undefined
  readonly ofObject: ((value: JsonObject) => Problem | undefined) | undefined
  readonly ofVariants: ((value: Json) => Problem | undefined) | undefined
}

/**
 * Holds values against one schema. What it asks for is worked out when it is first used, and lies flat: a record has
 * dozens of values, and most are scalars.
 */
export class SchemaCheck {
  readonly #schema: Schema
  readonly #direction: Direction
  #demands: Demands | undefined

  constructor(schema: Schema, direction: Direction) {
    this.#schema = schema
    this.#direction = direction
  }

  /** What does not fit; undefined when the value does. */
  find(value: Json): Problem | undefined {
    this.#demands ??= toDemands(this.#schema, this.#direction)
    const { types, allowsNull, ofAny, ofText, ofNumber, ofVariants } = this.#demands
    if (depth > MAX_DEPTH || (value === null && allowsNull)) return undefined
    if (types !== 0 && (types & typesOf(value)) === 0) {
      return { path: [], expected: nameTypes(this.#schema.types), got: value }
    }
    const problem = ofAny?.(value)
    if (problem) return problem
    if (ofVariants === undefined) {
      if (typeof value === 'string') return ofText?.(value)
      if (typeof value === 'number') return ofNumber?.(value)
    }
    return this.#findInside(value, this.#demands)
  }

  #findInside(value: Json, { ofText, ofNumber, ofArray, ofObject, ofVariants }: Demands): Problem | undefined {
    let problem: Problem | undefined
    depth++
    try {
      if (typeof value === 'string') problem = ofText?.(value)
      else if (typeof value === 'number') problem = ofNumber?.(value)
      else if (Array.isArray(value)) problem = ofArray?.(value)
      else if (isJsonObject(value)) problem = ofObject?.(value)
      return problem ?? ofVariants?.(value)
    } finally {
      depth--
    }
  }
}

function toDemands(schema: Schema, direction: Direction): Demands {
  const { types, variants } = schema
  const isNullable = direction === 'request' ? schema.nullable : schema.nullableByLetter
  return {
    types: types.reduce((bits, type) => bits | TYPE_BITS[type], 0),
    allowsNull: isNullable || (types.length === 0 && schema.enum === undefined && variants === undefined),
    ofAny: schema.enum && checkEnum(schema.enum),
    ofText: checkText(schema, direction),
    ofNumber: checkNumber(schema, direction),
    ofArray: checkArray(schema, direction),
    ofObject: checkObject(schema, direction),
    ofVariants: checkVariants(schema, direction),
  }
}

function checkEnum(allowed: readonly Json[]): (value: Json) => Problem | undefined {
  const scalars = new Set(allowed)
  const texts = new Set(allowed.filter((item) => typeof item === 'object').map((item) => JSON.stringify(item)))
  return (value) => {
    if (scalars.has(value) || (texts.size > 0 && texts.has(JSON.stringify(value)))) return undefined
    const expected = allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${listSome(allowed)}`
    return { path: [], expected, got: value }
  }
}

function listSome(values: readonly Json[]): string {
  const shown = values.slice(0, 10).map((value) => JSON.stringify(value))
  return values.length > shown.length ? `${shown.join(', ')}, ...` : shown.join(', ')
}

const TYPE_BITS: Readonly<Record<JsonType, number>> = {
  string: 1,
  number: 2,
  integer: 4,
  boolean: 8,
  object: 16,
  array: 32,
}

/** One bit for each of JSON Schema's types that a value has. */
function typesOf(value: Json): number {
  switch (typeof value) {
    case 'string':
      return TYPE_BITS.string
    case 'number':
      return Number.isInteger(value) ? TYPE_BITS.integer | TYPE_BITS.number : TYPE_BITS.number
    case 'boolean':
      return TYPE_BITS.boolean
    default:
      return Array.isArray(value) ? TYPE_BITS.array : value === null ? 0 : TYPE_BITS.object
  }
}

function nameTypes(types: readonly JsonType[]): string {
  const names = types.map((type) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`))
  return names.length === 1 ? (names[0] as string) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
