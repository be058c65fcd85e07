import { findField } from '../../../names/find-field.ts'
import { kindOfVerb, participlesOf, SETS } from '../../../names/verbs.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ActionSetting, VerbOutcome } from '../../openapi/action-setting.ts'
import type { CollectionModel, Effect, LeftBehind } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { keyIn, schemaAt } from '../../world/field.ts'
import { unwrapBody } from '../body/sent-records.ts'
import { type Answered, type ApiCall, type Found, type Setting, withUpload } from '../calls/call.ts'
import { allNames, type Intake } from '../facts/intake.ts'
import { HIDDEN_DELETED_AT } from '../facts/upkeep.ts'
import { firstFields, mergeFields, relationName, sentFields, toRecordFields } from '../records/client-fields.ts'
import { makeRecord, withNames } from '../records/make-record.ts'
import { toScopeMatches } from '../records/scope.ts'
import { withSums } from '../records/with-sums.ts'
import { Refusal } from '../refusal.ts'
import { answerJson, answerRecord, answerRecords, changedTo, deletionOf, keysIn } from './answer.ts'
import { applySetting, itemOf, movedField, sendsItem } from './apply-setting.ts'
import { DELETED, howMany, recordsNamedBy, STORED } from './bulk.ts'
import { createSeveral, locationOf } from './create.ts'
import { showExample } from './example.ts'
import { findMeant, findRecord, missing, namedRecords, namesRecord } from './find-record.ts'
import { withNextVersion } from './item.ts'
import { requireState } from './require-state.ts'

/** Acts on one record: sets the verb's status, and the record's fields in the body. */
export function act(setting: Setting, call: ApiCall, effect: ActionEffect): Answered {
  const found = findRecord(setting, call, effect)
  if (found === undefined && !namesRecord(call, effect)) return actOnCollection(setting, call, effect)
  if (found === undefined && MAKES.test(effect.verb) && effect.keys.every((key) => key.in !== 'path')) {
    return actOnCollection(setting, call, effect)
  }
  // `POST /public_tokens/exchange { token }`: the token came from another operation.
  const isKnown = effect.keys.some((key) => key.in === 'path') || setting.api.isShown(effect.collection)
  if (found === undefined && !isKnown) return showExample(setting, call)
  if (found === undefined) throw missing(setting, call, effect)
  if (COPIES.test(effect.verb)) return copyRecord(setting, call, effect, found)
  const outcome = outcomeOf(effect, firstFields(call.body.value))
  if (outcome) requireState(setting, effect, found, outcome)
  if (outcome === undefined) {
    return { response: answerRecord(setting, call, { envelope: effect.envelope, found }), changes: [deletionOf(found)] }
  }
  const { body, verb, makes } = effect
  const view = setting.world.collection(found.collection)
  const acted = actOn(setting, call, view, found, { ...outcome, body, verb, makes })
  const { [HIDDEN_DELETED_AT]: _, ...record } = acted
  const made = changedTo(found, record)
  const change = withUpload(call, made.change)
  const isChanged = 'file' in change || JSON.stringify(record) !== JSON.stringify(found.record)
  const changes: Change[] = isChanged ? [change] : []
  if (effect.makes) return leaveBehind(setting, call, effect, effect.makes, changes)
  const item =
    effect.envelope.shape === 'none' ? itemShown(call, effect, { before: found.record, after: record }) : undefined
  if (item !== undefined) return { response: answerItem(setting, call, item), changes }
  // A list of results, one for each of the ids that were sent.
  const isOfResults = effect.envelope.shape === 'none' && call.representation.schema?.items?.properties.has('id')
  if (isOfResults) return { response: showExample(setting, call).response, changes }
  const response = answerRecord(setting, call, {
    envelope: effect.envelope,
    found: isChanged ? made.found : found,
  })
  return { response, changes }
}

