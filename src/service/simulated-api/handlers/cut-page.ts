import type { EffectRow, PageCut } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type Json, type JsonObject, readField, writeField } from '../../../protocol/json.ts'
import type { ApiCall } from '../calls/call.ts'
import type { ApiRequest } from '../exchange.ts'
import { idIn } from '../expressions/evaluate.ts'
import { cursorOf, cursorPlace } from '../expressions/operators/paged.ts'
import { paramValue } from '../listing/page.ts'
import { Refusal } from '../refusal.ts'

/** Evaluates an expression, with further names from the answer. */
export type Evaluate = (expression: Json, names?: Readonly<Record<string, Json>>) => Json | undefined

/** Default number of items on a page. */
const USUAL_SIZE = 30

/** A part of a list, and whether more follows in the requested direction. */
interface Cut {
  readonly items: readonly Json[]
  readonly hasMore: boolean
  /** Its start in the list. */
  readonly start: number
}

/** The requested page of a list, and the `Link` header (RFC 8288) to the others. */
export function cutPage(
  call: ApiCall,
  paging: PageCut,
  { page: place = true, each }: Pick<EffectRow, 'page' | 'each'>,
  whole: Json,
  evaluate: Evaluate,
): { body: Json; link: string | undefined } {
  const list = place === true ? whole : isJsonObject(whole) ? whole[place] : undefined
  if (!Array.isArray(list)) return { body: whole, link: undefined }
  const limit = limitOf(call, paging)
  const first = firstOf(paging)
  const page = 'number' in paging ? Math.max(first, numberOf(call, paging.number)) : first
  const {
    items: cut,
    hasMore,
    start: begin,
  } = 'after' in paging
    ? cutAtRecord(call, paging, list, limit)
    : cutFrom(startOf(call, paging, page, limit, list), list, limit)
  const items = each === undefined ? [...cut] : cut.flatMap((item) => evaluate(each, { item }) ?? [])
  const { more, total } = paging
  const counts = {
    ...(more !== undefined && { [more]: hasMore }),
    ...(total !== undefined && { [total]: list.length }),
  }
  if ('cursor' in paging && place !== true && isJsonObject(whole)) {
    const end = startOf(call, paging, page, limit, list) + limit
    return { body: withCursor({ ...whole, [place]: items }, paging, list, end), link: undefined }
  }
  if ('after' in paging && paging.ends !== undefined && place !== true && isJsonObject(whole)) {
    const counted = { ...whole, [place]: items, ...counts }
    return { body: withEnds(counted, paging.ends, { items: cut, start: begin, length: list.length }), link: undefined }
  }
  const last = Math.max(1, Math.ceil(list.length / limit)) - 1 + first
  const link = 'number' in paging ? linkHeader(call.request, paging.number, { first, page, last }) : undefined
  if (place === true || !isJsonObject(whole)) return { body: items, link }
  const body = { ...whole, [place]: items, ...counts }
  if (!('adds' in paging) || paging.adds === undefined) return { body, link }
  const start = (page - first) * limit
  const facts = { list: place, number: page, size: limit, start, end: start + Math.max(0, items.length - 1) }
  const links = linksOf(call.request, paging, { first, page, last, limit })
  const added = evaluate(paging.adds, { page: { ...facts, ...links } })
  return { body: { ...body, ...(isJsonObject(added) && added) }, link }
}

function limitOf(call: ApiCall, { size, most, usual }: PageCut): number {
  const declared = call.operation.parameters.find(({ name }) => name === size)?.schema
  const wanted = numberOf(call, size) || Number(usual ?? declared?.default ?? USUAL_SIZE)
  return Math.max(1, Math.min(wanted, most))
}

function startOf(
  call: ApiCall,
  paging: Exclude<PageCut, { after: string }>,
  page: number,
  limit: number,
  list: readonly Json[],
): number {
  if ('cursor' in paging) return placeAfter(call, paging, list)
  return 'number' in paging ? (page - firstOf(paging)) * limit : numberOf(call, paging.offset)
}

const cutFrom = (start: number, list: readonly Json[], limit: number): Cut => ({
  items: list.slice(start, start + limit),
  hasMore: start + limit < list.length,
  start,
})

