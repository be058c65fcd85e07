import { findField } from '../../../names/find-field.ts'
import { isIdName } from '../../../names/id-names.ts'
import { getOwn, isJsonObject, type Json, type JsonObject, writeField } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Envelope, Operation, Relation } from '../../openapi/model.ts'
import type { Change, UploadedFile } from '../../world/change.ts'
import { LiveRecord } from '../../world/collection-view.ts'
import { keyIn, schemaAt } from '../../world/field.ts'
import { writeXml } from '../body/xml.ts'
import type { Answered, ApiCall, Found, Setting } from '../calls/call.ts'
import { type ApiResponse, toText } from '../exchange.ts'
import { type RecordView, readView } from '../listing/record-view.ts'
import type { Fill } from '../presentation/envelope-writer.ts'
import { fileOf, rowsOf } from '../presentation/media-sample.ts'
import type { ShownRecord } from '../presentation/record-texts.ts'
import { answerValues, eventKindsOf, sequenceOf } from '../presentation/stream.ts'
import { composeAround, keyWord } from './compose-around.ts'
import { withEcho } from './echo.ts'

type Headers = Readonly<Record<string, string>>

/** Statuses without a body. */
export const EMPTY_STATUSES = new Set([204, 205, 304])

const NO_HEADERS: Headers = {}

/** An answer without a body. */
export function answerEmpty(call: ApiCall, headers = NO_HEADERS): ApiResponse {
  return { status: call.operation.success.status, headers, body: null }
}

/** An answer with one record, in the operation's envelope. */
export function answerRecord(
  setting: Setting,
  call: ApiCall,
  input: { envelope: Envelope; found: Found; shown?: ShownRecord | undefined; headers?: Headers | undefined },
): ApiResponse {
  const { found, headers = NO_HEADERS } = input
  const { operation } = call
  if (isBodiless(operation)) return answerEmpty(call, headers)
  if (!call.representation.isJson) return answerOther(setting, call, { key: found.key, founds: [found], headers })
  const { schema } = call.representation
  const envelope = envelopeIn(call, input.envelope)
  const shown = envelope === input.envelope ? input.shown : undefined
  if (envelope.shape === 'none') {
    const composed =
      schema === undefined
        ? withoutHidden(found.record, schemaOf(setting, found))
        : composeAround(setting, schema, found, operation)
    return answerJson(call, operation.method === 'GET' ? withEcho(call, composed, schema) : composed, headers)
  }
  const { query, compiled } = call
  const view = query.pairs.length === 0 ? undefined : readView(query, compiled.viewParameters)
  // Usually the record is the whole body.
  if (shown !== undefined && view === undefined && envelope.shape === 'record' && envelope.path.length === 0)
    return answerWith(call, shown.text, headers)
  const inner = placeRecord(setting, envelope, found, textOf(setting, call, envelope, { found, shown, view }))
  const [front, back] = setting.presenter.around(operation, { schema, envelope, fill: fillFromRecord(found) })
  return answerWith(call, front + inner + back, headers)
}

/** The schema of a record or document. */
const schemaOf = ({ api: { model } }: Setting, { collection }: Found): Schema | undefined =>
  [...model.collections, ...model.singletons].find(({ name }) => name === collection)?.schema

export const withoutHidden = (record: JsonObject, schema: Schema | undefined): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => schema?.properties.get(name)?.writeOnly !== true))

/** An answer with several records. @param input `shown`: their texts, if known */
export function answerRecords(
  setting: Setting,
  call: ApiCall,
  input: {
    envelope: Envelope
    founds: readonly Found[]
    shown?: readonly ShownRecord[]
    fill?: Fill
    headers?: Headers
  },
): ApiResponse {
  const { operation } = call
  const { founds, fill, headers = NO_HEADERS } = input
  if (isBodiless(operation)) return answerEmpty(call, headers)
  if (!call.representation.isJson) return answerOther(setting, call, { key: operation.id, founds, headers })
  const { schema } = call.representation
  const envelope = envelopeIn(call, input.envelope)
  const shown = envelope === input.envelope ? input.shown : undefined
  const [first] = founds
  if (envelope.shape === 'none') {
    const words = fill && schema ? wordsOf(fill, schema) : {}
    const record = { ...first?.record, ...keysIn(schema, founds), ...words }
    return answerJson(call, composeAround(setting, schema, { record, key: first?.key ?? '' }, operation), headers)
  }
  const { query, compiled } = call
  const view = query.pairs.length === 0 ? undefined : readView(query, compiled.viewParameters)
  const [front, back] = setting.presenter.around(operation, { schema, envelope, fill })
  const isPlain = envelope.shape !== 'ids' && envelope.shape !== 'record' && envelope.wrapper === undefined
  if (shown !== undefined && view === undefined && isPlain) {
    // Joined as one: a template around the list would be copied again when it is encoded.
    const texts = shown.map(({ text }) => text)
    texts[0] = `${front}[${texts[0] ?? ''}`
    texts.push(`${texts.pop()}]${back}`)
    return answerWith(call, texts.join(), headers)
  }
  return answerWith(call, front + placeRecords(setting, call, envelope, { founds, shown, view }) + back, headers)
}