/** The item of a list that the action changed, where the answer has its fields: `POST /orders/{id}/line_items`. */
function itemShown(
  call: ApiCall,
  { sets }: ActionEffect,
  records: { readonly before: JsonObject; readonly after: JsonObject },
): JsonObject | undefined {
  const [one] = sets.filter(({ to }) => to === 'added' || to === 'item' || to === 'removed')
  const item = one && itemOf(one, call, records)
  const names = allNames(call.representation.schema)
  return item && Object.keys(item).filter((name) => names.has(name)).length > 1 ? item : undefined
}

function answerItem(setting: Setting, call: ApiCall, record: JsonObject): Answered['response'] {
  const { schema, isJson } = call.representation
  const place = `${call.operation.id}/${keyIn(record) ?? ''}`
  return isJson
    ? answerJson(call, setting.presenter.projector.project(record, schema, place))
    : showExample(setting, call).response
}

/**
 * A copy of a record, which stays unchanged. The copy has its own key, times and status, and the request's fields: of a
 * published event a draft.
 */
function copyRecord(
  setting: Setting,
  call: ApiCall,
  { scope, keys, envelope, body, makes }: ActionEffect,
  { collection, record }: Found,
): Answered {
  const { model } = setting.world.collection(collection)
  const { created, updated } = model.timestamps
  const own = [model.id.field, created, updated, model.statusField, ...model.alternateKeys].map((field) => field?.[0])
  const names = allNames(model.schema)
  const { sent: ofClients } = setting.api.collection(collection).upkeep
  const isOwn = (name: string) =>
    own.includes(name) ||
    /^(id|uuid|slug|key|etag)$/i.test(name) ||
    (names.get(name)?.format === 'date-time' && ofClients.size > 0 && !ofClients.has(name))
  const kept = Object.entries(record).filter(([name]) => names.has(name) && !isOwn(name))
  const given = knownFields(call, model, firstFields(sentFields(call, body)))
  // `POST /templates.duplicate { id }`: the id is that of the source.
  const named = new Set(keys.map(({ param }) => param))
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => !named.has(name)))
  const sent: JsonObject = { ...Object.fromEntries(kept), ...toRecordFields(setting, model, known, { call, key: '' }) }
  const { found, change } = makeRecord(setting, call, { collection, scope, sent })
  if (makes) return leaveBehind(setting, call, { verb: 'copy', body }, makes, [change])
  return { response: answerRecord(setting, call, { envelope, found }), changes: [change] }
}

/** Creates the record of an action's answer, such as a job with its action. */
export function leaveBehind(
  setting: Setting,
  call: ApiCall,
  { verb, body }: Pick<ActionEffect, 'verb' | 'body'>,
  { collection, scope, envelope }: LeftBehind,
  changes: readonly Change[],
): Answered {
  const { model } = setting.world.collection(collection)
  const names = allNames(model.schema)
  const word = ['command', 'action', 'operation'].find((name) => fitsText(names.get(name), verb))
  const sent = knownFields(call, model, firstFields(sentFields(call, body)))
  const { found, change } = makeRecord(setting, call, {
    collection,
    scope,
    sent: word === undefined || word in sent ? sent : { ...sent, [word]: verb },
  })
  const location = locationOf(setting, call, found)
  const headers = location === undefined ? undefined : { Location: location }
  return { response: answerRecord(setting, call, { envelope, found, headers }), changes: [...changes, change] }
}

const fitsText = (schema: Schema | undefined, text: string): boolean =>
  schema?.types[0] === 'string' && fits(schema, text)

