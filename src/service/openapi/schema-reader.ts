import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { JsonType, Schema } from '../../schema/schema.ts'
import { hasOwnContent, type LocalReferences } from './references.ts'
import { MOST_PROPERTIES } from './schema-bounds.ts'
import { type Constraints, combine } from './schema-constraints.ts'
import { collectFields } from './schema-fields.ts'
import { isLooseTuple, nullVote, objectsOf, type SchemaParts, strictNullVote, takeApart } from './schema-parts.ts'
import { type Discriminator, discriminatorOf, subtypeTags, variantsOf } from './schema-variants.ts'

/** Makes the {@link Schema}s of one description: one for each raw schema, however often it is asked for. */
export class SchemaReader {
  readonly references: LocalReferences
  /** Whether the dialect has the keyword `nullable`. */
  readonly knowsNullable: boolean
  /** Patterns that are too large to be enforced. */
  readonly unmatched: ReadonlySet<string>
  readonly #schemas = new Map<JsonObject, Schema>()
  readonly #merged = new Map<Schema, Map<Schema, Schema>>()

  constructor(
    references: LocalReferences,
    { knowsNullable, unmatched = NONE }: { knowsNullable: boolean; unmatched?: ReadonlySet<string> },
  ) {
    this.references = references
    this.knowsNullable = knowsNullable
    this.unmatched = unmatched
  }

  /** The schema written as `raw`; undefined where there is none. A boolean schema allows anything. */
  read(raw: unknown): Schema | undefined {
    if (raw === true) return this.#of(ANYTHING, undefined)
    if (!isJsonObject(raw)) return undefined
    if (typeof raw.$ref !== 'string') return this.#of(raw, undefined)
    if (this.knowsNullable) return this.#readOldReference(raw)
    const target = this.references.follow(raw.$ref)
    return hasOwnContent(raw) ? this.#of(raw, target.name) : this.#of(target.value, target.name)
  }

  /** Before 3.1 keywords beside a reference do not count, but those of {@link BESIDE_REFERENCES} are always meant. */
  #readOldReference(raw: JsonObject): Schema {
    const target = this.references.follow(String(raw.$ref))
    const kept = Object.entries(raw).filter(([key]) => BESIDE_REFERENCES.has(key))
    if (kept.length === 0) return this.#of(target.value, target.name)
    const known = this.#schemas.get(raw)
    if (known) return known
    const schema = this.make({ allOf: [{ $ref: raw.$ref as string }], ...Object.fromEntries(kept) }, target.name)
    this.#schemas.set(raw, schema)
    return schema
  }

  /** A schema that the reader makes up. The reader does not keep it: its caller does. `ways`: see {@link variantsOf}. */
  make(raw: JsonObject, name: string | undefined, ways = 1): Schema {
    return new LazySchema(this, raw, name, ways)
  }

  /** The schema of values that fit both. */
  merge(left: Schema, right: Schema): Schema {
    if (left === right || !hasOwnContent(right.raw)) return left
    if (!hasOwnContent(left.raw)) return right
    const row = this.#merged.get(left) ?? new Map<Schema, Schema>()
    const merged = row.get(right) ?? this.make({ allOf: [left.raw, right.raw] }, right.name ?? left.name)
    this.#merged.set(left, row.set(right, merged))
    return merged
  }

  #of(raw: JsonObject, name: string | undefined): Schema {
    const known = this.#schemas.get(raw)
    if (known) return known
    const schema = this.make(raw, name)
    this.#schemas.set(raw, schema)
    return schema
  }
}

const NONE: ReadonlySet<string> = new Set()
const ANYTHING: JsonObject = {}
const BESIDE_REFERENCES = new Set(['nullable', 'x-nullable', 'readOnly', 'writeOnly', 'default'])

const NO_PROPERTIES: ReadonlyMap<string, Schema> = new Map()

/** A {@link Schema} whose fields are computed when they are first read, and kept. */
class LazySchema implements Schema {
  readonly name: string | undefined
  readonly raw: JsonObject
  readonly #reader: SchemaReader
  readonly #ways: number
  #parts: SchemaParts | undefined
  #constraints: Constraints | undefined
  #properties: ReadonlyMap<string, Schema> | undefined
  #fields: ReadonlyMap<string, Schema> | undefined
  #additionalProperties: boolean | Schema | undefined
  #items: { readonly schema: Schema | undefined } | undefined
  #variants: { readonly list: readonly Schema[] | undefined } | undefined
  #discriminator: { readonly found: Discriminator | undefined } | undefined
  #facts: Map<(schema: Schema) => unknown, unknown> | undefined

  constructor(reader: SchemaReader, raw: JsonObject, name: string | undefined, ways: number) {
    this.#reader = reader
    this.#ways = ways
    this.raw = raw
    this.name = name
  }

  get types(): readonly JsonType[] {
    return this.#own.types
  }

  get nullable(): boolean {
    const { parts, choices, ownNull } = this.#taken
    if (ownNull) return true
    const votes = [...parts.map(nullVote), ...choices.map((choice) => choice.hasNull)]
    return votes.includes(true) && !votes.includes(false)
  }

