import { isIdName, nounBeforeId } from '../../../names/id-names.ts'
import { snakeCase } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { fraction, hashText } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt, type Maker } from '../cell.ts'
import type { MakerStock } from '../maker-stock.ts'
import type { Site } from '../site.ts'
import type { RecordAddresses } from './record-addresses.ts'
import { keyReader, type References, referenceOfNew } from './references.ts'
import type { OutlineIndex, TableOutline } from './table-outline.ts'

/** Makers of all collections' records. */
export interface OtherRecords {
  /** A maker of objects of `schema` that show records of `table`. */
  makerOf(table: TableOutline, schema: Schema): Maker
  /** One value of the record at `index` of `table`. */
  valueAt(table: TableOutline, index: number, field: FieldPath): Json | undefined
}

/** Input for values that show records of other collections. */
export interface Collections {
  readonly outlines: OutlineIndex
  readonly references: References
  readonly records: OtherRecords
  readonly addresses: RecordAddresses
  /** Counts the makers of all collections. */
  readonly stock: MakerStock
}

/**
 * Makers of objects that are records of a collection, and of ids of such records, by schema or by name. `table`: the
 * collection with the field; undefined for documents outside collections.
 */
export function embeddedMaker(site: Site, collections: Collections, table?: TableOutline): Maker | undefined {
  const { outlines, references } = collections
  const { schema, snake, path } = site
  if (path?.length === 0 || site.name === '') return undefined
  const relation = table && path && references.relationAt(table, path)
  const isObject = schema.types[0] === 'object' || schema.properties.size > 0
  if (isObject && !schema.variants) {
    const related = relation && !relation.many ? outlines.find(relation.collection) : undefined
    const target = related ?? outlines.findBySchema(schema) ?? namedObject(site, outlines)
    return target && objectMaker(site, target, collections, table)
  }
  const other = otherIdMaker(site, collections, table)
  if (other) return other
  const inRelationships =
    snake === 'id' && path?.includes('relationships')
      ? (outlines.findBySingular(site.owner) ?? (site.owner === 'parent' ? table : undefined))
      : undefined
  const noun = nounBeforeId(snake)
  const target = inRelationships ?? (noun === undefined ? undefined : outlines.findBySingular(noun))
  const read = target && !schema.enum && keyReader(target, schema)
  if (!target || !read) return undefined
  const ofNew = referenceOfNew(target.model.name, site.key, schema)
  return (cell) => {
    if (cell.frame.isNew) return ofNew(cell)
    if (target === table && isInside(site) && site.owner !== 'parent') return read(cell.frame.index)
    const index = indexIn(target, references, table, cell, site)
    return index === undefined ? undefined : read(index)
  }
}

/** `organization_id`, where organizations are found by their `username`: the `id` that such an organization shows. */
function otherIdMaker(
  site: Site,
  { outlines, references, records }: Collections,
  table: TableOutline | undefined,
): Maker | undefined {
  const noun = nounBeforeId(site.snake)
  if (noun === undefined || site.schema.enum) return undefined
  const suffix = site.snake.slice(noun.length + 1)
  const [prefix = '', ...rest] = noun.split('_')
  const wishes = [
    [noun, suffix],
    [noun, `${noun}_${suffix}`],
    [noun.replaceAll('_', ''), suffix],
    // `acme_plan_id` of plans with an `acme_id`.
    [rest.join('_'), `${prefix}_${suffix}`],
  ] as const
  for (const [singular, wanted] of wishes) {
    const target = outlines.findBySingular(singular)
    const own = target?.model.id.field
    if (!target || !own || target === table || target.size === 0) continue
    const isOwnKind =
      snakeCase(own.at(-1) ?? '')
        .split('_')
        .at(-1) === suffix
    const isFit = keyReader(target, site.schema) !== undefined
    if (isOwnKind && isFit) return undefined
    const others = [...target.schema.properties.keys()].filter((name) => name !== own[0])
    const named = others.find((name) => snakeCase(name) === wanted)
    const field = named ?? (isFit ? undefined : onlyOtherId(target, site.schema, outlines))
    if (field === undefined) continue
    return (cell) => {
      const index = cell.frame.isNew ? undefined : indexIn(target, references, table, cell, site)
      const value = index === undefined ? undefined : records.valueAt(target, index, [field])
      return value !== undefined && fits(site.schema, value) ? value : undefined
    }
  }
  return undefined
}