function actOn(
  setting: Setting,
  call: ApiCall,
  { model, writer }: CollectionView,
  found: Found,
  { toStatus, sets, body, verb, makes }: VerbOutcome & Pick<ActionEffect, 'body' | 'verb' | 'makes'>,
): JsonObject {
  const { key, record } = found
  const given = sentFields(call, body)
  const isItem = sets.some((one) => sendsItem(one, given, model.schema))
  const known = isItem ? {} : knownFields(call, model, firstFields(given), { verb, record })
  // `POST /templates/{id}/create-item { name }` names the item.
  for (const name of allNames(makes?.envelope.schema).keys()) delete known[name]
  // What is added to a list does not take its place, and what is set elsewhere is not kept here.
  for (const one of sets)
    delete known[(one.to === 'added' || one.to === 'removed' ? one.field[0] : movedField(one)) ?? '']
  const fields = withNames(setting.world, model, toRecordFields(setting, model, known, { call, key }))
  // `withdrawal_reason`, which only the `reason` of a withdrawal fills, may be read-only.
  const isMoved = (name: string) => !Object.hasOwn(firstFields(given), name) && !Object.hasOwn(fields, name)
  const moved = Object.entries(known).filter(([name]) => isMoved(name))
  const merged = mergeFields(record, fields, { schema: model.schema, call })
  const filled = { ...merged, ...Object.fromEntries(moved) }
  const set = sets.reduce((before, one) => applySetting(setting, call, { model, key, given, one }, before), filled)
  const settled = withSums(setting.world, found, set, call.at)
  refuseExcess(call, verb, settled, sets)
  const isPart =
    call.operation.reason.confidence !== 'declared' && ADDS_UP.test(verb) && isOfPart(firstFields(given), settled, sets)
  const changed = withNextVersion(setting, found, settled)
  const reached = isPart ? partialStatus(toStatus, model) : toStatus
  if (reached === undefined || model.statusField === null) return writer.touch(changed, call.at)
  return writer.setStatus(changed, model.statusField, reached, call.at)
}

/** Verbs that reach their status once the whole amount is reached. */
const ADDS_UP = /^(refund|reimburse|pay|repay)([^a-z]|$)/i

/** Refuses as declared what adds up to more than the whole: a refund of more than was paid. */
function refuseExcess({ operation }: ApiCall, verb: string, record: JsonObject, sets: VerbOutcome['sets']): void {
  const status = [422, 409, 400].find((code) => operation.responses.has(`${code}`))
  const summed = sets.find(isSum)
  const whole = amountName(record)
  if (status === undefined || summed === undefined || whole === undefined || !ADDS_UP.test(verb)) return
  const [most, got] = [record[whole], readField(record, summed.field)].map(Number)
  if (most === undefined || got === undefined || !(got > most)) return
  const message = `Expected \`${summed.field.join('.')}\` to be at most ${most}, got ${got}.`
  throw new Refusal(status, 'invalid_request', message, 'amount')
}

const isSum = ({ to }: ActionSetting): boolean => typeof to === 'object' && 'amount' in to && to.sign > 0

const amountName = (fields: JsonObject): string | undefined =>
  findField(Object.keys(fields), 'amount') ?? findField(Object.keys(fields), 'total')

/** Whether an action is about less than the whole amount of its record, with what earlier ones have added up. */
function isOfPart(given: JsonObject, record: JsonObject, sets: VerbOutcome['sets']): boolean {
  const numberOf = (fields: JsonObject) => Number(fields[amountName(fields) ?? ''])
  const summed = sets.find(isSum)
  const done = summed === undefined ? numberOf(given) : Number(readField(record, summed.field))
  return !Number.isNaN(numberOf(given)) && done < numberOf(record)
}

/** `partially_refunded` for `refunded`, where there is such a status; else undefined. */
function partialStatus(
  whole: VerbOutcome['toStatus'],
  { schema, statusField, vocabulary }: CollectionModel,
): VerbOutcome['toStatus'] {
  const values =
    statusField === null ? [] : (schemaAt(schema, statusField)?.enum ?? vocabulary.get(statusField.join('.')))
  const isPartial = (value: Json) =>
    /^partial/i.test(String(value)) && foldName(String(value)).endsWith(foldName(String(whole)))
  return values?.find((value) => typeof value === 'string' && isPartial(value)) as string | undefined
}

/** Names for what a message is: `{ type: "admin" }` closes a conversation, which stays one. */
const OWN_KIND = /^(type|object|kind)$/

