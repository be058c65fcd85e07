import { nounBeforeId } from '../../../names/id-names.ts'
import { snakeCase } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { once, onceFor } from '../../../runtime/once.ts'
import { fraction, hashText, mixPair } from '../../../runtime/random.ts'
import { checkerOf, fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Relation } from '../../openapi/model.ts'
import { drawAt, type Frame, type Maker, MOST_ITEMS } from '../cell.ts'
import type { OutlineIndex, TableOutline } from './table-outline.ts'

const MOST_REFERENCES = 3
/** Most records that are grouped by what they refer to. */
const MOST_GROUPED = 10_000

/** Distances between the records in a list of references. One that does not divide the number of records reaches all of them. */
const STRIDES = [7, 11, 13]

/** A path from one collection to another: by the field of key `first` to `middle`, then by the field of key `second`. */
interface Route {
  readonly middle: TableOutline
  readonly first: number
  readonly second: number
}

/** The field with this hash leads to one record of a collection. */
interface Link {
  readonly collection: string
  readonly key: number
}

/** Reads the indexes of records by that of the record to which they refer. */
type Groups = () => ReadonlyMap<number, readonly number[]>

/** The references between the records of the collections. */
export class References {
  readonly #outlines: OutlineIndex
  readonly #routes = new Map<TableOutline, Map<TableOutline, Route | undefined>>()
  readonly #relations = new Map<TableOutline, readonly Relation[]>()
  readonly #groups = new Map<string, Groups | undefined>()

  constructor(outlines: OutlineIndex) {
    this.#outlines = outlines
  }

  /** The relations of a collection; those by an object's id apply to the object. */
  relationsOf(table: TableOutline): readonly Relation[] {
    return onceFor(this.#relations, table, ({ model }) =>
      model.relations.map((relation) => ({ ...relation, field: this.placeOf(relation) })),
    )
  }

  relationAt(table: TableOutline, path: FieldPath): Relation | undefined {
    const name = path.join('.')
    return this.relationsOf(table).find(({ field }) => field.join('.') === name)
  }

  /** `['user']` of the relation `['user', 'id']`. */
  placeOf({ form, many, field, collection }: Relation): FieldPath {
    const idName = this.#outlines.find(collection)?.model.id.field?.at(-1)
    return form === 'object' && !many && field.length > 1 && field.at(-1) === idName ? field.slice(0, -1) : field
  }

  /** Index in `target` of the record to which `frame`'s record of `table` refers by `key`; undefined without one. */
  indexFor(table: TableOutline, target: TableOutline, key: number, frame: Frame): number | undefined {
    if (target.size === 0) return undefined
    const ancestor = this.#ancestor(table, target, frame.index)
    if (ancestor !== undefined) return ancestor
    const draw = mixPair(table.seedAt(frame.index), key)
    if (target !== table) {
      const older = () => pickOlder(target, frame, draw)
      return this.#through(table, target, frame) ?? this.#beside(table, target, frame, older) ?? older()
    }
    const older = target.size - frame.index - 1
    return older > 0 ? frame.index + 1 + Math.floor(fraction(draw) * Math.min(older, 8)) : undefined
  }

  /**
   * The values of a relation's field in records of `table`; undefined where its schema does not allow the other
   * collection's keys.
   */
  makerFor(table: TableOutline, relation: Relation, schema: Schema): Maker | undefined {
    const target = this.#outlines.find(relation.collection)
    if (!target) return undefined
    const key = hashText(this.placeOf(relation).join('.'))
    if (relation.many) return manyMaker(relation, target, schema, key)
    if (relation.form === 'object' && !allowsText(schema)) return undefined
    const read = keyReader(target, schema)
    if (!read) return undefined
    const ofNew = referenceOfNew(relation.collection, key, schema)
    return (cell) => {
      if (cell.frame.isNew) return ofNew(cell)
      const index = this.indexFor(table, target, key, cell.frame)
      return index === undefined ? undefined : read(index)
    }
  }

