import { findField, findValue } from '../../../names/find-field.ts'
import { isIdName } from '../../../names/id-names.ts'
import { isSameNoun } from '../../../names/nouns.ts'
import { capitalised, foldName, slugOf, snakeCase, wordsOf } from '../../../names/words.ts'
import { getOwn, type Json, type JsonObject, readField, setOwn, writeField } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { RecordScope } from '../../dataset/dataset.ts'
import type { CollectionModel, Operation, Relation, ScopeParam } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { keyIn, refersTo, schemaAt } from '../../world/field.ts'
import { NewKeys } from '../../world/new-keys.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import type { World } from '../../world/world.ts'
import { coerce } from '../body/coerce.ts'
import type { ApiCall, Found, Setting } from '../calls/call.ts'
import { allNames } from '../facts/intake.ts'
import { refusesWith } from '../presentation/error-bodies.ts'
import { Refusal } from '../refusal.ts'
import { toRecordFields } from './client-fields.ts'
import { toScope, toScopeMatches } from './scope.ts'

/** Input for a new record. */
export interface Making {
  readonly collection: string
  readonly scope: readonly ScopeParam[]
  /** The client's fields. */
  readonly sent: JsonObject
  /** Values from the server, which no client sends. */
  readonly maker?: JsonObject
  /** Key in the path, for a PUT that creates. */
  readonly id?: string
  /** Keys of the collection, where the same request creates several records. */
  readonly keys?: NewKeys
}

/** A whole new record with the client's fields. Refuses with 409 a chosen id that is in use, and where no id is left. */
export function makeRecord(setting: Setting, call: ApiCall, making: Making): { found: Found; change: Change } {
  const { collection, sent } = making
  const view = setting.world.collection(collection)
  const { keys = new NewKeys(view) } = making
  const { model } = view
  const linked = linkedRecord(setting.world, model, making)
  const whole = { ...call.compiled.intakeOf(call.body.schema).defaults, ...sent }
  const own = withKeyOrNone(model, toRecordFields(setting, model, whole, { call, key: String(keys.ordinal) }))
  const fields = linked === undefined ? own : { ...linked.record, ...own }
  const fromPath = pathFields(model, call)
  const matches = toScopeMatches(setting, call, making.scope)
  const isUsed = (key: string) => keys.hasGiven(key) || view.findOwner(key, matches, !view.has(key)) !== undefined
  const id = linked?.key ?? making.id ?? keySent(model, sent) ?? slugFor(model, sent, isUsed)
  const isAlone = matches.length === 0 && fromPath === undefined
  // Parents in the path take precedence over those in the body.
  const below = isAlone ? fields : withScope(model, { ...fromPath, ...fields }, matches)
  const given = withInitial(model, withOwner(model, { ...making.maker, ...below }, matches))
  const made = completeRecord(setting.world, {
    collection,
    given,
    matches,
    at: call.at,
    id,
    keys,
    operation: call.operation,
  })
  making.keys?.give(made.found.key, made.name)
  return made
}

/** What is made below `/orgs/{org}` and found below `/repos/{owner}` has this owner. */
function withOwner({ outerKeys = [] }: CollectionModel, given: JsonObject, matches: readonly ScopeMatch[]): JsonObject {
  const [field, another] = outerKeys
  const [owner, ...more] = matches.filter((match) => match.field === undefined)
  const isOne = field !== undefined && another === undefined && owner !== undefined && more.length === 0
  return isOne && readField(given, field) === undefined ? writeField(given, field, owner.value) : given
}

/** The declared values of new records, where the client sent none. */
function withInitial({ initial }: CollectionModel, given: JsonObject): JsonObject {
  if (initial === undefined) return given
  const missing = Object.entries(initial).filter(([name]) => readField(given, name.split('.')) === undefined)
  return missing.reduce((record, [name, value]) => writeField(record, name.split('.'), value), given)
}

/** The key that the client sent under the path parameter's name; undefined where no such record could have it. */
function keySent({ id: { sentAs, schema } }: CollectionModel, sent: JsonObject): string | undefined {
  const key = sentAs === undefined ? undefined : keyIn(getOwn(sent, sentAs))
  return key && (schema === undefined || fits(schema, coerce(key, schema))) ? key : undefined
}