/** What a record is about, which the argument of an action does not change: `refund { amount }`. */
const OWN_FACTS = /^(amount|total|subtotal|currency|balance)$/

/** Fields of a body that a record or one of its parts has; of an action, those that its argument may change. */
function knownFields(
  { compiled, body }: ApiCall,
  model: CollectionModel,
  sent: JsonObject,
  action?: { readonly verb: string; readonly record: JsonObject },
): Record<string, Json> {
  const intake = compiled.intakeOf(body.schema)
  const entries = Object.entries(sent).flatMap(([name, value]): [string, Json][] => {
    const field = fieldTaken(name, model, { intake, sent: body.schema, verb: action?.verb })
    const isFact = action !== undefined && OWN_FACTS.test(foldName(name)) && !SETS.has(wordsOf(action.verb)[0] ?? '')
    const stored = isFact && field !== undefined ? action.record[field] : undefined
    return field === undefined || (stored ?? null) !== null ? [] : [[field, value]]
  })
  return Object.fromEntries(entries)
}

/** The field of a record that takes a field of a body over: of the same name, or `cancel_reason` for the `reason` of `cancel`. */
export function fieldTaken(
  name: string,
  { schema }: CollectionModel,
  {
    intake,
    sent,
    verb,
  }: { readonly intake: Intake; readonly sent: Schema | undefined; readonly verb?: string | undefined },
): string | undefined {
  const names = allNames(schema)
  const [start = ''] = wordsOf(verb ?? '')
  const beginning = start.replace(/e$/, '').slice(0, 5)
  // `frozen_until` for the `until` of `freeze`.
  const beginnings = [beginning, ...participlesOf(start)]
  const isOfVerb = (own: string): boolean =>
    own !== foldName(name) && own.endsWith(foldName(name)) && beginnings.some((one) => own.startsWith(one))
  // `cancel { reason }` of an appointment that has a `reason` and a `cancellationReason`.
  const ofVerb = beginning === '' ? undefined : [...names.keys()].find((own) => isOfVerb(foldName(own)))
  if (ofVerb !== undefined) return ofVerb
  // `meta { name, value }` of a customer that has a name and no value is the name of something else.
  const isStrange = (other: string) =>
    !/boolean|integer|number/.test(allNames(sent).get(other)?.types.join() ?? '') &&
    (findField(names.keys(), other) ?? relationName(names, other, {})) === undefined
  const isAboutOther = start !== '' && kindOfVerb(start) !== 'update' && [...(sent?.required ?? [])].some(isStrange)
  if (isAboutOther && /^(name|title)$/.test(name)) return undefined
  if (!intake.parts.has(name)) {
    const own = findField(names.keys(), name) === undefined ? relationName(names, name, {}) : name
    if (own !== name) return own
  }
  const isKind = OWN_KIND.test(name) && allNames(sent).get(name)?.enum !== undefined
  return !isKind || names.get(name)?.enum !== undefined ? name : undefined
}

type ActionEffect = Effect & { kind: 'action' }

/** Verbs that copy a record. */
export const COPIES = /^(copy|clone|duplicate|fork)/i
/** Verbs that create a record. */
export const MAKES =
  /^(create|add|new|import|migrate|provision|generate|clone|copy|duplicate|fork|upload|claim|issue|register|signup|invite|restore)/i

