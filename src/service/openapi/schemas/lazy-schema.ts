import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Assertions, JsonType, Schema } from '../../../schema/schema.ts'
import { assertionsOf } from './schema-assertions.ts'
import { collectFields } from './schema-fields.ts'
import {
  allowedValues,
  closedLength,
  exampleOf,
  greatest,
  isNumber,
  isPresent,
  isText,
  lastOf,
  least,
  numericBounds,
  requiredOf,
} from './schema-keywords.ts'
import {
  isClosed,
  isLooseTuple,
  isNullOnly,
  nullVote,
  objectsOf,
  type SchemaParts,
  strictNullVote,
  takeApart,
  tupleOf,
} from './schema-parts.ts'
import { mergedOf, type SchemaSource } from './schema-source.ts'
import { contradicts, declaredTypes, inferredTypes, valuesOfTypes } from './schema-types.ts'
import { type Discriminator, discriminatorOf, subtypeTags, variantsOf } from './schema-variants.ts'

/** The formats of encodings. */
const ENCODINGS: ReadonlyMap<string, string> = new Map([
  ['base64', 'byte'],
  ['base64url', 'base64url'],
])

const NO_FACTS: readonly unknown[] = []
const NO_PROPERTIES: ReadonlyMap<string, Schema> = new Map()

/**
 * A {@link Schema} that computes its fields on demand: of most schemas in a large description only the types are used.
 * Frequently used fields are kept.
 */
export class LazySchema implements Schema {
  readonly name: string | undefined
  readonly raw: JsonObject
  readonly #reader: SchemaSource
  /** Number of combined alternatives that were generated with it. */
  readonly ways: number
  #takenApart: SchemaParts | undefined
  #types: readonly JsonType[] | undefined
  /** Values that all parts allow, undefined without restriction; null before the first use. */
  #values: readonly Json[] | undefined | null = null
  #enum: readonly Json[] | undefined
  #required: ReadonlySet<string> | undefined
  #properties: ReadonlyMap<string, Schema> | undefined
  #fields: ReadonlyMap<string, Schema> | undefined
  #additionalProperties: boolean | Schema | undefined
  #items: { readonly schema: Schema | undefined } | undefined
  #variants: { readonly list: readonly Schema[] | undefined } | undefined
  #discriminator: { readonly found: Discriminator | undefined } | undefined
  #nullableByLetter: boolean | undefined
  /** Null before the first use. */
  #assertions: Assertions | undefined | null = null
  /** Cached facts, each after its finder: for a few facts a map takes five times their memory, and every schema has this list. */
  #facts: readonly unknown[] = NO_FACTS

  constructor(reader: SchemaSource, raw: JsonObject, name: string | undefined, ways: number) {
    this.#reader = reader
    this.ways = ways
    this.raw = raw
    this.name = name
  }

  get types(): readonly JsonType[] {
    this.#types ??= this.#typesOfParts()
    return this.#types
  }

