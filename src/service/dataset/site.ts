import { snakeCase } from '../../names/words.ts'
import type { Json } from '../../protocol/json.ts'
import { hashText } from '../../runtime/random.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { Cell, Maker } from './cell.ts'
import type { MakerStock } from './maker-stock.ts'

/** A place in a description for which values are made, with its context. */
export interface Site {
  /** Name of the property; '' at the top. */
  readonly name: string
  readonly snake: string
  readonly key: number
  readonly schema: Schema
  /** Noun for the parent object: `task`, `billing_address`. */
  readonly owner: string
  /** Path in its record; undefined inside lists and maps. */
  readonly path: FieldPath | undefined
  /** Names of all properties of the object, in snake case, with their written names. */
  readonly siblings: ReadonlyMap<string, string>
  readonly required: boolean
  /** Whether it is an item of a list, with the list's name. */
  readonly inList?: boolean
  /** Whether it lies in the result of a call: an item of `choices`. */
  readonly isResult?: boolean
  /** How many arrays lie inside each other around this one, without an object between them. */
  readonly nesting?: number
  /** Whether it is in an object of links. */
  readonly isLink?: boolean
  /** Path of the list of links that it is in, for lists that are in no other list. */
  readonly linksAt?: FieldPath | undefined
  readonly surroundings: Surroundings
  readonly stock: MakerStock
}

/** The context of a record: the collections to which it can refer, and the fields that the model determines. */
export interface Surroundings {
  /** The values of a field that the model determines: ids, relations, timestamps. */
  fixed(path: FieldPath, schema: Schema): Maker | undefined
  /** Values from a related record; they may be missing. */
  inherited(path: FieldPath, schema: Schema): Maker | undefined
  /** Makes objects that show records of a collection, by schema or name. */
  embedded(site: Site): Maker | undefined
  /** The user's values for a field. */
  hintsFor(path: FieldPath): readonly Json[] | undefined
  /** Values of a field from the filters of lists, where its schema has none. */
  vocabularyFor(path: FieldPath): readonly Json[] | undefined
  /** The collection of the record, for links to it; undefined outside records. */
  readonly collection: string | undefined
  /** The id of the cell's record, as text; undefined outside records. */
  idOf(cell: Cell): string | undefined
  /**
   * The path in the API of what a field of the record links to: the record itself for no noun, else what lies below it,
   * its parent or a record that another field refers to.
   */
  addressOf(noun: string): ((cell: Cell) => string | undefined) | undefined
  /** Subject of the record for fields with this prefix: `customer` of `customer_email`. */
  subjectOf(prefix: string): ((cell: Cell) => number) | undefined
  /** Whether a field holds the record's id, parent or status, so that it is never omitted. */
  isKey(path: FieldPath): boolean
  /** Status of the whole record, if it has one. */
  readonly status: Maker | undefined
  /** The values of that status, in the description's order. */
  readonly statuses: readonly Json[]
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
  addressOf: () => undefined,
  subjectOf: () => undefined,
  isKey: () => false,
  status: undefined,
  statuses: [],
}

/** Names of objects and lists of links. */
export const LINKS = /^_?(?:links?|urls|hrefs)$/

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
    nesting: 0,
    required: site.schema.required.has(name),
  }
}
