import { wordsOf } from '../../../names/words.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { once } from '../../../runtime/once.ts'
import { checkerOf, fits } from '../../../schema/checker.ts'
import { describeProblem } from '../../../schema/problem.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { CollectionModel, Operation } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import { keyIn } from '../../world/field.ts'
import { unwrapBody } from '../body/sent-records.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import { allNames } from '../facts/intake.ts'
import { refusesWith } from '../presentation/error-bodies.ts'
import { codeOf, Refusal } from '../refusal.ts'
import { firstFields } from './client-fields.ts'
import { keyOfText, toScopeMatches } from './scope.ts'

type Written = Extract<Change, { readonly collection: string; readonly record: JsonObject }>

/** A client's reference to a record that is not there. */
interface Unknown {
  readonly field: string
  readonly noun: string
  readonly key: string
}

/**
 * Checks the written records for what the operation declares to refuse: references to missing records, and values that
 * another record has. Returns a warning for each missing record whose refusal it does not declare, and for each value
 * that no answer shows as it was sent.
 */
export function checkDeclared(setting: Setting, call: ApiCall, changes: readonly Change[]): string[] {
  const written = changes.filter((change): change is Written => 'collection' in change && 'record' in change)
  const { operation } = call
  const { value: body } = call.body
  if (body === undefined || written.length === 0) return []
  requireUnique(setting, call, written)
  const sent = once(() => scalarsIn(body))
  const unshown = setting.entryEffects === undefined ? unshownValues(setting, call) : []
  const missing = written.flatMap((change) =>
    unknownReferences(setting, change, { body, sent, changes }).map((unknown) => {
      const status = setting.lenientParents ? undefined : statusForUnknown(operation, unknown)
      const fact = `Failed to find ${unknown.noun} "${unknown.key}", which \`${unknown.field}\` names`
      if (status === undefined) return `${fact}, so the real API may refuse it. Declare 404 or 422 for the operation.`
      throw new Refusal(status, codeOf(status), `${fact}.`, unknown.field)
    }),
  )
  return [...unshown, ...missing]
}

/** `name: "T"`, where only the answers have a `minLength` of 3: they show another text. */
function unshownValues(
  { world, presenter }: Setting,
  { body, operation: { effect, method, path } }: ApiCall,
): string[] {
  if (!(effect.kind === 'create' || effect.kind === 'update' || effect.kind === 'replace')) return []
  const names = allNames(world.collection(effect.collection).model.schema)
  return Object.entries(firstFields(unwrapBody(body.value, effect.body))).flatMap(([name, value]) => {
    const schema = names.get(name)
    if ((typeof value !== 'string' && typeof value !== 'number') || schema === undefined || schema.writeOnly) return []
    if (fits(schema, value)) return []
    const shown = presenter.projector.fit(value, schema, name)
    const isCut = typeof shown === 'string' && shown.length === schema.maxLength
    const problem = shown === undefined || isCut ? checkerOf(schema, { direction: 'response' })(value) : undefined
    const fact = problem && describeProblem(problem, name)
    return fact
      ? `${fact} The answer of ${method} ${path} shows another value, since the body has no such bound: add it, or take it from the answer.`
      : []
  })
}

/** @param sent the numbers and texts in the body */
function unknownReferences(
  { api, world }: Setting,
  { type, collection, key, record }: Written,
  { body, sent, changes }: { body: Json; sent: () => ReadonlySet<string>; changes: readonly Change[] },
): Unknown[] {
  const { model } = world.collection(collection)
  const before = type === 'created' ? undefined : world.collection(collection).get(key)
  const isThere = (target: string, id: string): boolean => {
    const view = world.collection(target)
    const isMade = changes.some((one) => 'collection' in one && one.collection === target && one.key === id)
    return !api.isShown(target) || isMade || view.findIn(id, []) !== undefined || keyOfText(view, id) !== undefined
  }
  const unknown: Unknown[] = []
  for (const { field, collection: target } of model.relations) {
    const value = readField(record, field)
    const stored = before && readField(before, field)
    if (value === undefined || value === null || value === stored) continue
    const known = keysIn(stored)
    for (const key of keysIn(value)) {
      // `parent_id: 0` of a category is at the top.
      const isTop = key === '0' && target === collection
      if (key === undefined || isTop || !sent().has(key) || known.includes(key) || isThere(target, key)) continue
      unknown.push({ field: field.join('.'), noun: world.collection(target).model.singular, key })
    }
  }
  return [...unknown, ...unknownMember(model, body, isThere, world)]
}

