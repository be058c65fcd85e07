import type { FieldPath, Schema } from '../schema.ts'
import { fieldsOf, isArraySchema, isObjectSchema, schemaOfBody, schemaOfResponse } from './bodies.ts'
import { findKeyField } from './identity.ts'
import { lastStatic, type Step } from './path-shape.ts'
import { findList, findRecord, hasOwnId, type RecordHints } from './shapes.ts'
import { type ItemPath, mainItemPath, type Placed, type Site } from './sites.ts'
import { isVerbSegment } from './verbs.ts'
import { foldName, foldNoun, singularName, toSnakeCase, wordsOf } from './words.ts'

/** A collection while it is being found. */
export interface CollectionDraft {
  readonly site: Site
  readonly steps: readonly Step[]
  readonly item: ItemPath | undefined
  /** Last word of its path in snake case: the name it would like. */
  readonly noun: string
  readonly hints: RecordHints
  readonly schema: Schema | undefined
  readonly listSchema: Schema | undefined
  readonly idField: FieldPath | undefined
  /** Given once all collections are known. */
  name: string
  singular: string
}

const SEARCH_WORDS = new Set(['search', 'query', 'filter', 'find', 'lookup', 'searches'])
const BULK_WORDS = new Set(['batch', 'bulk', 'batches', 'multi', 'multiple'])

/** Whether a path ends in a word for searching. */
export function isSearchSegment(text: string): boolean {
  const words = wordsOf(text)
  return words.length <= 2 && words.some((word) => SEARCH_WORDS.has(word)) && !words.includes('history')
}

/** Whether a path ends in a word for doing many at once. */
export function isBulkSegment(text: string): boolean {
  const [first = '', last = ''] = [wordsOf(text)[0], wordsOf(text).at(-1)]
  return BULK_WORDS.has(first) || (wordsOf(text).length > 1 && BULK_WORDS.has(last) && last !== 'batches')
}

/** The collection that a site is; undefined where it is none. */
export function draftCollection(site: Site): CollectionDraft | undefined {
  const text = lastStatic(site.steps)
  const item = mainItemPath(site)
  if (text === '' && !item?.operations.has('GET')) return undefined
  if (isSearchSegment(text) || (isBulkSegment(text) && !item?.operations.has('GET'))) return undefined
  if (isVerbSegment(text) && !item?.operations.has('GET') && !site.own.has('GET')) return undefined
  const noun = toSnakeCase(text) || nounOfSchema(item) || 'records'
  const hints = hintsOf(noun, item)
  const list = listOf(site, noun)
  if (!item && !isObjectSchema(list)) return undefined
  const schema = recordSchema(site, item, list, hints)
  const param = item?.params.at(-1)
  return {
    site,
    steps: site.steps,
    item,
    noun,
    hints,
    schema,
    listSchema: list && list !== schema && isObjectSchema(list) ? list : undefined,
    idField: findKeyField({ schema, noun, param, paramSchema: item && paramSchemaOf(item, param) }),
    name: '',
    singular: '',
  }
}

function nounOfSchema(item: ItemPath | undefined): string | undefined {
  const get = item?.operations.get('GET')
  const name = get && schemaOfResponse(get.draft.success)?.name
  return name && toSnakeCase(name)
}

/** Names that a record of the collection may be wrapped in or identified by. */
export function hintsOf(noun: string, item: ItemPath | undefined): RecordHints {
  const singular = singularName(noun)
  const params = (item?.params ?? []).map(foldName)
  return { nouns: [noun, singular], keys: [...new Set([...params, `${foldNoun(noun)}id`])] }
}

/** The schema of a path parameter, from whichever operation declares one. */
export function paramSchemaOf(item: ItemPath, name: string | undefined): Schema | undefined {
  for (const { draft } of item.operations.values()) {
    const parameter = draft.parameters.find((candidate) => candidate.in === 'path' && candidate.name === name)
    if (parameter?.schema) return parameter.schema
  }
  return undefined
}

function listOf(site: Site, noun: string): Schema | undefined {
  const get = site.own.get('GET') ?? site.own.get('QUERY')
  return get && findList(schemaOfResponse(get.draft.success), noun)?.item
}

/** Item read, list item, create, update, request body: the first that shows an object. */
function recordSchema(
  site: Site,
  item: ItemPath | undefined,
  list: Schema | undefined,
  hints: RecordHints,
): Schema | undefined {
  const read = recordOf(item?.operations.get('GET'), hints)
  if (isObjectSchema(read)) return read
  if (isObjectSchema(list)) return list
  const writes = [site.own.get('POST'), ...['PUT', 'PATCH', 'POST'].map((method) => item?.operations.get(method))]
  for (const write of writes) {
    const shown = recordOf(write, hints)
    if (shown && isObjectSchema(shown) && (hasOwnId(shown, hints.keys) || fieldsOf(shown).size > 2)) return shown
  }
  for (const write of writes) {
    const sent = write && findRecord(schemaOfBody(write.draft.requestBody), hints)
    if (sent && isObjectSchema(sent.schema)) return sent.schema
  }
  return read && !isArraySchema(read) ? read : undefined
}

function recordOf(operation: Placed | undefined, hints: RecordHints): Schema | undefined {
  return operation && findRecord(schemaOfResponse(operation.draft.success), hints).schema
}
