import { findField } from '../../../names/find-field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ActionSetting } from '../../openapi/action-setting.ts'
import type { Effect, SingletonModel } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { schemaAt } from '../../world/field.ts'
import { applyJsonPatch, toJsonPatch } from '../body/json-patch.ts'
import { unwrapBody } from '../body/sent-records.ts'
import { type Answered, type ApiCall, type Found, NO_CHANGES, type Setting, withUpload } from '../calls/call.ts'
import { firstFields, mergeFields } from '../records/client-fields.ts'
import { requireParents, toScopeKey, toScopeMatches } from '../records/scope.ts'
import { Refusal } from '../refusal.ts'
import { accountWith, userIn } from './accounts.ts'
import { answerFile, answerJson, answerRecord } from './answer.ts'
import { applySetting, sendsItem } from './apply-setting.ts'
import { withEcho } from './echo.ts'
import { showExample } from './example.ts'

type DocumentEffect = Extract<Effect, { singleton: string }>

/** A document that exists once at its place. */
interface Place {
  readonly singleton: string
  readonly scopeKey: string
  readonly model: SingletonModel | undefined
  /** The parent record. */
  readonly owner: Found | undefined
  /** What a registration showed of its caller, until it is changed. */
  readonly user: JsonObject | undefined
  /** What the parent's own field shows of it; undefined where the parent has no such field. */
  readonly shown: Json | undefined
}

/** Path words for the bytes of the record before them. */
const CONTENT = /^(contents?|download|file|raw|data|body|media|binary|blob|original|source|stream|bytes)$/i

/** Reads or changes a document: an object of fields, another JSON value, or an upload. */
export function actOnDocument(setting: Setting, call: ApiCall, effect: DocumentEffect): Answered {
  requireParents(setting, call, effect.scope)
  const { world } = setting
  const { kind, singleton, whole } = effect
  const place = placeOf(setting, call, effect)
  const isRead = kind === 'singletonRead'
  const isDeletion = kind === 'singletonDelete'
  const isShown = whole === undefined && isJsonObject(place.shown)
  if ((isRead || isDeletion) && !isShown && world.isSingletonDeleted(singleton, place.scopeKey))
    throw new Refusal(404, 'not_found', `Failed to find ${singleton}: it was deleted.`)
  const at = { singleton, scopeKey: place.scopeKey }
  if (whole !== undefined) {
    if (isDeletion) return { ...showExample(setting, call), changes: [{ type: 'deleted', ...at }] }
    return (isRead ? showWhole : changeWhole)(setting, call, whole === 'file', place)
  }
  const record = {
    ...world.singleton(singleton, place.scopeKey),
    ...place.user,
    ...(isJsonObject(place.shown) && place.shown),
  }
  const answered = (shown: JsonObject, changes = NO_CHANGES): Answered => {
    const found = { collection: singleton, key: place.scopeKey, record: shown }
    return { response: answerRecord(setting, call, { envelope: effect.envelope, found }), changes }
  }
  if (isRead) {
    const isUnwritten = !isShown && !place.user && !world.isSingletonChanged(singleton, place.scopeKey)
    return { ...answered(withEcho(call, record, place.model?.schema)), isUnwritten }
  }
  const changed = isDeletion ? undefined : change(setting, call, effect, { record, schema: place.model?.schema })
  const own: Change = changed ? { type: 'updated', ...at, record: changed } : { type: 'deleted', ...at }
  return answered(changed ?? record, [own, ...ownerChange(setting, call, place, changed)])
}

function placeOf(setting: Setting, call: ApiCall, { singleton, scope }: DocumentEffect): Place {
  const model = setting.api.model.singletons.find(({ name }) => name === singleton)
  const { parent, field } = model ?? {}
  const key = parent === undefined ? undefined : toScopeMatches(setting, call, scope).at(-1)?.value
  const owner = parent === undefined || key === undefined ? undefined : setting.world.collection(parent).live(key)
  const shown = owner && field !== undefined ? owner.record[field] : undefined
  const account = parent === undefined ? accountWith(setting, call.key) : undefined
  const user = userIn(account, model?.schema)
  const scopeKey = user && account ? account.name : toScopeKey(setting, call, scope)
  const isChanged = user !== undefined && setting.world.isSingletonChanged(singleton, scopeKey)
  return { singleton, scopeKey, model, owner, shown, user: isChanged ? undefined : user }
}

/** The change of the parent's field with the document; without a document, the field is removed. */
function ownerChange(setting: Setting, call: ApiCall, { model, owner }: Place, document: Json | undefined): Change[] {
  const { field } = model ?? {}
  if (owner === undefined || field === undefined) return []
  const { collection, key } = owner
  const { writer, model: ofOwner } = setting.world.collection(collection)
  const { [field]: _, ...rest } = owner.record
  const schema = schemaAt(ofOwner.schema, [field])
  const part = document === undefined ? undefined : fitted(setting, document, schema, `${collection}/${key}.${field}`)
  const changed = part === undefined ? rest : { ...rest, [field]: part }
  return [{ type: 'updated', collection, key, record: writer.touch(changed, call.at) }]
}

