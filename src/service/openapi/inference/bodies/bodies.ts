import { singularOf } from '../../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { MediaModel, RequestBody, ResponseModel } from '../../model.ts'
import { holdsJson } from '../../operation-draft.ts'

/** The schema of a response body; plain JSON is preferred, then other JSON. */
export function schemaOfResponse(response: ResponseModel): Schema | undefined {
  const plain = response.content.get('application/json')?.schema
  if (plain) return plain
  const media = [...response.content].find(([type, { schema }]) => holdsJson(type) && schema)?.[1] ?? first(response)
  return media?.schema
}

const first = (response: ResponseModel): MediaModel | undefined =>
  [...response.content].find(([type, media]) => media.schema && !isBytes(type))?.[1]

/** Bytes or a text. */
const isBytes = (type: string): boolean =>
  /^(image|audio|video|font)\/|octet-stream|pdf|zip|text\/(plain|html|csv)/.test(type)

/** Whether a response is only bytes or text: a download. */
export const isDownload = (response: ResponseModel): boolean =>
  response.content.size > 0 && [...response.content].every(([type]) => isBytes(type))

/** The schema of a request body; JSON is preferred to forms. */
export function schemaOfBody(body: RequestBody | undefined): Schema | undefined {
  if (!body) return undefined
  const entries = [...body.content].filter(([, schema]) => schema)
  return (entries.find(([type]) => holdsJson(type)) ?? entries[0])?.[1]
}

/** The fields of a value: those of the schema and those of its variants. */
export const fieldsOf = (schema: Schema | undefined): ReadonlyMap<string, Schema> => schema?.fields ?? NO_FIELDS

const NO_FIELDS: ReadonlyMap<string, Schema> = new Map()

/** The attributes of a resource of JSON:API: `{ type, id, attributes, relationships }`; undefined for other records. */
export function attributesOf(schema: Schema | undefined): Schema | undefined {
  const fields = fieldsOf(schema)
  return fields.has('type') ? fields.get('attributes') : undefined
}

/** How many fields two objects have in common. */
export function countShared(left: Schema | undefined, right: Schema | undefined): number {
  if (left === right) return fieldsOf(left).size
  const known = fieldsOf(right)
  let count = 0
  for (const name of fieldsOf(left).keys()) if (known.has(name)) count++
  return count
}

/** Whether two objects show the same kind of record: they share three fields, or all, and most of the smaller one. */
export function isAlike(left: Schema | undefined, right: Schema | undefined): boolean {
  const shared = countShared(left, right)
  const [smaller = 0, larger = 0] = [fieldsOf(left).size, fieldsOf(right).size].toSorted((one, other) => one - other)
  return shared > 0 && shared >= Math.min(3, larger) && shared >= smaller * 0.6
}

/** Whether the values are objects with known fields, or alternatives of such objects. */
export function isObjectSchema(schema: Schema | undefined): boolean {
  if (!schema || schema.types.includes('array')) return false
  if (schema.types.length > 0 && !schema.types.includes('object')) return false
  return fieldsOf(schema).size > 0
}

/** Whether the values may be anything. */
export const isOpenSchema = (schema: Schema | undefined): boolean =>
  schema !== undefined && schema.types.length === 0 && isUndescribed(schema) && schema.items === undefined

/** Whether the values are objects of which nothing is described. */
export const isOpenObject = (schema: Schema | undefined): boolean =>
  schema?.types.join() === 'object' && isUndescribed(schema) && hasAnyFields(schema)

const isUndescribed = ({ fields, enum: values, variants }: Schema): boolean =>
  fields.size === 0 && values === undefined && variants === undefined

const hasAnyFields = ({ additionalProperties: more, maxProperties }: Schema): boolean =>
  maxProperties !== 0 && (more === true || (typeof more === 'object' && isOpenSchema(more)))

export const isArraySchema = (schema: Schema | undefined): boolean => schema?.types.includes('array') ?? false

/** Whether the values can be texts or numbers; true where the type is unknown. */
export const isScalarSchema = (schema: Schema | undefined): boolean => schema?.once(isScalar) ?? false

function isScalar(schema: Schema, depth = 0): boolean {
  if (schema.properties.size > 0) return false
  if (schema.types.length > 0) return schema.types.some((type) => type !== 'object' && type !== 'array')
  if (!schema.variants || depth > MAX_VARIANT_DEPTH) return true
  return schema.variants.slice(0, MOST_VARIANTS).some((variant) => isScalar(variant, depth + 1))
}

/** Variants may have variants, possibly in a cycle. */
const MAX_VARIANT_DEPTH = 3
/** Most variants checked of one schema. */
const MOST_VARIANTS = 30

/** Words in a component's name that mark a view of a record. "Item" is not among them: `subscription_item`. */
const VIEW_WORDS = new Set(
  'response compact mini full base minimal detail details detailed summary simple basic read resource dto object entity model schema output out result get public private expanded extended partial reference ref json representation success payload retrieved'.split(
    ' ',
  ),
)
/** Verbs that begin a component's name derived from an operation: `GetContactResponse`. */
const LEADING_VERBS = new Set(['get', 'create', 'update', 'patch', 'retrieve', 'list', 'show', 'new'])
/** Names of components that are not records. */
const GENERIC = new Set(' error empty success message status id any data map list ok meta'.split(' '))

/** The name of a record's component without words for views; undefined without a name. */
export const componentOf = (schema: Schema | undefined): string | undefined => schema?.once(readComponent)

function readComponent(schema: Schema): string | undefined {
  if (schema.name === undefined) return undefined
  const all = wordsOf(schema.name.replace(/^.*[./](?=\w)/, ''))
  // `UserWithPosts` is a user.
  const words = all.indexOf('with') > 0 ? all.slice(0, all.indexOf('with')) : all
  const kept = words.filter(
    (word, at) => !VIEW_WORDS.has(word) && !(at === 0 && words.length > 1 && LEADING_VERBS.has(word)),
  )
  const last = kept.pop()
  const name = foldName(last === undefined ? words.join('') : [...kept, singularOf(last)].join(''))
  return GENERIC.has(name) ? undefined : name
}
