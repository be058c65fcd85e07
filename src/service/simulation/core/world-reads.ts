import { didYouMean } from '../../../names/nearest-name.ts'
import { badRequest, notFound } from '../../../protocol/errors.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { RecordsPage, RecordsQuery, ValueCounts } from '../../../protocol/reads.ts'
import type { KeptRecord } from '../../../protocol/record-edit.ts'
import type { CollectionSummary } from '../../../protocol/simulation.ts'
import { sizeOf } from '../../../protocol/size-of.ts'
import { passes } from '../../behaviour/steps/draw-targets.ts'
import type { ApiModel, CollectionModel, Operation } from '../../openapi/model.ts'
import type { CollectionView, LiveRecord } from '../../world/collection-view.ts'
import { keyOf, toFieldPath } from '../../world/field.ts'
import type { Selection } from '../../world/select.ts'
import type { World } from '../../world/world.ts'
import { listSome } from '../origin/simulation-init.ts'

/** The collections of a world with their counts, for the detail read. */
export function summariseCollections(world: World): CollectionSummary[] {
  const shown = world.model.collections.filter(({ name, isApart }) => !isApart || world.count(name) > 0)
  return shown.map(({ name, statusField, id, parent }) => ({
    name,
    records: world.count(name),
    statusField: statusField?.join('.') ?? null,
    idField: id.field?.join('.') ?? null,
    parent: parent?.collection ?? null,
  }))
}

/**
 * One page of records as kept, without the simulated API: fewer than `limit` for large records, at least one. Throws
 * `not_found` for an unknown collection.
 */
export function readRecords(world: World, name: string, query: RecordsQuery): RecordsPage {
  const view = getCollection(world, name)
  const { records, total } = view.select(toSelection(view.model, query))
  return { data: withinPage(records), total, limit: query.limit, offset: query.offset }
}

function withinPage(records: readonly LiveRecord[]): JsonObject[] {
  const page: JsonObject[] = []
  let characters = 0
  for (const { record } of records) {
    characters += sizeOf(record)
    if (characters > LIMITS.listedCharacters && page.length > 0) break
    page.push(record)
  }
  return page
}

/** Most counted values of a field. */
const MOST_COUNTED = 100

/**
 * Number of records for each value of a field. Throws `not_found` for an unknown collection, `bad_request` for a field
 * with too many values.
 */
export function countValues(world: World, name: string, field: string): ValueCounts {
  const view = getCollection(world, name)
  const counts = view.counts(knownField(view.model, field, 'field'))
  if (counts === undefined || counts.length > MOST_COUNTED) {
    const got = counts === undefined ? 'thousands' : String(counts.length)
    throw badRequest(
      `Expected \`field\` to have at most ${MOST_COUNTED} different values, got "${field.slice(0, 100)}" with ${got}. Read the records with \`where\` instead.`,
    )
  }
  const named = counts.map(([value, records]) => [textOf(value ?? null), records] as const)
  return { data: Object.fromEntries(named.toSorted(([, left], [, right]) => right - left)) }
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A path for a first request to an API: preferably a list. */
export function findFirstPath({ operations, basePath }: ApiModel): string | undefined {
  const reads = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  const isComplete = ({ parameters }: Operation) => !parameters.some(({ required }) => required)
  const first = reads.find((read) => read.effect.kind === 'list' && isComplete(read)) ?? reads.find(isComplete)
  return first && basePath + first.path
}

/** One record as kept, without the simulated API. Throws `not_found` for an unknown collection or record. */
export function readRecord(world: World, name: string, id: string): KeptRecord {
  return describeRecord(world, getLive(getCollection(world, name), id))
}

/** A record with its id and its origin. */
export function describeRecord(world: World, { collection, key, record, position, changed }: LiveRecord): KeptRecord {
  const { size, given } = world.dataset.tables.get(collection) ?? { size: 0, given: 0 }
  const asMade = position < given ? 'seed' : 'generated'
  const origin = position >= size ? 'created' : changed === undefined ? asMade : 'changed'
  return { id: keyOf(world.collection(collection).model, record) ?? key, origin, record }
}

/** The records of a collection. Throws `not_found` for an unknown one. */
export function getCollection(world: World, name: string): CollectionView {
  const { collections, singletons } = world.model
  const known = collections.map((collection) => collection.name)
  if (known.includes(name)) return world.collection(name)
  const shown = name.slice(0, 100)
  const isDocument = singletons.some((singleton) => singleton.name === name)
  const fact = isDocument ? `"${shown}" is a single document, not a collection` : `No collection "${shown}"`
  throw notFound(`${fact} in this simulation.${didYouMean(shown, known)} There are: ${listSome(known)}.`)
}

/** The record with this id, now or originally. Throws `not_found`. */
export function getLive(view: CollectionView, id: string): LiveRecord {
  const key = view.findIn(id, [])
  const live = key === undefined ? undefined : view.live(key)
  if (live !== undefined) return live
  const { name } = view.model
  throw notFound(
    `No record "${id.slice(0, 100)}" in collection "${name}" of this simulation, which has ${view.count} now.`,
  )
}

/** The selection of a query. Throws `bad_request` for a field that the collection's records do not have. */
function toSelection(collection: CollectionModel, { limit, offset, where = {}, q, sort }: RecordsQuery): Selection {
  const text = q?.toLowerCase()
  return {
    limit,
    offset,
    where: Object.entries(where).map(([name, condition]) => ({
      field: knownField(collection, name, 'where'),
      test: (value) => passes(value, condition),
    })),
    ...(text !== undefined && { matches: (record) => holdsText(record, text) }),
    ...(sort !== undefined && {
      sort: sort.split(',').map((name) => ({
        field: knownField(collection, name.replace(/^-/, ''), 'sort'),
        descending: name.startsWith('-'),
      })),
    }),
  }
}

/** The path of a field that records may have. Throws `bad_request`. @param place where the query has it */
function knownField({ name, schema }: CollectionModel, field: string, place: string): ReturnType<typeof toFieldPath> {
  const path = toFieldPath(field)
  const known = [...(schema?.fields.keys() ?? [])]
  const [first = ''] = path
  if (known.length === 0 || known.includes(first)) return path
  const shown = field.slice(0, 100)
  const hint = didYouMean(first, known)
  throw badRequest(`Expected \`${place}\` to name a field of collection "${name}", got "${shown}".${hint}`)
}

/** Whether a value, or an inner one, contains a text. @param text in lower case */
function holdsText(value: Json, text: string): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some((inner) => holdsText(inner, text))
  return String(value).toLowerCase().includes(text)
}