/** An action without a record's id: it creates one, or shows the one of the body. */
function actOnCollection(setting: Setting, call: ApiCall, effect: ActionEffect): Answered {
  const { collection, scope, envelope } = effect
  const view = setting.world.collection(collection)
  const body = unwrapBody(call.body.value, effect.body)
  if (effect.makes) {
    const { changes } = effect.many ? actOnSeveral(setting, call, effect, body) : { changes: [] }
    return leaveBehind(setting, call, effect, effect.makes, changes)
  }
  const isWrite = call.operation.method !== 'GET' && envelope.shape !== 'none'
  if (isWrite && Array.isArray(body) && body.every((item) => isJsonObject(item))) {
    return createSeveral(setting, call, { collection, scope, envelope }, body)
  }
  if (isWrite && (call.operation.success.status === 201 || MAKES.test(effect.verb))) {
    const { found, change } = makeRecord(setting, call, { collection, scope, sent: firstFields(body) })
    return { response: answerRecord(setting, call, { envelope, found }), changes: [change] }
  }
  if (effect.many) return actOnSeveral(setting, call, effect, body)
  const named = envelope.shape === 'list' ? namedRecords(call, view) : []
  if (named.length > 0) return { response: answerRecords(setting, call, { envelope, founds: named }), changes: [] }
  const found =
    findMeant(view, firstFields(body)) ?? view.first({ scope: toScopeMatches(setting, call, scope), newestFirst: true })
  if (found === undefined || envelope.shape === 'none') return showExample(setting, call)
  const isList = envelope.shape === 'list' || envelope.shape === 'ids'
  const response = isList
    ? answerRecords(setting, call, { envelope, founds: [found] })
    : answerRecord(setting, call, { envelope, found })
  return { response, changes: [] }
}

/** Applies an action to each record whose id is in the request, or to its whole scope without ids. */
function actOnSeveral(setting: Setting, call: ApiCall, effect: ActionEffect, body: Json | undefined): Answered {
  const { collection, scope, envelope } = effect
  const view = setting.world.collection(collection)
  const hasNames = call.operation.requestBody !== undefined || call.query.pairs.length > 0
  const named = hasNames
    ? recordsNamedBy(setting, call, effect, body)
    : view.select({ scope: toScopeMatches(setting, call, scope) }).records
  const outcome = outcomeOf(effect, firstFields(body))
  const made =
    outcome === undefined
      ? named.map((found) => ({ found, change: deletionOf(found) }))
      : setting.world.longReads.read(acting(setting, call, { ...effect, ...outcome }, named))
  const founds = made.map(({ found }) => found)
  const changes = made.flatMap(({ change }) => change ?? [])
  const isListed = founds.length > 0 && Object.keys(keysIn(call.representation.schema, founds)).length > 0
  // `{ closed: 2, skipped: 0 }` of `POST /tickets/bulk-close`.
  const done = wordsOf(effect.verb).flatMap(participlesOf).join('|')
  const fill = howMany(new RegExp(`${STORED.source}|${DELETED.source}|^(${done})(_?count)?$`, 'i'), founds)
  const fields = [...(call.representation.schema?.properties ?? [])]
  const isCounted = fields.some(([name, schema]) => fill({ name, schema }) !== undefined)
  if (envelope.shape === 'none' && !isListed && !isCounted) return { ...showExample(setting, call), changes }
  const [first] = founds
  const response =
    envelope.shape === 'record' && first !== undefined
      ? answerRecord(setting, call, { envelope, found: first })
      : answerRecords(setting, call, { envelope, founds, fill })
  return { response, changes }
}

/** The outcome of an action's verb, from the operation or the body; undefined for a deletion. */
function outcomeOf({ toStatus, sets, verbInBody }: ActionEffect, given: JsonObject): VerbOutcome | undefined {
  const verb = verbInBody && given[verbInBody.field]
  return verbInBody && typeof verb === 'string' ? verbInBody.outcomeOf(verb) : { toStatus, sets }
}

/** Pauses after each record. */
function* acting(
  setting: Setting,
  call: ApiCall,
  effect: ActionEffect,
  named: readonly Found[],
): Generator<undefined, { readonly found: Found; readonly change: Change | undefined }[]> {
  const view = setting.world.collection(effect.collection)
  const all: { readonly found: Found; readonly change: Change | undefined }[] = []
  for (const before of named) {
    yield
    const record = actOn(setting, call, view, before, effect)
    const { found, change } = changedTo(before, record)
    all.push({ found, change: JSON.stringify(record) === JSON.stringify(before.record) ? undefined : change })
  }
  return all
}
