import type { Json, JsonObject } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { JsonType } from '../../schema/schema.ts'
import { isLooseTuple, isNullOnly, objectsOf } from './schema-parts.ts'

/** What a schema asks of a value by its own keywords, without those that hold other schemas. */
export interface Constraints {
  types: readonly JsonType[]
  /** Whether the parts ask for types that no value has together: an object that is an integer, an array that is a word. */
  isContradictory: boolean
  enum: readonly Json[] | undefined
  format: string | undefined
  pattern: string | undefined
  minLength: number | undefined
  maxLength: number | undefined
  minimum: number | undefined
  maximum: number | undefined
  exclusiveMinimum: number | undefined
  exclusiveMaximum: number | undefined
  multipleOf: number | undefined
  minItems: number | undefined
  maxItems: number | undefined
  minProperties: number | undefined
  maxProperties: number | undefined
  uniqueItems: boolean
  required: ReadonlySet<string>
  readOnly: boolean
  writeOnly: boolean
  example: Json | undefined
  default: Json | undefined
  title: string | undefined
  description: string | undefined
}

/** What the constraints of one description share. */
interface ConstraintSource {
  /** Most required names that are read of one schema. */
  readonly mostProperties: number
  /** The values of one list of values that another one has too. */
  sharedValues(values: readonly Json[]): (others: readonly Json[]) => readonly Json[]
}

/** The constraints of all parts. Where parts contradict each other, the last one counts. */
export function combine(parts: readonly JsonObject[], source: ConstraintSource): Constraints {
  const low = numericBounds(parts, 'minimum', 'exclusiveMinimum')
  const high = numericBounds(parts, 'maximum', 'exclusiveMaximum')
  const values = allowedValues(parts, source)
  const types = allowedTypes(parts, values)
  return {
    types,
    isContradictory: contradicts(parts, types, values),
    enum: parts.some(isNullOnly) ? [] : values?.filter((value) => value !== null),
    format: lastOf(parts, 'format', isText),
    pattern: lastOf(parts, 'pattern', isText),
    minLength: greatest(parts, 'minLength'),
    maxLength: least(parts, 'maxLength'),
    minimum: low.inclusive.length > 0 ? Math.max(...low.inclusive) : undefined,
    maximum: high.inclusive.length > 0 ? Math.min(...high.inclusive) : undefined,
    exclusiveMinimum: low.exclusive.length > 0 ? Math.max(...low.exclusive) : undefined,
    exclusiveMaximum: high.exclusive.length > 0 ? Math.min(...high.exclusive) : undefined,
    multipleOf: lastOf(parts, 'multipleOf', (value): value is number => isNumber(value) && value > 0),
    minItems: greatest(parts, 'minItems'),
    maxItems: least(parts, 'maxItems') ?? tupleLength(parts),
    minProperties: greatest(parts, 'minProperties'),
    maxProperties: least(parts, 'maxProperties'),
    uniqueItems: parts.some((part) => part.uniqueItems === true),
    required: requiredOf(parts, source.mostProperties),
    readOnly: parts.some((part) => part.readOnly === true),
    writeOnly: parts.some((part) => part.writeOnly === true),
    example: exampleOf(parts),
    default: lastOf(parts, 'default', isPresent),
    title: lastOf(parts, 'title', isText),
    description: lastOf(parts, 'description', isText),
  }
}

const NONE_REQUIRED: ReadonlySet<string> = new Set()