function change(
  setting: Setting,
  call: ApiCall,
  effect: DocumentEffect,
  { record, schema }: { readonly record: JsonObject; readonly schema: Schema | undefined },
): JsonObject {
  const sent = unwrapBody(call.body.value, effect.body)
  const steps = toJsonPatch(call.body.value)
  if (steps) return applyJsonPatch(record, steps)
  const isItem = (effect.sets ?? []).some((one) => sendsItem(one, sent, schema))
  const fields = Object.entries(isItem ? {} : firstFields(sent)).map(([name, value]) => {
    const own = findField(schema?.properties.keys() ?? [], name) ?? name
    const field = schema && schemaAt(schema, [own])
    return [own, fitted(setting, value, field, `${effect.singleton}.${own}`)]
  })
  const isReplace = effect.kind === 'singletonReplace'
  const merged = mergeFields(record, Object.fromEntries(fields), { schema, isReplace, call })
  const model = { name: effect.singleton, schema }
  const apply = (changed: JsonObject, one: ActionSetting) =>
    applySetting(setting, call, { model, key: '', given: sent, one }, changed)
  return (effect.sets ?? []).reduce(apply, merged)
}

function fitted(setting: Setting, value: Json, field: Schema | undefined, key: string): Json {
  return value === null ? null : (setting.presenter.projector.fit(value, field, key) ?? value)
}

/** Shows a document that is not an object of fields: another JSON value, or an upload. */
function showWhole(setting: Setting, call: ApiCall, isFile: boolean, place: Place): Answered {
  const { world } = setting
  const { singleton, scopeKey, model, owner } = place
  const word = call.operation.path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
  // `GET /files/{id}/content` described as a text shows the file unchanged.
  const mayBeFile = isFile || model?.valueSchema?.types.join() === 'string'
  const isOwn = owner && (CONTENT.test(word) || isSentAs(setting, owner, word))
  const ofRecord = isOwn ? world.file(owner.collection, owner.key) : undefined
  const file = mayBeFile ? (world.file(singleton, scopeKey) ?? ofRecord) : undefined
  if (file) return { response: answerFile(call, file), changes: NO_CHANGES }
  const value = isFile ? undefined : keptValue(setting, place)
  const { media, isJson } = call.representation
  if (value === undefined || !isJson || (media?.schema && !fits(media.schema, value))) return showExample(setting, call)
  return { response: answerJson(call, value), changes: NO_CHANGES }
}

/** Whether a record is sent with one file, in a field of this name: `GET /movies/{id}/poster`. */
const isSentAs = ({ api }: Setting, { collection }: Found, word: string): boolean =>
  api.model.operations.some(({ effect, requestBody }) => {
    const fields = [...(requestBody?.content.values() ?? [])].flatMap((schema) => [...(schema?.properties ?? [])])
    const [only, ...more] = fields.flatMap(([name, { format }]) => (format === 'binary' ? [name] : []))
    return 'collection' in effect && effect.collection === collection && more.length === 0 && only === word
  })

function changeWhole(setting: Setting, call: ApiCall, isFile: boolean, place: Place): Answered {
  const at = { singleton: place.singleton, scopeKey: place.scopeKey }
  if (isFile) {
    const record = { content_type: call.body.mediaType, size: call.request.body.length }
    return { ...showExample(setting, call), changes: [withUpload(call, { type: 'updated', ...at, record })] }
  }
  const value = valueSent(call, place.model?.valueSchema, keptValue(setting, place))
  if (value === undefined) return showExample(setting, call)
  const changes: Change[] = [{ type: 'updated', ...at, record: { value } }, ...ownerChange(setting, call, place, value)]
  const { media, isJson } = call.representation
  const isShown = isJson && media?.schema !== undefined && fits(media.schema, value)
  return isShown ? { response: answerJson(call, value), changes } : { ...showExample(setting, call), changes }
}

/** The kept value: as the record shows it, else as written. */
const keptValue = ({ world }: Setting, { shown, singleton, scopeKey }: Place): Json | undefined =>
  shown ?? world.singleton(singleton, scopeKey).value

/** The client's value: its whole body, or the only part that can be the value. POST adds to a list. */
function valueSent({ body, operation }: ApiCall, schema: Schema | undefined, stored: Json | undefined) {
  const sent = body.value
  if (sent === undefined) return undefined
  const candidates = [sent, ...(isJsonObject(sent) ? Object.values(sent) : [])]
  const whole = candidates.find((value) => schema === undefined || fits(schema, value))
  if (!schema?.types.includes('array') || operation.method !== 'POST') return whole
  const isItem = (value: Json) => schema.items === undefined || fits(schema.items, value)
  const items = Array.isArray(whole) ? whole : candidates.filter(isItem).slice(0, 1)
  const others = (Array.isArray(stored) ? stored : []).filter((item) => !items.includes(item))
  return items.length === 0 ? undefined : [...others, ...items]
}