/** The slug of a name or title, where slugs are the keys: recipes of Mealie, articles of RealWorld, wiki pages of GitLab. */
function slugFor({ id }: CollectionModel, sent: JsonObject, isUsed: (key: string) => boolean): string | undefined {
  const name = sent.name ?? sent.title
  if (id.field?.join() !== 'slug' || typeof name !== 'string' || sent.slug) return undefined
  const slug = slugOf(name)
  return slug === '' || isUsed(slug) || (id.schema && !fits(id.schema, slug)) ? undefined : slug
}

/** Forms send a key without a value for a record that has none yet: the server gives it one. */
function withKeyOrNone({ id: { field } }: CollectionModel, sent: JsonObject): JsonObject {
  const [name] = field ?? []
  if (name === undefined || field?.length !== 1 || sent[name] !== '') return sent
  const { [name]: _, ...others } = sent
  return others
}

/** The record that a link attaches to a parent: the path's, or a field of the body: `{ user_id }`, `{ id }`. */
function linkedRecord(world: World, model: CollectionModel, { sent, id }: Making): LiveRecord | undefined {
  if (model.linked === undefined) return undefined
  const view = world.collection(model.linked)
  const { singular, id: key } = view.model
  const names = [key.field?.at(-1) ?? 'id', `${singular}_id`, singular]
  const named = id ?? names.map((name) => keyIn(findValue(sent, name))).find((value) => value !== undefined)
  const found = named === undefined ? undefined : view.findIn(named, [])
  return found === undefined ? undefined : view.live(found)
}

/** Input for completing a record. */
interface Completing {
  readonly collection: string
  /** Fields with the record's own names and types. */
  readonly given: JsonObject
  /** Its parents. */
  readonly matches: readonly ScopeMatch[]
  /** World time, milliseconds. */
  readonly at: number
  readonly id?: string | undefined
  readonly keys: NewKeys
  /** Whether the request has deleted the record with this key. */
  readonly isGone?: (key: string) => boolean
  /** Its declared refusals decide how an id in use is refused. */
  readonly operation?: Operation | undefined
}

/** A whole new record with given fields, and the name of its key. Refuses an id in use, and with 409 where no id is left. */
export function completeRecord(
  world: World,
  { collection, given, matches, at, id, keys, isGone, operation }: Completing,
): { found: Found; change: Change; name: string } {
  const view = world.collection(collection)
  const { model } = view
  const scope = toScope(matches)
  const made = world.dataset.complete(collection, withNames(world, model, given, true), {
    ordinal: keys.ordinal,
    at,
    scope,
    ...(id !== undefined && { id }),
    pickKey: (name, draw) => keyBeside(world.collection(name), { model, given, scope, draw }),
    taken: keys,
  })
  if (made === undefined) throw noIdLeft(model)
  const owner = view.findOwner(made.key, matches, made.isFree)
  const isTaken = owner !== undefined && isGone?.(owner) !== true
  if ((!made.isFree && keys.hasGiven(made.key)) || isTaken) throw idTaken(model, made.key, operation)
  const record = withParents(world, made.record, given, matches)
  const key = made.isFree || isGone?.(made.key) === true ? made.key : freeKey(keys, made.key, scope)
  const change: Change = { type: 'created', collection, key, record, scope: world.scopeInPart(collection, key, scope) }
  return { found: { collection, key, record }, change, name: made.key }
}

/** A drawn record for a new one, below what the new one names where there are such: a compartment of its locker. */
function keyBeside(
  view: CollectionView,
  { model, given, scope, draw }: { model: CollectionModel; given: JsonObject; scope: RecordScope; draw: number },
): string | undefined {
  const named = (collection: string) =>
    scope[collection] ??
    keyIn(model.relations.map((one) => one.collection === collection && readField(given, one.field)).find(Boolean))
  const { parent, relations } = view.model
  const above = parent && named(parent.collection)
  const within = parent && above !== undefined ? [{ name: parent.collection, value: above, field: parent.field }] : []
  const where = relations.flatMap(({ collection, field, many }) => {
    const value = many ? undefined : named(collection)
    return value === undefined ? [] : [{ field, test: (found: Json | undefined) => refersTo(found, value) }]
  })
  const isFree = within.length + where.length === 0
  const { records } = isFree ? { records: [] } : view.select({ scope: within, where, limit: MOST_BESIDE })
  return records[draw % records.length]?.key ?? view.pickKey(draw)
}

