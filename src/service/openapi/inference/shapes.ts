import { foldNoun, isSameNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { Envelope } from '../model.ts'
import { fieldsOf, isArraySchema, isObjectSchema, isScalarSchema } from './bodies.ts'

/** Names of properties that hold lists, the usual ones first. */
const LIST_NAMES =
  'data items results result entries records values value list content resources members rows objects elements collection nodes hits docs matches'.split(
    ' ',
  )
/** Names of properties that wrap a record or a list. */
const WRAPPERS = 'data result results response payload _embedded body d'.split(' ')
/** Names of properties about a page or an answer, not about a record. */
const META =
  /^(meta|metadata|paging|pagination|pageinfo|page|pages|perpage|pagesize|pagenumber|size|limit|offset|start|count|total|totalcount|totalcounts|totalitems|totalpages|totalresults|totalrecords|links|link|next|nextpage|nextpagetoken|nextcursor|cursor|previous|prev|first|last|self|hasmore|hasnext|more|iterator|previterator|done|object|type|kind|apiversion|url|uri|href|ok|success|status|statuscode|code|message|messages|error|errors|warning|warnings|included|facets|aggregations|responsemetadata|requestid|filter|filters|sort|query|etag|version|took|timedout|cacheTs|context|embedded|totals|summary|before|after|truncated|nextlink|end|(first|next|previous|prev|last)page(uri|url|token|link)|odatanextlink|odatacontext|id)$/i

/** How deep a list or a record may be wrapped. */
const MAX_WRAPPERS = 3
/** Most schemas that are searched for one list. */
const MOST_SCHEMAS = 500

const IDS = new Set(['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'uid'])

/** The place of a list in a body. */
interface FoundList {
  readonly path: FieldPath
  readonly item: Schema | undefined
}

/** Whether the object has an id of its own, so that it is a record and not a wrapper. */
export function hasOwnId(schema: Schema, hints: readonly string[] = []): boolean {
  for (const [name, field] of schema.properties) {
    const folded = foldName(name)
    if ((IDS.has(folded) || hints.includes(folded)) && isScalarSchema(field)) return true
  }
  return false
}

/** Finds the list that a body carries; `noun` is the last word of the path. Undefined when it carries none. */
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
  const arrays = [...schema.properties]
    .filter(([, field]) => isArraySchema(field) && !isArraySchema(field.items))
    .map(([name]) => name)
  const usual = LIST_NAMES.find((name) => arrays.some((array) => array.toLowerCase() === name))
  const like = arrays.find((name) => isSameNoun(name, noun))
  if (like) return like
  if (usual) return arrays.find((array) => array.toLowerCase() === usual)
  const ofObjects = arrays.filter(
    (name) => isObjectSchema(schema.properties.get(name)?.items) && !META.test(foldName(name)),
  )
  const others = [...schema.properties.keys()].filter((name) => !arrays.includes(name))
  if (ofObjects.length === 1 && others.every((name) => META.test(foldName(name)))) return ofObjects[0]
  return arrays.length === 1 && schema.properties.size === 1 ? arrays[0] : undefined
}

function insideWrapper(schema: Schema, noun: string, depth: number, seen: Set<Schema>): FoundList | undefined {
  for (const [name, field] of schema.properties) {
    const isWrapper = WRAPPERS.includes(name.toLowerCase()) || /list$/.test(foldName(name))
    if (!isWrapper || !isObjectSchema(field)) continue
    const found = findList(field, noun, depth + 1, seen)
    if (found) return { ...found, path: [name, ...found.path] }
  }
  return undefined
}

/** Names under which a record may be wrapped, and those of its key. */
export interface RecordHints {
  /** Collection name and its singular: `tasks`, `task`. */
  readonly nouns: readonly string[]
  /** Folded names that would be the record's own key: path parameters, `taskid`. */
  readonly keys: readonly string[]
}

/** The place of the record in the body of an item read, a create or an update. */
export function findRecordShape(schema: Schema | undefined, hints: RecordHints): Envelope {
  if (!schema) return { path: [], shape: 'record', schema: undefined }
  if (isArraySchema(schema)) return { path: [], shape: 'listOfOne', schema: schema.items }
  const path = recordPath(schema, hints)
  if (!path) return { path: [], shape: 'record', schema }
  const target = path.reduce<Schema | undefined>((found, name) => fieldsOf(found).get(name), schema)
  return target && isArraySchema(target)
    ? { path, shape: 'listOfOne', schema: target.items }
    : { path, shape: 'record', schema: target }
}

function recordPath(schema: Schema, hints: RecordHints, depth = 0): FieldPath | undefined {
  if (depth > MAX_WRAPPERS) return undefined
  if (hasOwnId(schema, hints.keys) || fieldsOf(schema.properties.get('metadata')).has('name')) return undefined
  const fields = fieldsOf(schema)
  const nouns = new Set(hints.nouns.map(foldNoun))
  for (const [name, field] of fields) {
    if (!WRAPPERS.includes(name.toLowerCase())) continue
    if (isArraySchema(field) && isObjectSchema(field.items) && onlyMetaBeside(fields, name)) return [name]
    if (!isObjectSchema(field) || !onlyMetaBeside(fields, name)) continue
    if (hasOwnId(field, hints.keys)) return [name]
    const inner = recordPath(field, hints, depth + 1)
    return [name, ...(inner ?? [])]
  }
  for (const [name, field] of fields) {
    if (!nouns.has(foldNoun(name))) continue
    if (isObjectSchema(field)) return [name]
    if (isArraySchema(field) && isObjectSchema(field.items) && onlyMetaBeside(fields, name)) return [name]
  }
  const objects = [...fields].filter(([name, field]) => isObjectSchema(field) && !META.test(foldName(name)))
  const [only] = objects
  return only && objects.length === 1 && onlyMetaBeside(fields, only[0]) && hasOwnId(only[1], hints.keys)
    ? [only[0]]
    : undefined
}

function onlyMetaBeside(fields: ReadonlyMap<string, Schema>, chosen: string): boolean {
  for (const name of fields.keys()) if (name !== chosen && !META.test(foldName(name))) return false
  return true
}
