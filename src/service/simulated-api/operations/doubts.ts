import { endsInKey } from '../../../names/id-names.ts'
import { foldNoun } from '../../../names/nouns.ts'
import { isAboutPage } from '../../../names/paging-words.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ApiModel, CollectionModel, Effect, Operation, SingletonModel } from '../../openapi/model.ts'
import { schemaAt } from '../../world/field.ts'
import type { CompiledApi } from '../compiled/compiled-api.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import { allNames } from '../facts/intake.ts'
import { bodyOf } from '../facts/upkeep.ts'
import { keepsUnknown } from '../presentation/project.ts'
import { recordField } from '../records/client-fields.ts'
import { uniqueNames } from '../records/declared-checks.ts'
import { fieldTaken } from './action.ts'
import { canRefuse } from './require-state.ts'

/** Numbers that follow from other records or from parts of a sum. */
const COMPUTED = /^(counts?|totals?|sum|average|avg|mean|balance|ratings?|num|highest|lowest|remaining)$/
const PRICE = /^(prices?|amount|cost|subtotal|total|fee)$/
/** What a client sends that no answer shows. */
const HIDDEN = /pass(word|wd|code)|pwd|secret|token|captcha|confirm|otp|^(code|id|type)$/i
/** Stands for a body that is no object. */
export const WHOLE = 'body'
const CHANGES = /^(create|action|(singletonU|u)pdate|(singletonR|r)eplace)$/

/** Found once for each operation. */
export function doubtsOf(api: CompiledApi, compiled: CompiledOperation): NonNullable<CompiledOperation['doubts']> {
  if (compiled.doubts !== undefined) return compiled.doubts
  const copied = findCopies(api, compiled)
  const found = {
    lost: findLostFields(api, compiled),
    madeUp: copied.length > 0 ? copied : findMadeUpFields(api, compiled),
    beside: findMadeUpBeside(compiled.operation),
    listOf: findListOf(api.model, compiled),
    isIdleJournal: isIdleJournal(api, compiled.operation),
    isUnfed: isUnfed(api.model, compiled.operation.effect),
    unfilled: findUnfilled(api, compiled),
    priced: findMadeUpPrices(api, compiled),
    isInvented: isInvented(api.model, compiled.operation),
    conflict: findIdleConflict(api, compiled),
  }
  const areNone = Object.values(found).every((one) => one === undefined || one === false || [one].flat().length === 0)
  compiled.doubts = { ...found, areNone }
  return compiled.doubts
}

/** Fields of a document with records that clients create elsewhere: `GET /portfolio/all`. */
function findCopies({ model }: CompiledApi, { operation: { effect } }: CompiledOperation): readonly string[] {
  if (effect.kind !== 'singletonRead') return []
  const { schema } = documentOf(model, effect) ?? {}
  return [...(schema?.properties ?? [])].flatMap(([name, { items }]) =>
    items !== undefined && items.properties.size > 0 && isMade(model, name) ? [name] : [],
  )
}

/** Paths of what other operations leave behind: `GET /audit/{type}/{id}`, `GET /inventory/history/{productId}`. */
const JOURNAL = /\/(audits?|histor(y|ies)|ledger|activit(y|ies)|audit[-_]?logs?)(\/|$)/i

/** Whether a list is a journal that nothing writes. */
const isIdleJournal = ({ model, auditLogs }: CompiledApi, { effect, path }: Operation): boolean =>
  effect.kind === 'list' &&
  JOURNAL.test(path) &&
  !isMade(model, effect.collection) &&
  // Clients change nothing below past events, as they do below `/audit_logs/actions` of WorkOS.
  !model.operations.some((other) => other.method !== 'GET' && other.path.startsWith(`${path}/{`)) &&
  !auditLogs.some((log) => log.collection === effect.collection)

/** Whether no request adds to a list below records that clients create: `GET /orders/{id}/tickets`. */
function isUnfed(model: ApiModel, effect: Effect): boolean {
  if (effect.kind !== 'list' || effect.envelope.shape !== 'list' || isMade(model, effect.collection)) return false
  const owner = effect.scope.at(-1)?.collection
  return owner !== undefined && isMade(model, owner)
}