  /** The parent's id in the child's field for it. */
  parentMaker(table: TableOutline, schema: Schema): Maker | undefined {
    const { parent } = table.model
    const target = parent && this.#outlines.find(parent.collection)
    const read = target && keyReader(target, schema)
    if (!parent || !read) return undefined
    const ofNew = referenceOfNew(parent.collection, 0x7061, schema)
    return (cell) => {
      if (cell.frame.isNew) return ofNew(cell)
      const index = table.parentAt(cell.frame.index)
      return index === undefined ? undefined : read(index)
    }
  }

  /** The records of `table` by the record of `target` to which they refer; undefined where they are many. */
  referring(table: TableOutline, target: TableOutline): Groups | undefined {
    return onceFor(this.#groups, `${table.model.name} ${target.model.name}`, () => this.#groupsOf(table, target))
  }

  #groupsOf(table: TableOutline, target: TableOutline): Groups | undefined {
    const link = table.size > MOST_GROUPED ? undefined : this.#linkTo(target, table)
    if (link === undefined) return undefined
    return once(() => {
      const indexes = Array.from({ length: table.size }, (_, index) => index)
      return Map.groupBy(indexes, (index) => this.indexFor(table, target, link.key, table.frameAt(index)) ?? -1)
    })
  }

  /** Index of the ancestor of the record at `index` in `target`. */
  #ancestor(from: TableOutline, target: TableOutline, index: number): number | undefined {
    let table = from
    let at = index
    for (let height = 0; height < 5; height++) {
      const { parent } = table.model
      const above = parent && this.#outlines.find(parent.collection)
      const next = above && table.parentAt(at)
      if (!above || next === undefined) return undefined
      if (above === target) return next
      table = above
      at = next
    }
    return undefined
  }

  /** The record reached through another relation: a payment's customer is the customer of its invoice. */
  #through(table: TableOutline, target: TableOutline, frame: Frame): number | undefined {
    const route = this.#routeTo(table, target)
    if (!route) return undefined
    const { middle, first, second } = route
    const at = this.indexFor(table, middle, first, frame)
    return at === undefined ? undefined : this.indexFor(middle, target, second, middle.frameAt(at))
  }

  /** The first record from `start` on that lies below the same record: a task's milestone is one of the task's project. */
  #beside(table: TableOutline, target: TableOutline, { index }: Frame, start: () => number): number | undefined {
    const { parent } = table
    // Only parents of a higher level, so that no group is needed to make itself.
    const groups = parent && target.level < parent.level ? this.referring(target, parent) : undefined
    const beside = groups?.().get(table.parentAt(index) ?? -1)
    const first = beside && start()
    return beside?.find((at) => at >= (first ?? 0)) ?? beside?.[0]
  }

  #routeTo(table: TableOutline, target: TableOutline): Route | undefined {
    const routes = onceFor(this.#routes, table, () => new Map<TableOutline, Route | undefined>())
    return onceFor(routes, target, () => this.#findRoute(table, target))
  }

  /** Only collections of a higher level may be in the middle, so that no route contains itself. */
  #findRoute(table: TableOutline, target: TableOutline): Route | undefined {
    for (const { collection, key } of this.#linksOf(table)) {
      const middle = collection === target.model.name ? undefined : this.#outlines.find(collection)
      if (!middle || middle.size === 0 || middle.level <= table.level || middle.level >= target.level) continue
      const further = this.#linkTo(target, middle)
      if (further) return { middle, first: key, second: further.key }
    }
    return undefined
  }

  #linkTo(target: TableOutline, from: TableOutline): Link | undefined {
    return this.#linksOf(from).find(({ collection }) => collection === target.model.name)
  }

  /** How a record of `table` names one other record each: by its parent and by its relations. */
  #linksOf(table: TableOutline): readonly Link[] {
    const { parent } = table.model
    const single = this.relationsOf(table).filter(({ many }) => !many)
    const links = single.map(({ collection, field }) => ({ collection, key: hashText(field.join('.')) }))
    return parent === undefined ? links : [{ collection: parent.collection, key: 0 }, ...links]
  }
}

