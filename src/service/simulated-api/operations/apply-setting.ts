import { findValue } from '../../../names/find-field.ts'
import { isIdName, KEY_SUFFIXES, nounOfId } from '../../../names/id-names.ts'
import { isNaturalKey } from '../../../names/natural-keys.ts'
import { foldNoun, singularName } from '../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import { hashText, mixPair } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { ActionSetting } from '../../openapi/action-setting.ts'
import type { CollectionModel } from '../../openapi/model.ts'
import { keyIn, schemaAt } from '../../world/field.ts'
import { toTimestamp } from '../../world/timestamp.ts'
import type { ApiCall, Setting } from '../calls/call.ts'

/** An action's change of one field. */
interface Applied {
  readonly model: Pick<CollectionModel, 'name' | 'schema'>
  readonly key: string
  /** The request's value. */
  readonly given: Json | undefined
  readonly one: ActionSetting
}

/** Another text of the same form, behind the same prefix: `whsec_9Kd0` of `whsec_C2FV`. Undefined where none is allowed. */
function otherText(text: string, schema: Schema | undefined): string | undefined {
  const prefix = /^([a-z]{1,8}[_-])*/i.exec(text)?.[0] ?? ''
  let state = hashText(text)
  const changed = text.slice(prefix.length).replace(/[a-z0-9]/gi, (letter) => {
    state = mixPair(state, letter.charCodeAt(0))
    const [first, size] = /\d/.test(letter) ? ['0', 10] : [letter < 'a' ? 'A' : 'a', 26]
    return String.fromCharCode(first.charCodeAt(0) + (state % size))
  })
  return schema === undefined || fits(schema, prefix + changed) ? prefix + changed : undefined
}

/** The field of the body whose value a setting puts into another field: the record's field of its name stays as it is. */
export function movedField({ to }: ActionSetting): string | undefined {
  if (typeof to !== 'object') return undefined
  if ('amount' in to) return to.amount
  return 'sent' in to && to.sent.length === 1 ? to.sent[0] : undefined
}

/** A copy of `record` with the action's change of a field. */
export function applySetting(setting: Setting, call: ApiCall, applied: Applied, record: JsonObject): JsonObject {
  const { model, key, given, one } = applied
  const { field, to } = one
  const schema = schemaAt(model.schema, field)
  const name = field.at(-1) ?? ''
  const stored = readField(record, field)
  const { projector } = setting.presenter
  const toForm = (value: Json, of: Schema | undefined) =>
    of === undefined ? value : projector.fit(value, of, `${model.name}/${key}.${name}`)
  const written = (value: Json | undefined) => (value === undefined ? record : writeField(record, field, value))
  if (typeof to === 'object' && 'value' in to) return written(to.value)
  if (typeof to === 'object' && 'sent' in to) {
    const sent = readField(call.body.value, to.sent)
    return written(sent === undefined ? undefined : toForm(sent, schema))
  }
  if (typeof to === 'object' && 'amount' in to) return written(changedBy(stored, to, given, schema))
  if (typeof to === 'object') return written(Math.max(0, (typeof stored === 'number' ? stored : 0) + to.by))
  if (to === 'cleared') return clear(record, field, model.schema)
  if (to === 'now') return written(toTimestamp(call.at, stored ?? undefined, schema))
  // `rotate { key }`: a client may choose the new one.
  if (to === 'fresh' && isJsonObject(given) && typeof given[name] === 'string') return written(given[name])
  if (to === 'fresh') {
    const made = projector.project(undefined, schema, `${model.name}/${key}.${name} ${stored}`, name)
    return written(made === stored && typeof stored === 'string' ? (otherText(stored, schema) ?? made) : made)
  }
  const named = one.param === undefined ? undefined : call.params[one.param]
  const isMap = isJsonObject(stored) || (schema?.types.includes('object') === true && schema.items === undefined)
  if (isMap && named !== undefined && (to === 'item' || to === 'removed')) {
    const others = Object.entries(isJsonObject(stored) ? stored : {}).filter(([own]) => own !== named)
    const entry = to === 'removed' ? undefined : (argumentFor(given, named, undefined) ?? given)
    return written(Object.fromEntries(entry === undefined ? others : [...others, [named, entry]]))
  }
  const list = Array.isArray(stored) ? stored : []
  if (to === 'item') {
    const changed = (item: Json | undefined): Json =>
      isJsonObject(given)
        ? { ...toObject(item, one.param ?? '', named ?? '', schema?.items), ...given }
        : (given ?? item ?? named ?? null)
    const at = list.findIndex((item) => isNamedBy(item, named ?? '', one.param))
    const item = toForm(changed(list[at]), schema?.items)
    return item === undefined ? record : written(at < 0 ? [...list, item] : list.with(at, item))
  }
  const isBlind = to === 'added' && one.param === undefined && call.operation.requestBody === undefined
  const argument = isBlind ? undefined : one.param === undefined ? argumentFor(given, name, schema) : named
  // `POST /invoices/{id}/attachment`, of which the description says no body: one more of them.
  if (isBlind && schema?.items?.properties.size) {
    const item = projector.project(undefined, schema.items, `${model.name}/${key}.${name} ${list.length}`, name)
    return item === undefined ? record : written([...list, item])
  }
  if (argument === undefined) return record
  if (to === 'argument') {
    const isMerged = isMap && call.operation.method === 'PATCH' && isJsonObject(stored) && isJsonObject(argument)
    return written(toForm(isMerged ? { ...stored, ...argument } : argument, schema))
  }
  const isText = schema?.items?.types.includes('string') ?? true
  // `bank_billet_ids: "7,8"` of numbers.
  const several = typeof argument === 'string' && !isText ? argument.split(',') : [argument].flat()
  const items = several.flatMap((item, at) => {
    const place = `${model.name}/${key}.${name} ${list.length + at}`
    const made = isJsonObject(item)
      ? withId(item, schema?.items, (id) => projector.project(undefined, id, place))
      : item
    return toForm(toItem(made, one.param, schema?.items), schema?.items) ?? []
  })
  const keys = new Set([...items, ...several].flatMap((item) => keyIn(item) ?? []))
  const others = list.filter((item) => ![...keys].some((own) => isNamedBy(item, own, one.param)))
  return written(to === 'added' ? [...others, ...items] : others)
}