const keysIn = (value: Json | undefined): (string | undefined)[] =>
  (Array.isArray(value) ? value : [value]).map((one) => keyIn(one ?? undefined))

/** `POST /teams/{id}/members { user_id }`: the user who becomes a member. */
function unknownMember(
  { linked }: CollectionModel,
  body: Json,
  isThere: (target: string, id: string) => boolean,
  world: Setting['world'],
): Unknown[] {
  if (linked === undefined || !isJsonObject(body)) return []
  const { singular } = world.collection(linked).model
  const names = [`${singular}_id`, `${singular}Id`]
  return names.flatMap((field) => {
    const key = keyIn(body[field])
    return key === undefined || isThere(linked, key) ? [] : [{ field, noun: singular, key }]
  })
}

/** The numbers and texts in a body, as texts. */
function scalarsIn(value: Json, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string' || typeof value === 'number') found.add(String(value))
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) scalarsIn(inner, found)
  return found
}

/** The declared status for an unknown reference; undefined without one. */
function statusForUnknown(operation: Operation, { noun }: Unknown): number | undefined {
  const { responses, segments } = operation
  const isDeclared = (status: number) => refusesWith(operation, status)
  const named = [422, 409, 400, 404].find((status) => {
    const { description = '' } = responses.get(`${status}`) ?? {}
    return UNKNOWN.test(description) && description.toLowerCase().includes(wordsOf(noun).join(' '))
  })
  const isBelow = segments.some(({ kind }) => kind !== 'static')
  const declared = named ?? (isBelow ? [422, 404, 400] : [404, 422, 400]).find(isDeclared)
  return declared ?? (responses.has('422') ? 404 : undefined)
}

const UNKNOWN = /\b(unknown|missing|no such|not found|(not|n't) exist|invalid|referenc\w*)\b/i

/** Refuses with the declared 409, or 422 for `has already been taken`, a value that another record has, where it is unique. */
function requireUnique(setting: Setting, call: ApiCall, written: readonly Written[]): void {
  const { operation } = call
  const textOf = (status: number) => operation.responses.get(`${status}`)?.description
  const status = textOf(409) === undefined && IS_TAKEN.test(textOf(422) ?? '') ? 422 : 409
  const description = textOf(status)
  if (description === undefined) return
  for (const { type, collection, key, record } of written) {
    const view = setting.world.collection(collection)
    const { model } = view
    const before = type === 'created' ? undefined : view.get(key)
    const scope = 'scope' in operation.effect ? toScopeMatches(setting, call, operation.effect.scope) : []
    const { keys } = setting.api.collection(collection).upkeep
    for (const name of uniqueNames(model, `${description} ${operation.summary ?? ''}`, keys)) {
      const value = keyIn(record[name])
      if (value === undefined || (before !== undefined && keyIn(before[name]) === value)) continue
      const taken = view.find([name], value, scope)
      if (taken === undefined || taken === key) continue
      const message = `Failed to ${type === 'created' ? 'create' : 'update'} ${model.singular} "${value}": \`${name}\` is taken by "${taken}".`
      throw new Refusal(status, codeOf(status), message, name)
    }
  }
}

/**
 * The fields that identify a record in another path (`/products/by-sku/{sku}`), that a description calls unique, or that
 * the text of a refusal or of the operation names: `There is a guest with this email`.
 */
export function uniqueNames(
  { schema, id, relations, statusField }: CollectionModel,
  refusal: string,
  keys: ReadonlySet<string>,
): string[] {
  const isAboutTaken = TAKEN.test(refusal)
  return [...allNames(schema)].flatMap(([name, field]) => {
    const isOther = [id.field, statusField, ...relations.map((one) => one.field)].some((path) => path?.[0] === name)
    if (isOther || !isPlain(field)) return []
    const isNamed = isAboutTaken && new RegExp(`\\b${wordsOf(name).join('[\\s_-]?')}\\b`, 'i').test(refusal)
    return isNamed || keys.has(name) || IS_UNIQUE.test(field.description ?? '') ? [name] : []
  })
}

const isPlain = ({ types, enum: values, format }: Schema): boolean =>
  (types[0] === 'string' || types[0] === 'integer') && values === undefined && !/date|time/.test(format ?? '')

/** What the text of a refusal says where a value is taken. */
export const TAKEN = /\b(exists?|already|taken|duplicate|unique|in use|same|there is)\b/i
const IS_TAKEN = /\b(been taken|already (taken|used|in use|exists|registered)|must be unique)\b/i
const IS_UNIQUE = /(?<!not |non-|(?<!must )be )\bunique\b(?! (id|identifier)\b)/i