function requiredOf(parts: readonly JsonObject[], most: number): ReadonlySet<string> {
  if (!parts.some((part) => Array.isArray(part.required))) return NONE_REQUIRED
  const required = new Set<string>()
  for (const { required: written } of parts) {
    for (const name of Array.isArray(written) ? written.slice(0, most) : []) {
      if (isText(name) && required.size < most) required.add(name)
    }
  }
  return required
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isPresent = (value: Json | undefined): value is Json => value !== undefined

function lastOf<T extends Json>(
  parts: readonly JsonObject[],
  key: string,
  accepts: (value: Json | undefined) => value is T,
): T | undefined {
  for (let at = parts.length - 1; at >= 0; at--) {
    const value = parts[at]?.[key]
    if (accepts(value)) return value
  }
  return undefined
}

function greatest(parts: readonly JsonObject[], key: string): number | undefined {
  return extreme(parts, key, Math.max)
}

function least(parts: readonly JsonObject[], key: string): number | undefined {
  return extreme(parts, key, Math.min)
}

function extreme(
  parts: readonly JsonObject[],
  key: string,
  choose: (a: number, b: number) => number,
): number | undefined {
  let chosen: number | undefined
  for (const part of parts) {
    const value = part[key]
    if (isNumber(value)) chosen = chosen === undefined ? value : choose(chosen, value)
  }
  return chosen
}

/** Tuples get one item, unless they require more: the further items have other schemas. */
function tupleLength(parts: readonly JsonObject[]): number | undefined {
  const tuple = parts
    .filter((part) => !isLooseTuple(part))
    .map((part) => objectsOf(part.prefixItems ?? part.items))
    .find((found) => found.length > 1)
  return tuple && (greatest(parts, 'minItems') ?? 0) < 2 ? 1 : undefined
}

/** In OpenAPI 2.0 and 3.0 the boolean `exclusiveMinimum` makes `minimum` exclusive; in later versions it is a number. */
function numericBounds(parts: readonly JsonObject[], inclusiveKey: string, exclusiveKey: string) {
  const inclusive: number[] = []
  const exclusive: number[] = []
  for (const part of parts) {
    const bound = part[inclusiveKey]
    if (isNumber(bound)) (part[exclusiveKey] === true ? exclusive : inclusive).push(bound)
    if (isNumber(part[exclusiveKey])) exclusive.push(part[exclusiveKey])
  }
  return { inclusive, exclusive }
}

/** Values that every `enum` and `const` of the parts allows. */
function allowedValues(parts: readonly JsonObject[], source: ConstraintSource): readonly Json[] | undefined {
  let values: readonly Json[] | undefined
  for (const part of parts) {
    const own = part.const !== undefined ? [part.const] : Array.isArray(part.enum) ? part.enum : undefined
    if (!own || own.length === 0) continue
    if (own === values) continue
    const both = values && source.sharedValues(values)(own)
    values = both && both.length > 0 ? both : own
  }
  return values
}

function allowedTypes(parts: readonly JsonObject[], values: readonly Json[] | undefined): readonly JsonType[] {
  let types: readonly JsonType[] | undefined
  for (const part of parts) {
    const own = typesOf(part.type)
    if (own.length === 0) continue
    const both = types ? intersect(types, own) : own
    types = both.length > 0 ? both : own
  }
  return types ?? inferredTypes(parts, values)
}

function contradicts(
  parts: readonly JsonObject[],
  types: readonly JsonType[],
  values: readonly Json[] | undefined,
): boolean {
  const declared = parts.map(({ type }) => typesOf(type)).filter((own) => own.length > 0)
  if (parts.some(isNullAmongOthers)) return true
  if (declared.length === 0) return false
  if (declared.some((own) => intersect(types, own).length === 0)) return true
  if (parts.some((part) => part.type === 'null')) return true
  const written = values?.filter((value) => value !== null) ?? []
  return written.length > 0 && written.every((value) => intersect(types, [typeOfValue(value)]).length === 0)
}

/** `{ type: null, oneOf: [number, boolean] }`, which converters write for what may be null. */
function isNullAmongOthers({ type, oneOf, anyOf }: JsonObject): boolean {
  const alternatives = [...objectsOf(oneOf), ...objectsOf(anyOf)]
  const isOther = (one: JsonObject) => one.nullable !== true && typeof one.type === 'string' && one.type !== 'null'
  return type === 'null' && alternatives.length > 0 && alternatives.every(isOther)
}

function typesOf(type: Json | undefined): JsonType[] {
  const names = Array.isArray(type) ? type : [type]
  return names.flatMap((name) => TYPES.get(String(name)) ?? [])
}

/** Types by the names that descriptions use. `file` is of OpenAPI 2.0; `int`, `float` and `bool` are common mistakes. */
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

/** The types that follow from other keywords where there is no `type`. */
function inferredTypes(parts: readonly JsonObject[], values: readonly Json[] | undefined): readonly JsonType[] {
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

function typeOfValue(value: Json): JsonType {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

/** `example`, else the first of `examples` (OpenAPI 3.1), else `x-example`. */
function exampleOf(parts: readonly JsonObject[]): Json | undefined {
  const single = lastOf(parts, 'example', isPresent)
  if (single !== undefined) return single
  for (const part of parts.toReversed()) {
    const many = part.examples
    if (Array.isArray(many) && many[0] !== undefined) return many[0]
  }
  return lastOf(parts, 'x-example', isPresent)
}
