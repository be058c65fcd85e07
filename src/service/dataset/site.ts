import { snakeCase } from '../../names/words.ts'
import type { Json } from '../../protocol/json.ts'
import { hashText } from '../../runtime/random.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { Cell, Maker } from './cell.ts'
import type { MakerStock } from './maker-stock.ts'

/** A place in a description for which values are made, with all that they depend on. */
export interface Site {
  /** Name of the property; '' at the top. */
  readonly name: string
  readonly snake: string
  readonly key: number
  readonly schema: Schema
  /** Noun for the object around the value: `task`, `billing_address`. */
  readonly owner: string
  /** Where the value stands in its record; undefined inside lists and maps. */
  readonly path: FieldPath | undefined
  /** Names of all properties of the object, in snake case, with their names as written. */
  readonly siblings: ReadonlyMap<string, string>
  readonly required: boolean
  /** Whether it is an item of a list, named like the list. */
  readonly inList?: boolean
  /** How many arrays lie directly inside each other around this one. */
  readonly nesting?: number
  /** Whether it lies in an object of links. */
  readonly isLink?: boolean
  readonly surroundings: Surroundings
  readonly stock: MakerStock
}

/** What is known of a record: the collections that it can refer to, and the fields whose values the model gives. */
export interface Surroundings {
  /** The values of a field that the model gives: ids, relations, timestamps. */
  fixed(path: FieldPath, schema: Schema): Maker | undefined
  /** Values that a field takes from a related record; they may be missing. */
  inherited(path: FieldPath, schema: Schema): Maker | undefined
  /** Makes objects that show records of a collection, where the schema or the name says so. */
  embedded(site: Site): Maker | undefined
  /** Values that the user wants a field to be drawn from. */
  hintsFor(path: FieldPath): readonly Json[] | undefined
  /** Values that the filters of lists know of a field whose schema knows none. */
  vocabularyFor(path: FieldPath): readonly Json[] | undefined
  /** The collection of the record, for links to it; undefined outside of records. */
  readonly collection: string | undefined
  /** The id of the record that a cell belongs to, as text; undefined outside of records. */
  idOf(cell: Cell): string | undefined
  /** Subject of the record that a field with this prefix describes: `customer` of `customer_email`. */
  subjectOf(prefix: string): ((cell: Cell) => number) | undefined
  /** Whether a field holds the record's id, its parent or its status, so that it is never left out. */
  isKey(path: FieldPath): boolean
  /** Status of the record as a whole, where it has one. */
  readonly status: Maker | undefined
}

/** Surroundings without any collection. */
export const NO_SURROUNDINGS: Surroundings = {
  fixed: () => undefined,
  inherited: () => undefined,
  embedded: () => undefined,
  hintsFor: () => undefined,
  vocabularyFor: () => undefined,
  collection: undefined,
  idOf: () => undefined,
  subjectOf: () => undefined,
  isKey: () => false,
  status: undefined,
}

/** The site at the top of a document. */
export function rootSite(schema: Schema, owner: string, surroundings: Surroundings, stock: MakerStock): Site {
  const key = hashText(owner)
  return { name: '', snake: '', key, schema, owner, path: [], siblings: new Map(), required: true, surroundings, stock }
}

/** The site of a property of the object at `site`. */
export function propertySite(site: Site, name: string, schema: Schema, siblings: ReadonlyMap<string, string>): Site {
  return {
    ...site,
    name,
    snake: snakeCase(name),
    key: hashText(name),
    schema,
    path: site.path && [...site.path, name],
    siblings,
    inList: false,
    required: site.schema.required.has(name),
  }
}
