import { isJsonObject, type Json, type JsonObject, writeField } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Effect } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { type Answered, type ApiCall, type Found, NO_CHANGES, type Setting, withUpload } from '../calls/call.ts'
import { requireParents, toScopeKey, toScopeMatches } from '../records/scope.ts'
import { Refusal } from '../refusal.ts'
import { answerEmpty, answerFile, answerJson } from './answer.ts'
import { showExample } from './example.ts'

type WholeEffect = Extract<Effect, { singleton: string }> & { readonly whole: 'value' | 'file' }

/** Path words for the bytes of the record before them. */
const CONTENT = /^(contents?|download|file|raw|data|body|media|binary|blob|original|source|stream|bytes)$/i

/** Reads or changes a document that is not an object of fields: another JSON value, or an upload. */
export function wholeDocument(setting: Setting, call: ApiCall, effect: WholeEffect): Answered {
  requireParents(setting, call, effect.scope)
  const { world } = setting
  const place = { singleton: effect.singleton, scopeKey: toScopeKey(setting, call, effect.scope) }
  const isGone = world.isSingletonDeleted(place.singleton, place.scopeKey)
  if (isGone && (effect.kind === 'singletonRead' || effect.kind === 'singletonDelete')) {
    throw new Refusal(404, 'not_found', `Failed to find ${place.singleton}: it was deleted.`)
  }
  if (effect.kind === 'singletonDelete')
    return { ...showPlain(setting, call), changes: [{ type: 'deleted', ...place }] }
  const owner = ownerOf(setting, call, effect)
  if (effect.kind === 'singletonRead') return show(setting, call, effect, place.scopeKey, owner)
  if (effect.whole === 'file') {
    const record = { content_type: call.body.mediaType, size: call.request.body.length }
    return { ...showPlain(setting, call), changes: [withUpload(call, { type: 'updated', ...place, record })] }
  }
  const value = valueSent(setting, call, effect, heldIn(setting, effect, place.scopeKey, owner))
  if (value === undefined) return showPlain(setting, call)
  const changes: Change[] = [
    { type: 'updated', ...place, record: { value } },
    ...ownerChange(setting, call, owner, value),
  ]
  const { media, isJson } = call.representation
  const isShown = isJson && media?.schema !== undefined && fits(media.schema, value)
  return isShown ? { response: answerJson(call, value), changes } : { ...showPlain(setting, call), changes }
}

/** The parent record of a document, and its field that also shows the document. */
interface Owner {
  readonly found: Found
  readonly field: string | undefined
}

function ownerOf(setting: Setting, call: ApiCall, effect: WholeEffect): Owner | undefined {
  const { parent, field } = documentOf(setting, effect) ?? {}
  const key = parent === undefined ? undefined : toScopeMatches(setting, call, effect.scope).at(-1)?.value
  const found = parent === undefined || key === undefined ? undefined : setting.world.collection(parent).live(key)
  return found && { found, field }
}

const documentOf = ({ api }: Setting, { singleton }: WholeEffect) =>
  api.model.singletons.find(({ name }) => name === singleton)

/** The kept value: as written, else as the record shows it. */
function heldIn({ world }: Setting, { singleton }: WholeEffect, scopeKey: string, owner: Owner | undefined) {
  const shown = owner?.field === undefined ? undefined : owner.found.record[owner.field]
  return shown ?? world.singleton(singleton, scopeKey).value
}

function show(
  setting: Setting,
  call: ApiCall,
  effect: WholeEffect,
  scopeKey: string,
  owner: Owner | undefined,
): Answered {
  const { world } = setting
  const word = call.operation.path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
  const isFile = effect.whole === 'file'
  // `GET /files/{id}/content` described as a text shows the file unchanged.
  const mayBeFile = isFile || documentOf(setting, effect)?.valueSchema?.types.join() === 'string'
  const ofRecord = owner && CONTENT.test(word) ? world.file(owner.found.collection, owner.found.key) : undefined
  const file = mayBeFile ? (world.file(effect.singleton, scopeKey) ?? ofRecord) : undefined
  if (file) return { response: answerFile(call, file), changes: NO_CHANGES }
  if (isFile) return showExample(setting, call)
  const value = heldIn(setting, effect, scopeKey, owner)
  const { media, isJson } = call.representation
  if (value === undefined || !isJson || (media?.schema && !fits(media.schema, value))) return showExample(setting, call)
  return { response: answerJson(call, value), changes: NO_CHANGES }
}

/** The client's value: its whole body, or the only part that can be the value. POST adds to a list. */
function valueSent(setting: Setting, call: ApiCall, effect: WholeEffect, stored: Json | undefined): Json | undefined {
  const { valueSchema } = documentOf(setting, effect) ?? {}
  const sent = call.body.value
  if (sent === undefined) return undefined
  const candidates = [sent, ...(isJsonObject(sent) ? Object.values(sent) : [])]
  const isList = valueSchema?.types.includes('array') === true
  const whole = candidates.find((value) => valueSchema === undefined || fits(valueSchema, value))
  if (!isList || call.operation.method !== 'POST') return whole
  const items = Array.isArray(whole) ? whole : candidates.filter((value) => isItem(valueSchema, value)).slice(0, 1)
  const others = (Array.isArray(stored) ? stored : []).filter((item) => !items.includes(item))
  return items.length === 0 ? undefined : [...others, ...items]
}

const isItem = ({ items }: Schema, value: Json): boolean => items === undefined || fits(items, value)

function ownerChange(setting: Setting, call: ApiCall, owner: Owner | undefined, value: Json): Change[] {
  if (owner?.field === undefined) return []
  const { collection, key, record } = owner.found
  const { writer } = setting.world.collection(collection)
  const changed: JsonObject = writeField(record, [owner.field], value)
  return [{ type: 'updated', collection, key, record: writer.touch(changed, call.at) }]
}

/** The answer to a write: as declared, without the document. */
function showPlain(setting: Setting, call: ApiCall): Answered {
  const { status, content } = call.operation.success
  const isEmpty = status === 204 || content.size === 0
  return isEmpty ? { response: answerEmpty(call), changes: NO_CHANGES } : showExample(setting, call)
}
