import { foldNoun } from '../../../names/nouns.ts'
import { grouped } from '../../../protocol/grouped.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { hashText, mixPair } from '../../../runtime/random.ts'
import { fits } from '../../../schema/checker.ts'
import type { Effect } from '../../openapi/model.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { refersTo } from '../../world/field.ts'
import type { FieldTest } from '../../world/select.ts'
import { type Answered, type ApiCall, NO_CHANGES, type Setting } from '../calls/call.ts'
import { type FieldFilter, readFilters } from '../listing/filters.ts'
import { type Page, readPage } from '../listing/page.ts'
import { PageFacts, type Selected } from '../listing/page-facts.ts'
import type { RecordTest } from '../listing/search-query.ts'
import { readSort } from '../listing/sort.ts'
import { requireParents, requiresParents, toScopeMatches } from '../records/scope.ts'
import type { Query } from '../validation/read-query.ts'
import { accountWith, makerFields } from './accounts.ts'
import { answerJson, answerRecords } from './answer.ts'
import { fillWithEcho } from './echo.ts'
import { missing, namedRecords } from './find-record.ts'
import { isCurrent } from './item.ts'

type ListEffect = Effect & { kind: 'list' | 'search' }

/** Most records of an unpaged list, so that the answer fits into memory. */
const MOST_UNPAGED = 10_000

/** Shows a page of a collection. */
export function list(setting: Setting, call: ApiCall, effect: ListEffect): Answered {
  requireParents(setting, call, effect.scope)
  const view = setting.world.collection(effect.collection)
  const named = namedRecords(call, view)
  if (named.length > 0) {
    return { response: answerRecords(setting, call, { envelope: effect.envelope, founds: named }), changes: [] }
  }
  const query = queryOf(call)
  const page = readPage(call.operation, effect.paging, query, view)
  const selected = select(setting, call, effect, { view, query, page })
  const { records: founds, shown } = selected
  if (founds.length === 0 && effect.envelope.shape === 'record' && call.query.pairs.length > 0) {
    throw missing(setting, call, { ...effect, keys: [] })
  }
  const tag = tagOfPage(call, selected)
  const known = call.request.headers['if-none-match']
  if (known !== undefined && isCurrent(known, tag)) {
    return { response: { status: 304, headers: { ETag: tag }, body: null }, changes: NO_CHANGES }
  }
  const facts = new PageFacts(call, effect.paging, page, selected)
  const { pageWords } = setting
  const headers = { ETag: tag, ...pageWords.headers(call.operation, facts) }
  const { schema, isJson } = call.representation
  // `GET /tasks/count` described as a number.
  if (effect.envelope.shape === 'none' && isJson && schema && fits(schema, facts.total)) {
    return { response: answerJson(call, facts.total, headers), changes: NO_CHANGES }
  }
  const input = { envelope: effect.envelope, founds, shown, fill: fillWithEcho(call, pageWords.fill(facts)), headers }
  return { response: answerRecords(setting, call, input), changes: NO_CHANGES, warnings: warnOfLeftOut(selected) }
}

/** POST searches have their parameters in the body. */
function queryOf({ query, body }: ApiCall): Query {
  if (!isJsonObject(body.value)) return query
  const values: Record<string, Json> = { ...body.value, ...query.values }
  const part = PAGING_PARTS.map((name) => values[name]).find(isJsonObject)
  return { ...query, values: part === undefined ? values : { ...part, ...values } }
}

/** Objects of a body that say which page is wanted: `{ options: { count, offset } }`. */
const PAGING_PARTS = ['pagination', 'paging', 'page', 'options']

function select(
  setting: Setting,
  call: ApiCall,
  effect: ListEffect,
  { view, query, page }: { view: CollectionView; query: Query; page: Page },
): Selected {
  const { listParameters } = call.compiled
  const { where: matches, ignore } = call.narrowed ?? {}
  const values = listParameters.withDefaults(query.values)
  const others = ignore && Object.fromEntries(Object.entries(values).filter(([name]) => !ignore.includes(name)))
  const filters = readFilters(listParameters, others ?? values)
  const where = withoutStrangers(setting, call, view, filters.where).map(orUnowned)
  const sort = readSort(listParameters, values)
  const ofPath = toScopeMatches(setting, call, effect.scope)
  const { after, before, offset } = page
  const size = Math.min(page.limit, MOST_UNPAGED)
  const { records, total } = view.select({
    scope: filters.scope.length === 0 ? ofPath : [...ofPath, ...filters.scope],
    where: [...where, ...withoutDeleted(setting, effect, query)],
    matches: both(both(filters.matches, matches), ofCaller(setting, call, view)),
    sort,
    // As their parent lists them.
    newestFirst:
      sort.length === 0
        ? effect.paging.oldestFirst !== true && view.model.listedIn === undefined
        : sort[0]?.descending === true,
    after,
    before,
    offset,
    limit: size + 1,
  })
  const isBackward = page.before !== undefined && page.after === undefined
  const wanted = isBackward ? records.slice(-size || records.length) : records.slice(0, size)
  const texts = setting.presenter.textsOf(effect.collection, effect.envelope.schema)
  const inOrder = isBackward ? wanted.toReversed() : wanted
  const shown = setting.world.longReads.read(texts.makePage(inOrder))
  const fitting = shown.length
  return {
    records:
      fitting === wanted.length
        ? wanted
        : isBackward
          ? wanted.slice(-fitting || wanted.length)
          : wanted.slice(0, fitting),
    shown: isBackward ? shown.toReversed() : shown,
    total,
    hasMore: isBackward ? true : records.length > fitting,
    hasPrevious: isBackward ? records.length > fitting : page.offset > 0 || page.after !== undefined,
    next: isBackward ? undefined : records[fitting]?.key,
    leftOut: wanted.length - fitting,
  }
}