/** The place of the data in the requested media type, where it has a schema of its own. */
function envelopeIn({ representation: { schema }, compiled }: ApiCall, envelope: Envelope): Envelope {
  if (schema === undefined || schema === compiled.representation.schema) return envelope
  const isMany = envelope.shape === 'list' || envelope.shape === 'ids'
  const paths = isMany ? [envelope.path, [], ...[...schema.properties.keys()].map((name) => [name])] : [envelope.path]
  for (const path of paths) {
    const at = path.length === 0 ? schema : schemaAt(schema, path)
    const own = isMany ? at?.items : at
    if (own !== undefined) return { path, shape: isMany ? 'list' : envelope.shape, schema: own }
  }
  return { path: [], shape: isMany ? 'none' : 'record', schema }
}

/** `{ publishedItemIds: ["1", "2"] }`: the keys of all records of a call. */
export function keysIn(schema: Schema | undefined, founds: readonly Found[]): JsonObject {
  const keys = founds.map(({ key }) => key)
  const lists = [...(schema?.fields ?? [])].filter(
    ([name, { items }]) => /(^|_)ids$|Ids$/.test(name) && !/err|fail|invalid|skip/i.test(name) && items !== undefined,
  )
  return Object.fromEntries(
    lists.flatMap(([name, { items }]) => (keys.every((key) => fits(items as Schema, key)) ? [[name, keys]] : [])),
  )
}

/** Facts about a list whose answer has no records: `{ count: 12 }`, `{ result: { count: 12 } }`. */
function wordsOf(fill: Fill, schema: Schema, depth = 0): JsonObject {
  const fields = [...schema.fields].map(([name, field]) => ({
    name,
    schema: field,
    isRequired: schema.required.has(name),
  }))
  const level = { fields, path: [], next: '' }
  const inner = (field: Schema): JsonObject | undefined => {
    const stored = depth < 2 && field.properties.size > 0 ? wordsOf(fill, field, depth + 1) : {}
    return Object.keys(stored).length === 0 ? undefined : stored
  }
  const words = fields.map((field) => [field.name, fill(field, level) ?? inner(field.schema)] as const)
  return Object.fromEntries(words.flatMap(([name, word]) => (word === undefined ? [] : [[name, word]])))
}

export function answerJson(call: ApiCall, value: Json, headers = NO_HEADERS): ApiResponse {
  return answerWith(call, JSON.stringify(value), headers)
}

/** Whether the operation answers only with a status. An accepted job has a key, which nothing else may tell. */
function isBodiless(operation: Operation): boolean {
  const { status, content } = operation.success
  if (status !== 200 && status !== 201 && EMPTY_STATUSES.has(status)) return true
  return content.size === 0 && (operation.method === 'DELETE' || (status === 202 && operation.effect.kind !== 'create'))
}

function answerWith(call: ApiCall, body: string | Uint8Array, more: Headers): ApiResponse {
  const { isXml, mediaType, schema } = call.representation
  const written = isXml ? writeXml(JSON.parse(toText(body)) as Json, schema) : body
  const headers = more === NO_HEADERS ? { 'Content-Type': mediaType } : { 'Content-Type': mediaType, ...more }
  return { status: call.operation.success.status, headers, body: written }
}

/**
 * The answer of an operation without JSON: a small file of its type, rows or events of the records, the description's
 * example, else a text.
 */
