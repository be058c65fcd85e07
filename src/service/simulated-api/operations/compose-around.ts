import { findValue } from '../../../names/find-field.ts'
import { endsInKey, keyNamesOf } from '../../../names/id-names.ts'
import { foldNoun, singularName } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, setOwn } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import type { Setting } from '../calls/call.ts'
import { plainWord } from '../presentation/envelope-writer.ts'
import type { Keyed } from '../presentation/presenter.ts'

/** Names of objects that only wrap an answer. */
const WRAPPERS = /^(data|results?|response|payload|body)$/i
/** Most wrappers of answers. */
const MOST_WRAPPERS = 2

/** An answer of the success schema, with known values: fields of a record, and its key. */
export function composeAround(
  setting: Setting,
  schema: Schema | undefined,
  known: Keyed,
  operation: Operation,
  depth = 0,
): Json {
  const { projector } = setting.presenter
  const { record, key } = known
  const place = `${operation.id}/${key}`
  if (schema === undefined) return record
  if (schema.raw.type === 'null') return null
  if (schema.types.length === 1 && schema.types[0] === 'boolean') return true
  const keyNames = keyNamesIn(setting, schema, operation)
  const source: JsonObject = { ...record }
  for (const [name, field] of allProperties(schema)) {
    const value =
      findValue(record, name) ??
      deletedKeys(name, field, known, operation) ??
      (keyNames.has(name) ? keyWord(field, key) : undefined) ??
      plainWord(name, field) ??
      (showsWhole(setting, field, operation) && key !== '' ? record : undefined) ??
      (key !== '' && depth < MOST_WRAPPERS && WRAPPERS.test(name) && field.properties.size > 0
        ? composeAround(setting, field, known, operation, depth + 1)
        : undefined)
    if (value !== undefined && value !== null) setOwn(source, name, value)
  }
  const [only] = schema.properties.size === 1 ? schema.properties : []
  // A single wrapper is present even when it is empty: `{ data: {} }`.
  if (only && source[only[0]] === undefined) source[only[0]] = projector.project(undefined, only[1], place, only[0])
  const composed = projector.project(source, schema, place)
  if (depth > 0 || !isJsonObject(composed) || Object.keys(composed).length > 0) return composed
  // An answer that requires nothing and repeats nothing would tell its caller nothing.
  for (const [name, field] of allProperties(schema)) {
    if (!TROUBLE.test(name)) setOwn(composed, name, projector.project(undefined, field, `${place}.${name}`, name))
  }
  return composed
}

/** `{ data: ["id"] }` after a deletion: what was deleted. */
function deletedKeys(name: string, { items }: Schema, { key }: Keyed, { effect }: Operation): Json | undefined {
  const isList = effect.kind === 'delete' && key !== '' && items !== undefined && DELETED.test(name)
  return isList && fits(items, key) ? [key] : undefined
}

const DELETED = /^(data|result|(deleted|removed)(_?(ids?|keys?))?)$|ids$/i

/** Fields of answers that only failures have. */
const TROUBLE = /error|fail|warn|message|reason|problem/i

/** Whether a field of an answer is a record of the operation's collection: `{ transaction, transaction_ids }`. */
function showsWhole({ world }: Setting, field: Schema, { effect }: Operation): boolean {
  if (!('collection' in effect)) return false
  const own = world.collection(effect.collection).model.schema
  return own !== undefined && (field === own || (field.name !== undefined && field.name === own.name))
}

/** Names of fields for the record's key: those with the name of the key or its collection, else all with names of keys. */
function keyNamesIn({ world }: Setting, schema: Schema, { effect }: Operation): ReadonlySet<string> {
  const names = [...allProperties(schema)]
    .map(([name]) => name)
    .filter((name) => endsInKey(name) || /(^|_)name$/.test(name))
  if (!('collection' in effect)) return new Set(names)
  const { id, singular } = world.collection(effect.collection).model
  const noun = foldNoun(singularName(singular).split('_').at(-1) ?? '')
  const own = new Set([foldName(id.field?.at(-1) ?? 'id'), 'id', noun, ...keyNamesOf(noun)])
  const exact = names.filter((name) => own.has(foldName(name)))
  return new Set(exact.length > 0 ? exact : names)
}

/** A key as a field's value; undefined where the field cannot hold it. */
export function keyWord(schema: Schema, key: string): string | number | undefined {
  if (fits(schema, key)) return key
  const number = Number(key)
  return key !== '' && Number.isFinite(number) && fits(schema, number) ? number : undefined
}

function* allProperties(schema: Schema): Generator<[string, Schema]> {
  yield* schema.properties
  for (const variant of schema.variants ?? []) {
    for (const [name, field] of variant.properties) if (!schema.properties.has(name)) yield [name, field]
  }
}