/** A number, or a text of one, with the request's amount more or less; undefined where there is none, or where it may not be. */
function changedBy(
  stored: Json | undefined,
  { amount, sign }: { readonly amount: string; readonly sign: number },
  given: Json | undefined,
  schema: Schema | undefined,
): Json | undefined {
  const asked = isJsonObject(given) ? given[amount] : undefined
  const [before, by] = [stored ?? 0, asked].map((value) =>
    value === null || value === '' ? Number.NaN : Number(value),
  )
  if (before === undefined || by === undefined || !Number.isFinite(before + by)) return undefined
  const decimals = Math.max(...[stored, asked].map((value) => String(value ?? '').split('.')[1]?.length ?? 0))
  const text = (before + sign * by).toFixed(Math.min(decimals, 20))
  const value = typeof stored === 'string' ? text : Number(text)
  return schema === undefined || fits(schema, value) ? value : undefined
}

/** The record without a field's value: null where allowed, else without the field, unless it is required. */
function clear(record: JsonObject, field: FieldPath, schema: Schema | undefined): JsonObject {
  const part = schemaAt(schema, field)
  if (part !== undefined && fits(part, null)) return writeField(record, field, null)
  const above = field.slice(0, -1)
  const name = field.at(-1) ?? ''
  const holder = above.length === 0 ? record : readField(record, above)
  const owner = above.length === 0 ? schema : schemaAt(schema, above)
  if (!isJsonObject(holder) || owner?.required.has(name)) return record
  const { [name]: _, ...rest } = holder
  return above.length === 0 ? rest : writeField(record, above, rest)
}

/** Last words of fields that distinguish the items of a list. */
const isNaming = (word: string): boolean => isIdName(word) || isNaturalKey(word)

/** Whether an item of a list is the request's: by its key, or by a distinguishing field, or by the `user` of `{userId}`. */
function isNamedBy(item: Json, key: string, param = ''): boolean {
  if (keyIn(item) === key) return true
  if (!isJsonObject(item)) return false
  return Object.entries(item).some(
    ([name, value]) =>
      keyIn(value) === key && (isNaming(wordsOf(name).at(-1) ?? '') || foldName(name) === nounOfId(param)),
  )
}

/** A client's new item of a list, with an id where items have one. */
function withId(item: JsonObject, schema: Schema | undefined, make: (id: Schema) => Json): JsonObject {
  const id = schema?.properties.get('id')
  return id === undefined || Object.hasOwn(item, 'id') ? item : { id: make(id), ...item }
}

/** Whether a whole body is an item of the list that an action changes, so that none of its fields is the record's. */
export function sendsItem({ field, to, param }: ActionSetting, given: Json | undefined, whole: Schema | undefined) {
  if (to === 'item') return true
  const isNew = to === 'added' && param === undefined && isJsonObject(given)
  return isNew && argumentFor(given, field.at(-1) ?? '', schemaAt(whole, field)) === given
}

/** The item of a list that an action added, changed or removed. */
export function itemOf(
  { field, to, param }: ActionSetting,
  call: ApiCall,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): JsonObject | undefined {
  const list = readField(to === 'removed' ? before : after, field)
  if (!Array.isArray(list)) return undefined
  const key = param === undefined ? undefined : call.params[param]
  const found = key === undefined ? list.at(-1) : list.find((item) => isNamedBy(item, key, param))
  return isJsonObject(found) ? found : undefined
}

/** An id in the form of a list's items: in objects, as a field, or as the `user` of `{userId}`. */
function toItem(item: Json, param: string | undefined, schema: Schema | undefined): Json {
  if (isJsonObject(item) || !schema?.types.includes('object')) return item
  const name =
    [...KEY_SUFFIXES, 'code', 'name'].find((candidate) => schema.properties.has(candidate)) ??
    [...schema.properties.keys()].find((candidate) => foldName(candidate) === nounOfId(param ?? ''))
  return name === undefined ? item : { [name]: item }
}

/** An item of a list of objects; a new one has the key of the path. */
function toObject(item: Json | undefined, param: string, key: string, schema: Schema | undefined): JsonObject {
  if (isJsonObject(item)) return item
  const made = toItem(key, param, schema)
  return isJsonObject(made) ? made : {}
}

/**
 * The request's value for a field: under its name, under `value`, or the only value; a body that is not an object, or
 * the whole body for a field with an object or a list of objects.
 */
function argumentFor(given: Json | undefined, name: string, schema: Schema | undefined): Json | undefined {
  if (!isJsonObject(given)) return given ?? undefined
  const own =
    findValue(given, name) ?? findValue(given, singularName(name)) ?? findValue(given, `new_${name}`) ?? given.value
  if (own !== undefined) return own
  const noun = foldNoun(name)
  const key = Object.keys(given).find((key) => foldNoun(key.replace(/[_-]?(ids?|keys?|uuids?)$/i, '')) === noun)
  if (key !== undefined) return given[key]
  const values = Object.values(given).filter((value) => value !== null)
  const whole = schema?.items ?? schema
  if (whole !== undefined && whole.properties.size > 0 && values.length > (schema?.items ? 1 : 0)) return given
  return values.length === 1 ? values[0] : undefined
}
