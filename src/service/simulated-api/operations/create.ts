import { findField, findValue } from '../../../names/find-field.ts'
import { endsInId } from '../../../names/id-names.ts'
import { getOwn, isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { isUuid } from '../../../runtime/uuid.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ActionSetting } from '../../openapi/action-setting.ts'
import type { Effect, Envelope } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { keyIn, keyOf, schemaAt } from '../../world/field.ts'
import { NewKeys } from '../../world/new-keys.ts'
import { withPrefix } from '../body/parameter-styles.ts'
import { factsOfFile } from '../body/uploaded-file.ts'
import { type Answered, type ApiCall, type Found, type Setting, withUpload } from '../calls/call.ts'
import { allNames } from '../facts/intake.ts'
import { firstFields, sentFields } from '../records/client-fields.ts'
import { completeRecord, makeRecord } from '../records/make-record.ts'
import { requireParents, toScopeMatches } from '../records/scope.ts'
import { makerFields } from './accounts.ts'
import { answerJson, answerMade, answerRecord, changedTo, type Made } from './answer.ts'
import { applySetting } from './apply-setting.ts'
import { keyWord } from './compose-around.ts'
import { updateRecord } from './item.ts'

type CreateEffect = Effect & { kind: 'create' }

const NO_ITEMS: readonly JsonObject[] = []

/** Creates one record, or one for each item of a list. */
export function create(setting: Setting, call: ApiCall, effect: CreateEffect): Answered {
  requireParents(setting, call, effect.scope)
  const { collection, scope, envelope } = effect
  const body = sentFields(call, effect.body)
  const several = Array.isArray(body) ? body.filter((item) => isJsonObject(item)) : NO_ITEMS
  if (several.length > 1) return createSeveral(setting, call, effect, several)
  const own = firstFields(body)
  const sent = { ...fileFields(setting, call, collection, own), ...own }
  const existing = setting.entryEffects?.refusesTaken === true ? undefined : findExisting(setting, call, effect, sent)
  if (existing) return overwrite(setting, call, effect, existing, sent)
  const maker = makerFields(setting, call, setting.world.collection(collection).model.schema)
  const id = idInQuery(setting, call, collection)
  const made = makeRecord(setting, call, { collection, scope, sent, maker, ...(id !== undefined && { id }) })
  const whole = effect.sets === undefined ? made : withSettings(setting, call, made, effect.sets)
  const { found, change, parts } = withParts(setting, call, whole, sent)
  const location = locationOf(setting, call, found)
  const headers = location === undefined ? undefined : { Location: location }
  const key = keyAnswered(call, found)
  if (key !== undefined) return { response: answerJson(call, key, headers), changes: [withUpload(call, change)], parts }
  const secrets = secretsOf(setting, call, found)
  const shown = secrets === undefined ? found : { ...found, record: { ...secrets, ...found.record } }
  const response = answerRecord(setting, call, { envelope, found: shown, headers })
  const kept =
    secrets === undefined || change.type !== 'created'
      ? change
      : { ...change, record: { ...secrets, ...change.record } }
  return { response, changes: [withUpload(call, kept)], parts }
}

/** A new record, and the records below it that it was sent in a list: the items of a report. */
function withParts(
  { world, api, entryEffects }: Setting,
  { at }: ApiCall,
  { found, change }: Made,
  sent: JsonObject,
): Made & { readonly parts: readonly Change[] } {
  const parts: Change[] = []
  let { record } = found
  for (const { name, parent, listedIn } of entryEffects === undefined ? api.model.collections : []) {
    const items = listedIn === undefined || parent?.collection !== found.collection ? undefined : record[listedIn]
    if (listedIn === undefined || !Array.isArray(items) || !isJsonObject(firstOf(sent[listedIn]))) continue
    const above = change.type === 'created' && 'scope' in change ? change.scope : {}
    const scope = Object.entries(above).map(([over, value]) => ({ name: over, value }))
    const matches = [...scope, { name: found.collection, value: found.key, field: parent?.field }]
    const view = world.collection(name)
    const keys = new NewKeys(view)
    const made = items.flatMap((given) => {
      if (!isJsonObject(given)) return []
      // A copy of another record has the ids of that one's parts, and new parts may all have the id 0.
      const taken = (value: Json) =>
        ['', '0', 'null'].includes(String(value)) || view.has(String(value)) || keys.hasGiven(String(value))
      const own = Object.entries(given).filter(
        ([field, value]) => !(field === `${parent?.field}` || (field === `${view.model.id.field}` && taken(value))),
      )
      const part = completeRecord(world, { collection: name, given: Object.fromEntries(own), matches, at, keys })
      keys.give(part.found.key, part.name)
      parts.push(part.change)
      return [part.found.record]
    })
    record = { ...record, [listedIn]: made }
  }
  return parts.length === 0
    ? { found, change, parts }
    : { found: { ...found, record }, change: { ...change, record } as Change, parts }
}

const firstOf = (list: Json | undefined): Json | undefined => (Array.isArray(list) ? list[0] : undefined)

/** The last part of a resource name that the client chooses: `?topicId=news`. Source: google.aip.dev/133. */
function idInQuery({ world }: Setting, { query }: ApiCall, collection: string): string | undefined {
  const { id, singular } = world.collection(collection).model
  const name = id.resource === undefined ? undefined : findField(Object.keys(query.values), `${singular}_id`)
  return name === undefined ? undefined : keyIn(getOwn(query.values, name))
}

/** A new record with the fields that the operation sets. */
function withSettings(setting: Setting, call: ApiCall, { found, change }: Made, sets: readonly ActionSetting[]): Made {
  const { model } = setting.world.collection(found.collection)
  const applied = { model, key: found.key, given: call.body.value }
  const record = sets.reduce((record, one) => applySetting(setting, call, { ...applied, one }, record), found.record)
  return { found: { ...found, record }, change: { ...change, record } as Change }
}

/** Values for what only the answer shows, which the record keeps. Undefined without any. */
function secretsOf({ presenter }: Setting, { compiled }: ApiCall, { collection, key }: Found): JsonObject | undefined {
  if (compiled.secretFields.length === 0) return undefined
  const secrets: JsonObject = {}
  for (const [name, schema] of compiled.secretFields) {
    const made = presenter.projector.project(undefined, schema, `${collection}/${key}.${name}`, name)
    if (typeof made === 'string' || (isJsonObject(made) && Object.keys(made).length > 0)) secrets[name] = made
  }
  return secrets
}

const FILE_NAME = /^(original_?)?file_?name$/i
const FILE_SIZE = /^(bytes|size|byte_?size|size_?(in_?)?bytes|(file|content)_?(size|length|bytes))$/i
const FILE_TYPE = /^((file_?)?(mime|media|content)_?type|mime)$/i

/** The fields of a record with the facts of an uploaded file: `filename`, `bytes`, `mime_type`. */
function fileFields({ world }: Setting, { request, body }: ApiCall, collection: string, sent: JsonObject): JsonObject {
  const file = factsOfFile(request, body.schema)
  if (file === undefined) return {}
  // `attributes={"name":"a.txt"}` beside the file is more precise.
  const sentNames = new Set(Object.values(sent).flatMap((part) => (isJsonObject(part) ? Object.keys(part) : [])))
  const own = allNames(world.collection(collection).model.schema)
  // The attributes of a resource of JSON:API are the record's fields.
  const inner = own.has('type') ? own.get('attributes') : undefined
  const names = [...(inner ? allNames(inner) : own)].filter(([name]) => !sentNames.has(name))
  // `{ name, size, mime_type }`: the record is of a file, and so is its name.
  const isOfFile = names.some(([name]) => FILE_SIZE.test(name) || FILE_TYPE.test(name))
  const hasFileName = names.some(([name]) => FILE_NAME.test(name))
  const factOf = (name: string): string | number | undefined => {
    if (FILE_NAME.test(name) || (name === 'name' && isOfFile && !hasFileName)) return file.name
    return FILE_SIZE.test(name) ? file.bytes : FILE_TYPE.test(name) ? file.mediaType : undefined
  }
  const facts = Object.fromEntries(
    names.flatMap(([name, schema]): [string, string | number][] => {
      const value = factOf(name)
      return value !== undefined && fits(schema, value) ? [[name, value]] : []
    }),
  )
  return inner ? { attributes: facts } : facts
}

/** The key of a new record, where a number or a text is all that the operation answers with. */
function keyAnswered({ representation: { isJson, media } }: ApiCall, { key }: Found): string | number | undefined {
  const { schema } = media ?? {}
  const [type, ...more] = isJson ? (schema?.types ?? []) : []
  const isPlain = more.length === 0 && /^(string|integer|number)$/.test(type ?? '')
  return schema && isPlain ? keyWord(schema, key) : undefined
}

/** The record of an optional id in the body: such creations change existing records (`POST /pet` with an id). */
function findExisting(
  setting: Setting,
  call: ApiCall,
  { collection, scope }: CreateEffect,
  sent: JsonObject,
): Found | undefined {
  const view = setting.world.collection(collection)
  const { field, clientChosen } = view.model.id
  const [name] = field ?? []
  if (!clientChosen || field?.length !== 1 || name === undefined || !endsInId(name)) return undefined
  const id = keyIn(findValue(sent, name))
  const own = id === undefined ? undefined : view.findIn(id, toScopeMatches(setting, call, scope))
  const record = own === undefined ? undefined : view.get(own)
  const isOptional = !bodySchemas(call, name).some((schema) => schema.required.has(name))
  return own !== undefined && record !== undefined && isOptional ? { collection, key: own, record } : undefined
}

/** Schemas of the body that decide whether a field is required: its own, or that of the wrapped object. */
function bodySchemas({ body: { schema } }: ApiCall, name: string): readonly Schema[] {
  if (schema === undefined) return []
  return [schema, ...schema.properties.values()].filter(({ properties }) => properties.has(name))
}

function overwrite(setting: Setting, call: ApiCall, effect: CreateEffect, found: Found, sent: JsonObject): Answered {
  const made = changedTo(found, updateRecord(setting, call, found, { sent }))
  return {
    response: answerRecord(setting, call, { envelope: effect.envelope, found: made.found }),
    changes: [made.change],
  }
}

/** Creates a record for each item. */
export function createSeveral(
  setting: Setting,
  call: ApiCall,
  { collection, scope, envelope }: Pick<CreateEffect, 'collection' | 'scope' | 'envelope'>,
  items: readonly JsonObject[],
): Answered {
  const keys = new NewKeys(setting.world.collection(collection))
  const made = items.map((sent) => makeRecord(setting, call, { collection, scope, sent, keys }))
  return answerMade(setting, call, { envelope: listIn(call, envelope), made })
}

/** The place of several records, where one or several may be shown: `{ created: Env | Env[] }`. */
function listIn({ representation }: ApiCall, envelope: Envelope): Envelope {
  const shown = envelope.shape === 'record' ? schemaAt(representation.schema, envelope.path) : undefined
  const schema = [shown, ...(shown?.variants ?? [])].find((one) => one?.items !== undefined)?.items
  return schema === undefined ? envelope : { path: envelope.path, shape: 'list', schema }
}

/** Address of a new record, for answers of 201, those without a body, and those that declare it. */
export function locationOf({ world }: Setting, call: ApiCall, { collection, key, record }: Found): string | undefined {
  const { success, segments } = call.operation
  const isDeclared = success.headers.has('location')
  if (success.status !== 201 && success.content.size > 0 && !isDeclared) return undefined
  const { itemRead } = call.compiled
  if (itemRead === undefined) return undefined
  const isBelow = itemRead.segments.length === segments.length + 1
  if (!isBelow && !isDeclared) return undefined
  const { origin } = call.request
  const own = call.request.path.replace(/\/+$/, '')
  // A job is read elsewhere: `POST /items/import`, `GET /imports/{id}`.
  const elsewhere = itemRead.path.slice(0, itemRead.path.lastIndexOf('/'))
  const path = isBelow ? own : own.split('/').slice(0, -segments.length).join('/') + elsewhere
  const id = keyOf(world.collection(collection).model, record) ?? key
  const last = itemRead.parameters.findLast((parameter) => parameter.in === 'path')
  const text = isUuid(id) ? id : encodeURIComponent(id)
  return `${origin}${path}/${last ? withPrefix(last, text) : text}`
}