  get nullableByLetter(): boolean {
    const { parts, choices } = this.#taken
    const votes = parts.map((part) => strictNullVote(part, this.#reader.knowsNullable))
    for (const choice of choices) votes.push(choice.hasNull)
    return votes.includes(true) && !votes.includes(false)
  }

  get enum(): readonly Json[] | undefined {
    return this.#own.enum
  }

  get format(): string | undefined {
    return this.#own.format
  }

  get pattern(): string | undefined {
    const { pattern } = this.#own
    if (pattern === undefined || this.#reader.unmatched.has(pattern)) return undefined
    // Nothing comes before a beginning: the slashes are those of a literal.
    return /^\/(\^.*\$)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern
  }

  get minLength(): number | undefined {
    return this.#own.minLength
  }

  get maxLength(): number | undefined {
    return this.#own.maxLength
  }

  get minimum(): number | undefined {
    return this.#own.minimum
  }

  get maximum(): number | undefined {
    return this.#own.maximum
  }

  get exclusiveMinimum(): number | undefined {
    return this.#own.exclusiveMinimum
  }

  get exclusiveMaximum(): number | undefined {
    return this.#own.exclusiveMaximum
  }

  get multipleOf(): number | undefined {
    return this.#own.multipleOf
  }

  get required(): ReadonlySet<string> {
    return this.#own.required
  }

  get minProperties(): number | undefined {
    return this.#own.minProperties
  }

  get maxProperties(): number | undefined {
    return this.#own.maxProperties
  }

  get minItems(): number | undefined {
    return this.#own.minItems
  }

  get maxItems(): number | undefined {
    return this.#own.maxItems
  }

  get uniqueItems(): boolean {
    return this.#own.uniqueItems
  }

  get readOnly(): boolean {
    return this.#own.readOnly
  }

  get writeOnly(): boolean {
    return this.#own.writeOnly
  }

  get example(): Json | undefined {
    return this.#own.example
  }

  get default(): Json | undefined {
    return this.#own.default
  }

  get title(): string | undefined {
    return this.#own.title
  }

  get description(): string | undefined {
    return this.#own.description
  }

  get properties(): ReadonlyMap<string, Schema> {
    this.#properties ??= this.#mergeProperties()
    return this.#properties
  }

  get fields(): ReadonlyMap<string, Schema> {
    this.#fields ??= this.variants === undefined ? this.properties : collectFields(this)
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

  get variants(): readonly Schema[] | undefined {
    this.#variants ??= { list: variantsOf(this.#reader, this.#taken, this.discriminator, this.#ways) }
    return this.#variants.list
  }

  get variantRule(): 'oneOf' | 'anyOf' {
    return this.#taken.choices[0]?.rule ?? 'oneOf'
  }

  get discriminator(): Discriminator | undefined {
    this.#discriminator ??= { found: discriminatorOf(this.#reader, this.#taken) }
    return this.#discriminator.found
  }

  once<Fact>(find: (schema: Schema) => Fact): Fact {
    this.#facts ??= new Map()
    if (!this.#facts.has(find)) this.#facts.set(find, find(this))
    return this.#facts.get(find) as Fact
  }

  get #taken(): SchemaParts {
    this.#parts ??= takeApart(this.#reader.references, this.raw)
    return this.#parts
  }

  get #own(): Constraints {
    this.#constraints ??= combine(this.#taken.parts)
    return this.#constraints
  }

  #mergeProperties(): ReadonlyMap<string, Schema> {
    const merged = new Map<string, Schema>()
    for (const part of [
      ...this.#taken.parts,
      ...subtypeTags(this.#reader.references, this.raw, this.name, this.#taken.parts),
    ]) {
      if (!isJsonObject(part.properties)) continue
      for (const [name, raw] of Object.entries(part.properties)) {
        if (merged.size === MOST_PROPERTIES) return merged
        const schema = this.#reader.read(raw)
        const known = merged.get(name)
        if (schema) merged.set(name, known ? this.#reader.merge(known, schema) : schema)
      }
    }
    return merged.size > 0 ? merged : NO_PROPERTIES
  }

  #mergeAdditional(): boolean | Schema {
    let merged: boolean | Schema = true
    for (const part of this.#taken.parts) {
      if (part.additionalProperties === false || part.unevaluatedProperties === false) return false
      if (!isJsonObject(part.additionalProperties)) continue
      const schema = this.#reader.read(part.additionalProperties)
      if (schema) merged = merged === true ? schema : this.#reader.merge(merged as Schema, schema)
    }
    return merged
  }

  #mergeItems(): Schema | undefined {
    let merged: Schema | undefined
    for (const part of this.#taken.parts) {
      if (isLooseTuple(part)) continue
      const tuple = objectsOf(part.prefixItems ?? part.items)
      const schema = this.#reader.read(
        tuple.length === 0 ? part.items : this.#own.maxItems === 1 ? tuple[0] : { anyOf: tuple },
      )
      if (schema) merged = merged ? this.#reader.merge(merged, schema) : schema
    }
    return merged
  }
}
