import { documentKinds, eventKinds, recordKinds } from '../../../names/event-kinds.ts'
import { didYouMean } from '../../../names/nearest-name.ts'
import { foldName } from '../../../names/words.ts'
import type { BehaviourPlan } from '../../../protocol/behaviour.ts'
import { badRequest, invalidRequest } from '../../../protocol/errors.ts'
import { summariseKinds } from '../../../protocol/event.ts'
import { type Json, type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import type { ApiModel, CollectionModel, DeclaredEvent, SingletonModel } from '../../openapi/model.ts'
import { explainGiven } from '../../simulated-api/validation/given-record.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { keyIn, schemaAt } from '../../world/field.ts'
import type { FieldTest } from '../../world/select.ts'
import { type Editing, planCreation, planUpdate, type RecordChange } from './edit-record.ts'

/** An event requested by a simulation's owner. */
export interface Trigger {
  /** A kind of event (`invoice.updated`), or a new status of a record (`invoice.paid`). */
  readonly type: string
  /** Fields of the record after it; for a deletion, before it. */
  readonly fields: JsonObject
}

/** A change that causes an event, and its prerequisite. */
interface PlannedTrigger {
  /** Creates the record, where none fits. */
  readonly before: Change | undefined
  readonly change: Change
}

/** Most records checked for one that would change. */
const MOST_LOOKED_AT = 50

/** The target of a trigger. */
type Target =
  | { readonly kind: 'created' | 'updated' | 'deleted'; readonly model: CollectionModel }
  | {
      readonly kind: 'status'
      readonly model: CollectionModel
      readonly field: NonNullable<CollectionModel['statusField']>
      readonly status: Json
    }
  | { readonly kind: 'documentUpdated' | 'documentDeleted'; readonly document: SingletonModel }

/**
 * Plans the change that causes the event, on a fitting record or on a new one. Nothing is written. Throws `bad_request`
 * for an unknown event or status, `invalid_request` for fields that do not fit the description.
 */
export function planTrigger(editing: Editing, { type, fields }: Trigger, plan: BehaviourPlan): PlannedTrigger {
  const target = findTarget(editing, type, fields)
  if ('document' in target) return planDocument(editing, target, fields)
  const view = editing.world.collection(target.model.name)
  switch (target.kind) {
    case 'created':
      return { before: undefined, change: planCreation(editing, view, fields) }
    case 'updated':
      return change(editing, view, { fields, where: [], first: fields })
    case 'status':
      return reach(editing, view, target, fields, statusesBefore(plan, target))
    case 'deleted':
      return remove(editing, view, fields)
  }
}

/** Plans a change to a status: from a status that the plan uses, else from any other. */
function reach(
  editing: Editing,
  view: CollectionView,
  { model, field, status }: Extract<Target, { readonly kind: 'status' }>,
  fields: JsonObject,
  froms: readonly Json[],
): PlannedTrigger {
  const isBefore = { field, test: (value: Json | undefined) => value !== undefined && froms.includes(value) }
  const isOther = { field, test: (value: Json | undefined) => value !== status }
  const where = view.first({ where: [isBefore] }) === undefined ? [isOther] : [isBefore]
  const from = froms[0] ?? statusesOf(model).find((other) => other !== status) ?? status
  const first = writeField(fields, field, from)
  return change(editing, view, { fields: writeField(fields, field, status), where, first })
}

/** The target state, the fitting records, and the state before it of a new record. */
interface Becoming {
  readonly fields: JsonObject
  readonly where: readonly FieldTest[]
  readonly first: JsonObject
}

/** Changes the record with the id in the fields, or the newest fitting one in another state. */
function change(editing: Editing, view: CollectionView, { fields, where, first }: Becoming): PlannedTrigger {
  const { records } = view.select({ newestFirst: true, where, limit: MOST_LOOKED_AT })
  const isOther = ({ record }: LiveRecord) => Object.keys(fields).length === 0 || !holdsAll(record, fields)
  const found = findNamed(view, fields) ?? records.find(isOther) ?? records[0]
  if (found !== undefined) return { before: undefined, change: planUpdate(editing, view, found, fields) }
  const before = planCreation(editing, view, first)
  return { before, change: planUpdate(editing, view, made(before), fields) }
}

function remove(editing: Editing, view: CollectionView, fields: JsonObject): PlannedTrigger {
  const { givenFields } = editing.api.collection(view.model.name)
  const fault = explainGiven(fields, givenFields)
  if (fault !== undefined) throw invalidRequest(fault)
  const where = Object.entries(fields).map(
    ([name, item]): FieldTest => ({
      field: [name],
      test: (value) => holdsAll(value, item),
    }),
  )
  const found = findNamed(view, fields) ?? view.first({ newestFirst: true, where })
  const before = found === undefined ? planCreation(editing, view, fields) : undefined
  const { key } = found ?? made(before)
  return { before, change: { type: 'deleted', collection: view.model.name, key } }
}

/** Changes or deletes a document; of one below records, that of the first record. */
function planDocument(
  { api, world }: Editing,
  { kind, document }: Extract<Target, { readonly document: SingletonModel }>,
  fields: JsonObject,
): PlannedTrigger {
  const fault = explainGiven(fields, { schema: document.schema, others: new Set(), id: undefined })
  if (fault !== undefined) throw invalidRequest(fault)
  const place = { singleton: document.name, scopeKey: scopeKeyOf({ api, world }, document) }
  const current = world.singleton(place.singleton, place.scopeKey)
  const isDeleted = world.isSingletonDeleted(place.singleton, place.scopeKey)
  const record = { ...current, ...fields }
  if (kind === 'documentUpdated') return { before: undefined, change: { type: 'updated', ...place, record } }
  return {
    before: isDeleted ? { type: 'updated', ...place, record } : undefined,
    change: { type: 'deleted', ...place },
  }
}

/** The scope of the document below its parent's first record; '' at the top. */
function scopeKeyOf({ api, world }: Pick<Editing, 'api' | 'world'>, { name, parent }: SingletonModel): string {
  const effects = api.model.operations.map(({ effect }) => effect)
  const effect = effects.find((found) => 'singleton' in found && found.singleton === name)
  if (parent === undefined || effect === undefined || !('scope' in effect)) return ''
  const parents = world.collection(parent)
  const key = parents.first({})?.key ?? ''
  const keys: Readonly<Record<string, string>> = { ...parents.scopeOf(key), [parent]: key }
  return effect.scope.map(({ collection, param }) => keys[collection ?? param] ?? '').join('/')
}

/** The target of a trigger. Of several collections with that record name, the first that accepts the fields and has records. */
function findTarget({ api, world }: Editing, type: string, fields: JsonObject): Target {
  const declared = api.model.declaredEvents.filter((event) => event.type === type)
  const targets = [
    ...declared.flatMap((event) => declaredTarget(event, api.model) ?? []),
    ...api.model.collections.flatMap((model) => targetOf(model, type) ?? []),
  ]
  const takes = ({ model }: (typeof targets)[number]) =>
    explainGiven(fields, api.collection(model.name).givenFields) === undefined
  const taking = targets.filter(takes)
  const target = taking.find(({ model }) => world.count(model.name) > 0) ?? taking[0] ?? targets[0]
  const found = target ?? findDocument(api.model, type)
  if (found !== undefined) return found
  const kinds = [...new Set([...api.model.declaredEvents.map((event) => event.type), ...eventKinds(api.model)])]
  const statuses = api.model.collections.flatMap((model) =>
    statusesOf(model).map((status) => `${model.singular}.${status}`),
  )
  const known = [...kinds, ...statuses]
  throw badRequest(
    `Failed to trigger "${type}": no event or status is called that here.${didYouMean(type, known)} There are ${summariseKinds(known, type)}.`,
  )
}

/** The target of an event that the description declares. */
function declaredTarget(
  { collection, verbs, becomes, changes }: DeclaredEvent,
  { collections }: ApiModel,
): ReturnType<typeof targetOf> {
  const model = collections.find(({ name }) => name === collection)
  if (model === undefined) return undefined
  const [reached] = Object.entries(becomes ?? {})
  if (reached !== undefined) return { kind: 'status', model, field: [reached[0]], status: reached[1] }
  const [first = 'updated'] = verbs
  return { kind: changes !== undefined || verbs.length > 1 ? 'updated' : first, model }
}

function targetOf(
  model: CollectionModel,
  type: string,
): Exclude<Target, { readonly document: SingletonModel }> | undefined {
  const kinds = recordKinds(model)
  for (const kind of ['created', 'updated', 'deleted'] as const) if (kinds[kind] === type) return { kind, model }
  const { statusField: field, singular } = model
  if (field === null || !type.startsWith(`${singular}.`)) return undefined
  const word = foldName(type.slice(singular.length + 1))
  const status = statusesOf(model).find((value) => foldName(String(value)) === word)
  return status === undefined ? undefined : { kind: 'status', model, field, status }
}

function findDocument(model: Editing['api']['model'], type: string): Target | undefined {
  const kindsOf = documentKinds(model)
  for (const document of model.singletons) {
    const { updated, deleted } = kindsOf(document)
    if (updated === type) return { kind: 'documentUpdated', document }
    if (deleted === type) return { kind: 'documentDeleted', document }
  }
  return undefined
}

/** The values of a collection's status, by its schema. */
function statusesOf({ statusField, schema, listSchema }: CollectionModel): readonly Json[] {
  return (statusField && schemaAt(schema ?? listSchema, statusField)?.enum) ?? []
}

/** The statuses from which the plan changes to this one. */
function statusesBefore(
  { rules }: BehaviourPlan,
  { model, field, status }: Extract<Target, { readonly kind: 'status' }>,
): Json[] {
  return rules.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      if (step.kind !== 'transition' || step.collection !== model.name || step.from === undefined) return []
      if (step.field !== undefined && step.field !== field.join('.')) return []
      const { to } = step
      const isTo = typeof to === 'object' && to !== null ? Object.hasOwn(to, String(status)) : to === status
      return isTo ? step.from : []
    }),
  )
}

function findNamed(view: CollectionView, fields: JsonObject): { key: string; record: JsonObject } | undefined {
  const id = keyIn(view.model.id.field && readField(fields, view.model.id.field))
  const key = id === undefined ? undefined : view.findIn(id, [])
  return key === undefined ? undefined : view.live(key)
}

/** Whether a value includes all of a partial value; lists are compared whole. */
function holdsAll(value: Json | undefined, part: Json): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part))
    return JSON.stringify(value) === JSON.stringify(part)
  return Object.entries(part).every(([name, item]) => holdsAll(readField(value, [name]), item))
}

function made(before: RecordChange | undefined): { key: string; record: JsonObject } {
  if (before?.type !== 'created') throw new Error('Failed to trigger an event: no record was made.')
  return { key: before.key, record: before.record }
}
