import { ID_NAMES } from '../../../../names/id-names.ts'
import { foldNoun } from '../../../../names/nouns.ts'
import { isAboutPage } from '../../../../names/paging-words.ts'
import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { Envelope } from '../../model.ts'
import {
  countShared,
  fieldsOf,
  isAlike,
  isArraySchema,
  isObjectSchema,
  isOpenObject,
  isOpenSchema,
  isScalarSchema,
} from './bodies.ts'
import { namedFields, namedProperties } from './named-fields.ts'

/** Names of properties with lists, the most usual first. */
const LIST_NAMES =
  'data items results result entries records values value list content resources members rows objects elements collection nodes hits docs matches'.split(
    ' ',
  )
/** Names of properties that wrap a record or a list. */
const WRAPPERS = 'data result results response payload _embedded body d'.split(' ')
/** Deepest nesting of wrappers around a list or a record. */
const MAX_WRAPPERS = 3
/** Most schemas that are searched for one list. */
const MOST_SCHEMAS = 500

/** The place of a list in a body. */
interface FoundList {
  readonly path: FieldPath
  readonly item: Schema | undefined
}

/** Whether the object has its own id, so that it is a record and not a wrapper. */
export function hasOwnId(schema: Schema, hints: readonly string[] = []): boolean {
  const properties = namedProperties(schema)
  const isScalar = (folded: string) =>
    properties.named('folded', folded).some((property) => isScalarSchema(property.schema))
  return ID_NAMES.some(isScalar) || hints.some(isScalar)
}

/** Finds the list in a body; `noun` is the last word of the path. Undefined without one. */
export function findList(
  schema: Schema | undefined,
  noun: string,
  depth = 0,
  seen = new Set<Schema>(),
): FoundList | undefined {
  if (!schema || seen.has(schema) || seen.size > MOST_SCHEMAS) return undefined
  seen.add(schema)
  if (isArraySchema(schema)) return { path: [], item: schema.items }
  if (schema.variants && schema.properties.size === 0) {
    if (depth > MAX_WRAPPERS) return undefined
    for (const variant of schema.variants) {
      const found = findList(variant, noun, depth + 1, seen)
      if (found) return found
    }
    return undefined
  }
  if (hasOwnId(schema)) return undefined
  const name = nameOfList(schema, noun)
  const list = name === undefined ? undefined : schema.properties.get(name)
  if (name !== undefined && list) return { path: [name], item: list.items }
  return depth > 1 ? undefined : insideWrapper(schema, noun, depth, seen)
}

function nameOfList(schema: Schema, noun: string): string | undefined {
  const like = namedProperties(schema).named('noun', foldNoun(noun))
  const { usual, only } = schema.once(listNames)
  return like.find((field) => isListField(field.schema))?.name ?? usual ?? only
}

const isListField = (field: Schema): boolean => isArraySchema(field) && !isArraySchema(field.items)

/** The properties of an object that may be its list. */
interface ListNames {
  /** One with a usual name. */
  readonly usual: string | undefined
  /** The only list, where all others are about the page. */
  readonly only: string | undefined
}

function listNames({ properties }: Schema): ListNames {
  const found = [...properties].filter(([, field]) => isListField(field))
  const arrays = found.map(([name]) => name)
  const lower = new Set(arrays.map((name) => name.toLowerCase()))
  const word = LIST_NAMES.find((name) => lower.has(name))
  const ofObjects = found.filter(([name, field]) => isObjectSchema(field.items) && !isAboutPage(name))
  const isAmongMeta =
    ofObjects.length === 1 && [...properties].every(([name, field]) => isListField(field) || isAboutPage(name))
  const alone = arrays.length === 1 && properties.size === 1 ? arrays[0] : undefined
  return {
    usual: arrays.find((name) => name.toLowerCase() === word),
    only: isAmongMeta ? ofObjects[0]?.[0] : alone,
  }
}

/** The place of the records in a list whose answer is not described: `{}`, an object of anything. */
export function openList(schema: Schema): FieldPath | undefined {
  if (isOpenSchema(schema)) return []
  if (isOpenObject(schema)) return ['data']
  const data = openData(schema)
  return data !== undefined && isOpenSchema(schema.properties.get(data)) ? [data] : undefined
}

/** The field of `{ success: true, data: {} }`: its value is not described, and all others are about the answer. */
function openData(schema: Schema): string | undefined {
  const name = schema.once(recordNames).wrappers.find(([name]) => name.toLowerCase() === 'data')?.[0]
  const field = name === undefined ? undefined : fieldsOf(schema).get(name)
  return name !== undefined && isOpenContent(field) && onlyMetaBeside(schema, name) ? name : undefined
}

const isOpenContent = (field: Schema | undefined): boolean =>
  isOpenSchema(field) || (field?.types.join() === 'object' && fieldsOf(field).size === 0 && !field.variants)

