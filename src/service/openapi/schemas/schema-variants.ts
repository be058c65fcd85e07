import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { LocalReferences } from '../references.ts'
import { type Choice, isLooseTuple, type SchemaParts } from './schema-parts.ts'
import type { SchemaSource } from './schema-source.ts'

/** The property that selects the variant, and the variant of each value. */
export interface Discriminator {
  readonly property: string
  readonly mapping: ReadonlyMap<string, Schema>
}

/** Keywords of the choice itself, and annotations. All other keywords of its schema restrict every alternative. */
const NOT_SHARED = new Set([
  '$ref',
  'allOf',
  'oneOf',
  'anyOf',
  'discriminator',
  'title',
  'description',
  'example',
  'examples',
  'default',
  'unevaluatedProperties',
  'unevaluatedItems',
])

/**
 * The alternatives of the first choice, each combined with the schema's other keywords; `ways`: number of combinations
 * around this schema.
 */
export function variantsOf(
  source: SchemaSource,
  taken: SchemaParts,
  discriminator: Discriminator | undefined,
  ways: number,
): readonly Schema[] | undefined {
  const [choice, ...others] = taken.choices
  if (!choice || ways > source.mostWays) return undefined
  const inner = ways * choice.alternatives.length
  const values = valuesBySchema(discriminator)
  // A child includes its parent.
  const shared = choice.isOfChildren
    ? []
    : [...sharedParts(taken.parts), ...others.flatMap((other) => other.alternatives.slice(0, 1))]
  return choice.alternatives.flatMap((alternative) => {
    const written = source.read(alternative)
    if (!written) return []
    const tags = tagsOf(written, discriminator, values.get(source.references.resolve(alternative).value) ?? NO_VALUES)
    if (shared.length === 0 && tags.length === 0) return [written]
    return [source.make({ allOf: [...shared, written.raw, ...tags] }, written.name, inner)]
  })
}

function sharedParts(parts: readonly JsonObject[]): JsonObject[] {
  return parts.flatMap((part) => {
    const kept = Object.entries(part).filter(
      ([key]) => !NOT_SHARED.has(key) && !key.startsWith('x-') && !(key === 'items' && isLooseTuple(part)),
    )
    return kept.length > 0 ? [Object.fromEntries(kept)] : []
  })
}

/** A part that restricts the discriminating property to the values of this alternative. */
function tagsOf(written: Schema, discriminator: Discriminator | undefined, mapped: readonly string[]): JsonObject[] {
  if (!discriminator) return []
  const allowed = written.properties.get(discriminator.property)?.enum
  const fitting = allowed ? mapped.filter((value) => allowed.includes(value)) : mapped
  if (fitting.length === 0 || allowed?.length === 1) return []
  return [tag(discriminator.property, fitting)]
}

/** The discriminator values of each alternative, by the alternative as written. */
function valuesBySchema(discriminator: Discriminator | undefined): ReadonlyMap<JsonObject, readonly string[]> {
  const values = new Map<JsonObject, string[]>()
  for (const [value, { raw }] of discriminator?.mapping ?? []) {
    const known = values.get(raw)
    if (known === undefined) values.set(raw, [value])
    else known.push(value)
  }
  return values
}

const NO_VALUES: readonly string[] = []

function tag(property: string, values: readonly string[]): JsonObject {
  return { properties: { [property]: { enum: [...values] } } }
}

/** The discriminator of the parts, with a mapping that includes the names of the alternatives. */
export function discriminatorOf(source: SchemaSource, taken: SchemaParts): Discriminator | undefined {
  const part = taken.parts.findLast((candidate) => propertyOf(candidate) !== undefined)
  const property = part && propertyOf(part)
  if (property === undefined) return undefined
  const written = source.mappingOf(part as JsonObject)
  return { property, mapping: written.size > 0 ? written : namesOf(source, taken.choices[0]) }
}

export function mappingOf(source: SchemaSource, part: JsonObject): ReadonlyMap<string, Schema> {
  const mapping = new Map<string, Schema>()
  for (const [value, ref] of Object.entries(writtenMapping(part))) {
    const schema = typeof ref === 'string' ? source.read({ $ref: asReference(ref) }) : undefined
    if (schema) mapping.set(value, schema)
  }
  return mapping
}

function namesOf(source: SchemaSource, choice: Choice | undefined): ReadonlyMap<string, Schema> {
  const mapping = new Map<string, Schema>()
  for (const alternative of choice?.alternatives ?? []) {
    const schema = source.read(alternative)
    if (schema?.name) mapping.set(kindOf(schema.name, schema.raw), schema)
  }
  return mapping
}

