import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { JsonType } from '../../../schema/schema.ts'
import { isText, lastOf } from './schema-keywords.ts'
import { isLooseTuple } from './schema-parts.ts'

/** The written types that all parts allow; empty without any. */
export function declaredTypes(parts: readonly JsonObject[]): readonly JsonType[] {
  let types: readonly JsonType[] | undefined
  for (const part of parts) {
    const own = isWrongObject(part) ? [typeOfDefault(part)] : typesOf(part.type)
    if (own.length === 0) continue
    const both = types ? intersect(types, own) : own
    types = both.length > 0 ? both : own
  }
  return types ?? NO_TYPES
}

/** `{ type: object, default: 500, minimum: 1 }`, as a framework writes a number. */
export const isWrongObject = ({ type, default: usual, properties, additionalProperties }: JsonObject): boolean =>
  type === 'object' &&
  usual !== undefined &&
  usual !== null &&
  typeOfValue(usual) !== 'object' &&
  properties === undefined &&
  additionalProperties === undefined

/** A number may have a fraction, whatever its default. */
export function typeOfDefault({ default: usual = null }: JsonObject): JsonType {
  const type = typeOfValue(usual)
  return type === 'integer' ? 'number' : type
}

/** Whether the parts exclude each other: no value has all their types. */
export function contradicts(
  parts: readonly JsonObject[],
  types: readonly JsonType[],
  values: readonly Json[] | undefined,
): boolean {
  const declared = parts.map((part) => (isWrongObject(part) ? [] : typesOf(part.type))).filter((own) => own.length > 0)
  if (declared.length === 0) return false
  if (declared.some((own) => intersect(types, own).length === 0)) return true
  if (parts.some((part) => part.type === 'null')) return true
  const written = values?.filter((value) => value !== null) ?? []
  return written.length > 0 && written.every((value) => intersect(types, [typeOfValue(value)]).length === 0)
}

function typesOf(type: Json | undefined): readonly JsonType[] {
  if (type === undefined) return NO_TYPES
  if (typeof type === 'string') return ONE_TYPE.get(type) ?? NO_TYPES
  return [type].flat().flatMap((name) => TYPES.get(String(name)) ?? [])
}

const NO_TYPES: readonly JsonType[] = []

/** Types by their names in descriptions. `file` is from OpenAPI 2.0; `int`, `float` and `bool` are common mistakes. */
const TYPES: ReadonlyMap<string, JsonType> = new Map(
  Object.entries({
    string: 'string',
    number: 'number',
    integer: 'integer',
    boolean: 'boolean',
    object: 'object',
    array: 'array',
    file: 'string',
    int: 'integer',
    float: 'number',
    bool: 'boolean',
  } as const),
)

export const TYPE_NAMES: readonly string[] = [...TYPES.keys()]

const ONE_TYPE: ReadonlyMap<string, readonly JsonType[]> = new Map([...TYPES].map(([name, type]) => [name, [type]]))

function intersect(left: readonly JsonType[], right: readonly JsonType[]): JsonType[] {
  const both = new Set<JsonType>()
  for (const a of left) {
    for (const b of right) {
      if (a === b) both.add(a)
      if ((a === 'integer' && b === 'number') || (a === 'number' && b === 'integer')) both.add('integer')
    }
  }
  return [...both]
}

/** The types implied by other keywords without a `type`; `values`: those of the enums. */
export function inferredTypes(parts: readonly JsonObject[], values: readonly Json[] | undefined): readonly JsonType[] {
  if (values) return [...new Set(values.filter((value) => value !== null).map(typeOfValue))]
  const has = (...keys: string[]) => parts.some((part) => keys.some((key) => part[key] !== undefined))
  if (has('properties') || parts.some((part) => isJsonObject(part.additionalProperties))) return ['object']
  if (parts.some((part) => (part.items !== undefined && !isLooseTuple(part)) || part.prefixItems !== undefined))
    return ['array']
  const format = lastOf(parts, 'format', isText)
  if (format === 'int32' || format === 'int64') return ['integer']
  if (format === 'float' || format === 'double') return ['number']
  return format !== undefined || has('pattern', 'minLength', 'maxLength') ? ['string'] : []
}

/** The values of an enum with a declared type; all of them where none has one. */
export function valuesOfTypes(values: readonly Json[], types: readonly JsonType[]): readonly Json[] {
  const written = values.filter((value) => value !== null)
  const fitting = written.filter((value) => intersect(types, [typeOfValue(value)]).length > 0)
  return fitting.length > 0 ? fitting : written
}

function typeOfValue(value: Json): JsonType {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}
