import { isIdName, isIdWord } from '../../../../names/id-names.ts'
import { foldNoun, singularName } from '../../../../names/nouns.ts'
import { resourceNameIn } from '../../../../names/resource-name.ts'
import { foldName, snakeCase } from '../../../../names/words.ts'
import type { JsonObject } from '../../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { SchemaReader } from '../../schemas/schema-reader.ts'
import { countShared, fieldsOf, isObjectSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { findList, findRecordShape, hasOwnId, type RecordHints, wrapperOf } from '../bodies/shapes.ts'
import { lastStatic } from '../paths/path-shape.ts'
import { type ItemPath, isSearchSite, mainItemPath, type PathSite, type Placed, paramSchemaOf } from '../paths/sites.ts'
import { findKey, type KeyRule } from './key-rules.ts'
import type { PathRule } from './path-rules.ts'

/** A collection during inference. */
export interface CollectionDraft {
  readonly site: PathSite
  item: ItemPath | undefined
  /** Whether the last parameters of its paths filter a list instead of identifying a record: `/pets/by-owner/{owner}`. */
  readonly isFilter: boolean
  /** Last word of its path in snake case: its preferred name. */
  readonly noun: string
  readonly hints: RecordHints
  /** With the fields that only other paths of its records show. */
  schema: Schema | undefined
  readonly listSchema: Schema | undefined
  idField: FieldPath | undefined
  /** See {@link CollectionModel.id}. */
  resource: string | undefined
  /** Adds the key where no schema has it. */
  readonly inventedKey: InventedKey | undefined
  /** Whether no answer shows fields besides a key. */
  readonly isPlain: boolean
  /** Set after all collections are known. */
  name: string
  singular: string
  /** The rules that found its path, its key, and other paths that show its records. */
  readonly rules: string[]
  /** Declared by lines of `model.yaml`: the key of its own paths, the field of the status, and that of the parent. */
  key?: FieldPath
  statusField?: FieldPath
  parent?: { readonly of: string; readonly field: FieldPath }
}

export interface DraftRules {
  readonly paths: readonly PathRule[]
  readonly keys: readonly KeyRule[]
}

/**
 * The collection at a site; undefined where the site is not a collection. `implied` are parameters in longer paths that
 * identify its records: `/tickets/{ticketId}/qr` implies that tickets have ids.
 */
export function draftCollection(
  site: PathSite,
  implied: readonly string[] | undefined,
  { reader, rules }: { readonly reader: SchemaReader; readonly rules: DraftRules },
): CollectionDraft | undefined {
  const text = lastStatic(site.steps)
  const isSearch = isSearchSite(site)
  const noun = nounOf(site, isSearch)
  const listed = listOf(site, noun, isSearch)
  const main = mainItemPath(site)
  const filtered = main && !site.own.has('POST') && !site.own.has('GET') ? filteredList(site, noun) : undefined
  const item = main ? (filtered ? undefined : main) : implied && { params: implied, operations: new Map() }
  const list = listed ?? filtered
  const isRead = item?.operations.has('GET') ?? false
  if (text === '' && !isRead) return undefined
  const hints = hintsOf(noun, item)
  const facts = { site, text, list, item, isRead, hints }
  const found = rules.paths
    .map(({ name, isCollection }) => ({ name, isFound: isCollection(facts) }))
    .find(({ isFound }) => isFound !== undefined)
  if (!found?.isFound) return undefined
  const answered = answeredSchema(site, item, list, hints)
  const described = answered ?? opened(sentSchema(site, item, hints, reader), item, reader)
  const shown = (list && wrapperOf(list, hints, item && described)?.record) ?? list
  const param = item?.params.at(-1)
  const paramSchema = item && paramSchemaOf(item, param)
  // A parameter with fixed values (`{type}`) filters a list; it is not a key.
  const isChoice = paramSchema?.enum !== undefined
  // Clients could not know the key of `/organizations/{organizationId}/projects` where no answer shows organizations.
  const isNamed = item !== undefined && (item.operations.size > 0 || answered === undefined)
  const canInvent = isNamed && !isChoice && mayHave(described)
  const resource = item && resourceOf(site, item, described)
  const key =
    resource === undefined ? findKey({ schema: described, noun, param, paramSchema, canInvent }, rules.keys) : undefined
  const idField = resource === undefined ? key?.field : ['name']
  const inventedKey =
    canInvent && idField === undefined && param !== undefined
      ? new InventedKey(reader, inventedName(param, noun, described), paramSchema)
      : undefined
  const schema = inventedKey ? withKey(described, inventedKey) : described
  const listSchema = shown && shown !== described && isObjectSchema(shown) ? shown : undefined
  return {
    site,
    item,
    isFilter: filtered !== undefined,
    noun,
    hints,
    schema,
    listSchema: listSchema && (inventedKey?.addTo(listSchema) ?? listSchema),
    idField: idField ?? inventedKey?.field,
    resource,
    rules: [found.name, key?.rule ?? (inventedKey ? 'key-added' : [])].flat(),
    inventedKey,
    isPlain: fieldsOf(answered).size === 0,
    name: '',
    singular: '',
  }
}

/** The end of an item path that the records' `name` has as its declared form: "Format: memos/{memo}". */
function resourceOf({ steps }: PathSite, { params }: ItemPath, schema: Schema | undefined): string | undefined {
  const parts = resourceNameIn(fieldsOf(schema).get('name')?.description) ?? []
  const path = steps.map((step) => (step.kind === 'static' ? step.text : `{${step.name}}`))
  const own = [...path, `{${params.at(-1)}}`].slice(-parts.length)
  const isOfForm = parts.every((part, at) => part === own[at] || (part.startsWith('{') && own[at]?.startsWith('{')))
  return isOfForm && parts.length > 0 ? own.join('/') : undefined
}

const withKey = (schema: Schema | undefined, key: InventedKey): Schema =>
  schema === undefined || fieldsOf(schema).size === 0 ? key.plain() : key.addTo(schema)

function nounOf(site: PathSite, isSearch: boolean): string {
  const all = site.steps.flatMap((step) => (step.kind === 'static' ? [snakeCase(step.text)] : []))
  const named = all.filter((word) => !/^v?\d+(_\d+)*$/.test(word))
  const words = named.length > 0 ? named : all
  const word = words.at(isSearch && words.length > 1 ? -2 : -1)
  if (word !== undefined && word !== '') return word
  const get = mainItemPath(site)?.operations.get('GET')
  return snakeCase((get && schemaOfResponse(get.draft.success)?.name) ?? '') || 'records'
}

/** Read-only item paths that answer with lists: `/attempts/by-endpoint/{endpoint_id}`. */
function filteredList({ items }: PathSite, noun: string): Schema | undefined {
  const lists = [...items.values()].map(({ operations: own }) => (own.size === 1 ? listOf({ own }, noun) : undefined))
  return lists.every(isObjectSchema) ? lists.at(-1) : undefined
}

/** Names of fields that may wrap a record of the collection, and of its key. */
function hintsOf(noun: string, item: ItemPath | undefined): RecordHints {
  const singular = singularName(noun)
  const last = singular.split('_').at(-1) ?? singular
  const params = (item?.params ?? []).map(foldName)
  return { nouns: [...new Set([noun, singular, last])], keys: [...new Set([...params, `${foldNoun(noun)}id`])] }
}

function listOf({ own }: Pick<PathSite, 'own'>, noun: string, isSearch = false): Schema | undefined {
  const get = own.get('GET') ?? own.get('QUERY') ?? (isSearch ? own.get('POST') : undefined)
  return get && findList(schemaOfResponse(get.draft.success), noun)?.item
}

const ANY_TEXT: JsonObject = { type: 'string' }

/** Further fields of records that the description does not describe. */
const PLAIN_FIELDS: JsonObject = {
  name: { type: 'string' },
  created_at: { type: 'string', format: 'date-time' },
  updated_at: { type: 'string', format: 'date-time' },
}

/**
 * An added field for the key of records that paths identify by it, where the schema has no such field. Clients could
 * not know the key otherwise.
 */
class InventedKey {
  readonly field: FieldPath
  readonly #reader: SchemaReader
  readonly #property: JsonObject

  constructor(reader: SchemaReader, name: string, param: Schema | undefined) {
    this.#reader = reader
    this.field = [name]
    this.#property = param && param.types.length > 0 ? param.raw : ANY_TEXT
  }

  /** The schema of a record with the key: unchanged where it has the field already, or may not have it. */
  addTo(schema: Schema): Schema {
    const [name = ''] = this.field
    // `TemplateId` is a field of the key `TemplateID`.
    const shown = fieldsOf(schema)
    if (!mayHave(schema) || [...shown.keys()].some((own) => own.toLowerCase() === name.toLowerCase())) return schema
    return this.#reader.extend(schema, { name, property: this.#property, isRequired: true })
  }

  /** The schema of records without a description. */
  plain(): Schema {
    const [name = ''] = this.field
    const properties = { [name]: this.#property, ...PLAIN_FIELDS }
    return this.#reader.make({ type: 'object', required: [name], properties, additionalProperties: true }, undefined)
  }
}

/** Whether records of this schema may have an undeclared field. */
function mayHave(schema: Schema | undefined): boolean {
  if (schema === undefined) return true
  // `Board: {}` describes no more than no schema.
  const isObject =
    schema.types.length === 0 ? !schema.variants && schema.enum === undefined : schema.types.includes('object')
  return isObject && schema.additionalProperties !== false
}

/** The field's name for a path parameter: its own, or `id` where it names the owner. */
function inventedName(param: string, noun: string, schema: Schema | undefined): string {
  const isOwner = (isIdWord(param) && !isIdName(param)) || foldName(param) === foldNoun(noun)
  return isOwner && !fieldsOf(schema).has('id') ? 'id' : param
}

/** The schema of a record in answers: the first object of item read, list item, create and update. */
function answeredSchema(
  site: PathSite,
  item: ItemPath | undefined,
  list: Schema | undefined,
  hints: RecordHints,
): Schema | undefined {
  const read = recordOf(item?.operations.get('GET'), hints)
  if (isObjectSchema(read)) return read
  if (isObjectSchema(list)) return list
  for (const write of writesOf(site, item)) {
    const shown = recordOf(write, hints)
    if (shown && isObjectSchema(shown) && (hasOwnId(shown, hints.keys) || fieldsOf(shown).size > 2)) return shown
  }
  return undefined
}

/** The schema of a record that no answer shows: the request body's, without its passwords. */
function sentSchema(
  site: PathSite,
  item: ItemPath | undefined,
  hints: RecordHints,
  reader: SchemaReader,
): Schema | undefined {
  for (const write of writesOf(site, item)) {
    const { schema: sent } = findRecordShape(schemaOfBody(write?.draft.requestBody), hints)
    if (!sent || !isObjectSchema(sent)) continue
    const secret = [...fieldsOf(sent).keys()].filter((name) => /passw|passphrase/i.test(name))
    const property = { writeOnly: true }
    return secret.reduce<Schema>((shown, name) => reader.extend(shown, { name, property, isRequired: false }), sent)
  }
  return undefined
}

/** A record with the further fields of a view that shows all of it: `totalAmount` of `/admin/orders` beside `/orders`. */
export function withFieldsOf(
  { schema: own }: CollectionDraft,
  view: CollectionDraft,
  reader: SchemaReader,
): Schema | undefined {
  if (own === undefined || own.variants || countShared(own, view.schema) < fieldsOf(own).size) return own
  const known = new Set([...fieldsOf(own).keys()].map(foldName))
  const more = [...fieldsOf(view.schema)].filter(([name]) => !known.has(foldName(name)))
  // With its `$ref`, a property keeps the name of its component.
  const written = view.schema?.raw.properties as Readonly<Record<string, JsonObject>> | undefined
  const add = (schema: Schema, [name, { raw }]: [string, Schema]) =>
    reader.extend(schema, { name, property: written?.[name] ?? raw, isRequired: false })
  return more.reduce(add, own)
}

/** The record of a request that takes no more fields: where paths name its key, the API itself keeps more. */
function opened(sent: Schema | undefined, item: ItemPath | undefined, reader: SchemaReader): Schema | undefined {
  if (!item || sent?.additionalProperties !== false || sent.variants || sent.properties.size === 0) return sent
  const properties = Object.fromEntries([...sent.properties].map(([name, { raw }]) => [name, raw]))
  return reader.make({ type: 'object', properties, required: [...sent.required] }, sent.name)
}

function writesOf(site: PathSite, item: ItemPath | undefined): readonly (Placed | undefined)[] {
  const ofItem = ['PUT', 'PATCH', 'POST'].map((method) => item?.operations.get(method))
  return [site.own.get('POST'), ...ofItem, site.own.get('PUT')]
}

/** The record in an operation's answer. */
const recordOf = (operation: Placed | undefined, hints: RecordHints): Schema | undefined =>
  operation && findRecordShape(schemaOfResponse(operation.draft.success), hints).schema