/** Lists have no deleted records, unless they are asked for: `?trashed=only`, `?include_deleted=true`. */
function withoutDeleted({ api }: Setting, { collection }: ListEffect, { values }: Query): readonly FieldTest[] {
  const { deletedAt } = api.collection(collection).upkeep
  if (deletedAt === undefined) return []
  const [asked] = Object.entries(values).filter(([name]) => /(trashed|deleted)\]?$/i.test(name))
  const [name, value] = asked?.map(String) ?? []
  const isOnly = value === 'only' || (/only/i.test(name ?? '') && value !== 'false')
  if (asked !== undefined && !isOnly && value !== 'false' && value !== 'without') return []
  return [{ field: [deletedAt], test: (stored) => ((stored ?? null) !== null) === isOnly }]
}

const OWN = /^(me|my|mine)(?:[-_]|$)/i

/**
 * `GET /vehicles/me`, `/me/vehicles` and `/my-vehicles` of a user who logged in list the records whose `user_id` names this
 * user or nobody. Of tasks without a `user_id`, they list those whose `assigneeId` names the user.
 */
function ofCaller(setting: Setting, call: ApiCall, { model }: CollectionView): RecordTest | undefined {
  const account = accountWith(setting, call.key)
  if (account === undefined) return undefined
  const texts = call.operation.segments.flatMap((one) => (one.kind === 'static' ? [one.text] : []))
  const last = texts.at(-1) ?? ''
  const noun = last.replace(OWN, '')
  // `/me/feed` and `/me/favorites` of posts have those of others.
  const isOwn = noun !== last || texts.some((text) => /^(me|my|mine)$/i.test(text))
  if (!isOwn || (noun !== '' && !foldNoun(model.name).endsWith(foldNoun(noun)))) return undefined
  const named = Object.entries(makerFields(setting, call, model.schema)).filter(([, value]) => !isJsonObject(value))
  const own = isJsonObject(account.record.of) ? account.record.of : {}
  const relations = model.relations.filter(({ collection }) => collection === own.collection)
  if (named.length + relations.length === 0) return undefined
  // A new project with empty `memberIds` is listed: its maker may be no member yet.
  const isNobodys = (record: JsonObject) =>
    named.length > 0
      ? named.every(([name]) => (record[name] ?? null) === null)
      : relations.every(({ many, field }) => many && String(readField(record, field) ?? '') === '')
  return (record) =>
    named.some(([name, value]) => record[name] === value) ||
    isNobodys(record) ||
    relations.some(({ field }) => refersTo(readField(record, field), String(own.key)))
}

function both(left: RecordTest | undefined, right: RecordTest | undefined): RecordTest | undefined {
  return left && right ? (record) => left(record) && right(record) : (left ?? right)
}

const NO_WARNINGS: readonly string[] = []

/** Warns of a page that is shorter than requested. */
function warnOfLeftOut({ leftOut }: Selected): readonly string[] {
  if (leftOut === 0) return NO_WARNINGS
  const most = grouped(LIMITS.listedCharacters)
  return [`The page is without its last ${leftOut} records: all together they have more than ${most} characters.`]
}

/** Filters without required ones for missing records: parents need not exist, and such a list would always be empty. */
function withoutStrangers(
  setting: Setting,
  call: ApiCall,
  view: CollectionView,
  where: readonly FieldFilter[],
): readonly FieldFilter[] {
  if (requiresParents(setting, call) || where.length === 0) return where
  return where.filter(({ field, test, refersTo }) => {
    if (refersTo === undefined) return true
    const { collection, key } = refersTo
    if (collection !== undefined && setting.world.collection(collection).has(key)) return true
    return view.select({ where: [{ field, test }], limit: 1 }).total > 0
  })
}

/** Records that a client made without their owner belong to each: the list of an owner is the only one. */
const orUnowned = (filter: FieldFilter): FieldFilter =>
  filter.isOwner ? { ...filter, test: (stored) => stored === undefined || filter.test(stored) } : filter

function tagOfPage({ request }: ApiCall, { shown, total }: Selected): string {
  let hash = hashText(`${total} ${request.path}?${request.query}`)
  for (const record of shown) hash = mixPair(hash, record.hash)
  return `W/"${hash.toString(36)}"`
}
