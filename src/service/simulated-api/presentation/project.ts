import { KEY_SUFFIXES } from '../../../names/id-names.ts'
import { foldName } from '../../../names/words.ts'
import { getOwn, isJsonObject, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { valuesIn } from '../../../protocol/size-of.ts'
import { toIso } from '../../../runtime/date-text.ts'
import { CheckEffort } from '../../../schema/check-effort.ts'
import { fits } from '../../../schema/checker.ts'
import type { JsonType, Schema } from '../../../schema/schema.ts'
import type { AnswerExamples, Dataset, ExampleHint } from '../../dataset/dataset.ts'
import { keyIn } from '../../world/field.ts'

const MAX_DEPTH = 60
/** Below this an empty object is left empty. */
const DEEP = 3

/** Most values tried with alternatives to show one value; beyond it the first alternative is used. */
const MOST_TRIED = 5_000
/** Number of alternatives whose check costs as much as one tried value. */
const VARIANTS_OF_VALUE = 3
/** Most alternatives tried for a value, the likeliest first. */
const MOST_ALTERNATIVES = 20

/** Converts kept values to a declared schema, so that every answer is valid. */
export class Projector {
  readonly #dataset: ExampleSource

  /** `dataset` generates values where no kept value fits. */
  constructor(dataset: ExampleSource) {
    this.#dataset = dataset
  }

  /** The part of `value` that fits `schema`, with missing required fields generated. */
  project(value: Json | undefined, schema: Schema | undefined, key: string, name?: string): Json {
    const fitted = value === undefined ? undefined : this.fit(value, schema, key)
    return fitted ?? (fitted === null ? null : this.#dataset.example(schema, key, toHint(name)))
  }

  /** The part of `value` that fits `schema`; undefined without one. */
  fit(value: Json, schema: Schema | undefined, key: string): Json | undefined {
    return schema === undefined || isAsDeclared(value, schema)
      ? value
      : new Projection(this.#dataset).fit(value, schema, key, 0)
  }
}

/** The conversion of one value. */
class Projection {
  readonly #dataset: ExampleSource
  #examples: AnswerExamples | undefined
  readonly #checks = new CheckEffort(LIMITS.generatedChecks)
  #tried = 0

  constructor(dataset: ExampleSource) {
    this.#dataset = dataset
  }

  fit(value: Json, schema: Schema | undefined, key: string, depth: number): Json | undefined {
    if (schema === undefined || depth > MAX_DEPTH) return value
    if (value === null) return fits(schema, null) ? null : undefined
    if (schema.variants) return this.#fitVariants(value, schema, key, depth)
    if (isJsonObject(value)) return this.#fitObjectSomehow(value, schema, key, depth)
    if (Array.isArray(value)) return this.#fitArraySomehow(value, schema, key, depth)
    return this.#fitScalar(value, schema, key, depth)
  }

  #fitObjectSomehow(value: JsonObject, schema: Schema, key: string, depth: number): Json | undefined {
    if (allows(schema, 'object')) return this.#fitObject(value, schema, key, depth)
    if (allows(schema, 'array')) return this.#fitArraySomehow([value], schema, key, depth)
    const id = keyIn(value) ?? keyIn(value.name)
    return id === undefined ? undefined : this.#fitScalar(id, schema, key, depth)
  }

  #fitObject(value: JsonObject, schema: Schema, key: string, depth: number): JsonObject {
    // The dataset ends recursion with an empty object; filling it would continue the recursion.
    if (depth > DEEP && Object.keys(value).length === 0) return value
    const { properties, required, additionalProperties: rest } = schema
    const result: JsonObject = {}
    let aliases: Map<string, Json> | undefined
    for (const [name, field] of schema.once(shownFields)) {
      const isRequired = required.has(name)
      if (!Object.hasOwn(value, name)) aliases ??= toAliases(value, properties)
      const stored = Object.hasOwn(value, name) ? value[name] : aliases?.get(foldName(name))
      const fitted = stored === undefined ? undefined : this.fit(stored, field, `${key}.${name}`, depth + 1)
      if (fitted !== undefined) setOwn(result, name, fitted)
      else if (isRequired && stored === null && field.nullable) setOwn(result, name, null)
      else if (isRequired) this.#complete(result, name, field, key)
    }
    for (const name of required) {
      if (Object.hasOwn(result, name) || properties.get(name)?.writeOnly) continue
      const stored = getOwn(value, name)
      if (stored === undefined) this.#complete(result, name, undefined, key)
      else setOwn(result, name, stored)
    }
    if (!keepsUnknown(schema)) return result
    for (const [name, item] of Object.entries(value)) {
      if (properties.has(name) || Object.hasOwn(result, name)) continue
      const fitted = this.fit(item, typeof rest === 'boolean' ? undefined : rest, `${key}.${name}`, depth + 1)
      if (fitted !== undefined) setOwn(result, name, fitted)
    }
    return result
  }

  #fitArraySomehow(value: Json[], schema: Schema, key: string, depth: number): Json | undefined {
    if (value.every((item) => typeof item !== 'object') && fits(schema, value)) return value
    if (!allows(schema, 'array')) return value[0] === undefined ? undefined : this.fit(value[0], schema, key, depth + 1)
    const { places = [] } = schema
    const rest = places.length > 0 ? schema.rest : schema.items
    const placeAt = (at: number) => places[at] ?? rest
    const items: Json[] = []
    for (const [at, item] of value.entries()) {
      const place = placeAt(at)
      const fitted = this.fit(item, place, `${key}.${at}`, depth + 1)
      if (fitted !== undefined) items.push(fitted)
      else if (at < places.length) items.push(this.#example(place, `${key}.${at}`, undefined))
    }
    const cut = (schema.uniqueItems ? withoutDoubles(items) : items).slice(0, schema.maxItems)
    while (schema.minItems !== undefined && cut.length < schema.minItems && !this.#examples?.isSpent) {
      cut.push(this.#example(placeAt(cut.length), `${key}.${cut.length}`, undefined))
    }
    return cut.length === 0 && value.length > 0 ? undefined : cut
  }

  #fitScalar(value: string | number | boolean, schema: Schema, key: string, depth: number): Json | undefined {
    if (fits(schema, value)) return value
    const converted = convert(value, schema)
    if (converted !== undefined && fits(schema, converted)) return converted
    if (allows(schema, 'array') && schema.types.length > 0) return this.#fitArraySomehow([value], schema, key, depth)
    if (schema.properties.size > 0 && typeof value !== 'boolean') return this.#toObject(value, schema, key, depth)
    return undefined
  }

  /** Converts an id to an object with that id, where an object is required. */
  #toObject(id: string | number, schema: Schema, key: string, depth: number): Json | undefined {
    const name = [...KEY_SUFFIXES, 'slug', 'login', 'username', 'name'].find((candidate) => {
      const field = schema.properties.get(candidate)
      return field !== undefined && this.fit(id, field, key, depth + 1) !== undefined
    })
    return name === undefined ? undefined : this.#fitObject({ [name]: id }, schema, key, depth)
  }

  #fitVariants(value: Json, schema: Schema, key: string, depth: number): Json | undefined {
    let nearest: Json | undefined
    if (this.#tried > MOST_TRIED) return this.fit(value, schema.variants?.[0], key, depth + 1)
    const cost = valuesIn(value, MOST_TRIED) + (schema.variants?.length ?? 0) / VARIANTS_OF_VALUE
    for (const variant of rankVariants(value, schema, this.#checks).slice(0, MOST_ALTERNATIVES)) {
      this.#tried += 1 + cost
      const fitted = this.fit(value, variant, key, depth + 1)
      if (fitted === undefined) continue
      if (fits(schema, fitted, this.#checks)) return fitted
      nearest ??= fitted
    }
    return isJsonObject(value) ? nearest : undefined
  }

  /** Generates a missing required field, within the limit. */
  #complete(result: JsonObject, name: string, schema: Schema | undefined, key: string): void {
    if (!this.#examples?.isSpent) setOwn(result, name, this.#example(schema, `${key}.${name}`, name))
  }

  #example(schema: Schema | undefined, key: string, name: string | undefined): Json {
    this.#examples ??= this.#dataset.answerExamples()
    return this.#examples.example(schema, key, toHint(name))
  }
}

/** The generator of values. */
type ExampleSource = Pick<Dataset, 'example' | 'answerExamples'>

const toHint = (name: string | undefined): ExampleHint => (name === undefined ? {} : { name })

const allows = (schema: Schema, type: JsonType): boolean => schema.types.length === 0 || schema.types.includes(type)

function withoutDoubles(items: readonly Json[]): Json[] {
  const seen = new Map(items.map((item) => [JSON.stringify(item), item]))
  return [...seen.values()]
}

/** What is required and write-only is required of requests alone. */
const shownFields = ({ properties }: Schema): readonly (readonly [name: string, field: Schema])[] =>
  [...properties].filter(([, field]) => !field.writeOnly)

/** Whether a value stays as it is: it fits, and its objects have only fields that answers show, in the schema's order. */
const isAsDeclared = (value: Json, schema: Schema, depth = 0): boolean => schema.once(declaredForm)(value, depth)

function declaredForm(schema: Schema): (value: Json, depth: number) => boolean {
  const { variants, items, places = [], minItems = 0, maxItems = Number.POSITIVE_INFINITY, required } = schema
  if (variants) return () => false
  const isList = allows(schema, 'array') && places.length === 0 && !schema.uniqueItems
  const isObject = allows(schema, 'object') && [...required].every((name) => schema.properties.has(name))
  const fields = schema.once(shownFields).map(([name, field]) => ({ name, field, isRequired: required.has(name) }))
  return (value, depth) => {
    if (typeof value !== 'object' || value === null) return fits(schema, value)
    if (depth > MAX_DEPTH) return false
    if (Array.isArray(value)) {
      if (items === undefined || !value.some((item) => typeof item === 'object')) return fits(schema, value)
      const hasRoom = value.length >= minItems && value.length <= maxItems
      return isList && hasRoom && value.every((item) => isAsDeclared(item, items, depth + 1))
    }
    if (!isObject) return false
    let at = 0
    for (const name in value) {
      while (at < fields.length && fields[at]?.name !== name) if (fields[at++]?.isRequired) return false
      const field = fields[at++]?.field
      if (field === undefined || !isAsDeclared(value[name] as Json, field, depth + 1)) return false
    }
    return at === fields.length || fields.every(({ isRequired }, rest) => rest < at || !isRequired)
  }
}

/** Whether answers show undeclared fields: where the description allows them, or declares no fields. */
export function keepsUnknown(schema: Schema): boolean {
  const { additionalProperties: rest, assertions } = schema
  if (assertions && assertions.patternProperties.length > 0) return true
  if (rest === false) return false
  return typeof rest === 'object' || schema.properties.size === 0 || schema.raw.additionalProperties === true
}

function toAliases(value: JsonObject, properties: ReadonlyMap<string, Schema>): Map<string, Json> {
  const aliases = new Map<string, Json>()
  for (const [name, item] of Object.entries(value)) if (!properties.has(name)) aliases.set(foldName(name), item)
  return aliases
}

/** The same value in another allowed type. */
function convert(value: string | number | boolean, schema: Schema): Json | undefined {
  const { types, format } = schema
  if (typeof value !== 'string') {
    if (types.includes('string')) return String(value)
    return types.includes('integer') && typeof value === 'number' ? Math.round(value) : undefined
  }
  if (types.includes('integer') || types.includes('number')) {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (Number.isFinite(number)) return number
    const moment = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
    if (Number.isFinite(moment)) return Math.floor(moment / 1000)
  }
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true'
  if (format === 'date' && /^\d{4}-\d\d-\d\dT/.test(value)) return value.slice(0, 10)
  if (format === 'date-time') return toDateTime(value)
  if (schema.enum)
    return schema.enum.find((item) => typeof item === 'string' && item.toLowerCase() === value.toLowerCase())
  return schema.maxLength !== undefined && value.length > schema.maxLength
    ? value.slice(0, schema.maxLength)
    : undefined
}

function toDateTime(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined
  const moment = Date.parse(text)
  return Number.isFinite(moment) ? toIso(moment) : undefined
}

/**
 * The alternatives of a schema, the likeliest for `value` first: by discriminator, then unchanged fit, then constants,
 * then common fields.
 */
export function rankVariants(value: Json, schema: Schema, checks: CheckEffort): readonly Schema[] {
  const variants = schema.variants ?? []
  const named = namedVariant(value, schema)
  const scored = variants.map((variant) => ({
    variant,
    score: variant === named ? Infinity : scoreOf(value, variant, checks),
  }))
  scored.sort((left, right) => right.score - left.score)
  const ranked = scored.map(({ variant }) => variant)
  return named === undefined || variants.includes(named) ? ranked : [named, ...ranked]
}

function namedVariant(value: Json, { discriminator }: Schema): Schema | undefined {
  if (discriminator === undefined || !isJsonObject(value)) return undefined
  const name = value[discriminator.property]
  return typeof name === 'string' ? discriminator.mapping.get(name) : undefined
}

function scoreOf(value: Json, variant: Schema, checks: CheckEffort): number {
  const score = isJsonObject(value) ? scoreObject(value, variant) : 0
  return fits(variant, value, checks) ? score + 1_000 : score
}

function scoreObject(value: JsonObject, variant: Schema): number {
  let score = 0
  for (const [name, field] of variant.properties) {
    const stored = getOwn(value, name)
    if (stored === undefined) score -= variant.required.has(name) ? 1 : 0
    else if (field.enum && (typeof stored !== 'object' || stored === null))
      score += field.enum.includes(stored) ? 20 : -20
    else score += 2
  }
  return score
}
