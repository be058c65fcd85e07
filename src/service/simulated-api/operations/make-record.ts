import type { JsonObject } from '../../../protocol/json.ts'
import type { CollectionModel, ScopeParam } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { ScopeMatch } from '../../world/collection-view.ts'
import { keyIn, readField, refersTo, writeField } from '../../world/field.ts'
import { keyForNew } from '../../world/key-of.ts'
import { coerce } from '../body/coerce.ts'
import { findName } from '../presentation/field-name.ts'
import { Refusal } from '../refusal.ts'
import { fits } from '../validation/check.ts'
import type { Call, Found, Setting } from './call.ts'
import { allNames, toRecordFields } from './client-fields.ts'
import { toScope, toScopeMatches } from './scope.ts'

/** What a record is made from. */
export interface Making {
  readonly collection: string
  readonly scope: readonly ScopeParam[]
  /** What the client sent. */
  readonly sent: JsonObject
  /** Key that the path names, for a PUT that creates. */
  readonly id?: string
  /** How many records of the same request come before it. */
  readonly ahead?: number
}

/** A whole new record around what a client sent. Refuses with 409 a key that the client chose and that is taken. */
export function makeRecord(setting: Setting, call: Call, making: Making): { found: Found; change: Change } {
  const { collection, sent, id, ahead = 0 } = making
  const view = setting.world.collection(collection)
  const { model } = view
  const fields = toRecordFields(setting, model, sent, { call, key: String(view.created + ahead) })
  const fromPath = pathFields(model, call)
  const given = fromPath === undefined ? fields : { ...fromPath, ...fields }
  const chosen = model.id.clientChosen && model.id.field ? keyIn(readField(given, model.id.field)) : undefined
  const matches = toScopeMatches(setting, call, making.scope)
  if (chosen !== undefined && view.findIn(chosen, matches) !== undefined) {
    const name = model.id.field?.join('.')
    throw new Refusal(
      409,
      'conflict',
      `Failed to create ${model.singular} "${chosen}": there is one with that \`${name}\` already.`,
      name,
    )
  }
  const scope = toScope(setting, call, making.scope)
  const completed = setting.world.dataset.complete(collection, given, {
    ordinal: view.created + ahead,
    at: call.at,
    scope,
    ...(id !== undefined && { id }),
    pickKey: (name, draw) => setting.world.collection(name).pickKey(draw),
    isTaken: (key) => view.hasCreated(key),
  })
  const record = withParents(setting, completed, given, matches)
  const own = id !== undefined && model.id.field === undefined ? id : keyForNew(view, record, ahead)
  // Names are unique below one parent: the same name below another gets a key of its own.
  const key = view.has(own) ? [...Object.values(scope), own].join('/') : own
  return { found: { collection, key, record }, change: { type: 'created', collection, key, record, scope } }
}

/** Names that path parameters of parents share with fields of the record that mean something else. */
const OWN_NAMES = /^(id|uuid|gid|sid|name|slug|key|code|number|type|status|version|date)$/i

/** Path parameters that the record repeats: `account_sid` below `/Accounts/{AccountSid}`. Undefined for a path without any. */
function pathFields(model: CollectionModel, { params }: Call): JsonObject | undefined {
  const given = Object.entries(params)
  if (given.length === 0) return undefined
  const names = allNames(model.schema)
  const fields: JsonObject = {}
  for (const [param, text] of given) {
    if (OWN_NAMES.test(param)) continue
    const name = findName(names.keys(), param)
    const schema = name === undefined ? undefined : names.get(name)
    if (name === undefined || schema === undefined || name === model.id.field?.[0] || schema.properties.size > 0)
      continue
    const value = coerce(text, schema)
    if (fits(schema, value)) fields[name] = value
  }
  return fields
}

/**
 * The record with the parent that its path names: where nobody said so, the relation was drawn among the parents that there
 * are.
 */
function withParents(
  setting: Setting,
  record: JsonObject,
  given: JsonObject,
  scope: readonly ScopeMatch[],
): JsonObject {
  let result = record
  for (const { name, value, field } of scope) {
    const held = field && readField(record, field)
    if (field === undefined || held === undefined || refersTo(held, value) || readField(given, field) !== undefined)
      continue
    const isDrawn =
      setting.model.collections.some((model) => model.name === name) &&
      setting.world.collection(name).has(keyIn(held) ?? '')
    if (isDrawn) result = writeField(result, field, value)
  }
  return result
}
