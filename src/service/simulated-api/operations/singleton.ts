import { findField } from '../../../names/find-field.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ActionSetting } from '../../openapi/action-setting.ts'
import type { Effect } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { schemaAt } from '../../world/field.ts'
import { applyJsonPatch, toJsonPatch } from '../body/json-patch.ts'
import { unwrapBody } from '../body/unwrap-body.ts'
import type { Answered, ApiCall, Found, Setting } from '../calls/call.ts'
import { firstFields, mergeFields } from '../records/client-fields.ts'
import { requireParents, toScopeKey, toScopeMatches } from '../records/scope.ts'
import { Refusal } from '../refusal.ts'
import { answerRecord } from './answer.ts'
import { applySetting } from './apply-setting.ts'
import { withEcho } from './echo.ts'

type SingletonEffect = Extract<Effect, { singleton: string }>

/** Reads or changes a document that exists once at its place. */
export function singleton(setting: Setting, call: ApiCall, effect: SingletonEffect): Answered {
  requireParents(setting, call, effect.scope)
  const { world } = setting
  const scopeKey = toScopeKey(setting, call, effect.scope)
  const owner = ownerOf(setting, call, effect)
  const isDeleted = owner?.part === undefined && world.isSingletonDeleted(effect.singleton, scopeKey)
  if (isDeleted && (effect.kind === 'singletonRead' || effect.kind === 'singletonDelete')) {
    throw new Refusal(404, 'not_found', `Failed to find ${effect.singleton}: it was deleted.`)
  }
  const place = { singleton: effect.singleton, scopeKey }
  const record = { ...world.singleton(effect.singleton, scopeKey), ...owner?.part }
  if (effect.kind === 'singletonRead') {
    const { schema } = setting.api.model.singletons.find(({ name }) => name === effect.singleton) ?? {}
    return answer(setting, call, effect, withEcho(call, record, schema), scopeKey)
  }
  if (effect.kind === 'singletonDelete') {
    const changes: Change[] = [
      { type: 'deleted', ...place },
      ...(owner ? [changeOwner(setting, call, owner, undefined)] : []),
    ]
    return { ...answer(setting, call, effect, record, scopeKey), changes }
  }
  const changed = change(setting, call, effect, record)
  const changes: Change[] = [
    { type: 'updated', ...place, record: changed },
    ...(owner ? [changeOwner(setting, call, owner, changed)] : []),
  ]
  return { ...answer(setting, call, effect, changed, scopeKey), changes }
}

/** The parent record of a document with a field that also shows the document. */
interface Owner {
  readonly found: Found
  readonly field: string
  /** Undefined where the record has none. */
  readonly part: JsonObject | undefined
}

function ownerOf(setting: Setting, call: ApiCall, effect: SingletonEffect): Owner | undefined {
  const { parent, field } = setting.api.model.singletons.find(({ name }) => name === effect.singleton) ?? {}
  if (parent === undefined || field === undefined) return undefined
  const key = toScopeMatches(setting, call, effect.scope).at(-1)?.value
  const found = key === undefined ? undefined : setting.world.collection(parent).live(key)
  const part = found && readField(found.record, [field])
  return found && { found, field, part: isJsonObject(part) ? part : undefined }
}

/** The change of the parent's field with the document; without a document, the field is removed. */
function changeOwner(setting: Setting, call: ApiCall, owner: Owner, document: JsonObject | undefined): Change {
  const { collection, key, record } = owner.found
  const { writer, model } = setting.world.collection(collection)
  const { [owner.field]: _, ...rest } = record
  const schema = schemaAt(model.schema, [owner.field])
  const part = document && fitted(setting, document, schema, `${collection}/${key}.${owner.field}`)
  const changed = part === undefined ? rest : { ...rest, [owner.field]: part }
  return { type: 'updated', collection, key, record: writer.touch(changed, call.at) }
}

function change(setting: Setting, call: ApiCall, effect: SingletonEffect, record: JsonObject): JsonObject {
  const sent = unwrapBody(call.body.value, effect.body)
  const steps = toJsonPatch(call.body.value)
  if (steps) return applyJsonPatch(record, steps)
  const schema = setting.api.model.singletons.find(({ name }) => name === effect.singleton)?.schema
  const fields = Object.entries(firstFields(sent)).map(([name, value]) => {
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

function answer(setting: Setting, call: ApiCall, effect: SingletonEffect, record: JsonObject, key: string): Answered {
  const found = { collection: effect.singleton, key, record }
  return { response: answerRecord(setting, call, { envelope: effect.envelope, found }), changes: [] }
}