const MOST_BESIDE = 100

/** A field that follows from the record to which another field refers. */
interface Follower {
  readonly name: string
  readonly shown: Schema
  readonly kind: 'fact' | 'record' | 'reference'
  readonly valueIn: (record: JsonObject) => Json | undefined
}

/** The fields that may follow from the record to which a relation refers, by the relation. */
function followersIn(
  schema: Schema,
): (relation: Relation, model: CollectionModel, other: CollectionModel) => readonly Follower[] {
  const known = new Map<Relation, readonly Follower[]>()
  return (relation, model, other) => {
    const found = known.get(relation) ?? [
      ...factsOf(schema, relation, model),
      ...recordOf(schema, relation, model),
      ...sharedReferences(schema, relation, model, other),
    ]
    known.set(relation, found)
    return found
  }
}

const nounOfField = (field = ''): string => field.replace(/_?(id|uuid|key|code|slug)$/i, '')

/** `organization_name` beside `organization_id` or `organization`, `zoneName` beside `venueZoneId`, `course_title` beside `course`. */
function factsOf(
  { fields }: Schema,
  { field: [field] }: Relation,
  { relations }: CollectionModel,
): readonly Follower[] {
  const noun = foldName(nounOfField(field))
  const last = foldName(wordsOf(nounOfField(field)).at(-1) ?? '')
  // `companyName` beside `billingCompanyId` and `companyId` is of the latter.
  const isOfOther = relations.some(({ field: [other] }) => other !== field && foldName(nounOfField(other)) === last)
  const nouns = isOfOther ? [noun] : [noun, last]
  return [...fields].flatMap(([name, shown]) => {
    const words = wordsOf(name)
    // `parent_type` is about the reference.
    const isFact = words.length > 1 && !/^(type|kind|ids?|uuid|status)$/.test(words.at(-1) ?? '')
    const folded = foldName(name)
    const fact = folded.slice(nouns.find((one) => one !== '' && folded.startsWith(one))?.length ?? folded.length)
    if (!isFact || fact === '' || name === field) return []
    const valueIn = (record: JsonObject) => (fact === 'name' && nameOf(record)) || findValue(record, fact)
    return [{ name, shown, kind: 'fact' as const, valueIn }]
  })
}

function nameOf(record: JsonObject): Json | undefined {
  const called = ['name', 'full_name', 'display_name'].map((one) => findValue(record, one)).find(Boolean)
  return called ?? ['first_name', 'last_name'].flatMap((one) => findValue(record, one) ?? []).join(' ')
}

/** `company` beside `companyId`: the fields of the record that the object has. */
function recordOf(
  { fields }: Schema,
  { field, collection }: Relation,
  { relations }: CollectionModel,
): readonly Follower[] {
  const noun = foldName(nounOfField(field[0]))
  return relations.flatMap(({ field: [name = ''], form, many, ...one }) => {
    const isOfField = form === 'object' && !many && one.collection === collection && foldName(name) === noun
    const shown = isOfField && name !== field[0] ? fields.get(name) : undefined
    const valueIn = (record: JsonObject) =>
      Object.fromEntries(Object.entries(record).filter(([own]) => shown?.fields.has(own)))
    return shown ? [{ name, shown, kind: 'record' as const, valueIn }] : []
  })
}

/**
 * What the other record refers to by the same name: `patientId` of the visit in `visitId`. `ownerId` of a deal is not its
 * company's, `userId` of a comment not its post's.
 */
function sharedReferences(
  { fields }: Schema,
  by: Relation,
  { relations }: CollectionModel,
  other: CollectionModel,
): readonly Follower[] {
  return relations.flatMap(({ field: [name = '', ...deeper], form, many, collection }) => {
    const isOwn = form === 'id' && !many && deeper.length === 0 && collection !== by.collection
    const noun = snakeCase(nounOfField(name))
    const isOfKind = noun !== 'user' && isSameNoun(noun, collection)
    const isShared = other.relations.some((one) => one.collection === collection && one.field.join('.') === name)
    const shown = isOwn && isOfKind && isShared ? fields.get(name) : undefined
    const valueIn = (record: JsonObject) => record[name] ?? undefined
    return shown ? [{ name, shown, kind: 'reference' as const, valueIn }] : []
  })
}

