import { findField } from '../../../names/find-field.ts'
import { endsInId, ID_NAMES, isIdName } from '../../../names/id-names.ts'
import { namesLike, SHARED_KEYS, UNIQUE_KEYS } from '../../../names/natural-keys.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { type Checker, checkerOf } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation } from '../../openapi/model.ts'

/** The fields of a record that an operation accepts in a body. */
export interface Intake {
  /** Checks of the record's own fields that clients may set, by name. */
  readonly checks: ReadonlyMap<string, Checker>
  /** Fields that the body declares, even where the record's schema forbids writing. */
  readonly writable: ReadonlySet<string>
  /** Whether the body may have any fields and declares none, or the query has the id. */
  readonly isOpen: boolean
  /** Fields that the body declares, with the part of the record that has them instead of itself: `image` of `spec`. */
  readonly parts: ReadonlyMap<string, string>
  /** Defaults that the body declares for fields of the record. */
  readonly defaults: JsonObject
}

/** @param bodySchema of the body as sent; for wrapped records the inner schema counts */
export function findIntake(
  { effect, parameters, requestBody }: Operation,
  model: CollectionModel | undefined,
  bodySchema: Schema | undefined,
): Intake {
  const schema = ('body' in effect ? effect.body?.schema : undefined) ?? bodySchema
  const writable = new Set([...allNames(schema)].filter(([, field]) => !field.readOnly).map(([name]) => name))
  const isOpenBody = schema !== undefined && allNames(schema).size === 0 && schema.additionalProperties !== false
  const [id] = model?.id.field ?? []
  const isIdInQuery = requestBody === undefined && parameters.some(({ in: at, name }) => at === 'query' && name === id)
  const isOpen = isOpenBody || isIdInQuery
  const checks = new Map<string, Checker>()
  const parts = partsOf(model, writable)
  for (const [name, field] of allNames(model?.schema)) {
    if (
      model === undefined ||
      parts.has(name) ||
      name === '__proto__' ||
      isServerSet(model, name, field, { isOpen, isWritable: writable.has(name) })
    )
      continue
    checks.set(name, checkerOf(field, { direction: 'response' }))
  }
  return { checks, writable, isOpen, parts, defaults: defaultsOf(model, schema) }
}

function defaultsOf(model: CollectionModel | undefined, sent: Schema | undefined): JsonObject {
  const own = allNames(model?.schema)
  const usual = [...(sent?.properties ?? [])].flatMap(([name, field]): [string, Json][] => {
    const isOwn = own.size === 0 || findField(own.keys(), name) !== undefined
    return field.default !== undefined && isOwn ? [[name, field.default]] : []
  })
  return Object.fromEntries(usual)
}

/** What a client may not set, unless it chooses the keys of these records, as it may in documents of its own. */
export function isServerSet(
  model: CollectionModel,
  name: string,
  field: Schema,
  { isOpen, isWritable }: { readonly isOpen: boolean; readonly isWritable: boolean },
): boolean {
  const isId = model.id.field?.length === 1 && model.id.field[0] === name
  if (isId && !model.id.clientChosen) return field.readOnly || (!isOpen && endsInId(name))
  return !isId && field.readOnly && !isWritable
}

/** Properties of a schema and of all its alternatives. */
export function allNames(schema: Schema | undefined): ReadonlyMap<string, Schema> {
  if (schema?.variants === undefined) return schema?.properties ?? new Map()
  const names = new Map(schema.properties)
  for (const variant of schema.variants) {
    for (const [name, field] of variant.properties) if (!names.has(name)) names.set(name, field)
  }
  return names
}

/** The writable fields of objects within a record that neither the record nor another such object has; other records are no parts. */
function partsOf(model: CollectionModel | undefined, writable: ReadonlySet<string>): ReadonlyMap<string, string> {
  const own = allNames(model?.schema)
  const parts = new Map<string, string>()
  const shared = new Set(own.keys())
  for (const [part, field] of own) {
    const isOther = model?.relations.some((relation) => relation.field[0] === part) || hasKey(field)
    if (isOther || !field.types.includes('object') || part === '__proto__') continue
    for (const name of allNames(field).keys()) {
      if (!writable.has(name)) continue
      if (parts.has(name)) shared.add(name)
      parts.set(name, part)
    }
  }
  for (const name of shared) parts.delete(name)
  // `{ name, type }` for a resource of JSON:API: its own `type` is that of all records.
  const isFlat = own.has('type') && own.has('attributes') && !writable.has('attributes')
  for (const name of isFlat ? allNames(own.get('attributes')).keys() : [])
    if (writable.has(name)) parts.set(name, 'attributes')
  return parts
}

const hasKey = (field: Schema): boolean => [...allNames(field).keys()].some((name) => isIdName(name) || name === 'href')

const NONE: readonly string[] = []
const OTHER_IDS = ID_NAMES.filter((name) => name !== 'id')

/** Fields of records that also identify one where paths have an id: other ids, slugs, emails. */
export const uniqueFields = (schema: Schema | undefined): readonly string[] => schema?.once(findUnique) ?? NONE

/** Fields that identify a record where a parameter names it, although several records may have the same value. */
export const sharedFields = (schema: Schema | undefined): readonly string[] => schema?.once(findShared) ?? NONE

const findUnique = (schema: Schema) => namesLike(allNames(schema).keys(), [...OTHER_IDS, ...UNIQUE_KEYS])
const findShared = (schema: Schema) => namesLike(allNames(schema).keys(), SHARED_KEYS)
