import type { Json, JsonObject } from '../../protocol/json.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { KeptCodecs } from './keys/kept-codecs.ts'

/**
 * The generated data of one simulation, as a function of (description, seed, volume, epoch). A value is made when it is
 * read, and is the same whenever and in whatever order values are read.
 */
export interface Dataset {
  /** One table for each collection of the model, in the model's order. A table is opened when it is first asked for. */
  readonly tables: Pick<ReadonlyMap<string, Table>, 'get' | 'has' | 'keys'>
  /** How many records a collection is asked to have; its table has fewer where the schema of its ids allows fewer. */
  wanted(collection: string): number
  /** The document of a singleton; `scopeKey` is the key of the parent that it belongs to, '' at the top. */
  singleton(name: string, scopeKey: string): JsonObject
  /**
   * A whole record around what a client sent: fields that `given` lacks are generated, and so is the id unless `given`
   * or `id` has it. `ordinal` numbers the records created in this collection since the start, from 0. Undefined where
   * every id that the schema allows is taken.
   */
  complete(collection: string, given: JsonObject, context: CreationContext): NewRecord | undefined
  /** A value that fits `schema`; the same for the same `key`. Never throws: where no value fits, the nearest one. */
  example(schema: Schema | undefined, key: string, hint?: ExampleHint): Json
  /** Examples for the parts of one answer, which together cost no more than one record. */
  answerExamples(): AnswerExamples
  /** A fresh value for one field of a record: what a behaviour step's `regenerate` writes. */
  regenerate(collection: string, record: JsonObject, field: FieldPath, key: string): Json | undefined
}

/** Makes values for the parts of one answer. */
export interface AnswerExamples {
  /** Whether no more may be made for this answer. */
  readonly isSpent: boolean
  /** {@link Dataset.example}, at the cost of the answer. */
  example(schema: Schema | undefined, key: string, hint?: ExampleHint): Json
}

/** What is known of the place of a value. */
export interface ExampleHint {
  /** Name of the property that it stands in: `email`. */
  readonly name?: string
  /** In an answer, write-only properties are left out; in a request, read-only ones. @default 'answer' */
  readonly mode?: 'answer' | 'request'
}

/** The circumstances in which one record is created. */
export interface CreationContext {
  readonly ordinal: number
  /** World time, milliseconds since the epoch: what `created_at` and `updated_at` become. */
  readonly at: number
  /** Path parameters that the record was created below, by collection name: `{ projects: '12' }`. */
  readonly scope: RecordScope
  /** Id chosen by the client through the path (PUT that creates). */
  readonly id?: string
  /**
   * Key of a record of `collection` that the world has, for relations that the client left out.
   * Undefined where the collection is empty.
   */
  readonly pickKey: (collection: string, draw: number) => string | undefined
  /** Keys that the new record may not have. */
  readonly taken: TakenKeys
}

/** Which keys of a collection are in use. */
export interface TakenKeys {
  /** Whether a record has this key now. */
  has(key: string): boolean
  /** The same for a key that the table does not generate, which costs less. */
  hasCreated(key: string): boolean
}

/** A record for the world, and its key there. */
export interface NewRecord {
  readonly key: string
  readonly record: JsonObject
  /** Whether the key was chosen among the free ones; else it was given, and may be taken. */
  readonly isFree: boolean
}

/**
 * Parents of a record: keys by collection name, or by parameter name where the parameter names no collection.
 */
export type RecordScope = Readonly<Record<string, string>>

/** The generated records of one collection. */
export interface Table {
  readonly size: number
  /** How many of them the user gave: the first ones. */
  readonly given: number
  /** How many records may be given without an id. */
  readonly room: number
  /** Field of the ids, where clients choose them and so may change them. */
  readonly changeableId: FieldPath | undefined
  /** Key of the record at `index`: its id as text, else the key that the collection keeps it under. Unique in the table. */
  keyAt(index: number): string
  /** Index of the record with this key; computed instead of looked up where the id's schema allows enough ids. */
  indexOf(key: string): number | undefined
  /** The whole record, made at each call. */
  recordAt(index: number): JsonObject
  /** One value of the record, without making the rest of it. */
  valueAt(index: number, field: FieldPath): Json | undefined
  /** {@link Table.valueAt} for one field of many records: prepares what does not depend on the record. */
  readerOf(field: FieldPath): (index: number) => Json | undefined
  /** Index of the parent record in the parent's table; undefined where the collection has no parent. */
  parentAt(index: number): number | undefined
  /** Indexes of the records below one record of the parent collection, computed without a scan. */
  childrenOf(parentIndex: number): readonly number[]
}

/** What a dataset is a function of. */
export interface DatasetOptions {
  readonly seed: string
  /** World time at creation, milliseconds since the Unix epoch. Generated timestamps lie before it. */
  readonly epoch: number
  /** Records by collection name; the others get a default that suits them. */
  readonly volume: Readonly<Record<string, number>>
  /** Records given by the user, in addition to the volume and before it; fields that they lack are generated. */
  readonly seedRecords: Readonly<Record<string, readonly JsonObject[]>>
  /** Values that generated fields draw from where they fit, by collection and dotted field. */
  readonly hints?: Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>> | undefined
  /** Codecs of ids that other datasets of the same description have chosen. They change no value. */
  readonly codecs?: KeptCodecs | undefined
}