/** With what follows from the records that it refers to: their facts, the records themselves, and for a new record their references. */
export function withNames(world: World, model: CollectionModel, given: JsonObject, isNew = false): JsonObject {
  const { schema, relations } = model
  if (schema === undefined || relations.length === 0) return given
  const followersOf = schema.once(followersIn)
  let named = given
  for (const relation of relations) {
    const stated = readField(given, relation.field)
    if (stated === undefined) continue
    const view = world.collection(relation.collection)
    const missing = followersOf(relation, model, view.model).filter(
      ({ name, kind }) => given[name] === undefined && (isNew || kind !== 'reference'),
    )
    const key = missing.length === 0 ? undefined : keyIn(stated)
    const other = key === undefined ? undefined : view.findIn(key, [])
    const record = other === undefined ? undefined : view.get(other)
    for (const { name, shown, kind, valueIn } of missing) {
      const value = record ? valueIn(record) : stated === null && kind === 'record' ? null : undefined
      if (value !== undefined && fits(shown, value)) named = { ...named, [name]: value }
    }
  }
  return named
}

/** Names are unique below one parent: the same name below another parent gets its own key. */
function freeKey(keys: NewKeys, name: string, scope: RecordScope): string {
  let key = name
  for (let number = 1; keys.has(key); number++) {
    key = [...Object.values(scope), name, ...(number === 1 ? [] : [number])].join('/')
  }
  return key
}

function idTaken({ singular, id }: CollectionModel, key: string, operation: Operation | undefined): Refusal {
  const status = operation && [409, 422].find((one) => refusesWith(operation, one))
  const name = id.field?.join('.') ?? 'id'
  const message = `Failed to create ${singular} "${key}": there is one with that \`${name}\` already.`
  const facts = { fault: 'value', id: key, singular, Singular: capitalised(singular) }
  return new Refusal(status ?? 409, 'conflict', message, name, { facts })
}

function noIdLeft({ singular, id }: CollectionModel): Refusal {
  const name = id.field?.join('.') ?? 'id'
  const message = `Failed to create ${singular}: every \`${name}\` that its schema allows is taken. Delete a ${singular} first.`
  return new Refusal(409, 'conflict', message)
}

/** Names of parents' path parameters that have another meaning in the record. */
const OWN_NAMES = /^(name|slug|key|code|number|type|status|version|date)$/i

/** Path parameters that are also fields of the record: `account_sid` below `/Accounts/{AccountSid}`. Undefined without any. */
function pathFields(model: CollectionModel, { params }: ApiCall): JsonObject | undefined {
  let fields: JsonObject | undefined
  for (const param in params) {
    fields ??= {}
    if (isIdName(param) || OWN_NAMES.test(param)) continue
    const text = params[param] as string
    const names = allNames(model.schema)
    const name = findField(names.keys(), param)
    const schema = name === undefined ? undefined : names.get(name)
    if (name === undefined || schema === undefined || name === model.id.field?.[0] || schema.properties.size > 0)
      continue
    const value = coerce(text, schema)
    if (fits(schema, value)) setOwn(fields, name, value)
  }
  return fields
}

/** The record with the parent of its path, unless the client sent one: the generated relation may be any parent. */
function withParents(world: World, record: JsonObject, given: JsonObject, scope: readonly ScopeMatch[]): JsonObject {
  let result = record
  for (const { name, value, field } of scope) {
    const stored = field && readField(record, field)
    if (field === undefined || stored === undefined || refersTo(stored, value) || readField(given, field) !== undefined)
      continue
    const isDrawn = world.dataset.tables.has(name) && world.collection(name).has(keyIn(stored) ?? '')
    if (isDrawn) result = writeField(result, field, value)
  }
  return result
}

/**
 * Fields of a record, with those by which its path finds it again: `parent_id` of a subtask. A field with the same
 * parent in another form, as an object or by another key, stays.
 */
export function withScope(model: CollectionModel, fields: JsonObject, matches: readonly ScopeMatch[]): JsonObject {
  return matches.reduce<JsonObject>((given, { value, field }) => {
    const schema = field && schemaAt(model.schema, field)
    if (field === undefined || schema === undefined || schema.types.includes('array')) return given
    const stated = readField(given, field)
    if (stated !== undefined && refersTo(stated, value)) return given
    const stored = coerce(value, schema)
    return fits(schema, stored) ? writeField(given, field, stored) : given
  }, fields)
}
