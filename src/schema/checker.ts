import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { CheckEffort } from './check-effort.ts'
import { checkNumber, checkText } from './check-scalar.ts'
import { patternTest } from './pattern-test.ts'
import { joinProblems, MOST_PROBLEMS, type Problem, UNDECLARED, within } from './problem.ts'
import type { Assertions, JsonType, Schema } from './schema.ts'

/**
 * The context of a check. In a request, fields that only the server sets (`readOnly`) are not required, and `null` may
 * stand for an optional field; in a response, `writeOnly` fields are not required. A part of a record may lack any
 * field.
 */
type Direction = 'request' | 'response' | 'part'

/** Describes what does not fit a schema; undefined when the value fits. */
export type Checker = (value: Json) => Problem | undefined

/** With more alternatives than these, the check stops at the first that fits. */
const MOST_EXCLUSIVE = 500
/** Values below this depth are not checked. */
const MAX_DEPTH = 200

/** The checker for a schema. It is compiled at the first value. */
export function checkerOf(schema: Schema, { direction }: { direction: Direction }): Checker {
  const check = checkOf(schema, direction)
  return (value) => check.find(value, 0, undefined)
}

/** Whether a response may have this value at a place with this schema. `effort`: shared limit of the cost of checks. */
export function fits(schema: Schema, value: Json, effort?: CheckEffort): boolean {
  const walk = effort && new VariantWalk<SchemaCheck>(effort)
  return checkOf(schema, 'response').find(value, 0, walk) === undefined
}

/** The check of a schema, shared by all simulations of the description. */
const checkOf = (schema: Schema, direction: Direction): SchemaCheck => schema.once(MAKE_CHECK[direction])

const MAKE_CHECK: Readonly<Record<Direction, (schema: Schema) => SchemaCheck>> = {
  request: (schema) => new SchemaCheck(schema, 'request'),
  response: (schema) => new SchemaCheck(schema, 'response'),
  part: (schema) => new SchemaCheck(schema, 'part'),
}

/** The compiled keywords of a schema. */
interface Demands {
  /** One bit for each allowed type; 0 where any is allowed. */
  readonly types: number
  readonly allowsNull: boolean
  readonly ofAny: Checker | undefined
  readonly ofText: ((text: string) => Problem | undefined) | undefined
  readonly ofNumber: ((value: number) => Problem | undefined) | undefined
  readonly ofArray: CheckInside<Json[]> | undefined
  readonly ofObject: CheckInside<JsonObject> | undefined
  readonly ofVariants: CheckInside<Json> | undefined
  readonly ofAssertions: CheckInside<Json> | undefined
}

/** Checks the levels below the top; inside alternatives as a part of `walk`. */
type CheckInside<T extends Json> = (value: T, depth: number, walk: Walk | undefined) => Problem | undefined

type Walk = VariantWalk<SchemaCheck>

/** Checks values against one schema. */
class SchemaCheck {
  readonly #schema: Schema
  readonly #direction: Direction
  #demands: Demands | undefined

  constructor(schema: Schema, direction: Direction) {
    this.#schema = schema
    this.#direction = direction
  }

