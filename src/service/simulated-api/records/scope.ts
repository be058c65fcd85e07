import { type JsonObject, readField } from '../../../protocol/json.ts'
import { hashText } from '../../../runtime/random.ts'
import type { FieldPath } from '../../../schema/schema.ts'
import type { RecordScope } from '../../dataset/dataset.ts'
import type { CollectionModel, ScopeParam } from '../../openapi/model.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { keyIn } from '../../world/field.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import type { World } from '../../world/world.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import { allNames, uniqueFields } from '../facts/intake.ts'
import { Refusal } from '../refusal.ts'

/** The records above a path, for comparison by `World`. */
export function toScopeMatches(setting: Setting, call: ApiCall, scope: readonly ScopeParam[]): readonly ScopeMatch[] {
  if (scope.length === 0) return NO_MATCHES
  return scope.map((param) => ({
    name: param.collection ?? freeName(setting, param),
    value: toKey(setting, param, call.params[param.param] ?? ''),
    field: param.field,
  }))
}

/** The name of a parameter without a record, which may have the name of a collection: `{project}` of the builds in `/project/{user}/{project}`. */
const freeName = ({ world }: Setting, { param }: ScopeParam): string =>
  world.dataset.tables.has(param) ? `{${param}}` : param

/** The scope of a record created below a path. */
export function toScope(matches: readonly ScopeMatch[]): RecordScope {
  return matches.length === 0 ? NO_SCOPE : Object.fromEntries(matches.map(({ name, value }) => [name, value]))
}

const NO_MATCHES: readonly ScopeMatch[] = []
const NO_SCOPE: RecordScope = {}

/**
 * The parents of a new record: the parent in its fields, or a random one. Where the record has no field for its parent,
 * the name of the path's parameter stands for one: `gist_id`.
 */
export function findParent(
  world: World,
  model: CollectionModel,
  fields: JsonObject,
  ordinal: number,
): { readonly matches: readonly ScopeMatch[]; readonly rest: JsonObject } {
  const { parent } = model
  if (parent === undefined) return { matches: [], rest: fields }
  const { [parent.param]: byPath, ...others } = fields
  const isByPath = parent.field === undefined && byPath !== undefined && !allNames(model.schema).has(parent.param)
  const named = keyIn(isByPath ? byPath : parent.field && readField(fields, parent.field))
  const parents = world.collection(parent.collection)
  const drawn = () => parents.pickKey(hashText(`${model.name} ${ordinal}`))
  const key = named === undefined ? drawn() : (parents.findIn(named, []) ?? named)
  const rest = isByPath ? others : fields
  if (key === undefined) return { matches: [], rest }
  const above = Object.entries(parents.scopeOf(key)).map(([name, value]) => ({ name, value, field: undefined }))
  return { matches: [...above, { name: parent.collection, value: key, field: parent.field }], rest }
}

/** Distinguishes documents below different records. */
export const toScopeKey = (setting: Setting, call: ApiCall, scope: readonly ScopeParam[]): string =>
  toScopeMatches(setting, call, scope)
    .map(({ value }) => value)
    .join('/')

/** Whether an operation declares 404 for missing records, and the simulation honours it. */
export const requiresParents = ({ lenientParents }: Setting, { operation }: ApiCall): boolean =>
  !lenientParents && operation.responses.has('404')

/** Refuses with 404 a path below a missing record, where that is declared. */
export function requireParents(setting: Setting, call: ApiCall, scope: readonly ScopeParam[]): void {
  if (requiresParents(setting, call)) refuseMissing(setting, call, scope)
}

function refuseMissing(setting: Setting, call: ApiCall, scope: readonly ScopeParam[]): void {
  for (const { fact, facts } of missingParents(setting, call, scope))
    throw new Refusal(404, 'not_found', `${fact}.`, undefined, { facts })
}

/** Warns of a request below missing records, which was answered as if they were there. */
export function warnOfMissingParents(
  setting: Setting,
  call: ApiCall,
  scope: readonly ScopeParam[],
  warnings: string[],
): void {
  const next = setting.lenientParents ? 'Leave out `lenientParents` for a 404' : 'Declare 404 for the operation'
  for (const { fact } of missingParents(setting, call, scope))
    warnings.push(`${fact}, so the real API may answer 404. ${next}.`)
}

function missingParents(setting: Setting, call: ApiCall, scope: readonly ScopeParam[]) {
  return scope.flatMap((param) => {
    if (param.collection === undefined || !setting.api.isShown(param.collection)) return []
    const value = call.params[param.param] ?? ''
    const parents = setting.world.collection(param.collection)
    if (parents.has(toKey(setting, param, value))) return []
    const { singular } = parents.model
    const fact = `Failed to find ${singular} "${value}", which \`${param.param}\` names`
    return [{ fact, facts: { singular, id: value } }]
  })
}

/** The key of the record above that the path names. Refuses with 404 without one. */
export function requireParent(setting: Setting, call: ApiCall, param: ScopeParam): string {
  refuseMissing(setting, call, [param])
  return toKey(setting, param, call.params[param.param] ?? '')
}

/** Refuses with 404 a path below a deleted record: the deletion removed its children. */
export function requireUndeletedParents(setting: Setting, call: ApiCall, scope: readonly ScopeParam[]): void {
  for (const { collection, param } of scope) {
    const value = call.params[param] ?? ''
    if (collection === undefined || !setting.world.wasDeleted(collection, value)) continue
    const { singular } = setting.world.collection(collection).model
    throw new Refusal(
      404,
      'not_found',
      `Failed to find ${singular} "${value}", which \`${param}\` names: it was deleted.`,
    )
  }
}

/** The key of a path parameter's record, possibly by another field; the text itself without one. */
function toKey(setting: Setting, param: ScopeParam, value: string): string {
  if (param.collection === undefined) return value
  const view = setting.world.collection(param.collection)
  if (param.key !== undefined) return view.find(param.key, value) ?? value
  const own = view.findIn(value, []) ?? findBy(view, view.model.alternateKeys, value)
  // Tests often name parents that no record has, and each such request would read all records.
  return own ?? (view.isIndexable ? keyOfText(view, value) : undefined) ?? value
}

/** The key of the record that has a text as its own name: its email, its slug. */
export const keyOfText = (view: CollectionView, text: string): string | undefined =>
  findBy(
    view,
    uniqueFields(view.model.schema).map((name) => [name]),
    text,
  )

/** The key of the record that has a value in the first of these fields in which one has it. */
export function findBy(
  view: CollectionView,
  fields: readonly FieldPath[],
  value: string,
  scope: readonly ScopeMatch[] = [],
): string | undefined {
  for (const field of fields) {
    const key = view.find(field, value, scope)
    if (key !== undefined) return key
  }
  return undefined
}
