import { ID_NAMES, isIdWord, keyNamesOf } from '../../../../names/id-names.ts'
import { NATURAL_KEYS, namesLike } from '../../../../names/natural-keys.ts'
import { foldNoun } from '../../../../names/nouns.ts'
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
  /** Whether a new field may show the key: then a name does not count as the id for the parameter. */
  readonly canInvent?: boolean
}

/** Finds the first field of some names. */
type Find = (...names: readonly string[]) => string | undefined

interface KeyFacts extends Required<KeyQuestion> {
  readonly find: Find
}

/** One way to find the field with the key of records. */
export interface KeyRule {
  readonly name: string
  /** A parameter of a path, and the field of its records. */
  readonly example: string
  /** The field; null where records have none; undefined where the rule does not apply. */
  readonly find: (facts: KeyFacts & { readonly param: string }) => string | null | undefined
  /** The same for collections whose records no path names. */
  readonly findListed?: (facts: KeyFacts) => string | undefined
}

const findId = ({ find }: KeyFacts) => find(...ID_NAMES)
const findNounId = ({ find, noun }: KeyFacts) =>
  find(`${foldNoun(noun)}id`, `${foldNoun(lastWord(noun))}id`, ...keyNamesOf(foldNoun(noun)))

/** The rules for the keys of records, read top down: the first that applies decides. */
export const KEY_RULES: readonly KeyRule[] = [
  { name: 'key-named', example: '{sku} of products: sku', find: ({ find, param }) => find(param) },
  {
    name: 'key-of-text',
    example: '{org} of orgs with a number as id: username',
    find: (facts) => {
      const { find, param, schema, paramSchema } = facts
      const id = fieldsOf(schema)
        .get(findId(facts) ?? '')
        ?.types.join()
      const isName = paramSchema?.types.join() === 'string' && !isIdWord(param)
      return isName && (id === 'integer' || id === 'number') ? find(...NATURAL_KEYS) : undefined
    },
  },
  {
    name: 'key-by-ending',
    example: '{tag_name} of labels: name',
    find: ({ find, param, noun }) => {
      const suffix = wordsOf(param).at(-1) ?? ''
      return SUFFIXES.has(suffix) && !isNounOf(param, noun) ? find(suffix) : undefined
    },
  },
  { name: 'key-id', example: '{task} of jobs: id', find: findId, findListed: findId },
  { name: 'key-noun-id', example: '{key} of tasks: task_id', find: findNounId, findListed: findNounId },
  {
    name: 'key-added',
    example: '{task_id} of tasks without ids: the answers show it too',
    find: ({ canInvent, param, noun, paramSchema }) =>
      canInvent && asksForId(param, noun, paramSchema) ? null : undefined,
  },
  {
    name: 'key-natural',
    example: '{which} of countries: code; a list of countries: code',
    find: ({ find }) => find(...NATURAL_KEYS),
    findListed: ({ find, noun }) => listedKey(noun, find),
  },
]

/** The field compared with a path parameter, and the rule that found it; undefined when the record has no such field. */
export function findKey(
  { canInvent = false, ...question }: KeyQuestion,
  rules: readonly KeyRule[],
): { readonly field: FieldPath; readonly rule: string } | undefined {
  const { param, schema } = question
  const names = schema?.once(keyNames)
  const find: Find = (...wanted) => wanted.map((name) => names?.get(foldName(name))).find((name) => name !== undefined)
  const facts = { ...question, canInvent, find }
  for (const { name: rule, find, findListed } of rules) {
    const field = param === undefined ? findListed?.(facts) : find({ ...facts, param })
    if (field === null) return undefined
    if (field !== undefined) return { field: [field], rule }
  }
  return undefined
}

/** Words for lists of events or counts: their values may repeat. */
const JOURNALS =
  /(event|log|histor|activit|audit|hit|metric|stat|usage|result|report|test|view|watch|like|vote|error|warning|message|alias|translation|count|timeseries|breakdown)/

/** The identifying field of a list's records without a path for one: countries by code or name. */
function listedKey(noun: string, find: Find): string | undefined {
  const singular = foldNoun(lastWord(noun))
  const plain = find('key', 'slug', 'code', `${singular}code`, `${singular}key`, `${singular}number`, 'identifier')
  if (plain !== undefined || JOURNALS.test(noun)) return plain
  const whole = foldNoun(noun)
  const own = foldName(noun) === whole ? [] : [whole, singular, `${whole}id`]
  const named = find('username', 'login', 'handle', 'publicid', 'entityid', 'symbol', 'sku', 'name', `${singular}name`)
  return named ?? find(...own, 'path', 'hostname')
}

/** The fields that can hold a key, by folded name. */
function keyNames(schema: Schema): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [name, field] of schema.fields) {
    const isFlag = field.types.length > 0 && field.types.every((type) => type === 'boolean')
    if (isScalarSchema(field) && !isFlag) names.set(foldName(name), name)
  }
  return names
}

/** Whether a parameter is an id, not a name: by its own name, or because it is a number or a UUID. */
function asksForId(param: string, noun: string, schema: Schema | undefined): boolean {
  if (isNounOf(param, noun)) return false
  const isNumber = schema?.types.length === 1 && (schema.types[0] === 'integer' || schema.types[0] === 'number')
  return isIdWord(param) || isNumber || schema?.format === 'uuid'
}

/** Whether a parameter has the records' name: `{customer}` of customers. */
function isNounOf(param: string, noun: string): boolean {
  const folded = foldName(param)
  return folded === foldNoun(noun) || folded === foldName(noun) || folded === foldNoun(lastWord(noun))
}

/**
 * The field of an earlier parameter of a composite key: `{owner}` of `/repos/{owner}/{repo}` is `owner.login`.
 * Undefined when the record does not have it.
 */
export function findOuterKeyField(schema: Schema | undefined, param: string): FieldPath | undefined {
  const [first] = namedFields(schema).named('folded', foldName(param))
  if (first === undefined) return undefined
  if (isScalarSchema(first.schema)) return [first.name]
  if (!isObjectSchema(first.schema)) return undefined
  const [inner] = namesLike(first.schema.properties.keys(), ['login', 'username', 'slug', 'key', 'id', 'name'])
  return inner === undefined ? undefined : [first.name, inner]
}

const lastWord = (noun: string): string => noun.split('_').at(-1) ?? noun