/** The field `typeId` of types whose key is a UUID, for a number: the only id of their own that has the type. */
function onlyOtherId({ model, schema }: TableOutline, wanted: Schema, outlines: OutlineIndex): string | undefined {
  if (wanted.pattern !== undefined) return undefined
  const [only, ...more] = [...schema.properties].filter(([name, field]) => {
    const noun = isIdName(name) ? '' : nounBeforeId(snakeCase(name))
    const isElse = noun !== undefined && noun !== model.singular && outlines.findBySingular(noun) !== undefined
    const isAlike = field.format === wanted.format && field.types.some((type) => wanted.types.includes(type))
    return noun !== undefined && !isElse && isAlike && name !== model.id.field?.[0]
  })
  return more.length === 0 ? only?.[0] : undefined
}

/** Whether a field is in an object inside the record: there `organization_id` is the record's own id. */
function isInside({ path }: Site): boolean {
  return path === undefined || path.length > 1
}

/** `user: { id, login }` in an API with users. */
function namedObject({ schema, snake }: Site, outlines: OutlineIndex): TableOutline | undefined {
  const target = outlines.findBySingular(snake)
  const idName = target?.model.id.field?.length === 1 ? target.model.id.field[0] : undefined
  return idName !== undefined && schema.properties.has(idName) ? target : undefined
}

function objectMaker(
  site: Site,
  target: TableOutline,
  { references, records }: Collections,
  table: TableOutline | undefined,
): Maker {
  let make: Maker | undefined
  return (cell) => {
    const given = cell.given?.[site.name]
    if (isJsonObject(given)) return completed(given, cell)
    const index = cell.frame.isNew ? keyIndex(cell, target, site) : indexIn(target, references, table, cell, site)
    if (index === undefined && isBelow(target, table)) return undefined
    make ??= records.makerOf(target, site.schema)
    return make(target.cellInside(cell, index ?? 0, site.schema))
  }
  /** A client's object, completed from the record of its id. */
  function completed(given: JsonObject, cell: Cell): Json {
    const id = target.model.id.field && readField(given, target.model.id.field)
    const index = id === undefined || id === null ? undefined : target.keys.indexOf(String(id))
    if (index === undefined) return given
    make ??= records.makerOf(target, site.schema)
    const record = make(target.cellInside(cell, index, site.schema))
    return isJsonObject(record) ? { ...record, ...given } : given
  }
}

/** Whether `target` is nested below `table`: a list in a record then shows its own children. */
function isBelow(target: TableOutline, table: TableOutline | undefined): boolean {
  return table !== undefined && target !== table && target.model.parent?.collection === table.model.name
}

function keyIndex(cell: Cell, target: TableOutline, site: Site): number | undefined {
  const key = cell.frame.reference?.(target.model.name, drawAt(cell, site.key))
  return key === undefined ? undefined : target.keys.indexOf(String(key))
}

/** Index of the object's record: by the record's relation; a different one for each item of a list. */
function indexIn(
  target: TableOutline,
  references: References,
  table: TableOutline | undefined,
  cell: Cell,
  site: Site,
): number | undefined {
  if (target.size === 0) return undefined
  if (table && site.path) return references.indexFor(table, target, hashText(site.path.join('.')), cell.frame)
  if (cell.turn && isBelow(target, table)) return target.childrenOf(cell.frame.index)[cell.turn.at]
  return Math.floor(fraction(drawAt(cell, site.key)) * target.size)
}
