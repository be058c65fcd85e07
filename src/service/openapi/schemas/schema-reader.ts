import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import { onePer } from '../one-per.ts'
import { booleanSchema, hasOwnContent, LocalReferences } from '../references.ts'
import { LazySchema } from './lazy-schema.ts'
import { MOST_MERGED, MOST_PROPERTIES, MOST_WAYS, readAlternatives } from './schema-parts.ts'
import type { SchemaSource } from './schema-source.ts'
import { childrenOf, isMapped, mappingOf, subtypesOf } from './schema-variants.ts'

/** Makes the {@link Schema}s of one description: exactly one for each raw schema. */
export class SchemaReader implements SchemaSource {
  readonly references: LocalReferences
  /** Whether the dialect has the keyword `nullable`. */
  readonly knowsNullable: boolean
  /** Patterns that are too large to check. */
  readonly unmatched: ReadonlySet<string>
  /** Most properties read of one schema. */
  readonly mostProperties: number
  readonly mostWays: number
  readonly #schemas = new Map<JsonObject, Schema>()
  readonly #merged = new Map<Schema, Map<Schema, Schema>>()
  readonly propertiesOf = onePer((written: JsonObject) => Object.entries(written).slice(0, this.mostProperties))
  readonly alternativesOf = onePer((written: readonly Json[]) => readAlternatives(this.references, written))
  readonly mappingOf = onePer((part: JsonObject): ReadonlyMap<string, Schema> => mappingOf(this, part))
  readonly #valuesOf = onePer((written: readonly Json[]): ReadonlySet<Json> => new Set(written))
  readonly sharedValues = onePer((values: readonly Json[]) =>
    onePer((others: readonly Json[]): readonly Json[] => values.filter((value) => this.#valuesOf(others).has(value))),
  )
  readonly isMapped = onePer(isMapped)
  readonly childrenOf = onePer((part: JsonObject) => childrenOf(this.references, part))
  readonly subtypesOf = onePer((part: JsonObject) => subtypesOf(this.references, part))
  readonly #extended = new Map<Schema, Map<string, Schema>>()
  #extendedProperties = 0
  readonly #textOf = onePer((property: JsonObject) => JSON.stringify(property))

  constructor(
    references: LocalReferences,
    {
      knowsNullable,
      unmatched = NONE,
      mostProperties = MOST_PROPERTIES,
      mostWays = MOST_WAYS,
    }: { knowsNullable: boolean; unmatched?: ReadonlySet<string>; mostProperties?: number; mostWays?: number },
  ) {
    this.references = references
    this.mostProperties = mostProperties
    this.mostWays = mostWays
    this.knowsNullable = knowsNullable
    this.unmatched = unmatched
  }

  /** The schema written as `raw`; undefined without one. A boolean schema allows anything or nothing. */
  read(raw: unknown): Schema | undefined {
    if (typeof raw === 'boolean') return this.#of(booleanSchema(raw), undefined)
    if (!isJsonObject(raw)) return undefined
    if (typeof raw.$ref !== 'string') return this.#of(raw, undefined)
    if (this.knowsNullable) return this.#readOldReference(raw)
    const target = this.references.follow(raw.$ref)
    return hasOwnContent(raw) ? this.#of(raw, target.name) : this.#of(target.value, target.name)
  }

  /** Before 3.1, keywords next to a reference are ignored, except those of {@link BESIDE_REFERENCES}. */
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

  /** The schema that a document is itself, with its own references. Nothing of it stays in this reader. */
  readApart(document: JsonObject): Schema | undefined {
    return new SchemaReader(new LocalReferences(document), { knowsNullable: false }).read(document)
  }

  /** A generated schema. The caller keeps it, not the reader. `ways`: see {@link variantsOf}. */
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

  /**
   * The schema of values that also fit `own`, a generated restriction: one for all equal requests. Beyond the limit
   * returns the schema unchanged, since each extended schema holds all properties.
   */
  extend(
    schema: Schema,
    own: { readonly name: string; readonly property: JsonObject; readonly isRequired: boolean },
  ): Schema {
    const { name, property, isRequired } = own
    const key = `${isRequired} ${name} ${this.#textOf(property)}`
    const row = this.#extended.get(schema) ?? new Map<string, Schema>()
    const known = row.get(key)
    if (known !== undefined) return known
    this.#extendedProperties += schema.properties.size
    if (this.#extendedProperties > MOST_MERGED) return schema
    const part: JsonObject = {
      type: 'object',
      ...(isRequired && { required: [name] }),
      properties: { [name]: property },
    }
    const extended = this.make({ allOf: [schema.raw, part] }, schema.name)
    this.#extended.set(schema, row.set(key, extended))
    return extended
  }

  /** The schema of `raw` itself, without following a reference, with the name that a reference gave to it. */
  keep(raw: JsonObject, name: string | undefined, ways?: number): Schema {
    if (ways === undefined) return this.#of(raw, name)
    const schema = this.#schemas.get(raw) ?? this.make(raw, name, ways)
    this.#schemas.set(raw, schema)
    return schema
  }

  /** What each schema was read from or merged of; generated ones are in neither. */
  origins(): {
    readonly read: ReadonlyMap<Schema, JsonObject>
    readonly merged: ReadonlyMap<Schema, readonly [Schema, Schema]>
  } {
    const rows = [...this.#merged].flatMap(([left, row]) =>
      [...row].map(([right, schema]) => [schema, [left, right]] as const),
    )
    return { read: new Map([...this.#schemas].map(([raw, schema]) => [schema, raw])), merged: new Map(rows) }
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
const BESIDE_REFERENCES = new Set(['nullable', 'x-nullable', 'readOnly', 'writeOnly', 'default'])

/** Default record for collections without a schema. */
const PLAIN_RECORD: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    created_at: { type: 'string', format: 'date-time' },
    updated_at: { type: 'string', format: 'date-time' },
  },
}

export const plainRecordOf = (reader: SchemaReader): Schema => reader.keep(PLAIN_RECORD, undefined)
