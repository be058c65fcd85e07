import { BODY_PARAMETERS } from '../../../names/paging-words.ts'
import { getOwn } from '../../../protocol/json.ts'
import type { Operation, Paging, Parameter } from '../../openapi/model.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import type { Continuation } from '../../world/sort-positions.ts'
import { sharedFields, uniqueFields } from '../facts/intake.ts'
import type { Query } from '../validation/read-query.ts'

/** Default number of records on a page. */
const DEFAULT_SIZE = 20
const MAX_SIZE = 1_000

/** The requested part of a list. */
export interface Page {
  /** Infinity where the operation has no paging. */
  readonly limit: number
  readonly offset: number
  /** Number of the page, in the API's counting. */
  readonly number: number
  readonly after: string | Continuation | undefined
  readonly before: string | undefined
  /** The client's way of paging: `cursor` also by default where the API has only cursors. */
  readonly style: 'page' | 'offset' | 'cursor' | 'none'
}

/** Reads the paging parameters of a list. */
export function readPage(operation: Operation, declared: Paging, query: Query, view: CollectionView): Page {
  const own = withOwnSize(operation, declared, query)
  const paging = withPageNumber(operation.method === 'GET' ? own : withBodyPaging(own, query), query)
  const limit = readLimit(operation, paging, query)
  const first = paging.firstPage
  const whole = { limit, offset: 0, number: first, after: undefined, before: undefined }
  const cursor = paramValue(query, paging.after)
  const place = readPlace(cursor ?? paramValue(query, paging.offset), view)
  if (place !== undefined) return { ...whole, offset: place, style: 'cursor' }
  const before =
    readCursor(paramValue(query, paging.before), view) ??
    keyBefore(cursor) ??
    keyBefore(paramValue(query, paging.offset)) ??
    keyBefore(paramValue(query, paging.page))
  if (before !== undefined)
    return { ...whole, before: typeof before === 'object' ? before[0] : before, style: 'cursor' }
  const after =
    readCursor(cursor, view) ??
    readCursor(tokenIn(operation, query, paging.offset) ?? tokenIn(operation, query, paging.page), view)
  if (after !== undefined) return { ...whole, after, style: 'cursor' }
  const offset = readNumber(query, paging.offset)
  if (offset !== undefined)
    return { ...whole, offset, number: first + (limit === 0 ? 0 : Math.floor(offset / limit)), style: 'offset' }
  const number = readNumber(query, paging.page)
  if (number !== undefined) {
    const at = Math.max(number, first)
    return { ...whole, number: at, offset: (at - first) * limit, style: 'page' }
  }
  return { ...whole, style: styleOf(operation, paging) }
}

/** A small number: no cursor, though its parameter is a text. */
const SMALL_NUMBER = /^\d{1,6}$/

/** `pageSize` is the size of a page beside `limit`, that of an offset. */
function withOwnSize({ parameters }: Operation, paging: Paging, query: Query): Paging {
  if (paging.page === undefined) return paging
  const isSize = ({ name }: Parameter) =>
    /^(page_?size|per_?page)$/i.test(name) && paramValue(query, name) !== undefined
  const own = parameters.find((parameter) => parameter.in === 'query' && isSize(parameter))
  return own === undefined || own.name === paging.limit ? paging : { ...paging, limit: own.name, offset: undefined }
}

/** `page=2`, where `page` is a text that is usually a cursor. */
function withPageNumber(paging: Paging, query: Query): Paging {
  const { after, page } = paging
  if (after === undefined || page !== undefined || !/^page(num(ber)?|no|index)?$/i.test(after)) return paging
  return SMALL_NUMBER.test(paramValue(query, after) ?? '') ? { ...paging, page: after, after: undefined } : paging
}

/** The cursor in an offset or a page that is a text. */
function tokenIn(operation: Operation, query: Query, name: string | undefined): string | undefined {
  if (name === undefined || !isToken(operation, name)) return undefined
  const text = paramValue(query, name)
  return text !== undefined && SMALL_NUMBER.test(text) ? undefined : text
}

function withBodyPaging(paging: Paging, { values }: Query): Paging {
  const find = (role: keyof typeof BODY_PARAMETERS) => BODY_PARAMETERS[role].find((name) => values[name] !== undefined)
  return {
    limit: paging.limit ?? find('limit'),
    offset: paging.offset ?? find('offset'),
    page: paging.page ?? find('page'),
    firstPage: paging.firstPage,
    after: paging.after ?? find('after'),
    before: paging.before ?? find('before'),
  }
}

/** The default way of paging. */
function styleOf(operation: Operation, paging: Paging): Page['style'] {
  if (paging.page !== undefined) return isToken(operation, paging.page) ? 'cursor' : 'page'
  if (paging.offset !== undefined) return isToken(operation, paging.offset) ? 'cursor' : 'offset'
  return paging.after !== undefined ? 'cursor' : 'none'
}

