import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { booleanSchema, type LocalReferences } from '../references.ts'

/** A raw schema after following its references and its `allOf`: all parts must match. */
export interface SchemaParts {
  /** In written order, those of `allOf` before their schema. Their `$ref` and `allOf` are already followed. */
  readonly parts: readonly JsonObject[]
  /** Choices between two or more alternatives. */
  readonly choices: readonly Choice[]
  /** Whether the schema itself, outside its `allOf`, allows `null`. */
  readonly ownNull: boolean
  /** Whether the schema is a choice between one schema and `null`. */
  readonly isOneOrNull: boolean
}

/** A `oneOf` or `anyOf`, without null alternatives. */
export interface Choice extends Alternatives {
  readonly rule: 'oneOf' | 'anyOf'
  /** Whether the alternatives extend the schema, as its discriminator says. */
  readonly isOfChildren?: boolean
}

/** The alternatives of a list; parsed once, however many schemas include the list. */
export interface Alternatives {
  readonly alternatives: readonly JsonObject[]
  /** The schemas to which they refer. */
  readonly targets: ReadonlySet<JsonObject>
  readonly hasNull: boolean
  /** Whether some were not read, beyond the limit. */
  readonly isCut: boolean
}

/** Tools for splitting schemas. */
interface PartSource {
  readonly references: LocalReferences
  alternativesOf(written: readonly Json[]): Alternatives
  /** The alternatives of a part with a discriminator. */
  childrenOf(part: JsonObject): readonly JsonObject[]
}

export function readAlternatives(references: LocalReferences, written: readonly Json[]): Alternatives {
  const all = schemasOf(written)
  const read = all.slice(0, MOST_ALTERNATIVES)
  const alternatives = read.filter((alternative) => !isNullOnly(references.resolve(alternative).value))
  const targets = new Set(alternatives.map((alternative) => references.resolve(alternative).value))
  return { alternatives, targets, hasNull: alternatives.length < read.length, isCut: read.length < all.length }
}

/** Deepest chain of inclusions; the deepest real one has 12 levels. */
const MAX_NESTING = 200

/** Most parts of one schema; the largest real one has some dozens. */
const MOST_PARTS = 1_000

const NO_CHOICES: readonly Choice[] = []

/** Splits `raw` into its parts. A schema that includes itself through `allOf` is used once. */
export function takeApart(source: PartSource, raw: JsonObject): SchemaParts {
  if (isOnePart(raw)) return { parts: [raw], choices: NO_CHOICES, ownNull: nullVote(raw) === true, isOneOrNull: false }
  const seen = new Set<JsonObject>()
  const parts: JsonObject[] = []
  const choices: Choice[] = []
  let ownNull = false
  let isOneOrNull = false

  let depth = 0
  const visit = (part: JsonObject): void => {
    if (seen.has(part) || depth === MAX_NESTING || seen.size === MOST_PARTS) return
    seen.add(part)
    depth++
    if (typeof part.$ref === 'string') visit(source.references.follow(part.$ref).value)
    for (const inner of schemasOf(part.allOf)) visit(inner)
    parts.push(part)
    for (const rule of ['oneOf', 'anyOf'] as const) visitChoice(part, rule, part[rule])
    if (isLooseTuple(part)) visitChoice(part, 'anyOf', part.items)
    depth--
  }

  const visitChoice = (owner: JsonObject, rule: 'oneOf' | 'anyOf', written: Json | undefined): void => {
    if (!Array.isArray(written)) return
    const found = source.alternativesOf(written)
    const { alternatives, targets, hasNull } = found
    if (hasNull && owner === raw) ownNull = true
    const [only] = alternatives
    if (!only) return
    if (alternatives.length === 1) {
      isOneOrNull ||= hasNull && owner === raw
      visit(only)
      return
    }
    // A child includes its parent, which lists its children as alternatives.
    for (const part of seen) if (targets.has(part)) return
    choices.push({ ...found, rule })
  }

  visit(raw)
  const children = raw.discriminator === undefined || choices.length > 0 ? [] : source.childrenOf(raw)
  if (children.length > 1) choices.push({ ...source.alternativesOf(children), rule: 'anyOf', isOfChildren: true })
  return {
    parts,
    choices: choices.length > 0 ? choices : NO_CHOICES,
    ownNull: ownNull || nullVote(raw) === true,
    isOneOrNull,
  }
}

