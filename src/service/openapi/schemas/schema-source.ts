import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { LocalReferences } from '../references.ts'
import type { Alternatives } from './schema-parts.ts'

/** The source of one description's schemas. */
export interface SchemaSource {
  readonly references: LocalReferences
  /** Whether the dialect has the keyword `nullable`. */
  readonly knowsNullable: boolean
  /** Patterns that are too large to check. */
  readonly unmatched: ReadonlySet<string>
  /** Most properties read of one schema. */
  readonly mostProperties: number
  /** Most combined alternatives generated for one schema. */
  readonly mostWays: number
  /** The properties of a part that many schemas may share, within the limit. */
  propertiesOf(written: JsonObject): readonly (readonly [string, Json])[]
  /** The alternatives of a `oneOf` or `anyOf`. */
  alternativesOf(written: readonly Json[]): Alternatives
  /** The schemas of a written discriminator, by its values. */
  mappingOf(part: JsonObject): ReadonlyMap<string, Schema>
  /** The values common to two lists: computed once, for all schemas that combine the two. */
  sharedValues(values: readonly Json[]): (others: readonly Json[]) => readonly Json[]
  /** The schema written as `raw`; undefined without one. */
  read(raw: unknown): Schema | undefined
  /** A generated schema. The caller keeps it, not the reader. `ways`: number of combined alternatives generated with it. */
  make(raw: JsonObject, name: string | undefined, ways?: number): Schema
  /** The schema of values that fit both. */
  merge(left: Schema, right: Schema): Schema
  /** The alternatives of a part with a discriminator: the schemas that extend it. */
  childrenOf(part: JsonObject): readonly JsonObject[]
  /** Whether a part's discriminator has a mapping. Found once: all its children ask. */
  isMapped(part: JsonObject): boolean
  /** The values of a part's discriminator, by the schemas that they select. */
  subtypesOf(part: JsonObject): ReadonlyMap<JsonObject, readonly string[]>
}

/** The schema below a keyword, of all parts that have it; undefined without one. */
export function mergedOf(source: SchemaSource, parts: readonly JsonObject[], keyword: string): Schema | undefined {
  let merged: Schema | undefined
  for (const part of parts) {
    const schema = part[keyword] === true ? undefined : source.read(part[keyword])
    if (schema) merged = merged ? source.merge(merged, schema) : schema
  }
  return merged
}
