import type { JsonObject } from '../../../protocol/json.ts'
import type { ScopeParam } from '../../openapi/model.ts'
import type { FieldPath } from '../../openapi/schema.ts'
import type { Change } from '../../world/change.ts'
import { keyIn, readField } from '../../world/field.ts'
import { keyForNew } from '../../world/key-of.ts'
import { Refusal } from '../refusal.ts'
import type { Call, Found, Setting } from './call.ts'
import { toRecordFields } from './client-fields.ts'
import { toScope } from './scope.ts'

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
  const given = toRecordFields(setting, model, sent, { key: String(view.created + ahead) })
  const chosen = model.id.clientChosen && model.id.field ? keyIn(readField(given, model.id.field)) : undefined
  if (chosen !== undefined && view.has(chosen) && isServerMade(call, model.id.field)) {
    delete given[model.id.field?.[0] ?? '']
  } else if (chosen !== undefined && view.has(chosen)) {
    const name = model.id.field?.join('.')
    throw new Refusal(
      409,
      'conflict',
      `Failed to create ${model.singular} "${chosen}": there is one with that \`${name}\` already.`,
      name,
    )
  }
  const scope = toScope(setting, call, making.scope)
  const record = setting.world.dataset.complete(collection, given, {
    ordinal: view.created + ahead,
    at: call.at,
    scope,
    ...(id !== undefined && { id }),
    pickKey: (name, draw) => setting.world.collection(name).pickKey(draw),
    isTaken: (key) => view.has(key),
  })
  const key = id !== undefined && model.id.field === undefined ? id : keyForNew(view, record, ahead)
  return { found: { collection, key, record }, change: { type: 'created', collection, key, record, scope } }
}

/** Whether the server gives ids when the client does not: an id that the body may leave out. */
function isServerMade(call: Call, field: FieldPath | undefined): boolean {
  const [name] = field ?? []
  return name !== undefined && /(^|_)(id|uuid|gid|sid)$|Id$/.test(name) && call.body.schema?.required.has(name) !== true
}