/** Whether a schema includes no other schema: nearly all do not. */
function isOnePart({ $ref, allOf, oneOf, anyOf, items, discriminator }: JsonObject): boolean {
  return (
    $ref === undefined &&
    discriminator === undefined &&
    allOf === undefined &&
    oneOf === undefined &&
    anyOf === undefined &&
    !Array.isArray(items)
  )
}

/** `items: [A, B]` without `type: array` restricts only arrays, but is meant as a choice (in Slack's description). */
export function isLooseTuple(part: JsonObject): boolean {
  return part.type === undefined && objectsOf(part.items).length > 0
}

/** Whether a part forbids undeclared properties. `unevaluatedProperties` also allows those that its alternatives declare. */
export const isClosed = ({ additionalProperties, unevaluatedProperties, oneOf, anyOf }: JsonObject): boolean =>
  isNever(additionalProperties) || (isNever(unevaluatedProperties) && oneOf === undefined && anyOf === undefined)

/** `false`, and `{ not: {} }`, as TypeSpec writes it. */
export const isNever = (written: Json | undefined): boolean =>
  written === false || (isJsonObject(written) && isJsonObject(written.not) && Object.keys(written.not).length === 0)

/** The part that gives items schemas by position. */
export const tupleOf = (parts: readonly JsonObject[]): JsonObject | undefined =>
  parts.find((part) => !isLooseTuple(part) && (Array.isArray(part.prefixItems) || Array.isArray(part.items)))

/** Whether a part allows `null`; undefined where it has no rule. */
export function nullVote(part: JsonObject): boolean | undefined {
  return part.nullable === true || part['x-nullable'] === true ? true : typeVote(part)
}

/** The same for the keywords of every dialect. */
function typeVote(part: JsonObject): boolean | undefined {
  const { type } = part
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true
  if (type !== undefined) return false
  if (part.const !== undefined) return part.const === null
  return Array.isArray(part.enum) ? part.enum.includes(null) : undefined
}

/**
 * The same by the strict rules: an `enum` without null forbids it whatever the other keywords are, and `nullable`
 * exists in OpenAPI 2.0 (as an extension) and 3.0 only, and counts only together with a type.
 */
export function strictNullVote(part: JsonObject, knowsNullable: boolean): boolean | undefined {
  if (Array.isArray(part.enum) && part.enum.length > 0 && !part.enum.includes(null)) return false
  const isNullable = part.nullable === true || part['x-nullable'] === true
  return isNullable && knowsNullable && part.type !== undefined ? true : typeVote(part)
}

/** Whether only `null` fits. */
export function isNullOnly(schema: JsonObject): boolean {
  const { type, enum: values } = schema
  if (type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')) return true
  if (schema.const === null) return true
  return Array.isArray(values) && values.length > 0 && values.every((value) => value === null)
}

/** The schemas of an array; `true` allows anything, and `false` nothing. */
function schemasOf(written: unknown): JsonObject[] {
  if (!Array.isArray(written)) return []
  return written.map((one) => (typeof one === 'boolean' ? booleanSchema(one) : one)).filter(isJsonObject)
}

/** The objects of an array; none where `value` is not an array. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Most properties, and most required names, read of one schema; the widest known real one has some hundreds. */
export const MOST_PROPERTIES = 5_000

/** Most properties of all merged schemas together: beyond it, fewer are read of each. */
export const MOST_MERGED = 100_000

/** Most alternatives read of one choice: beyond it, a value that fits none is assumed to fit. */
export const MOST_ALTERNATIVES = 1_000

/** Most combined alternatives generated for one schema: beyond it, a schema has no choice. A recursive schema has endlessly many. */
export const MOST_WAYS = 200

/** Most combined alternatives generated for all schemas together: beyond it, fewer are generated for each. */
export const MOST_MADE = 50_000
