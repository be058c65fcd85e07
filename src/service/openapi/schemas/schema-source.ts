import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { LocalReferences } from '../references.ts'
import type { Alternatives } from './schema-parts.ts'

/** Where the schemas of one description come from. */
export interface SchemaSource {
  readonly references: LocalReferences
  /** Whether the dialect has the keyword `nullable`. */
  readonly knowsNullable: boolean
  /** Patterns that are too large to be enforced. */
  readonly unmatched: ReadonlySet<string>
  /** Most properties that are read of one schema. */
  readonly mostProperties: number
  /** Most alternatives of alternatives that are made up for one schema. */
  readonly mostWays: number
  /** The properties of a part that many schemas may share, as far as they are read. */
  propertiesOf(written: JsonObject): readonly (readonly [string, Json])[]
  /** The alternatives that a `oneOf` or `anyOf` lists. */
  alternativesOf(written: readonly Json[]): Alternatives
  /** The schemas that a written discriminator means, by its values. */
  mappingOf(part: JsonObject): ReadonlyMap<string, Schema>
  /** The values of one list of values that another one has too: found once, however many schemas join the two. */
  sharedValues(values: readonly Json[]): (others: readonly Json[]) => readonly Json[]
  /** The schema written as `raw`; undefined where there is none. */
  read(raw: unknown): Schema | undefined
  /**
   * A schema that the reader makes up. The reader does not keep it: its caller does. `ways`: how many alternatives of
   * alternatives were made up beside it.
   */
  make(raw: JsonObject, name: string | undefined, ways?: number): Schema
  /** The schema of values that fit both. */
  merge(left: Schema, right: Schema): Schema
  /** The values by which a discriminator that is written in a part means other schemas, by these. */
  subtypesOf(part: JsonObject): ReadonlyMap<JsonObject, readonly string[]>
}