export function answerOther(
  setting: Setting,
  call: ApiCall,
  { key, founds, headers = NO_HEADERS }: { key: string; founds?: readonly Found[]; headers?: Headers },
): ApiResponse {
  const { media, mediaType } = call.representation
  const [found] = founds?.length === 1 ? founds : []
  const kept = found && setting.world.file(found.collection, found.key)
  if (kept) return answerFile(call, kept, headers)
  const file = fileOf(mediaType)
  if (file !== undefined) return answerWith(call, file, headers)
  const { presenter } = setting
  const { status } = call.operation.success
  const sequence = sequenceOf(mediaType)
  const isTable = /^text\/csv\b/.test(mediaType)
  const items = sequence === 'sse' ? eventItem(media?.schema) : presenter.itemSchema(founds?.[0]?.collection ?? '')
  const shown =
    isTable || (sequence !== undefined && (sequence !== 'sse' || items))
      ? founds?.map((found) => presenter.showOnce(found.collection, found, items))
      : undefined
  const make = (schema: Schema | undefined, at = key) =>
    presenter.projector.project(undefined, schema, `${call.operation.id}/${at}`)
  const kinds = sequence && media?.schema && eventKindsOf(media.schema.items ?? media.schema)
  const value = shown ?? media?.example ?? (kinds ? eventsOf(kinds, key, make) : make(media?.schema))
  if (sequence !== undefined)
    return answerValues([value as Json].flat(), {
      mediaType,
      status,
      headers,
      errorEvent: setting.entryEffects?.errorEvent,
    })
  if (isTable && typeof value !== 'string')
    return answerWith(call, rowsOf([value as Json].flat().map(asFields)), headers)
  return answerWith(call, typeof value === 'string' ? value : JSON.stringify(value), headers)
}

/** The schema of an item of a stream where that is a record and no event's own fields. */
const eventItem = (schema: Schema | undefined): Schema | undefined =>
  schema?.items && !schema.items.fields.has('data') && !schema.items.variants ? schema.items : undefined

/** An event of each kind. Fields with ids are equal in all of them. */
function eventsOf(
  kinds: readonly { schema: Schema; tag: JsonObject }[],
  key: string,
  make: (schema: Schema, at: string) => Json,
): Json[] {
  const ids: Record<string, Json> = {}
  return kinds.map(({ schema, tag }, at) => {
    const event = make(schema, `${key}/${at}`)
    if (!isJsonObject(event)) return event
    for (const [name, value] of Object.entries(event)) if (/(^id|_id|Id)$/.test(name)) ids[name] ??= value
    const shared = Object.fromEntries(
      Object.keys(event).flatMap((name) => (name in ids ? [[name, ids[name] as Json]] : [])),
    )
    return { ...event, ...shared, ...tag }
  })
}

/** A client's upload, unchanged. */
export function answerFile(call: ApiCall, { mediaType, base64 }: UploadedFile, more = NO_HEADERS): ApiResponse {
  const headers = { 'Content-Type': mediaType, ...more }
  return { status: call.operation.success.status, headers, body: Buffer.from(base64, 'base64') }
}

export function showIn({ presenter }: Setting, envelope: Envelope, found: LiveRecord): ShownRecord {
  return presenter.textsOf(found.collection, envelope.schema).show(found)
}

/** The text of a record in an answer. Reads cache it; a write's record is about to change. */
function textOf(
  setting: Setting,
  call: ApiCall,
  envelope: Envelope,
  { found, shown: given, view }: { found: Found; shown: ShownRecord | undefined; view: RecordView | undefined },
): string {
  const isKept = call.operation.method === 'GET' && found instanceof LiveRecord
  const shown = given ?? (isKept ? showIn(setting, envelope, found) : undefined)
  if (shown !== undefined && view === undefined) return shown.text
  const { presenter } = setting
  const schema = envelope.schema ?? presenter.itemSchema(found.collection)
  const json: Json = shown === undefined ? presenter.showOnce(found.collection, found, schema) : JSON.parse(shown.text)
  return JSON.stringify(view === undefined ? json : applyView(setting, view, { json, schema, found }))
}

/** A record with expanded relations, reduced to the requested fields; required fields always stay. */
function applyView(
  setting: Setting,
  view: RecordView,
  { json, schema, found }: { json: Json; schema: Schema | undefined; found: Found },
): Json {
  if (!isJsonObject(json)) return json
  const expanded = view.expand.reduce((record, path) => expand(setting, record, { path, schema, found }), json)
  if (view.fields === undefined) return expanded
  const { fields } = view
  const known = Object.keys(expanded).some((name) => findField(fields, name) !== undefined)
  if (!known) return expanded
  const kept = Object.entries(expanded).filter(
    ([name]) => schema?.required.has(name) || findField(fields, name) !== undefined,
  )
  return Object.fromEntries(kept)
}