function insideWrapper(schema: Schema, noun: string, depth: number, seen: Set<Schema>): FoundList | undefined {
  for (const [name, field] of schema.once(listWrappers)) {
    const found = findList(field, noun, depth + 1, seen)
    if (found) return { ...found, path: [name, ...found.path] }
  }
  return undefined
}

const listWrappers = ({ properties }: Schema): readonly (readonly [string, Schema])[] =>
  [...properties].filter(
    ([name, field]) =>
      (WRAPPERS.includes(name.toLowerCase()) || /list$/.test(foldName(name)) || isEnvelope(properties, field)) &&
      isObjectSchema(field),
  )

/** `{ ocs: { meta, data } }`: the only field, with a wrapper of metadata and one more field. */
const isEnvelope = ({ size }: ReadonlyMap<string, Schema>, { properties }: Schema): boolean =>
  size === 1 && properties.size > 1 && [...properties.keys()].filter((name) => !isAboutPage(name)).length === 1

/** Names of a record's possible wrappers, and of its key. */
export interface RecordHints {
  /** Collection name and its singular: `tasks`, `task`. */
  readonly nouns: readonly string[]
  /** Folded names of the record's own key: path parameters, `taskid`. */
  readonly keys: readonly string[]
}

/** The place of the record in the body of an item read, a create or an update. */
export function findRecordShape(schema: Schema | undefined, hints: RecordHints): Envelope {
  if (!schema) return { path: [], shape: 'record', schema: undefined }
  if (isArraySchema(schema)) return { path: [], shape: 'listOfOne', schema: schema.items }
  const path = recordPath(schema, hints)
  if (!path) return { path: [], shape: 'record', schema }
  const target = path.reduce<Schema | undefined>((found, name) => fieldsOf(found).get(name), schema)
  if (target && isArraySchema(target)) return { path, shape: 'listOfOne', schema: target.items }
  return { path, shape: 'record', schema: isOpenContent(target) ? undefined : target }
}

function recordPath(schema: Schema, hints: RecordHints, depth = 0): FieldPath | undefined {
  if (depth > MAX_WRAPPERS) return undefined
  if (hasOwnId(schema, hints.keys)) return undefined
  const { wrappers, onlyObject } = schema.once(recordNames)
  for (const [name, field] of wrappers) {
    if (isArraySchema(field) && isObjectSchema(field.items) && onlyMetaBeside(schema, name)) return [name]
    const isOnly = onlyMetaBeside(schema, name)
    if (!isOnly || !isObjectSchema(field)) continue
    if (hasOwnId(field, hints.keys)) return [name]
    return [name, ...(recordPath(field, hints, depth + 1) ?? [])]
  }
  for (const { name, schema: field } of namedFields(schema).named('noun', ...hints.nouns.map(foldNoun))) {
    if (isObjectSchema(field)) return [name]
    if (isArraySchema(field) && isObjectSchema(field.items) && onlyMetaBeside(schema, name)) return [name]
  }
  const data = openData(schema)
  if (data !== undefined) return [data]
  if (onlyObject === undefined || !onlyMetaBeside(schema, onlyObject[0])) return undefined
  const [name, field] = onlyObject
  if (hasOwnId(field, hints.keys)) return [name]
  const inner = isEnvelope(schema.properties, field) ? recordPath(field, hints, depth + 1) : undefined
  return inner && [name, ...inner]
}

/** The fields of an object that may be its wrapped record. */
interface RecordNames {
  readonly wrappers: readonly (readonly [string, Schema])[]
  /** The only object that is not about the answer. */
  readonly onlyObject: readonly [string, Schema] | undefined
  /** Up to two names of the fields that are not about the answer. */
  readonly ownNames: readonly string[]
}

function recordNames({ fields }: Schema): RecordNames {
  const own = [...fields].filter(([name]) => !isAboutPage(name))
  const objects = own.filter(([, field]) => isObjectSchema(field))
  return {
    wrappers: [...fields].filter(([name]) => WRAPPERS.includes(name.toLowerCase())),
    onlyObject: objects.length === 1 ? objects[0] : undefined,
    ownNames: own.slice(0, 2).map(([name]) => name),
  }
}

const onlyMetaBeside = (schema: Schema, chosen: string): boolean =>
  schema.once(recordNames).ownNames.every((name) => name === chosen)

/**
 * How each item of a list wraps its record, `[{ customer: {...} }]`; undefined where the items are the records. Only a
 * schema of single reads distinguishes the record from its wrapper.
 */
export function wrapperOf(
  item: Schema,
  hints: RecordHints,
  record: Schema | undefined,
): { readonly path: FieldPath; readonly record: Schema } | undefined {
  if (!record || item === record || !isObjectSchema(item)) return undefined
  const { path, schema } = findRecordShape(item, hints)
  if (path.length === 0 || !schema || !isObjectSchema(schema)) return undefined
  const shared = countShared(schema, record)
  return (schema === record || isAlike(schema, record)) && countShared(item, record) < shared
    ? { path, record: schema }
    : undefined
}
