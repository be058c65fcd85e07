import type { Json, JsonObject } from '../../protocol/json.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'

/**
 * The generated data of one simulation, as a function of (description, seed, volume, epoch). A value is computed when
 * it is read; the order of reads does not matter.
 */
export interface Dataset {
  /** One table for each collection of the model, in the model's order. A table is opened at first use. */
  readonly tables: Pick<ReadonlyMap<string, Table>, 'get' | 'has' | 'keys'>
  /** Requested number of a collection's records; its table has fewer where the schema of its ids allows fewer. */
  wanted(collection: string): number
  /** The document of a singleton; `scopeKey` is the key of its parent, '' at the top. */
  singleton(name: string, scopeKey: string): JsonObject
  /**
   * A whole record with a client's fields: fields missing in `given` are generated, and also the id unless `given` or
   * `id` has it. `ordinal` numbers the created records of this collection, from 0. Undefined where all possible ids are
   * in use.
   */
  complete(collection: string, given: JsonObject, context: CreationContext): NewRecord | undefined
  /** A value for `schema`; the same for the same `key`. Never throws: where no value fits, the nearest one. */
  example(schema: Schema | undefined, key: string, hint?: ExampleHint): Json
  /** Examples for the parts of one answer, which together have the work limit of one record. */
  answerExamples(): AnswerExamples
  /** A new value for one field of a record, for a behaviour step's `regenerate`. */
  regenerate(collection: string, record: JsonObject, field: FieldPath, key: string): Json | undefined
}

/** Generates values for the parts of one answer. */
export interface AnswerExamples {
  /** Whether this answer's work limit is used up. */
  readonly isSpent: boolean
  /** {@link Dataset.example}, within the answer's work limit. */
  example(schema: Schema | undefined, key: string, hint?: ExampleHint): Json
}

/** The context of a value. */
export interface ExampleHint {
  /** Name of its property: `email`. */
  readonly name?: string
  /** Answers omit write-only properties, requests read-only ones. @default 'answer' */
  readonly mode?: 'answer' | 'request'
}

/** The context of a record's creation. */
export interface CreationContext {
  readonly ordinal: number
  /** World time, milliseconds since the epoch: the value of `created_at` and `updated_at`. */
  readonly at: number
  /** Path parameters of the record's parents, by collection name: `{ projects: '12' }`. */
  readonly scope: RecordScope
  /** Id from the path (PUT that creates). */
  readonly id?: string
  /** Key of an existing record of `collection`, for relations that the client omitted. Undefined for an empty collection. */
  readonly pickKey: (collection: string, draw: number) => string | undefined
  /** Keys that the new record may not have. */
  readonly taken: TakenKeys
}

/** The used keys of a collection. */
export interface TakenKeys {
  /** Whether a record has this key now. */
  has(key: string): boolean
  /** The same for a key that the table does not generate; cheaper. */
  hasCreated(key: string): boolean
}

export interface NewRecord {
  readonly key: string
  readonly record: JsonObject
  /** Whether the key was chosen among the free ones; otherwise it was given, and may be in use. */
  readonly isFree: boolean
}

/**
 * Parents of a record: keys by collection name, or by parameter name where the parameter names no collection.
 */
export type RecordScope = Readonly<Record<string, string>>

/** The generated records of one collection. */
export interface Table {
  readonly size: number
  /** Number of seed records: the first ones. */
  readonly given: number
  /** Number of seed records that can be without an id. */
  readonly room: number
  /** Field of the ids that clients choose and may change. */
  readonly changeableId: FieldPath | undefined
  /** Key of the record at `index`: its id as text, else its key in the collection. Unique in the table. */
  keyAt(index: number): string
  /** Index of the record with this key; computed, not looked up, where the id's schema allows enough ids. */
  indexOf(key: string): number | undefined
  /** The whole record, made at each call. */
  recordAt(index: number): JsonObject
  /** One value of the record, without making its other fields. */
  valueAt(index: number, field: FieldPath): Json | undefined
  /** {@link Table.valueAt} for one field of many records, with its constant parts computed once. */
  readerOf(field: FieldPath): (index: number) => Json | undefined
  /** Index of the parent record in its table; undefined without a parent collection. */
  parentAt(index: number): number | undefined
  /** Indexes of the children of one record of the parent collection, computed without a scan. */
  childrenOf(parentIndex: number): readonly number[]
}

/** The input of a dataset. */
export interface DatasetOptions {
  readonly seed: string
  /** World time at creation, milliseconds since the Unix epoch. Generated timestamps are earlier. */
  readonly epoch: number
  /** Number of records by collection name; others get a suitable default. */
  readonly volume: Readonly<Record<string, number>>
  /** Seed records, in addition to the volume and before it; their missing fields are generated. */
  readonly seedRecords: Readonly<Record<string, readonly JsonObject[]>>
  /**
   * Whether examples of the description are the first of the generated records, and documents.
   *
   * @default documents alone
   */
  readonly examples?: boolean | undefined
  /** Values for generated fields, where they fit, by collection and dotted field. */
  readonly hints?: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>> | undefined
}
