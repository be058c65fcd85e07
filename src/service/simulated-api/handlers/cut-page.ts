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

/** Where a page begins and ends in its list, and whether more follows in the requested direction. */
interface Extent {
  readonly start: number
  readonly end: number
  readonly hasMore: boolean
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
  const extent = extentOf(call, paging, limit, list)
  const cut = list.slice(extent.start, extent.end)
  const items = each === undefined ? cut : cut.flatMap((item) => evaluate(each, { item }) ?? [])
  const first = firstOf(paging)
  const page = first + extent.start / limit
  const last = Math.max(1, Math.ceil(list.length / limit)) - 1 + first
  const link = 'number' in paging ? linkHeader(call.request, paging.number, { first, page, last }) : undefined
  if (place === true || !isJsonObject(whole)) return { body: items, link }
  const fields = Object.entries(fieldsOf(paging, whole, list, extent))
  const body = fields.reduce<JsonObject>((made, [path, value]) => writeField(made, path.split('.'), value), {
    ...whole,
    [place]: items,
  })
  if (!('adds' in paging) || paging.adds === undefined) return { body, link }
  const { start } = extent
  const to = (number: number) => pathOf(call.request, { [paging.size]: limit, [paging.number]: number })
  const links = {
    here: to(page),
    first: to(first),
    previous: page > first ? to(page - 1) : null,
    next: page < last ? to(page + 1) : null,
  }
  const facts = { list: place, number: page, size: limit, start, end: start + Math.max(0, items.length - 1), ...links }
  const added = evaluate(paging.adds, { page: facts })
  return { body: { ...body, ...(isJsonObject(added) && added) }, link }
}

function limitOf(call: ApiCall, { size, most, usual }: PageCut): number {
  const declared = call.operation.parameters.find(({ name }) => name === size)?.schema
  const wanted = numberOf(call, size) || Number(usual ?? declared?.default ?? USUAL_SIZE)
  return Math.max(1, Math.min(wanted, most))
}

function extentOf(call: ApiCall, paging: PageCut, limit: number, list: readonly Json[]): Extent {
  let start: number
  if ('after' in paging) {
    const last = placeIn(list, call, paging.after)
    const end = last === undefined && paging.before !== undefined ? placeIn(list, call, paging.before) : undefined
    if (end !== undefined) return { start: Math.max(0, end - limit), end, hasMore: end > limit }
    start = last === undefined ? 0 : last + 1
  } else if ('number' in paging) start = Math.max(0, numberOf(call, paging.number) - firstOf(paging)) * limit
  else start = 'cursor' in paging ? placeAfter(call, paging, list) : numberOf(call, paging.offset)
  return { start, end: start + limit, hasMore: start + limit < list.length }
}

/** Dotted fields of the answer for the page: null or an empty text where the list ends. */
function fieldsOf(
  paging: PageCut,
  whole: JsonObject,
  list: readonly Json[],
  { start, end, hasMore }: Extent,
): JsonObject {
  const { more, total } = paging
  const hasFlag = more !== undefined && (!('cursor' in paging) || readField(whole, more.split('.')) !== undefined)
  const ends = 'after' in paging ? paging.ends : undefined
  return {
    ...(hasFlag && { [more]: hasMore }),
    ...(total !== undefined && { [total]: list.length }),
    ...('cursor' in paging && { [paging.next]: hasMore ? cursorOf(list[end] ?? null, end) : '' }),
    ...(ends && {
      [ends.before]: (start > 0 && idIn(list[start])) || null,
      [ends.after]: (end < list.length && idIn(list[end - 1])) || null,
    }),
  }
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

/** The `Link` header (RFC 8288) to other pages; undefined without any. */
function linkHeader(
  request: ApiRequest,
  name: string,
  { first, page, last }: { readonly first: number; readonly page: number; readonly last: number },
): string | undefined {
  const to = (number: number) => `<${request.origin}${pathOf(request, { [name]: number })}>`
  const back = page > first ? [`${to(Math.min(page - 1, last))}; rel="prev"`] : []
  const on = page < last ? [`${to(page + 1)}; rel="next"`, `${to(last)}; rel="last"`] : []
  const start = page > first ? [`${to(first)}; rel="first"`] : []
  const links = [...back, ...on, ...start]
  return links.length === 0 ? undefined : links.join(', ')
}

function pathOf({ path, query }: ApiRequest, changed: Readonly<Record<string, number>>): string {
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changed)) parameters.set(name, String(value))
  return `${path}?${parameters}`
}

/** The start of the page for a request's cursor. A deleted item is replaced by its former position. */
function placeAfter(
  call: ApiCall,
  { cursor: name, error }: Extract<PageCut, { readonly cursor: string }>,
  list: readonly Json[],
): number {
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
