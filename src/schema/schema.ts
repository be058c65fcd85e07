import type { Json, JsonObject } from '../protocol/json.ts'

/** The types of JSON Schema, without `null`: see {@link Schema.nullable}. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array'

/**
 * A schema without dialects, from OpenAPI 2.0, 3.0, 3.1 or 3.2. References are followed, `allOf` is merged, `nullable`,
 * `type: [..., 'null']` and `anyOf: [X, null]` become `nullable`, `const` becomes an `enum` of one, boolean
 * `exclusiveMinimum` becomes a number. Each field is computed when first read and kept, so cycles are harmless and the
 * unread part of a large description costs nothing. One raw schema gives one `Schema` object, so identity can be
 * compared.
 */
export interface Schema {
  /** Component name, when a reference led here: `Task`. */
  readonly name: string | undefined
  /** The schema as written in the description, with its references. */
  readonly raw: JsonObject
  /** Allowed types; empty means any. Inferred from `properties`, `items` or `enum` where `type` is absent. */
  readonly types: readonly JsonType[]
  /** The types that are written; empty where none is. */
  readonly declaredTypes: readonly JsonType[]
  readonly nullable: boolean
  /**
   * Whether the dialect's rules also allow `null`: `nullable: true` means nothing in 3.1, next to a reference, without
   * a type, or with an enum without null. Generated values are null only where this is true.
   */
  readonly nullableByLetter: boolean
  /** Whether its keywords exclude each other: no value has all the types. */
  readonly isContradictory: boolean
  /** Allowed values, without `null`; undefined when any value is allowed. */
  readonly enum: readonly Json[] | undefined
  readonly format: string | undefined
  readonly pattern: string | undefined
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly exclusiveMinimum: number | undefined
  readonly exclusiveMaximum: number | undefined
  readonly multipleOf: number | undefined
  readonly properties: ReadonlyMap<string, Schema>
  /** The properties, and those of its variants, near the top. */
  readonly fields: ReadonlyMap<string, Schema>
  readonly required: ReadonlySet<string>
  /** False when unknown properties are refused, a schema when they must fit it, true otherwise. */
  readonly additionalProperties: boolean | Schema
  /** The schema of the names of an object's properties; undefined when any name is allowed. */
  readonly propertyNames: Schema | undefined
  readonly minProperties: number | undefined
  readonly maxProperties: number | undefined
  readonly items: Schema | undefined
  /** Schemas of items by position, where positions have their own; `items` combines them. */
  readonly places: readonly Schema[] | undefined
  /** The schema of items after the places; undefined where they may be anything. */
  readonly rest: Schema | undefined
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
  readonly uniqueItems: boolean
  /** Alternatives of `oneOf`, else of `anyOf`, without a null alternative; undefined when there are fewer than two. */
  readonly variants: readonly Schema[] | undefined
  /** Whether alternatives were left out: a value that fits no variant is assumed to fit. */
  readonly hasMoreVariants: boolean
  /** Whether exactly one variant must match (`oneOf`) or at least one (`anyOf`). */
  readonly variantRule: 'oneOf' | 'anyOf'
  readonly discriminator: { readonly property: string; readonly mapping: ReadonlyMap<string, Schema> } | undefined
  /** What it asserts besides; undefined for most schemas. */
  readonly assertions: Assertions | undefined
  readonly readOnly: boolean
  readonly writeOnly: boolean
  readonly example: Json | undefined
  readonly default: Json | undefined
  readonly title: string | undefined
  readonly description: string | undefined
  /** The result of `find` for this schema: it is called once, however many operations share the schema. */
  once<Fact>(find: (schema: Schema) => Fact): Fact
}

/** The keywords of JSON Schema that depend on the value. */
export interface Assertions {
  readonly not: readonly Schema[]
  readonly conditions: readonly {
    readonly asked: Schema
    readonly ifSo: Schema | undefined
    readonly ifNot: Schema | undefined
  }[]
  readonly dependentRequired: readonly { readonly name: string; readonly requires: readonly string[] }[]
  readonly dependentSchemas: readonly { readonly name: string; readonly schema: Schema }[]
  /** `item`: of an item that counts. */
  readonly contains: readonly {
    readonly schema: Schema
    readonly item: Schema
    readonly least: number
    readonly most: number
  }[]
  readonly patternProperties: readonly { readonly pattern: string; readonly schema: Schema }[]
  /** Where a schema has several lists of choices: all of them. `variants` has combinations of the first few alone. */
  readonly choices: readonly Schema[]
  /** `schema`: of properties or items that no other keyword evaluates; undefined where there may be none. */
  readonly unevaluated: readonly {
    readonly of: 'unevaluatedProperties' | 'unevaluatedItems'
    readonly schema: Schema | undefined
    /** The names of such properties, or the places of such items. */
    namesIn(value: Json, fits: (schema: Schema, value: Json) => boolean): readonly string[]
  }[]
  /** The schema itself, without conditions, and `more`: of values that fulfil them. */
  with(more: readonly Schema[]): Schema
}

/** Names of fields from a record's top to a value: `['metadata', 'name']`. */
export type FieldPath = readonly string[]