/** OpenAPI 2.0 writes only the property's name. */
function propertyOf(part: JsonObject): string | undefined {
  const written = part.discriminator
  if (typeof written === 'string') return written
  return isJsonObject(written) && typeof written.propertyName === 'string' ? written.propertyName : undefined
}

function writtenMapping(part: JsonObject): JsonObject {
  const written = part.discriminator
  return isJsonObject(written) && isJsonObject(written.mapping) ? written.mapping : {}
}

export function isMapped(part: JsonObject): boolean {
  return Object.keys(writtenMapping(part)).length > 0
}

/** A mapping may have a reference or only the name of a component. */
function asReference(ref: string): string {
  return ref.includes('#') || ref.includes('/') ? ref : `#/components/schemas/${ref}`
}

/** For a component that extends a parent with a discriminator: the value of this component, so that its records carry their type. */
export function subtypeTags(
  source: SchemaSource,
  raw: JsonObject,
  name: string | undefined,
  parts: readonly JsonObject[],
): JsonObject[] {
  if (name === undefined) return []
  return parts.flatMap((part) => {
    const property = propertyOf(part)
    if (part === raw || property === undefined) return []
    const values = source.subtypesOf(part).get(raw)
    const isOwn = ({ properties }: JsonObject) => {
      const own = source.references.resolve(isJsonObject(properties) ? properties[property] : undefined).value
      const written = own.enum ?? own.const
      // Where no mapping is written, the name of the component is only the value by default.
      return (written ?? (source.isMapped(part) ? undefined : (own.default ?? own.example))) !== undefined
    }
    return values === undefined || parts.some((other) => other !== part && isOwn(other)) ? [] : [tag(property, values)]
  })
}

/** The values of a written mapping, by their schemas; without a mapping, the names of the components that extend the part. */
export function subtypesOf(references: LocalReferences, part: JsonObject): ReadonlyMap<JsonObject, readonly string[]> {
  if (!isMapped(part)) return namesOfChildren(references, part)
  const entries = Object.entries(writtenMapping(part)).flatMap(([value, ref]) =>
    typeof ref === 'string' ? [{ value, raw: references.follow(asReference(ref)).value }] : [],
  )
  const values = new Map<JsonObject, string[]>()
  for (const [raw, group] of Map.groupBy(entries, (entry) => entry.raw))
    values.set(
      raw,
      group.map(({ value }) => value),
    )
  return values
}

/**
 * OpenAPI, Discriminator Object: without a mapping, the value is the name of the component. Descriptions of OpenAPI 2.0,
 * which has no mapping, write another value as `x-ms-discriminator-value`.
 */
function namesOfChildren(references: LocalReferences, parent: JsonObject): Map<JsonObject, readonly string[]> {
  const properties = isJsonObject(parent.properties) ? parent.properties : {}
  const kind = references.resolve(properties[propertyOf(parent) ?? '']).value
  if (kind.enum !== undefined || kind.const !== undefined) return new Map()
  const children = new Map<JsonObject, readonly string[]>()
  const add = (of: JsonObject): void => {
    for (const { name, schema } of references.childrenOf(of)) {
      if (children.has(schema)) continue
      children.set(schema, [kindOf(name, schema)])
      add(schema)
    }
  }
  add(parent)
  return children
}

const kindOf = (name: string, { 'x-ms-discriminator-value': value }: JsonObject): string =>
  typeof value === 'string' ? value : name

/**
 * The alternatives of a schema with a discriminator. By OpenAPI a value of the schema is one of the children that its
 * mapping names. Without a mapping the components that extend it are its children, and the schema itself stays an
 * alternative: descriptions write other words for their children, too.
 */
export function childrenOf(references: LocalReferences, part: JsonObject): readonly JsonObject[] {
  if (!isMapped(part)) {
    const children = [...namesOfChildren(references, part).keys()]
    const { discriminator: _, ...itself } = part
    return children.length === 0 ? [] : [...children.map((child) => ({ $ref: references.placeOf(child) })), itself]
  }
  const refs = new Set(
    Object.values(writtenMapping(part))
      .filter((ref) => typeof ref === 'string')
      .map(asReference),
  )
  const children = new Set(references.childrenOf(part).map(({ schema }) => schema))
  const named = [...refs].map(($ref) => ({ $ref }))
  return named.every((one) => children.has(references.resolve(one).value)) ? named : []
}