/** The collection that a list below its name shows other records of, as `GET /bids/my` does of `bids`. */
function findListOf(model: ApiModel, { operation, collection }: CompiledOperation): string | undefined {
  const { effect, segments } = operation
  const above = segments.at(-2)
  if (effect.kind !== 'list' || collection === undefined || above?.kind !== 'static') return undefined
  const other = model.collections.find(({ name }) => name === above.text && name !== effect.collection)
  if (other === undefined || isMade(model, effect.collection) || !isMade(model, other.name)) return undefined
  const names = [...allNames(other.schema).keys()]
  const own = allNames(collection.model.schema)
  return names.filter((name) => own.has(name)).length * 2 > names.length ? other.name : undefined
}

const isMade = ({ operations }: ApiModel, collection: string): boolean =>
  operations.some(
    ({ effect }) =>
      ('makes' in effect && effect.makes?.collection === collection) ||
      ('collection' in effect &&
        effect.collection === collection &&
        (/^(create|bulkCreate)$/.test(effect.kind) || ('upsert' in effect && effect.upsert))),
  )

/** Fields of an operation's body that no field of the records keeps. Options, which are flags, do something else; of an action, numbers, times and ids. */
function findLostFields(api: CompiledApi, compiled: CompiledOperation): readonly string[] {
  const { effect, requestBody, success, parameters } = compiled.operation
  const { model: collection } = compiled.collection ?? {}
  const isWhole = 'singleton' in effect && effect.whole !== undefined
  const model = collection ?? (isWhole ? undefined : documentOf(api.model, effect))
  const [sent] = requestBody?.content.values() ?? []
  const body = bodyOf(compiled.operation)
  if (!CHANGES.test(effect.kind) || model?.schema === undefined || keepsUnknown(model.schema)) return []
  // `PUT /modules/{id}`, whose body is `true`.
  if (effect.kind !== 'action' && /^(boolean|string|integer|number)$/.test(`${sent?.types}`)) return [WHOLE]
  const own = allNames(model.schema)
  // An action shows its own facts, not what it was sent.
  const shown = effect.kind === 'action' ? [] : [...success.content.values()]
  const answers = [collection?.listSchema, ...shown.map(({ schema }) => schema)]
  const elsewhere = new Set([
    ...answers.flatMap((schema) => [...allNames(schema).keys()]),
    ...parameters.map(({ name }) => name),
    ...('keys' in effect ? effect.keys.map(({ param }) => param) : []),
    ...('sets' in effect ? (effect.sets ?? []) : []).flatMap(({ field, to }) => {
      if (typeof to !== 'object') return [...field, ...allNames(schemaAt(model.schema, field)?.items).keys()]
      return 'sent' in to ? to.sent : 'amount' in to ? [to.amount] : []
    }),
    ...(collection?.id.sentAs === undefined ? [] : [collection.id.sentAs]),
  ])
  const intake = compiled.intakeOf(sent)
  const isTaken = (name: string) =>
    effect.kind === 'action' && collection && fieldTaken(name, collection, { intake, sent: body, verb: effect.verb })
  return [...allNames(body)].flatMap(([name, field]) => {
    const isFile = field.format === 'binary' || field.format === 'byte'
    const isOption =
      (effect.kind === 'action' && !/number|integer|date|uuid/.test(`${field.types} ${field.format}`)) ||
      field.writeOnly ||
      isFile ||
      field.types[0] === 'boolean' ||
      HIDDEN.test(name) ||
      name.includes('.')
    const isKept =
      elsewhere.has(name) ||
      intake.parts.has(name) ||
      recordField(model, own, name, sampleOf(field)) !== undefined ||
      isTaken(name)
    return isOption || isKept ? [] : [name]
  })
}