  get declaredTypes(): readonly JsonType[] {
    return declaredTypes(this.#parts)
  }

  get nullable(): boolean {
    const { parts, choices, ownNull } = this.#taken
    if (ownNull) return true
    const votes = [...parts.map(nullVote), ...choices.map((choice) => choice.hasNull)]
    return votes.includes(true) && !votes.includes(false)
  }

  get nullableByLetter(): boolean {
    this.#nullableByLetter ??= this.#countStrictVotes()
    return this.#nullableByLetter
  }

  get isContradictory(): boolean {
    return contradicts(this.#parts, this.types, this.#allowed)
  }

  get enum(): readonly Json[] | undefined {
    if (this.#allowed === undefined && !this.#parts.some(isNullOnly)) return undefined
    this.#enum ??= this.#parts.some(isNullOnly) ? [] : valuesOfTypes(this.#allowed ?? [], this.types)
    return this.#enum
  }

  get format(): string | undefined {
    const encoding = lastOf(this.#parts, 'contentEncoding', isText)
    return lastOf(this.#parts, 'format', isText) ?? (encoding && ENCODINGS.get(encoding.toLowerCase()))
  }

  get pattern(): string | undefined {
    const pattern = lastOf(this.#parts, 'pattern', isText)
    if (pattern === undefined || this.#reader.unmatched.has(pattern)) return undefined
    // Nothing precedes the start of a text: the slashes delimit a literal. `[\\\\w-]` was escaped twice.
    return (/^\/(\^.*\$)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern).replace(/(?<!\\)\\\\([wds])(?![a-z])/gi, '\\$1')
  }

  get minLength(): number | undefined {
    return greatest(this.#parts, 'minLength')
  }

  get maxLength(): number | undefined {
    return least(this.#parts, 'maxLength')
  }

  get minimum(): number | undefined {
    return numericBounds(this.#parts, 'Minimum').inclusive
  }

  get maximum(): number | undefined {
    return numericBounds(this.#parts, 'Maximum').inclusive
  }

  get exclusiveMinimum(): number | undefined {
    return numericBounds(this.#parts, 'Minimum').exclusive
  }

  get exclusiveMaximum(): number | undefined {
    return numericBounds(this.#parts, 'Maximum').exclusive
  }

  get multipleOf(): number | undefined {
    return lastOf(this.#parts, 'multipleOf', (value): value is number => isNumber(value) && value > 0)
  }

  get required(): ReadonlySet<string> {
    this.#required ??= requiredOf(this.#parts, this.#reader.mostProperties)
    return this.#required
  }

  get propertyNames(): Schema | undefined {
    return mergedOf(this.#reader, this.#parts, 'propertyNames')
  }

  get minProperties(): number | undefined {
    return greatest(this.#parts, 'minProperties')
  }

  get maxProperties(): number | undefined {
    return least(this.#parts, 'maxProperties')
  }

  get minItems(): number | undefined {
    return greatest(this.#parts, 'minItems')
  }

  get maxItems(): number | undefined {
    return least([...this.#parts, { maxItems: closedLength(this.#parts) } as JsonObject], 'maxItems')
  }

  get uniqueItems(): boolean {
    return this.#parts.some((part) => part.uniqueItems === true)
  }

  get assertions(): Assertions | undefined {
    if (this.#assertions === null) this.#assertions = assertionsOf(this.#reader, this.#taken)
    return this.#assertions
  }

  get readOnly(): boolean {
    // `allOf: [Order, { properties: { customer: { readOnly: false } } }]`: the body of a creation lifts it.
    return this.#parts.some((part) => part.readOnly === true) && this.#parts.every((part) => part.readOnly !== false)
  }

  get writeOnly(): boolean {
    return this.#parts.some((part) => part.writeOnly === true)
  }

  get example(): Json | undefined {
    return exampleOf(this.#parts)
  }

  get default(): Json | undefined {
    return lastOf(this.#parts, 'default', isPresent)
  }

  get title(): string | undefined {
    return lastOf(this.#parts, 'title', isText)
  }

  get description(): string | undefined {
    return lastOf(this.#parts, 'description', isText)
  }

  get properties(): ReadonlyMap<string, Schema> {
    this.#properties ??= this.#mergeProperties()
    return this.#properties
  }

  get fields(): ReadonlyMap<string, Schema> {
    this.#fields ??= this.variants === undefined ? this.properties : collectFields(this, this.#reader.mostProperties)
    return this.#fields
  }

  get additionalProperties(): boolean | Schema {
    this.#additionalProperties ??= this.#mergeAdditional()
    return this.#additionalProperties
  }

  get items(): Schema | undefined {
    this.#items ??= { schema: this.#mergeItems() }
    return this.#items.schema
  }

  get places(): readonly Schema[] | undefined {
    const tuple = tupleOf(this.#parts)
    const written = tuple?.prefixItems ?? tuple?.items
    const places = Array.isArray(written) ? written.map((place) => this.#reader.read(place)) : []
    return places.length > 0 && places.every((place) => place !== undefined) ? places : undefined
  }

  get rest(): Schema | undefined {
    const tuple = tupleOf(this.#parts)
    return Array.isArray(tuple?.prefixItems) ? this.#reader.read(tuple.items) : tuple && this.places?.at(-1)
  }

  get variants(): readonly Schema[] | undefined {
    if (this.#taken.choices.length === 0) return undefined
    this.#variants ??= { list: variantsOf(this.#reader, this.#taken, this.discriminator, this.ways) }
    return this.#variants.list
  }

  get hasMoreVariants(): boolean {
    return this.#taken.choices.some(({ isCut }) => isCut)
  }

  get variantRule(): 'oneOf' | 'anyOf' {
    return this.#taken.choices[0]?.rule ?? 'oneOf'
  }

  get discriminator(): Discriminator | undefined {
    this.#discriminator ??= { found: discriminatorOf(this.#reader, this.#taken) }
    return this.#discriminator.found
  }

  once<Fact>(find: (schema: Schema) => Fact): Fact {
    for (let at = 0; at < this.#facts.length; at += 2) if (this.#facts[at] === find) return this.#facts[at + 1] as Fact
    const fact = find(this)
    // A copy has no spare capacity.
    this.#facts = [...this.#facts, find, fact]
    return fact
  }

  get #taken(): SchemaParts {
    this.#takenApart ??= takeApart(this.#reader, this.raw)
    return this.#takenApart
  }

  /** All parts apply at once. In a contradiction the last one counts. */
  get #parts(): readonly JsonObject[] {
    return this.#taken.parts
  }

  get #allowed(): readonly Json[] | undefined {
    if (this.#values === null) this.#values = allowedValues(this.#parts, this.#reader)
    return this.#values
  }

  #typesOfParts(): readonly JsonType[] {
    const declared = this.declaredTypes
    return declared.length > 0 ? declared : inferredTypes(this.#parts, this.#allowed)
  }

  #countStrictVotes(): boolean {
    const { parts, choices, isOneOrNull } = this.#taken
    if (isOneOrNull) return strictNullVote(this.raw, this.#reader.knowsNullable) !== false
    const votes = parts.map((part) => strictNullVote(part, this.#reader.knowsNullable))
    for (const choice of choices) votes.push(choice.hasNull)
    return votes.includes(true) && !votes.includes(false)
  }

  #mergeProperties(): ReadonlyMap<string, Schema> {
    const merged = new Map<string, Schema>()
    const parts = this.#parts
    for (const part of [...parts, ...subtypeTags(this.#reader, this.raw, this.name, parts)]) {
      if (!isJsonObject(part.properties)) continue
      const written = parts.length > 1 ? this.#reader.propertiesOf(part.properties) : Object.entries(part.properties)
      for (const [name, raw] of written) {
        if (merged.size === this.#reader.mostProperties) return merged
        const schema = this.#reader.read(raw)
        const known = merged.get(name)
        if (schema) merged.set(name, known ? this.#reader.merge(known, schema) : schema)
      }
    }
    return merged.size > 0 ? merged : NO_PROPERTIES
  }

  #mergeAdditional(): boolean | Schema {
    if (this.#parts.some(isClosed)) return false
    return mergedOf(this.#reader, this.#parts, 'additionalProperties') ?? true
  }

  #mergeItems(): Schema | undefined {
    let merged: Schema | undefined
    for (const part of this.#parts) {
      if (isLooseTuple(part)) continue
      const tuple = objectsOf(part.prefixItems ?? part.items)
      const written = tuple.length > 1 ? { anyOf: tuple } : (tuple[0] ?? part.items)
      const schema = this.#reader.read(written)
      if (schema) merged = merged ? this.#reader.merge(merged, schema) : schema
    }
    return merged
  }
}