/** Whether an offset or page is an opaque text and not a number, as in some APIs. */
export function isToken(operation: Operation, name: string): boolean {
  const { types = [], default: usual, example } = parameterOf(operation, name)?.schema ?? {}
  // A number may be written as a text: `default: "0"`.
  const isNumber = types.includes('integer') || types.includes('number') || /^\d+$/.test(String(usual ?? example ?? ''))
  return types.includes('string') && !isNumber
}

const parameterOf = (operation: Operation, name: string): Parameter | undefined =>
  operation.parameters.find((parameter) => parameter.in === 'query' && parameter.name === name)

/** A page is never longer than the described list. */
const readLimit = (operation: Operation, paging: Paging, query: Query): number =>
  Math.min(wantedLimit(operation, paging, query), paging.most ?? Number.POSITIVE_INFINITY)

function wantedLimit(operation: Operation, paging: Paging, query: Query): number {
  const { limit, page, offset, after } = paging
  const given = readNumber(query, limit)
  if (given !== undefined) return Math.min(Math.max(given, 0), MAX_SIZE)
  const schema = limit === undefined ? undefined : parameterOf(operation, limit)?.schema
  const byDefault = Number(schema?.default ?? Number.NaN)
  if (Number.isInteger(byDefault) && byDefault > 0) return Math.min(byDefault, MAX_SIZE)
  const isPaged = limit !== undefined || page !== undefined || offset !== undefined || after !== undefined
  return isPaged ? Math.min(DEFAULT_SIZE, schema?.maximum ?? DEFAULT_SIZE) : Number.POSITIVE_INFINITY
}

/** The value of a paging parameter: declared flat (`page[size]`) or nested. */
export function paramValue(query: Query, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const direct = getOwn(query.values, name)
  // An undeclared name with brackets is stored under the part before the bracket.
  const value = direct ?? (name.includes('[') ? query.pairs.find(([key]) => key === name)?.[1] : undefined)
  return value === undefined || value === null || typeof value === 'object' || value === '' ? undefined : String(value)
}

function readNumber(query: Query, name: string | undefined): number | undefined {
  const text = paramValue(query, name)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** The cursor of the first page, as clients of search engines send it. */
const START = /^[*0]$/
/** Marks our cursors, to distinguish them from plain keys. */
const MARK = 'c1.'
const ENCODED_MARK = Buffer.from(MARK).toString('base64url')

/**
 * An opaque cursor: the keys of the last shown record and of the next one, so that a client that deletes records while
 * paging still finds the next page.
 */
export function toCursor(last: string, next: string | undefined): string {
  return Buffer.from(`${MARK}${JSON.stringify(next === undefined ? [last] : [last, next])}`).toString('base64url')
}

/** A cursor for the page before a record, where one parameter leads both ways. */
export const toCursorBefore = (first: string): string =>
  Buffer.from(`${MARK}${JSON.stringify([first, '', BEFORE])}`).toString('base64url')

const BEFORE = 'before'

function keyBefore(text: string | undefined): string | undefined {
  const [key, , direction] = (text !== undefined && decode(text)) || []
  return direction === BEFORE ? key : undefined
}

/** Numbers from here on stand for positions in a list, for numeric cursors. */
const FIRST_PLACE = 1_900_000_000
const LAST_PLACE = 2_100_000_000

/** A cursor for numeric fields: the number of records before the next page. */
export const toPlace = (offset: number): number => FIRST_PLACE + offset

/** The offset of such a cursor; undefined for other cursors, and for keys of records. */
function readPlace(text: string | undefined, view: CollectionView): number | undefined {
  const place = text !== undefined && /^\d{10}$/.test(text) && !view.has(text) ? Number(text) : Number.NaN
  return place >= FIRST_PLACE && place < LAST_PLACE ? place - FIRST_PLACE : undefined
}

/** The key after which the page starts. Plain keys are cursors too; undefined without a cursor. */
export function readCursor(text: string | undefined, view: CollectionView): string | Continuation | undefined {
  if (text === undefined) return undefined
  if (view.has(text)) return text
  if (START.test(text)) return undefined
  const keys = decode(text)
  if (keys === undefined) return keyBy(text, view) ?? text
  const [last = '', next] = keys
  return next === undefined ? last : [last, next]
}

/** The key of the record that a text identifies by another field: clients page by an id, a name or a serial number. */
function keyBy(text: string, view: CollectionView): string | undefined {
  const { id, schema } = view.model
  const names = [...(schema?.fields.has('id') ? ['id'] : []), ...uniqueFields(schema), ...sharedFields(schema)]
  for (const name of names) {
    const key = id.field?.join('.') === name ? undefined : view.find([name], text)
    if (key !== undefined) return key
  }
  return undefined
}

/** Whether a text is a cursor that an answer gave. */
export const isGivenCursor = (text: string): boolean => decode(text) !== undefined

function decode(text: string): string[] | undefined {
  if (!text.startsWith(ENCODED_MARK)) return undefined
  try {
    const keys: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8').slice(MARK.length))
    return Array.isArray(keys) ? keys.map(String) : undefined
  } catch {
    return undefined
  }
}