const sampleOf = ({ types }: Schema): '' | Record<string, never> =>
  types.includes('object') || types.includes('array') ? {} : ''

/** Numbers beside the records of a list that are not about its page: `{ reviews, averageRating }`. */
function findMadeUpBeside({ effect, success }: Operation): readonly string[] {
  const [name, ...deeper] = effect.kind === 'list' ? effect.envelope.path : []
  const [shown] = success.content.values()
  if (name === undefined || deeper.length > 0) return []
  return [...(shown?.schema?.properties ?? [])].flatMap(([field, { types }]) =>
    /number|integer/.test(types.join()) && wordsOf(field).some((word) => COMPUTED.test(word)) && !isAboutPage(field)
      ? [field]
      : [],
  )
}

/** Fields of an operation's answer that look computed, of records that others belong to, and that nothing keeps right. */
function findMadeUpFields(api: CompiledApi, { operation, collection }: CompiledOperation): readonly string[] {
  if (collection === undefined) return []
  const { model, upkeep } = collection
  const { operations, collections } = api.model
  const owned = collections.filter(
    ({ parent, relations }) =>
      parent?.collection === model.name || relations.some((relation) => relation.collection === model.name),
  )
  if (owned.length === 0 && operation.effect.kind !== 'create') return []
  const counters = owned.flatMap(({ name }) => api.countersOf(name).filter((one) => one.collection === model.name))
  const kept = new Set([
    ...counters.map(({ counter }) => counter),
    ...operations.flatMap((one) => setBy(one, model)),
    ...Object.keys(model.initial ?? {}),
  ])
  const names = allNames(model.schema)
  const isOwnCount = (name: string) =>
    [...names].some(([list, { items }]) => items && foldNoun(list) === foldNoun(name.replace(/_?count$/i, '')))
  // `endsAt` beside the `startsAt` and a `duration` that clients send, whose unit no name says.
  const sends = (...parts: RegExp[]) =>
    parts.every((part) => [...upkeep.sent].some((name) => part.test(foldName(name))))
  const isTimed = sends(/^starts?/, /^duration$/)
  // The `duration` of a time entry: Kimai, Solidtime.
  const isSpan = sends(/^(starts?|begins?)/, /^(ends?|stops?)/)
  // The totals of lines within a record follow them.
  const hasLines = [...names.values()].some(
    ({ items }) => items?.types.includes('object') && !items.properties.has('id'),
  )
  return [...names].flatMap(([name, { types, readOnly }]) => {
    const words = wordsOf(name)
    // Django writes the counts that a method computes as read-only texts.
    const isNumber = (readOnly || /number|integer/.test(types.join())) && words.some((word) => COMPUTED.test(word))
    const isComputed =
      (isNumber && !hasLines && !isOwnCount(name)) ||
      (isTimed && /^ends?(at|on|time|date)?$/.test(foldName(name))) ||
      (isSpan && /^duration/.test(foldName(name)))
    return isComputed && !endsInKey(name) && !kept.has(name) && !upkeep.sent.has(name) ? [name] : []
  })
}

/** Prices in the lines that a request sends without them: `items.unitPrice` of `{ items: [{ productId, quantity }] }`. */
function findMadeUpPrices(api: CompiledApi, { operation, collection }: CompiledOperation): readonly string[] {
  const { effect } = operation
  if (!CHANGES.test(effect.kind)) return []
  const model = collection?.model ?? documentOf(api.model, effect)
  const sent = allNames(bodyOf(operation))
  const added = new Set('sets' in effect ? (effect.sets ?? []).map(({ field }) => `${field}`) : [])
  return [...allNames(model?.schema)].flatMap(([name, { items }]) => {
    const line = allNames(sent.get(name)?.items)
    const lines = line.size === 0 && added.has(name) ? sent : line
    return [...(lines.size > 0 ? allNames(items) : [])].flatMap(([field, { types }]) =>
      /number|integer/.test(types.join()) && !lines.has(field) && wordsOf(field).some((word) => PRICE.test(word))
        ? [`${name}.${field}`]
        : [],
    )
  })
}

