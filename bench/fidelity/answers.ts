import { foldNoun, singularName } from '../../src/names/nouns.ts'
import { foldName, snakeCase, wordsOf } from '../../src/names/words.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/protocol/json.ts'
import type { Operation } from '../../src/service/openapi/model.ts'

/** Names that hold the id of a record, the usual ones first. */
const ID_NAMES = ['id', '_id', 'gid', 'sid', 'uuid', 'guid', 'uid']
const NATURAL_KEYS = ['key', 'slug', 'code', 'name', 'number', 'login', 'username', 'identifier', 'handle', 'email']

/** A client's knowledge of a key before the first response. */
export interface Wanted {
  /** The path parameter that it is for. */
  readonly param: string
  /** The last word of the collection's path. */
  readonly noun: string
  /** Whether the parameter is declared as a text, so that a number is probably not meant. */
  readonly isText?: boolean
  /** The parameters before it, which name other records. */
  readonly outer?: readonly string[]
}

/**
 * The key of a record as a client reads it off an answer: by the name of the path parameter that wants it, by the usual
 * names of ids, then by names that people know records by.
 */
export function learnKey(shown: Json | undefined, wanted: Wanted): string | undefined {
  if (typeof shown === 'string' || typeof shown === 'number') return String(shown)
  const record = Array.isArray(shown) && shown.length === 1 ? shown[0] : shown
  if (!isJsonObject(record)) return undefined
  const names = namesOf(wanted)
  const either = keyAmong(record, eitherOf(wanted), isScalar)
  if (either !== undefined) return either
  const exact = wanted.isText ? keyAmong(record, names, isText) : undefined
  return exact ?? keyAmong(record, names, isScalar) ?? keyInside(record, wanted.noun, names)
}

/** Whether an item of a list is the record with this key: the key may be its id or the name that `{name_or_id}` also takes. */
export function isKnownBy(shown: Json | undefined, key: string, wanted: Wanted): boolean {
  return learnKey(shown, wanted) === key || learnKey(shown, { param: 'id', noun: wanted.noun }) === key
}

/** Names that the field may have, the likeliest first. */
function namesOf({ param, noun, outer = [] }: Wanted): string[] {
  const isNoun = foldNoun(param) === foldNoun(noun)
  const singular = singularName(snakeCase(noun))
  const own = ['id', 'uuid', 'sid', 'gid', 'key'].map((suffix) => `${singular}_${suffix}`)
  // `{subscription_addon_id}` below `{subscription_id}`.
  const isFree = (name: string) => !outer.some((other) => foldName(other) === foldName(name))
  return isNoun
    ? [...ID_NAMES, ...own, param, ...suffixOf(param), ...NATURAL_KEYS]
    : [
        param,
        `${param}_id`,
        ...withoutNoun(param, noun).filter(isFree),
        ...suffixOf(param),
        ...ID_NAMES,
        ...own,
        ...NATURAL_KEYS,
      ]
}

/** The fields that `{id_or_code}` names. */
function eitherOf({ param, noun }: Wanted): string[] {
  const words = wordsOf(param)
  if (!words.includes('or')) return []
  const singular = singularName(snakeCase(noun))
  return words.filter((word) => word !== 'or').flatMap((word) => [word, `${singular}_${word}`])
}

const isText = (value: Json | undefined): value is string => typeof value === 'string'
const isScalar = (value: Json | undefined): value is string | number => isText(value) || typeof value === 'number'

/** The last word of a parameter, which records may have as a field of its own: `ip` of `{floating_ip}`. */
const suffixOf = (param: string): string[] => wordsOf(param).slice(-1)

function keyAmong(
  record: JsonObject,
  names: readonly string[],
  accepts: (value: Json | undefined) => value is string | number,
): string | undefined {
  const byName = new Map(Object.entries(record).map(([name, value]) => [foldName(name), value]))
  const found = names.map((name) => byName.get(foldName(name))).find(accepts)
  return found === undefined ? undefined : String(found)
}

/** Records may be wrapped, `{ task: { id } }`, and Kubernetes keeps names in `metadata`. */
function keyInside(record: JsonObject, noun: string, names: readonly string[]): string | undefined {
  for (const [name, inner] of Object.entries(record)) {
    const one = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner
    if (!isJsonObject(one as Json)) continue
    const isWrapper =
      /^(data|result|response|payload|attributes|metadata)$/i.test(name) || foldNoun(name) === foldNoun(noun)
    const own = /^metadata$/i.test(name) ? [names[0] ?? '', 'name', ...names] : names
    const key = isWrapper || Object.keys(record).length === 1 ? keyAmong(one as JsonObject, own, isScalar) : undefined
    if (key !== undefined) return key
    const deeper = isWrapper ? keyInside(one as JsonObject, noun, names) : undefined
    if (deeper !== undefined) return deeper
  }
  return undefined
}

function withoutNoun(param: string, noun: string): string[] {
  const nounWords = new Set([...wordsOf(noun), ...wordsOf(singularName(noun))])
  const words = wordsOf(param)
  const rest = words.filter((word) => !nounWords.has(word))
  return rest.length > 0 && rest.length < words.length ? [rest.join('_')] : []
}

/** The list in an answer, as a client finds it: the answer itself, the array named like the path, else the first. */
export function listIn(json: Json | undefined, noun: string, depth = 0): Json[] | undefined {
  if (Array.isArray(json)) return json
  if (!isJsonObject(json) || depth > 3) return undefined
  const arrays = Object.entries(json).filter(([, value]) => Array.isArray(value))
  const named = arrays.find(([name]) => foldNoun(name) === foldNoun(noun))
  const usual = arrays.find(([name]) =>
    /^(data|items|results?|entries|records|values|list|content|resources|value)$/i.test(name),
  )
  const found =
    named ?? usual ?? arrays.find(([, value]) => (value as Json[]).some((item) => isJsonObject(item))) ?? arrays[0]
  if (found) return found[1] as Json[]
  for (const inner of Object.values(json)) {
    const list = listIn(inner, noun, depth + 1)
    if (list) return list
  }
  return undefined
}

/** The value at `path` of a body. */
export function at(body: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((found, name) => (isJsonObject(found) ? found[name] : undefined), body)
}

/** The value at `path`; for an array of one, its item. */
export function inside(body: Json | undefined, path: readonly string[]): Json | undefined {
  const found = at(body, path)
  return Array.isArray(found) && found.length === 1 && isJsonObject(found[0] as Json) ? found[0] : found
}

/** The last word of a path that is no parameter. */
export function nounOf(path: string): string {
  return (
    path
      .split('/')
      .findLast((segment) => segment !== '' && !segment.includes('{'))
      ?.replace(/\.\w+$/, '') ?? ''
  )
}

/** The name of the last parameter of a path. */
export function lastParam(path: string): string {
  return paramsOf(path).at(-1) ?? ''
}

const paramsOf = (path: string): string[] => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)

/** A client's knowledge of the keys for the last parameter of a read. */
export function wantedBy({ path, parameters, effect }: Operation): Wanted {
  const key = 'keys' in effect ? effect.keys.findLast(({ in: place }) => place === 'path') : undefined
  const param = key?.param ?? lastParam(path)
  const types = parameters.find(({ name, in: place }) => place === 'path' && name === param)?.schema?.types
  const outer = paramsOf(path).slice(0, -1)
  return {
    param,
    noun: nounOf(path),
    isText: types?.length === 1 && types[0] === 'string' && !/id$/i.test(param),
    outer,
  }
}
