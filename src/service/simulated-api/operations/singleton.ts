import { findField } from '../../../names/find-field.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Effect } from '../../openapi/model.ts'
import { schemaAt } from '../../world/field.ts'
import { applyJsonPatch, toJsonPatch } from '../body/json-patch.ts'
import { Refusal } from '../refusal.ts'
import { answerRecord } from './answer.ts'
import type { Answered, ApiCall, Setting } from './call.ts'
import { firstFields, mergeFields, unwrapBody } from './client-fields.ts'
import { requireParents, toScopeKey } from './scope.ts'

type SingletonEffect = Extract<Effect, { singleton: string }>

/** Reads or changes a document of which there is one at its place. */
export function singleton(setting: Setting, call: ApiCall, effect: SingletonEffect): Answered {
  requireParents(setting, call, effect.scope)
  const { world } = setting
  const scopeKey = toScopeKey(setting, call, effect.scope)
  const isDeleted = world.isSingletonDeleted(effect.singleton, scopeKey)
  if (isDeleted && (effect.kind === 'singletonRead' || effect.kind === 'singletonDelete')) {
    throw new Refusal(404, 'not_found', `Failed to find ${effect.singleton}: it was deleted.`)
  }
  const place = { singleton: effect.singleton, scopeKey }
  const record = world.singleton(effect.singleton, scopeKey)
  if (effect.kind === 'singletonRead') return answer(setting, call, effect, record, scopeKey)
  if (effect.kind === 'singletonDelete') {
    return { ...answer(setting, call, effect, record, scopeKey), changes: [{ type: 'deleted', ...place }] }
  }
  const changed = change(setting, call, effect, record)
  return {
    ...answer(setting, call, effect, changed, scopeKey),
    changes: [{ type: 'updated', ...place, record: changed }],
  }
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
  return mergeFields(record, Object.fromEntries(fields), { schema, isReplace, call })
}

function fitted(setting: Setting, value: Json, field: Schema | undefined, key: string): Json {
  return value === null ? null : (setting.presenter.projector.fit(value, field, key) ?? value)
}

function answer(setting: Setting, call: ApiCall, effect: SingletonEffect, record: JsonObject, key: string): Answered {
  const found = { collection: effect.singleton, key, record }
  return { response: answerRecord(setting, call, { envelope: effect.envelope, found }), changes: [] }
}