/** Names of lists that are empty where all is well. */
const USUALLY_EMPTY = /error|warning|notice|links$/i

/** Lists of objects in new records that no request fills: the seats of a session. */
function findUnfilled(api: CompiledApi, { operation: { effect }, collection }: CompiledOperation): readonly string[] {
  if (effect.kind !== 'create' || collection === undefined) return []
  const { model, upkeep } = collection
  const { operations, collections } = api.model
  const kept = new Set([...operations.flatMap((one) => setBy(one, model)), ...Object.keys(model.initial ?? {})])
  const made = collections.filter(({ name }) => isMade(api.model, name)).map(({ name }) => foldName(name))
  return [...allNames(model.schema)].flatMap(([name, { items }]) =>
    items === undefined ||
    items.properties.size === 0 ||
    kept.has(name) ||
    upkeep.sent.has(name) ||
    USUALLY_EMPTY.test(name) ||
    made.some((other) => other.endsWith(foldName(name)))
      ? []
      : [name],
  )
}

/** Whether a document that clients write begins with values that no example and no default gives. */
function isInvented(model: ApiModel, { effect, success }: Operation): boolean {
  if (effect.kind !== 'singletonRead' || effect.whole !== undefined) return false
  const { schema } = documentOf(model, effect) ?? {}
  const isWritten = model.operations.some(
    ({ effect: other }) => 'singleton' in other && other.singleton === effect.singleton && other.kind !== effect.kind,
  )
  const hasExample = [...success.content.values()].some(({ example }) => example !== undefined)
  return isWritten && schema !== undefined && schema.properties.size > 0 && !hasExample && !isGiven(schema)
}

const REFUSES = /^(create|update|replace|delete|action)$/

/** The refusal of a state that an operation declares and nothing answers, as `409` and its text. */
function findIdleConflict(
  api: CompiledApi,
  { operation, collection }: CompiledOperation,
): readonly [string, string] | undefined {
  const { effect, responses, parameters, requestBody, summary } = operation
  const isConflict = ([code, { description = '' }]: readonly [string, { readonly description?: string | undefined }]) =>
    code === '409' || (/^4(00|22)$/.test(code) && /\btransition/i.test(description))
  const [status = '', { description } = {}] = [...responses].find(isConflict) ?? []
  if (description === undefined || collection === undefined || !REFUSES.test(effect.kind)) return undefined
  const { model, upkeep } = collection
  const isKeyed = effect.kind === 'create' && (model.linked ?? model.id.sentAs) !== undefined
  const isVersioned = upkeep.version !== undefined && effect.kind !== 'create'
  const isUnique = requestBody && uniqueNames(model, `${description} ${summary ?? ''}`, upkeep.keys).length > 0
  const isRepeated = parameters.some(({ in: at, name }) => at === 'header' && /idempoten/i.test(name))
  const outcome = effect.kind === 'action' ? effect : { toStatus: undefined, sets: [] }
  const isRefused = 'refusal' in effect && effect.refusal !== undefined && canRefuse(effect.refusal, outcome)
  const isAnswered = isKeyed || isVersioned || isUnique || isRepeated || isRefused || api.accountSteps.has(operation)
  return isAnswered ? undefined : [status, (description.split('\n')[0] ?? '').slice(0, 100)]
}

const documentOf = ({ singletons }: ApiModel, effect: Effect): SingletonModel | undefined =>
  'singleton' in effect ? singletons.find(({ name }) => name === effect.singleton) : undefined

const isGiven = ({ example, default: usual, enum: values, properties }: Schema): boolean =>
  example !== undefined ||
  usual !== undefined ||
  values?.length === 1 ||
  (properties.size > 0 && [...properties.values()].every(isGiven))

const setBy = ({ effect }: Operation, { name }: CollectionModel): string[] =>
  'sets' in effect && 'collection' in effect && effect.collection === name
    ? (effect.sets ?? []).map(({ field }) => `${field[0]}`)
    : []
