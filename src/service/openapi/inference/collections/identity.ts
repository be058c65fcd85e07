import { ID_NAMES, isIdWord, keyNamesOf } from '../../../../names/id-names.ts'
import { NATURAL_KEYS, namesLike } from '../../../../names/natural-keys.ts'
import { foldNoun, singularName } from '../../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import { fieldsOf, isObjectSchema, isScalarSchema } from '../bodies/bodies.ts'
import { namedFields } from '../bodies/named-fields.ts'

/** Last words of a parameter that are also field names. */
const SUFFIXES: ReadonlySet<string> = new Set([
  ...ID_NAMES,
  ...NATURAL_KEYS,
  'hash',
  'token',
  'sku',
  'symbol',
  'title',
  'address',
  'version',
])

/** Input for finding the field of a path parameter. */
interface KeyQuestion {
  /** Schema of one record. */
  readonly schema: Schema | undefined
  /** Collection name in snake case. */
  readonly noun: string
  /** Name of the parameter; undefined for collections without item paths. */
  readonly param: string | undefined
  readonly paramSchema: Schema | undefined
  /** Parameters before it in the path, which identify other records. */
  readonly outer?: readonly string[]
  /** Whether a new field may show the key: then a name does not count as the id for the parameter. */
  readonly canInvent?: boolean
}

/** The field compared with a path parameter; undefined when the record has no such field. */
export function findKeyField({
  schema,
  noun,
  param,
  paramSchema,
  outer = [],
  canInvent = false,
}: KeyQuestion): FieldPath | undefined {
  const { names, lastId } = schema?.once(keyNames) ?? NO_KEY_NAMES
  const singular = foldNoun(noun)
  const find = (...wanted: readonly string[]) =>
    wanted.map((name) => names.get(foldName(name))).find((name) => name !== undefined)
  const chosen =
    (param === undefined ? undefined : byParam(param, noun, { find, schema, paramSchema, outer })) ??
    find(...ID_NAMES) ??
    nested(schema, param !== undefined && isNounOf(param, noun) ? undefined : param) ??
    inPart(schema, param) ??
    find(`${singular}id`, `${foldNoun(lastWord(noun))}id`, ...keyNamesOf(singular))
  if (chosen) return typeof chosen === 'string' ? [chosen] : chosen
  if (canInvent && param !== undefined && asksForId(param, noun, paramSchema)) return undefined
  const natural = param === undefined ? listedKey(noun, find) : find(...NATURAL_KEYS)
  if (natural) return [natural]
  if (param === undefined || canInvent) return undefined
  return lastId === undefined ? undefined : [lastId]
}

/** Words for lists of events or counts: their values may repeat. */
const JOURNALS =
  /(event|log|histor|activit|audit|hit|metric|stat|usage|result|report|test|view|watch|like|vote|error|warning|message|alias|translation|count|timeseries|breakdown)/

/** The identifying field of a list's records without a path for one: countries by code or name. */
function listedKey(noun: string, find: Find): string | undefined {
  const singular = foldNoun(lastWord(noun))
  const plain = find('key', 'slug', 'code', `${singular}code`, `${singular}key`, `${singular}number`, 'identifier')
  const entry = plain === undefined && !REPEATS.test(noun) ? find(...ENTRY_IDS) : undefined
  if (plain !== undefined || entry !== undefined || JOURNALS.test(noun)) return plain ?? entry
  const whole = foldNoun(noun)
  const own = foldName(noun) === whole ? [] : [whole, singular, `${whole}id`]
  const named = find('username', 'login', 'handle', 'publicid', 'entityid', 'symbol', 'sku', 'name', `${singular}name`)
  return named ?? find(...own, 'path', 'hostname')
}

/** Ids of single occurrences: each entry of a journal has its own. */
const ENTRY_IDS = ['requestid', 'transactionid', 'txnid', 'messageid', 'entryid']
/** Words for lists in which one thing may occur several times: a message, for each time it was opened. */
const REPEATS = /(click|open|bounce|event|deliver|track|view|reaction|recipient|attachment|read)/

/** Fields that can hold a key. */
interface KeyNames {
  /** By folded name. */
  readonly names: ReadonlyMap<string, string>
  /** The first name that ends in `id`, as a last resort. */
  readonly lastId: string | undefined
}

const NO_KEY_NAMES: KeyNames = { names: new Map(), lastId: undefined }

function keyNames(schema: Schema): KeyNames {
  const names = new Map<string, string>()
  for (const [name, field] of schema.fields) {
    const isFlag = field.types.length > 0 && field.types.every((type) => type === 'boolean')
    if (isScalarSchema(field) && !isFlag) names.set(foldName(name), name)
  }
  const lastId = [...names].find(([folded]) => folded.length > 2 && folded.endsWith('id'))?.[1]
  return { names, lastId }
}

/** Whether a parameter is an id, not a name: by its own name, or because it is a number or a UUID. */
function asksForId(param: string, noun: string, schema: Schema | undefined): boolean {
  if (isNounOf(param, noun)) return false
  const isNumber = schema?.types.length === 1 && (schema.types[0] === 'integer' || schema.types[0] === 'number')
  return isIdWord(param) || isNumber || schema?.format === 'uuid'
}

