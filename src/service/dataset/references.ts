import { snakeCase } from '../../names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { readField } from '../../protocol/json-fields.ts'
import { fraction, hashText, mixPair } from '../../runtime/random.ts'
import type { FieldPath, Schema } from '../../schema/schema.ts'
import type { CollectionModel, Relation } from '../openapi/model.ts'
import { type Cell, drawAt, type Frame, type Maker, MOST_ITEMS, startingEmpty } from './cell.ts'
import type { GeneratedTable } from './generated-table.ts'
import { keyReader, referenceOfNew } from './key-reader.ts'
import type { Site, Surroundings } from './site.ts'

/** The tables that references point into. */
export interface TableIndex {
  find(collection: string): GeneratedTable | undefined
  /** By the schema of its records. */
  findBySchema(schema: Schema): GeneratedTable | undefined
  /** By the singular of its name; undefined where several share it. */
  findBySingular(singular: string): GeneratedTable | undefined
}

const MOST_REFERENCES = 3

/**
 * From one record that a list refers to to the next; one that divides their number would come round before all were
 * met.
 */
const STRIDES = [7, 11, 13]

/** From here by the field of key `first` to `middle`, from there by the field of key `second`. */
interface Route {
  readonly middle: GeneratedTable
  readonly first: number
  readonly second: number
}

/** Which records the records of one collection refer to. */
export class References {
  readonly #table: GeneratedTable
  readonly #model: CollectionModel
  readonly #tables: TableIndex
  readonly #routes = new Map<GeneratedTable, Route | undefined>()

  constructor(table: GeneratedTable, model: CollectionModel, tables: TableIndex) {
    this.#table = table
    this.#model = model
    this.#tables = tables
  }

  /** Index in `target` of the record that `frame`'s record refers to by `key`; undefined where there is none. */
  indexFor(target: GeneratedTable, key: number, frame: Frame): number | undefined {
    if (target.size === 0) return undefined
    const ancestor = this.#ancestor(target, frame.index)
    if (ancestor !== undefined) return ancestor
    const draw = mixPair(this.#table.seedAt(frame.index), key)
    if (target !== this.#table) return this.#through(target, frame) ?? pickOlder(target, frame, draw)
    const older = target.size - frame.index - 1
    return older > 0 ? frame.index + 1 + Math.floor(fraction(draw) * Math.min(older, 8)) : undefined
  }

  /**
   * The values of a relation's field, which stands for the record at `place`; undefined where its schema does not
   * want what the other collection has.
   */
  makerFor(relation: Relation, place: FieldPath, schema: Schema): Maker | undefined {
    const target = this.#tables.find(relation.collection)
    if (!target) return undefined
    const key = hashText(place.join('.'))
    if (relation.many) return this.#manyMaker(relation, target, schema, key)
    if (relation.form === 'object' && !allowsText(schema)) return undefined
    const read = keyReader(target, schema)
    if (!read) return undefined
    const ofNew = referenceOfNew(relation.collection, key, schema)
    return (cell) => {
      if (cell.frame.isNew) return ofNew(cell)
      const index = this.indexFor(target, key, cell.frame)
      return index === undefined ? undefined : read(index)
    }
  }

  /** The parent's id in the field that repeats it. */
  parentMaker(schema: Schema): Maker | undefined {
    const { parent } = this.#model
    const target = parent && this.#tables.find(parent.collection)
    const read = target && keyReader(target, schema)
    if (!parent || !read) return undefined
    const ofNew = referenceOfNew(parent.collection, 0x7061, schema)
    return (cell) => {
      if (cell.frame.isNew) return ofNew(cell)
      const index = this.#table.parentAt(cell.frame.index)
      return index === undefined ? undefined : read(index)
    }
  }

  #manyMaker(relation: Relation, target: GeneratedTable, schema: Schema, key: number): Maker | undefined {
    const items = schema.items
    if (!items || (relation.form === 'object' && !allowsText(items))) return undefined
    const read = keyReader(target, items)
    if (!read) return undefined
    const few = Math.min(schema.minItems ?? 0, MOST_ITEMS)
    const most = Math.min(MOST_REFERENCES, schema.maxItems ?? MOST_REFERENCES)
    const stride = STRIDES.find((number) => target.size % number !== 0) ?? 1
    const make: Maker = (cell) => {
      if (cell.frame.isNew && few === 0) return []
      const draw = drawAt(cell, key)
      const count = Math.min(target.size, Math.max(few, draw % (most + 1)))
      const start = Math.floor(fraction(mixPair(draw, 1)) * target.size)
      const values = Array.from({ length: count }, (_, at) => read((start + at * stride) % target.size))
      return [...new Set(values)].filter((value) => value !== undefined)
    }
    return few === 0 ? startingEmpty(make) : make
  }

  /** Index of the record of `target` that the record at `index` lives below, at any height. */
  #ancestor(target: GeneratedTable, index: number): number | undefined {
    let table = this.#table
    let at = index
    for (let height = 0; height < 5; height++) {
      const { parent } = table.model
      const above = parent && this.#tables.find(parent.collection)
      const next = above && table.parentAt(at)
      if (!above || next === undefined) return undefined
      if (above === target) return next
      table = above
      at = next
    }
    return undefined
  }