/** The items after the record of one parameter, or before that of the other. */
function cutAtRecord(
  call: ApiCall,
  { after, before }: Extract<PageCut, { after: string }>,
  list: readonly Json[],
  limit: number,
): Cut {
  const last = placeIn(list, call, after)
  if (last !== undefined) return cutFrom(last + 1, list, limit)
  const end = before === undefined ? undefined : placeIn(list, call, before)
  if (end === undefined) return cutFrom(0, list, limit)
  return { items: list.slice(Math.max(0, end - limit), end), hasMore: end > limit, start: Math.max(0, end - limit) }
}

/** An answer with the ids of its page's first and last record, where the list continues. */
function withEnds(
  body: JsonObject,
  { before, after }: { readonly before: string; readonly after: string },
  { items, start, length }: { readonly items: readonly Json[]; readonly start: number; readonly length: number },
): JsonObject {
  const first = start > 0 ? (idIn(items[0]) ?? null) : null
  const last = start + items.length < length ? (idIn(items.at(-1)) ?? null) : null
  return writeField(writeField(body, before.split('.'), first), after.split('.'), last)
}

/** The position of a parameter's record in the list. Refuses a missing one. */
function placeIn(list: readonly Json[], { query }: ApiCall, name: string): number | undefined {
  const id = paramValue(query, name)
  if (id === undefined || id === '') return undefined
  const place = list.findIndex((item) => idIn(item) === id)
  if (place >= 0) return place
  throw new Refusal(400, 'missing_reference', `Expected \`${name}\` to name a record of the list, got "${id}".`, name, {
    facts: { id },
  })
}

const numberOf = ({ query }: ApiCall, name: string): number => {
  const text = paramValue(query, name)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0
}

const firstOf = (paging: PageCut): number => ('number' in paging ? (paging.first ?? 1) : 1)

/** Number of a page, and of the first and last page. */
interface PageAmong {
  readonly first: number
  readonly page: number
  readonly last: number
}

/** The `Link` header (RFC 8288) to other pages; undefined without any. */
function linkHeader(request: ApiRequest, name: string, { first, page, last }: PageAmong): string | undefined {
  const to = (number: number) => `<${request.origin}${pathOf(request, { [name]: number })}>`
  const back = page > first ? [`${to(Math.min(page - 1, last))}; rel="prev"`] : []
  const on = page < last ? [`${to(page + 1)}; rel="next"`, `${to(last)}; rel="last"`] : []
  const start = page > first ? [`${to(first)}; rel="first"`] : []
  const links = [...back, ...on, ...start]
  return links.length === 0 ? undefined : links.join(', ')
}

/** Paths with queries to pages, including this one; null without one. */
function linksOf(
  request: ApiRequest,
  { number: name, size }: { readonly number: string; readonly size: string },
  { first, page, last, limit }: PageAmong & { readonly limit: number },
): JsonObject {
  const to = (number: number) => pathOf(request, { [size]: limit, [name]: number })
  return {
    here: to(page),
    first: to(first),
    previous: page > first ? to(page - 1) : null,
    next: page < last ? to(page + 1) : null,
  }
}

/** The path of a request with its query and some changed parameters. */
function pathOf({ path, query }: ApiRequest, changed: Readonly<Record<string, number>>): string {
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changed)) parameters.set(name, String(value))
  return `${path}?${parameters}`
}

/** Pages by cursor. */
type CursorCut = Extract<PageCut, { readonly cursor: string }>

/** The start of the page for a request's cursor. A deleted item is replaced by its former position. */
function placeAfter(call: ApiCall, { cursor: name, error }: CursorCut, list: readonly Json[]): number {
  const text = paramValue(call.query, name) ?? ''
  if (text === '') return 0
  const place = cursorPlace(text, list)
  if (place === undefined)
    throw new Refusal(
      400,
      error,
      `Expected \`${name}\` to be a cursor of an answer, got "${text.slice(0, 100)}".`,
      name,
    )
  return place
}

/** An answer with the cursor of the next page, and whether there is one, if the answer has such a field. */
function withCursor(body: Json, { next, more }: CursorCut, list: readonly Json[], end: number): Json {
  if (!isJsonObject(body)) return body
  const following = list[end]
  const cursor = following === undefined ? '' : cursorOf(following, end)
  const whole = writeField(body, next.split('.'), cursor)
  if (more === undefined || readField(whole, more.split('.')) === undefined) return whole
  return writeField(whole, more.split('.'), following !== undefined)
}
