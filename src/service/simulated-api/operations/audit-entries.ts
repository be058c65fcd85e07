import { snakeCase } from '../../../names/words.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ScopeParam } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { DEED } from '../facts/audit-logs.ts'
import { allNames } from '../facts/intake.ts'
import { makeRecord } from '../records/make-record.ts'
import { findRecord } from './find-record.ts'

/** Most records of an audit log. */
const MOST_ENTRIES = 10_000
/** An entry's field for its subject. */
const ABOUT = /^(resource|object|target|entity|record|subject|item)_?(id|key|uuid)$/

/** An answer with an entry about its first change, or its action, in each relevant audit log. Entries cause no webhook. */
export function withEntries(setting: Setting, call: ApiCall, answered: Answered): Answered {
  const { auditLogs } = setting.api
  const change = auditLogs.length === 0 ? undefined : (answered.changes[0] ?? leavingAsItWas(setting, call))
  if (change === undefined) return answered
  const logged = new Set<string>()
  const entries = auditLogs.flatMap(({ collection, scope }): Change[] => {
    const view = setting.world.collection(collection)
    const params = logged.has(collection) ? undefined : paramsFor(setting, call, change, scope)
    if (params === undefined || view.count >= MOST_ENTRIES) return []
    logged.add(collection)
    const names = new Map(allNames(view.model.schema))
    names.delete(view.model.id.field?.[0] ?? '')
    const sent = entryOf(setting, names, change)
    const made = makeRecord(setting, { ...call, params }, { collection, scope, sent }).change
    return made.type === 'created' ? [{ ...made, isQuiet: true }] : []
  })
  return entries.length === 0 ? answered : { ...answered, changes: [...answered.changes, ...entries] }
}

/** An action without a change is logged too: `/orders/{id}/refresh`. */
function leavingAsItWas(setting: Setting, call: ApiCall): Change | undefined {
  const { effect, method } = call.operation
  const found = effect.kind === 'action' && method !== 'GET' ? findRecord(setting, call, effect) : undefined
  return found && { type: 'updated', collection: found.collection, key: found.key, record: found.record }
}

/** The log path's parameters for a change; undefined where the log is about other records. */
function paramsFor(
  { world }: Setting,
  call: ApiCall,
  change: Change,
  scope: readonly ScopeParam[],
): Record<string, string> | undefined {
  const isRecord = 'collection' in change
  const own = change.type === 'created' ? change.scope : undefined
  const above = own ?? (isRecord ? world.collection(change.collection).scopeOf(change.key) : {})
  const params: Record<string, string> = {}
  for (const { param, collection } of scope) {
    const isOwn = isRecord && collection === change.collection
    const value = isOwn ? change.key : (above[collection ?? param] ?? call.params[param])
    if (value === undefined) return undefined
    params[param] = value
  }
  return params
}

/** The fields of an entry: the action and its record. */
function entryOf({ world }: Setting, names: ReadonlyMap<string, Schema>, change: Change): JsonObject {
  const isRecord = 'collection' in change
  const subject = isRecord ? world.collection(change.collection).model.singular : change.singleton
  const stem = change.type.slice(0, 6)
  const fields = [...names].flatMap(([name, schema]) => {
    const own = snakeCase(name)
    const ofEnum = schema.enum?.find((value) => typeof value === 'string' && value.toLowerCase().includes(stem))
    const isAbout = isRecord && (ABOUT.test(own) || own === `${subject}_id`)
    const deed = DEED.test(own) ? (schema.enum ? ofEnum : `${subject}.${change.type}`) : undefined
    const value = isAbout ? change.key : deed
    return typeof value === 'string' && fits(schema, value) ? [[name, value]] : []
  })
  return Object.fromEntries(fields) as JsonObject
}