  /** By way of another relation: a payment's customer is the customer of its invoice. */
  #through(target: GeneratedTable, frame: Frame): number | undefined {
    const route = this.#routeTo(target)
    if (!route) return undefined
    const { middle, first, second } = route
    const at = pickOlder(middle, frame, mixPair(this.#table.seedAt(frame.index), first))
    return middle.references.indexFor(target, second, middle.frameAt(at))
  }

  #routeTo(target: GeneratedTable): Route | undefined {
    if (!this.#routes.has(target)) this.#routes.set(target, this.#findRoute(target))
    return this.#routes.get(target)
  }

  /** By collections that stand higher only, so that routes of routes come to an end. */
  #findRoute(target: GeneratedTable): Route | undefined {
    for (const { field, many, collection } of this.#table.fields.relations) {
      const middle = many || collection === target.model.name ? undefined : this.#tables.find(collection)
      if (!middle || middle.size === 0 || middle.level <= this.#table.level || middle.level >= target.level) continue
      const further = middle.fields.relations.find((other) => !other.many && other.collection === target.model.name)
      const isFree = middle.model.parent === undefined
      if (further && isFree)
        return { middle, first: hashText(field.join('.')), second: hashText(further.field.join('.')) }
    }
    return undefined
  }
}

/**
 * A record of `target` that was there before the record of `frame`. The younger ones are likelier: they are there for
 * fewer of the records that could refer to them, and what is new is busy.
 */
function pickOlder(target: GeneratedTable, frame: Frame, draw: number): number {
  const first = target.firstBefore(frame.createdAt)
  return first + Math.floor(fraction(draw) ** 2 * (target.size - first))
}

/** What stands around records of a collection, or around documents that belong to none. */
export function createSurroundings(tables: TableIndex, table: GeneratedTable | undefined): Surroundings {
  return {
    fixed: (path, schema) => table?.fields.fixed(path, schema),
    inherited: (path, schema) => table?.fields.inherited(path, schema),
    embedded: (site) => embeddedMaker(site, tables, table),
    hintsFor: (path) => table?.fields.hintsFor(path),
    vocabularyFor: (path) => (path.length === 1 ? table?.model.vocabulary.get(path[0] as string) : undefined),
    subjectOf: (prefix) => table?.fields.subjectOf(prefix),
    isKey: (path) => table?.fields.isKey(path) ?? false,
    collection: table?.model.name,
    idOf: (cell) => (table ? String(table.idOf(cell)) : undefined),
    status: table?.statusMaker,
  }
}

/** Objects that are records of a collection, and ids that name one: found by schema or by name. */
function embeddedMaker(site: Site, tables: TableIndex, table: GeneratedTable | undefined): Maker | undefined {
  const { schema, snake, path } = site
  if (path?.length === 0 || site.name === '') return undefined
  const relation = path && table?.fields.relationAt(path)
  const isObject = schema.types[0] === 'object' || schema.properties.size > 0
  if (isObject && !schema.variants) {
    const related = relation && !relation.many ? tables.find(relation.collection) : undefined
    const target = related ?? tables.findBySchema(schema) ?? namedObject(site, tables)
    return target && objectMaker(site, target, table)
  }
  const inRelationships =
    snake === 'id' && path?.includes('relationships') ? tables.findBySingular(site.owner) : undefined
  const named = /_(?:id|uuid|gid|sid)$/.test(snake)
  const target =
    inRelationships ?? (named ? tables.findBySingular(snake.replace(/_(?:id|uuid|gid|sid)$/, '')) : undefined)
  const read = target && !schema.enum && keyReader(target, schema)
  if (!target || !read) return undefined
  const ofNew = referenceOfNew(target.model.name, site.key, schema)
  return (cell) => {
    if (cell.frame.isNew) return ofNew(cell)
    if (target === table && isInside(site)) return read(cell.frame.index)
    const index = indexIn(target, table, cell, site)
    return index === undefined ? undefined : read(index)
  }
}

/** Whether a field lies in an object inside the record: `organization_id` there is the record's own id. */
function isInside({ path }: Site): boolean {
  return path === undefined || path.length > 1
}

/** `user: { id, login }` where there are users. */
function namedObject({ schema, snake }: Site, tables: TableIndex): GeneratedTable | undefined {
  const target = tables.findBySingular(snake)
  const idName = target?.model.id.field?.length === 1 ? target.model.id.field[0] : undefined
  return idName !== undefined && schema.properties.has(idName) ? target : undefined
}

function objectMaker(site: Site, target: GeneratedTable, table: GeneratedTable | undefined): Maker {
  let make: Maker | undefined
  return (cell) => {
    const given = cell.given?.[site.name]
    if (isJsonObject(given)) return completed(given, cell)
    const index = cell.frame.isNew ? keyIndex(cell, target, site) : indexIn(target, table, cell, site)
    if (index === undefined && isBelow(target, table)) return undefined
    make ??= target.embeddedMaker(site.schema)
    return make(target.cellAt(index ?? 0, cell.depth + 1, { schema: site.schema, above: cell.trail }))
  }
  /** What a client sent for a record, with what the record that it names has besides. */
  function completed(given: JsonObject, cell: Cell): Json {
    const id = target.model.id.field && readField(given, target.model.id.field)
    const index = id === undefined || id === null ? undefined : target.indexOf(String(id))
    if (index === undefined) return given
    make ??= target.embeddedMaker(site.schema)
    const record = make(target.cellAt(index, cell.depth + 1, { schema: site.schema, above: cell.trail }))
    return isJsonObject(record) ? { ...record, ...given } : given
  }
}

/** Whether records of `target` live below those of `table`: lists of them show the record's own ones. */
function isBelow(target: GeneratedTable, table: GeneratedTable | undefined): boolean {
  return table !== undefined && target !== table && target.model.parent?.collection === table.model.name
}

function keyIndex(cell: Cell, target: GeneratedTable, site: Site): number | undefined {
  const key = cell.frame.reference?.(target.model.name, drawAt(cell, site.key))
  return key === undefined ? undefined : target.indexOf(String(key))
}

/** The record's own relation inside the record; inside lists another one for each item. */
function indexIn(
  target: GeneratedTable,
  table: GeneratedTable | undefined,
  cell: Cell,
  site: Site,
): number | undefined {
  if (target.size === 0) return undefined
  if (table && site.path) return table.references.indexFor(target, hashText(site.path.join('.')), cell.frame)
  if (cell.turn && isBelow(target, table)) return target.childrenOf(cell.frame.index)[cell.turn.at]
  return Math.floor(fraction(drawAt(cell, site.key)) * target.size)
}

function allowsText(schema: Schema): boolean {
  return (
    schema.types.includes('string') ||
    schema.types.includes('integer') ||
    (schema.variants?.some((variant) => variant.types.includes('string')) ?? false)
  )
}

/** `['customer']` and `['customer_id']` both tell of `customer`. */
export function prefixOfField(field: FieldPath): string {
  return snakeCase(field.at(-1) ?? '').replace(/_(?:id|uuid|gid|sid)$/, '')
}