type Find = (...names: readonly string[]) => string | undefined

function byParam(
  param: string,
  noun: string,
  {
    find,
    schema,
    paramSchema,
    outer,
  }: Required<Pick<KeyQuestion, 'schema' | 'paramSchema' | 'outer'>> & { readonly find: Find },
): string | FieldPath | undefined {
  const folded = foldName(param)
  const isNoun = isNounOf(param, noun)
  if (isNoun) return nounKey(find, schema, paramSchema) ?? find(param, foldNoun(lastWord(noun)), ...NATURAL_KEYS)
  const exact = find(param)
  if (exact) return exact
  // `{className}` of records with a `class`.
  const called = /.name$/.test(folded) ? find(folded.slice(0, -4)) : undefined
  if (called) return called
  // `{customer_id_or_key}`.
  const either = /_or_|-or-|Or(?=[A-Z])/.test(param) && wordsOf(param).includes('id') ? find('id') : undefined
  if (either) return either
  const rest = withoutNoun(param, noun)
  // `{subscription_addon_id}` below `{subscription_id}` is not the id of the subscription.
  const isOther = rest !== undefined && outer.some((name) => foldName(name) === foldName(rest))
  if (rest !== undefined && !isOther && find(rest)) return find(rest)
  if (/(username|login|screenname)$/.test(folded)) return find('login', 'username', 'screenname', 'handle', 'name')
  const suffix = wordsOf(param).at(-1) ?? ''
  if (SUFFIXES.has(suffix) && find(suffix)) return find(suffix)
  return undefined
}

/** Whether a parameter has the records' name: `{customer}` of customers. */
function isNounOf(param: string, noun: string): boolean {
  const folded = foldName(param)
  return folded === foldNoun(noun) || folded === foldName(noun) || folded === foldNoun(lastWord(noun))
}

/** `{customer}` of customers is the id, unless the id is a number and the parameter is a text. */
function nounKey(find: Find, schema: Schema | undefined, paramSchema: Schema | undefined): string | undefined {
  const id = find(...ID_NAMES)
  if (id === undefined) return undefined
  const isNumber = fieldsOf(schema)
    .get(id)
    ?.types.every((type) => type === 'integer' || type === 'number')
  const wantsText = paramSchema?.types.length === 1 && paramSchema.types[0] === 'string'
  const hasNumber = (fieldsOf(schema).get(id)?.types.length ?? 0) > 0 && isNumber
  return hasNumber && wantsText ? (find(...NATURAL_KEYS) ?? id) : id
}

/** `external_id` of `external_customer_id` in customers; `gid` of `task_gid` in tasks. */
function withoutNoun(param: string, noun: string): string | undefined {
  const words = wordsOf(param)
  const nounWords = new Set([...wordsOf(noun), ...wordsOf(singularName(noun))])
  const rest = words.filter((word) => !nounWords.has(word))
  if (rest.length > 0 && rest.length < words.length) return rest.join('_')
  const folded = foldName(param)
  const singular = foldNoun(noun)
  return folded.startsWith(singular) && folded.length > singular.length ? folded.slice(singular.length) : undefined
}

/** `metadata.name`, in Kubernetes. */
function nested(schema: Schema | undefined, param: string | undefined): FieldPath | undefined {
  const metadata = fieldsOf(schema).get('metadata')
  if (!metadata) return undefined
  const name = [param, 'id', 'name', 'uid'].find(
    (candidate) => candidate !== undefined && fieldsOf(metadata).has(candidate),
  )
  return name === undefined ? undefined : ['metadata', name]
}

/** `Data.ConsentId` for `{ConsentId}`, where a record keeps its fields in a nested part. */
function inPart(schema: Schema | undefined, param: string | undefined): FieldPath | undefined {
  if (param === undefined) return undefined
  for (const part of ['data', 'attributes', 'header', 'info', 'details'].flatMap((name) =>
    namedFields(schema).named(name),
  )) {
    const held = isObjectSchema(part.schema) ? namedFields(part.schema).named(foldName(param)) : []
    const found = held.find((field) => isScalarSchema(field.schema))
    if (found) return [part.name, found.name]
  }
  return undefined
}

/**
 * The field of an earlier parameter of a composite key: `{owner}` of `/repos/{owner}/{repo}` is `owner.login`.
 * Undefined when the record does not have it.
 */
export function findOuterKeyField(schema: Schema | undefined, param: string): FieldPath | undefined {
  const [first] = namedFields(schema).named(foldName(param))
  if (first === undefined) return undefined
  if (isScalarSchema(first.schema)) return [first.name]
  if (!isObjectSchema(first.schema)) return undefined
  const [inner] = namesLike(first.schema.properties.keys(), ['login', 'username', 'slug', 'key', 'id', 'name'])
  return inner === undefined ? undefined : [first.name, inner]
}

function lastWord(noun: string): string {
  return noun.split('_').at(-1) ?? noun
}