  /** `depth`: number of arrays, objects and alternatives around the value. */
  find(value: Json, depth: number, walk: Walk | undefined): Problem | undefined {
    this.#demands ??= toDemands(this.#schema, this.#direction)
    const { types, allowsNull, ofAny, ofText, ofNumber, ofArray, ofObject, ofVariants, ofAssertions } = this.#demands
    if (depth > MAX_DEPTH || walk?.isOver()) return undefined
    if (value === null && allowsNull) return ofAssertions?.(value, depth + 1, walk)
    if (types !== 0 && (types & typesOf(value)) === 0) {
      return { path: [], expected: nameTypes(demandedTypes(this.#schema, this.#direction)), got: value }
    }
    let problem = ofAny?.(value)
    if (problem) return problem
    if (typeof value === 'string') problem = ofText?.(value)
    else if (typeof value === 'number') problem = ofNumber?.(value)
    else if (Array.isArray(value)) problem = ofArray?.(value, depth + 1, walk)
    else if (isJsonObject(value)) problem = ofObject?.(value, depth + 1, walk)
    return problem ?? ofVariants?.(value, depth + 1, walk) ?? ofAssertions?.(value, depth + 1, walk)
  }
}

function toDemands(schema: Schema, direction: Direction): Demands {
  const { variants } = schema
  const types = demandedTypes(schema, direction)
  const isNullable = direction === 'response' ? schema.nullableByLetter : schema.nullable
  return {
    types: types.reduce((bits, type) => bits | TYPE_BITS[type], 0),
    allowsNull: isNullable || (types.length === 0 && schema.enum === undefined && variants === undefined),
    ofAny: schema.enum && checkEnum(schema.enum),
    ofText: checkText(schema, direction === 'request' ? 'lenient' : 'strict'),
    ofNumber: checkNumber(schema, direction === 'request' || schema.format === 'int32' ? schema.format : undefined),
    ofArray: checkArray(schema, direction),
    ofObject: checkObject(schema, direction),
    ofVariants: schema.assertions?.choices.length ? undefined : checkVariants(schema, direction),
    ofAssertions: schema.assertions && checkAssertions(schema.assertions, direction),
  }
}

/**
 * The types of values: keywords for one type say nothing about values of others. In a request a schema with properties
 * takes only objects, whether or not it says so: its values become records.
 */
const demandedTypes = ({ declaredTypes, properties, variants }: Schema, direction: Direction): readonly JsonType[] =>
  direction === 'request' && declaredTypes.length === 0 && properties.size > 0 && !variants ? OBJECT : declaredTypes

const OBJECT: readonly JsonType[] = ['object']

/** Checks what a schema asserts besides: `not`, `if`, dependencies, `contains` and what no keyword evaluates. */
function checkAssertions(assertions: Assertions, direction: Direction): CheckInside<Json> {
  const { not, conditions, dependentRequired, dependentSchemas, contains, choices, unevaluated } = assertions
  const find = (schema: Schema, value: Json, depth: number, walk: Walk | undefined) =>
    checkOf(schema, direction).find(value, depth, walk)
  const ofObject = (value: JsonObject, depth: number, walk: Walk | undefined): Problem | undefined => {
    for (const { name, requires } of direction === 'part' ? [] : dependentRequired) {
      const missing = Object.hasOwn(value, name) && requires.find((one) => !Object.hasOwn(value, one))
      if (missing) return { path: [missing], expected: `present where \`${name}\` is`, got: undefined }
    }
    for (const { name, schema } of dependentSchemas) {
      const problem = Object.hasOwn(value, name) ? find(schema, value, depth, walk) : undefined
      if (problem) return problem
    }
    return undefined
  }
  const ofArray = (value: readonly Json[], depth: number, walk: Walk | undefined): Problem | undefined => {
    for (const { schema, least, most } of contains) {
      const count = value.filter((item) => find(schema, item, depth, walk) === undefined).length
      const bound = count < least ? `at least ${least}` : count > most ? `at most ${most}` : undefined
      if (bound === undefined) continue
      const expected = `an array of ${bound} items that fit ${JSON.stringify(schema.raw)}`
      return { path: [], expected, got: value as Json[] }
    }
    return undefined
  }
  const ofUnevaluated = (value: Json, depth: number, around: Walk | undefined): Problem | undefined => {
    const walk = around ?? new VariantWalk<SchemaCheck>().inner()
    const fits = (schema: Schema, tried: Json) => find(schema, tried, depth, walk) === undefined
    for (const { schema, namesIn } of unevaluated) {
      for (const name of namesIn(value, fits)) {
        const got = (value as Record<string, Json>)[name] as Json
        const problem = schema ? find(schema, got, depth, walk) : { path: [], expected: UNDECLARED, got }
        if (problem) return within(name, problem)
      }
    }
    return undefined
  }
  return (value, depth, walk) => {
    const excluded = not.find((schema) => find(schema, value, depth, walk) === undefined)
    if (excluded) return { path: [], expected: `none that fits ${JSON.stringify(excluded.raw)}`, got: value }
    for (const { asked, ifSo, ifNot } of conditions) {
      const branch = find(asked, value, depth, walk) === undefined ? ifSo : ifNot
      const problem = branch && find(branch, value, depth, walk)
      if (problem) return problem
    }
    for (const choice of choices) {
      const problem = find(choice, value, depth, walk)
      if (problem) return problem
    }
    const problem = Array.isArray(value)
      ? ofArray(value, depth, walk)
      : isJsonObject(value)
        ? ofObject(value, depth, walk)
        : undefined
    return problem ?? (unevaluated.length > 0 ? ofUnevaluated(value, depth, walk) : undefined)
  }
}

function checkEnum(allowed: readonly Json[]): Checker {
  const scalars = new Set(allowed)
  const texts = new Set(allowed.filter((item) => typeof item === 'object').map(toText))
  return (value) => {
    if (scalars.has(value) || (texts.size > 0 && texts.has(toText(value)))) return undefined
    const expected = allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${listSome(allowed)}`
    return { path: [], expected, got: value, allowed }
  }
}

/** A value as a text, whatever the order of its names. */
const toText = (value: Json): string =>
  typeof value === 'object' ? JSON.stringify(value, (_, inner) => inOrder(inner as Json)) : JSON.stringify(value)

const inOrder = (value: Json): Json =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value

function listSome(values: readonly Json[]): string {
  const shown = values.slice(0, 10).map((value) => JSON.stringify(value))
  return values.length > shown.length ? `${shown.join(', ')}, ...` : shown.join(', ')
}

/** A check for a schema's keywords for arrays and items; undefined without any. */
function checkArray(schema: Schema, direction: Direction): Demands['ofArray'] {
  const { items, places, rest, minItems, maxItems, uniqueItems } = schema
  const isAnyItem = items === undefined && places === undefined
  if (isAnyItem && minItems === undefined && maxItems === undefined && !uniqueItems) return undefined
  const checkItem = items && checkOf(items, direction)
  const checkPlaces = places?.map((place) => checkOf(place, direction))
  const checkRest = places === undefined ? checkItem : rest && checkOf(rest, direction)
  const most = direction === 'response' ? 1 : MOST_PROBLEMS
  const count = (bound: string, length: number) => ({
    path: [],
    expected: `an array of ${bound} items`,
    got: `${length} items`,
  })
  return (value, depth, walk) => {
    const { length } = value
    if (minItems !== undefined && length < minItems) return count(`at least ${minItems}`, length)
    if (maxItems !== undefined && length > maxItems) return count(`at most ${maxItems}`, length)
    if (uniqueItems && new Set(value.map(toText)).size < length) {
      return { path: [], expected: 'an array of different items', got: value }
    }
    if (isAnyItem) return undefined
    let problems: Problem[] | undefined
    for (const [at, item] of value.entries()) {
      const problem = (checkPlaces?.[at] ?? checkRest)?.find(item, depth, walk)
      if (problem === undefined) continue
      problems = [...(problems ?? []), within(String(at), problem)]
      if (problems.length >= most) break
    }
    return problems && joinProblems(problems)
  }
}

/** A check for a schema's keywords for objects and fields; undefined without any. */
function checkObject(schema: Schema, direction: Direction): Demands['ofObject'] {
  const { properties, additionalProperties, maxProperties, propertyNames, assertions } = schema
  const isLeftOpen = additionalProperties === false && assertions?.unevaluated.some(isOfProperties)
  const isRequest = direction === 'request'
  const rest = isLeftOpen || (isRequest && isMapOfAny(schema)) ? true : additionalProperties
  const minProperties = direction === 'part' ? undefined : schema.minProperties
  const required = [...schema.required].filter((name) => {
    const field = properties.get(name)
    return direction !== 'part' && !(isRequest ? field?.readOnly : field?.writeOnly)
  })
  const patterns = assertions?.patternProperties.map((one) => ({
    matches: patternTest(one.pattern) ?? (() => false),
    check: checkOf(one.schema, direction),
  }))
  const isFree = properties.size === 0 && required.length === 0 && rest === true && !patterns?.length
  const isCounted = minProperties !== undefined || maxProperties !== undefined
  if (isFree && !isCounted && propertyNames === undefined) return undefined
  const checkName = propertyNames && checkOf(propertyNames, direction)
  // A client's value for a field that only the server sets is not checked.
  const checks = new Map<string, SchemaCheck | typeof UNCHECKED>(
    [...properties].map(([name, field]) => [name, isRequest && field.readOnly ? UNCHECKED : checkOf(field, direction)]),
  )
  const checkRest = typeof rest === 'boolean' ? undefined : checkOf(rest, direction)
  const requiredNames = new Set(required)
  const most = direction === 'response' ? 1 : MOST_PROBLEMS
  const count = (bound: string, fields: number) => ({
    path: [],
    expected: `an object of ${bound} fields`,
    got: `${fields} fields`,
  })
  const checkField = (name: string, item: Json, depth: number, walk: Walk | undefined): Problem | undefined => {
    const own = checks.get(name)
    const matching = patterns?.filter(({ matches }) => matches(name)) ?? NO_PATTERNS
    const check = own ?? (matching.length > 0 ? undefined : checkRest)
    if (check === UNCHECKED) return undefined
    for (const pattern of matching) {
      const problem = pattern.check.find(item, depth, walk)
      if (problem) return within(name, problem)
    }
    const misnamed = checkName?.find(name, depth, walk)
    if (misnamed) return { path: [name], expected: `a field whose name is ${misnamed.expected}`, got: item }
    if (check === undefined && rest === false && matching.length === 0) {
      return { path: [name], expected: UNDECLARED, got: item }
    }
    const problem = check?.find(item, depth, walk)
    return problem && within(name, problem)
  }
  return (value, depth, walk) => {
    let problems: Problem[] | undefined
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue
      problems = [...(problems ?? []), { path: [name], expected: 'present', got: undefined }]
      if (problems.length >= most) return joinProblems(problems)
    }
    let fields = 0
    for (const name in value) {
      fields++
      const item = value[name]
      if (item === undefined || (item === null && isRequest && !requiredNames.has(name))) continue
      const problem = checkField(name, item, depth, walk)
      if (problem === undefined) continue
      problems = [...(problems ?? []), problem]
      if (problems.length >= most) return joinProblems(problems)
    }
    if (problems) return joinProblems(problems)
    if (minProperties !== undefined && fields < minProperties) return count(`at least ${minProperties}`, fields)
    if (maxProperties !== undefined && fields > maxProperties) return count(`at most ${maxProperties}`, fields)
    return undefined
  }
}

/** `{ additionalProperties: { type: object } }`: a `Map<String, Object>`, as springdoc writes it, has values of any type. */
const isMapOfAny = ({ properties, additionalProperties: rest }: Schema): boolean =>
  properties.size === 0 && typeof rest === 'object' && Object.entries(rest.raw).join() === 'type,object'

const isOfProperties = ({ of }: Assertions['unevaluated'][number]) => of === 'unevaluatedProperties'

const UNCHECKED = 'unchecked'
const NO_PATTERNS: readonly { readonly check: SchemaCheck }[] = []

/**
 * Checks a value against the alternatives of a schema. A request may fit several alternatives of a `oneOf`:
 * descriptions overlap more than their authors know. Reports the problem of the nearest alternative.
 */
function checkVariants(schema: Schema, direction: Direction): Demands['ofVariants'] {
  const { variants, discriminator } = schema
  if (variants === undefined) return undefined
  const checks = variants.map((variant) => checkOf(variant, direction))
  const mayBeParent =
    direction === 'request' && discriminator && !schema.required.has(discriminator.property) && isParent(schema)
  const isExclusive = schema.variantRule === 'oneOf' && direction === 'response' && variants.length <= MOST_EXCLUSIVE
  const { hasMoreVariants } = schema
  return (value, depth, around) => {
    const walk = (around ?? new VariantWalk<SchemaCheck>()).inner()
    const named = discriminator && isJsonObject(value) ? value[discriminator.property] : undefined
    const chosen = typeof named === 'string' ? discriminator?.mapping.get(named) : undefined
    if (mayBeParent && named === undefined) return undefined
    if (chosen && !isExclusive) return walk.find(checkOf(chosen, direction), value, depth)
    if (hasMoreVariants) return undefined
    let matches = 0
    let nearest: Problem | undefined
    for (const check of checks) {
      if (walk.isOver()) return undefined
      const problem = walk.find(check, value, depth)
      if (problem === undefined) matches++
      // A deeper problem is more specific.
      else if (nearest === undefined || problem.path.length > nearest.path.length) nearest = problem
      if (matches > 0 && !isExclusive) return undefined
    }
    if (matches === 1) return undefined
    if (matches > 1) return { path: [], expected: 'of one kind only', got: value }
    const unknown = chosen === undefined && discriminator && isJsonObject(value)
    if (unknown && discriminator.mapping.size > 0) return unknownKind(discriminator, named)
    const own = chosen && walk.find(checkOf(chosen, direction), value, depth)
    return own ?? nearest ?? { path: [], expected: 'one of the declared kinds', got: value }
  }
}

/** Whether the alternatives extend the schema, which has no list of them. */
const isParent = ({ raw }: Schema): boolean => raw.oneOf === undefined && raw.anyOf === undefined

const LISTED_KINDS = 20

/** A value that says by a name which of the alternatives it is, and names none of them. */
function unknownKind({ property, mapping }: NonNullable<Schema['discriminator']>, named: Json | undefined): Problem {
  const kinds = [...mapping.keys()].slice(0, LISTED_KINDS).map((kind) => JSON.stringify(kind))
  return { path: [property], expected: `one of ${kinds.join(', ')}`, got: named }
}

const TYPE_BITS: Readonly<Record<JsonType, number>> = {
  string: 1,
  number: 2,
  integer: 4,
  boolean: 8,
  object: 16,
  array: 32,
}

/** The JSON Schema types of a value, one bit each. */
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

/** Finds the problem of a value. */
interface Check<Walk> {
  find(value: Json, depth: number, walk: Walk): Problem | undefined
}

/** Most values visited for one value with alternatives. Beyond them a value is assumed to fit. */
const MOST_STEPS = 200_000

/** The result while the same value is already being checked: an alternative that leads back to itself describes nothing. */
const IN_CIRCLE: Problem = { path: [], expected: 'described by more than itself', got: null }

/**
 * The check of one value against the alternatives of a schema, at all levels. Nested alternatives reach the same value
 * on many paths: the result for each value and alternative is kept, so that the work grows with the value and the
 * schemas, not with the number of paths.
 */
class VariantWalk<C extends Check<VariantWalk<C>>> {
  readonly #effort: CheckEffort
  #isInside = false
  /** Undefined without nested alternatives, where each value is visited once. */
  #found: Map<Json, Map<C, Problem | undefined>> | undefined

  constructor(effort: CheckEffort = new CheckEffort(MOST_STEPS)) {
    this.#effort = effort
  }

  /** Counts a value visited inside alternatives. */
  isOver(): boolean {
    return this.#isInside && !this.#effort.take()
  }

  /** The same walk, inside another choice. */
  inner(): this {
    if (this.#isInside) this.#found ??= new Map()
    this.#isInside = true
    return this
  }

  /** The problem of `value` by one of the alternatives. */
  find(check: C, value: Json, depth: number): Problem | undefined {
    if (!this.#effort.take()) return undefined
    if (this.#found === undefined) return check.find(value, depth, this)
    const found = this.#found.get(value) ?? new Map<C, Problem | undefined>()
    this.#found.set(value, found)
    if (found.has(check)) return found.get(check)
    found.set(check, IN_CIRCLE)
    const problem = check.find(value, depth, this)
    found.set(check, problem)
    return problem
  }
}