function expand(
  setting: Setting,
  record: JsonObject,
  { path, schema, found }: { path: readonly string[]; schema: Schema | undefined; found: Found },
): JsonObject {
  const names = path[0] === 'data' ? path.slice(1) : path
  const name = findField(Object.keys(record), names[0] ?? '')
  const field = name === undefined ? undefined : schema?.properties.get(name)
  // A document is in no collection.
  const of = setting.world.dataset.tables.has(found.collection) ? setting.world.collection(found.collection) : undefined
  const relation = of?.model.relations.find(({ field: at }) => at.length === 1 && at[0] === name)
  if (name === undefined || field === undefined || relation === undefined) return record
  const stored = getOwn(record, name)
  const whole = Array.isArray(stored)
    ? stored.map((item) => related(setting, relation, item, field.items))
    : related(setting, relation, stored as Json, field)
  return { ...record, [name]: whole }
}

function related(setting: Setting, relation: Relation, stored: Json, schema: Schema | undefined): Json {
  const key = keyIn(stored)
  const record = key === undefined ? undefined : setting.world.collection(relation.collection).get(key)
  const objectSchema = schema?.variants?.find((variant) => variant.types.includes('object')) ?? schema
  if (key === undefined || record === undefined || !objectSchema?.types.includes('object')) return stored
  return setting.presenter.showOnce(relation.collection, { key, record }, objectSchema)
}

function placeRecord(setting: Setting, envelope: Envelope, found: Found, text: string): string {
  if (envelope.shape === 'record') return text
  if (envelope.shape === 'list' || envelope.shape === 'listOfOne') return `[${text}]`
  return envelope.shape === 'ids' ? `[${JSON.stringify(toIdValue(setting, envelope.schema, found.key))}]` : text
}

function placeRecords(
  setting: Setting,
  call: ApiCall,
  envelope: Envelope,
  {
    founds,
    shown,
    view,
  }: { founds: readonly Found[]; shown: readonly ShownRecord[] | undefined; view: RecordView | undefined },
): string {
  if (envelope.shape === 'ids') return JSON.stringify(founds.map(({ key }) => toIdValue(setting, envelope.schema, key)))
  const textAt = (at: number) =>
    textOf(setting, call, envelope, { found: founds[at] as Found, shown: shown?.[at], view })
  if (envelope.shape === 'record') return founds.length === 0 ? '{}' : textAt(0)
  let text = '['
  for (let at = 0; at < founds.length; at++) {
    if (at > 0) text += ','
    text += wrap(setting, envelope, founds[at] as Found, textAt(at))
  }
  return `${text}]`
}

/** The text of a record in the wrapper of list items. */
function wrap({ presenter }: Setting, { wrapper }: Envelope, found: Found, text: string): string {
  if (wrapper === undefined) return text
  const around = presenter.projector.project({}, wrapper.schema, found.key)
  const record = JSON.parse(text) as Json
  const isList = schemaAt(wrapper.schema, wrapper.path)?.types.includes('array') ?? false
  return JSON.stringify(writeField(asFields(around), wrapper.path, isList ? [record] : record))
}

/** A key as an item of a list of keys; an example where its schema has other values, such as an enum of words. */
function toIdValue({ presenter }: Setting, schema: Schema | undefined, key: string): Json {
  return schema === undefined ? key : (keyWord(schema, key) ?? presenter.projector.project(undefined, schema, key))
}

/** Fields next to the record that repeat one of its values: `{ id, task: {...} }`. */
function fillFromRecord(found: Found): Fill {
  return ({ name, schema }) =>
    schema && (isIdName(name) || name === 'key') && fits(schema, found.key) ? found.key : undefined
}

/** A record and its change. */
export interface Made {
  readonly found: Found
  readonly change: Change
}

/** A record with its new fields. */
export const changedTo = ({ collection, key }: Found, record: JsonObject): Made => ({
  found: { collection, key, record },
  change: { type: 'updated', collection, key, record },
})

export const deletionOf = ({ collection, key }: Found): Change => ({ type: 'deleted', collection, key })

/** The answer to a request that makes or changes several records. */
export const answerMade = (
  setting: Setting,
  call: ApiCall,
  { envelope, made, fill }: { envelope: Envelope; made: readonly Made[]; fill?: Fill },
): Answered => ({
  response: answerRecords(setting, call, { envelope, founds: made.map(({ found }) => found), ...(fill && { fill }) }),
  changes: made.map(({ change }) => change),
})

/** The fields of a JSON object, or none. */
export const asFields = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