/**
 * A record of `target` older than the record of `frame`. Younger ones are more likely: few records are young enough to
 * refer to them, and new records are busy.
 */
function pickOlder(target: TableOutline, frame: Frame, draw: number): number {
  const first = target.firstBefore(frame.createdAt)
  return first + Math.floor(fraction(draw) ** 2 * (target.size - first))
}

/** The values of a relation to several records. */
function manyMaker(relation: Relation, target: TableOutline, schema: Schema, key: number): Maker | undefined {
  const items = schema.items
  if (!items || (relation.form === 'object' && !allowsText(items))) return undefined
  const read = keyReader(target, items)
  if (!read) return undefined
  const few = Math.min(schema.minItems ?? 0, MOST_ITEMS)
  const most = Math.min(MOST_REFERENCES, schema.maxItems ?? MOST_REFERENCES)
  const stride = STRIDES.find((number) => target.size % number !== 0) ?? 1
  return (cell) => {
    if (cell.frame.isNew && few === 0) return []
    const draw = drawAt(cell, key)
    const count = Math.min(target.size, Math.max(few, draw % (most + 1)))
    const start = Math.floor(fraction(mixPair(draw, 1)) * target.size)
    const values = Array.from({ length: count }, (_, at) => read((start + at * stride) % target.size))
    return [...new Set(values)].filter((value) => value !== undefined)
  }
}

/** Reads ids of `target` in the type of `schema`; undefined where it does not allow them. */
export function keyReader(target: TableOutline, schema: Schema): ((index: number) => Json | undefined) | undefined {
  if (target.size === 0) return undefined
  const probe = target.keys.at(0)
  const shape = shapeFor(probe, schema)
  if (!fits(schema, shape(probe)) || !fits(schema, shape(target.keys.at(target.size - 1)))) return undefined
  const own = target.model.id.schema
  const isFree =
    schema === own ||
    (schema.pattern === undefined && !schema.variants && (schema.format === undefined || schema.format === own?.format))
  if (isFree) return (index) => shape(target.keys.at(index))
  return (index) => {
    const key = shape(target.keys.at(index))
    return fits(schema, key) ? key : undefined
  }
}

/** The reference of a record that a client creates: the key of an existing record. */
export function referenceOfNew(collection: string, fieldKey: number, schema: Schema): Maker {
  const check = checkerOf(schema, { direction: 'response' })
  const ofNumber = shapeFor(0, schema)
  const ofText = shapeFor('', schema)
  return (cell) => {
    const key = cell.frame.reference?.(collection, drawAt(cell, fieldKey))
    if (key === undefined) return undefined
    const shaped = typeof key === 'number' ? ofNumber(key) : ofText(key)
    return check(shaped) === undefined ? shaped : undefined
  }
}

/** Converts keys from the type of `probe` to the type of `schema`. */
function shapeFor(probe: Json, schema: Schema): (value: Json) => Json {
  const { types } = schema
  if (typeof probe === 'number' && !types.includes('integer') && !types.includes('number') && types.includes('string'))
    return String
  if (typeof probe === 'string' && !types.includes('string') && (types.includes('integer') || types.includes('number')))
    return toNumber
  return (value) => value
}

/** The number in a text; the text itself without one. */
function toNumber(value: Json): Json {
  const number = Number(value)
  return value === '' || !Number.isFinite(number) ? value : number
}

function allowsText(schema: Schema): boolean {
  return (
    schema.types.includes('string') ||
    schema.types.includes('integer') ||
    (schema.variants?.some((variant) => variant.types.includes('string')) ?? false)
  )
}

/** `customer` of `['customer']` and of `['customer_id']`. */
export function prefixOfField(field: FieldPath): string {
  const snake = snakeCase(field.at(-1) ?? '')
  return nounBeforeId(snake) ?? snake
}
