import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { ApiModel, Effect } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { answerRecord, answerRecords } from './answer.ts'
import type { Call, Done, Found, Setting } from './call.ts'
import { firstFields, unwrapBody } from './client-fields.ts'
import { makeRecord } from './make-record.ts'
import { requireParents } from './scope.ts'

/** Makes one record, or one for each item where the client sent several. */
export function create(setting: Setting, call: Call, effect: Effect & { kind: 'create' }): Done {
  requireParents(setting, call, effect.scope)
  const { collection, scope, envelope } = effect
  const body = unwrapBody(call.body.value, effect.body)
  const several = Array.isArray(body) ? body.filter((item) => isJsonObject(item)) : []
  if (several.length > 1) return createSeveral(setting, call, effect, several)
  const { found, change } = makeRecord(setting, call, { collection, scope, sent: firstFields(body) })
  const location = locationOf(setting.model, call, found)
  const response = answerRecord(setting, call, {
    envelope,
    found,
    headers: location === undefined ? {} : { Location: location },
  })
  return { response, changes: [change] }
}

/** Makes a record for each item. */
export function createSeveral(
  setting: Setting,
  call: Call,
  { collection, scope, envelope }: Pick<Effect & { kind: 'create' }, 'collection' | 'scope' | 'envelope'>,
  items: readonly JsonObject[],
): Done {
  const changes: Change[] = []
  const founds: Found[] = []
  for (const [ahead, sent] of items.entries()) {
    const { found, change } = makeRecord(setting, call, { collection, scope, sent, ahead })
    founds.push(found)
    changes.push(change)
  }
  return { response: answerRecords(setting, call, { envelope, founds }), changes }
}

/** Address of a new record, for answers of 201 and for those without a body. */
function locationOf(model: ApiModel, call: Call, { collection, key }: Found): string | undefined {
  const { status, headers, content } = call.operation.success
  if (status !== 201 && content.size > 0 && !headers.has('location')) return undefined
  const path = call.request.path.replace(/\/+$/, '')
  const item = model.operations.find(
    ({ effect, segments }) =>
      effect.kind === 'read' &&
      effect.collection === collection &&
      effect.keys.length === 1 &&
      segments.length === call.operation.segments.length + 1,
  )
  return item === undefined ? undefined : `${call.request.origin}${path}/${encodeURIComponent(key)}`
}
