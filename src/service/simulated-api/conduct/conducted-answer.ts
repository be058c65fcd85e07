import type { EffectRow } from '../../../protocol/conduct.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { ApiResponse } from '../exchange.ts'
import { paramValue } from '../listing/page.ts'
import type { ApiCall } from '../operations/call.ts'
import { isCurrent } from '../operations/item.ts'
import { toTag } from '../presentation/record-shelf.ts'

type AnswerRow = Pick<EffectRow, 'answer' | 'status' | 'headers' | 'page' | 'each' | 'media'>
/** Query parameters that cut lists into pages: which page, and how many items are on one. */
export interface PagingNames {
  readonly number: string
  readonly size: string
  /** Most items on a page. */
  readonly most: number
}

/** The value of an expression, with more names where the answer gives some. */
type Evaluate = (expression: Json, names?: Readonly<Record<string, Json>>) => Json | undefined

/** Statuses whose answers carry no body. */
const EMPTY_STATUSES = new Set([204, 205, 304])
/** Items on a page where neither the request nor the description says how many. */
const USUAL_SIZE = 30

/** What a row of an entry answers: a page of a list, another form where `Accept` asks for it, nothing, or JSON. */
export function writeAnswer(call: ApiCall, row: AnswerRow, names: PagingNames, evaluate: Evaluate): ApiResponse {
  const status = Number((row.status === undefined ? undefined : evaluate(row.status)) ?? call.operation.success.status)
  const headers = headersOf(row, evaluate)
  if (EMPTY_STATUSES.has(status)) return { status, headers, body: null }
  const other = otherForm(call, row, evaluate)
  if (other !== undefined) return { status, headers: { ...headers, ...other.headers }, body: other.body }
  const whole = row.answer === undefined ? null : (evaluate(row.answer) ?? null)
  const { body, link } =
    row.page === undefined ? { body: whole, link: undefined } : pageOf(call, names, row, whole, evaluate)
  const text = JSON.stringify(body)
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
    ...(link !== undefined && { Link: link }),
  }
  if (call.operation.method !== 'GET' || status !== 200) return { status, headers: all, body: text }
  const ETag = toTag(text)
  if (isCurrent(call.request.headers['if-none-match'], ETag))
    return { status: 304, headers: { ...headers, ETag }, body: null }
  return { status, headers: { ...all, ETag }, body: text }
}

function headersOf({ headers = {} }: AnswerRow, evaluate: Evaluate): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = evaluate(value)
    return text === undefined || text === null ? [] : [[name, String(text)]]
  })
  return Object.fromEntries(own)
}

/** The answer in the form that a word of `Accept` asks for. */
function otherForm(
  { request }: ApiCall,
  { media = [] }: AnswerRow,
  evaluate: Evaluate,
): Pick<ApiResponse, 'headers' | 'body'> | undefined {
  const [wanted = ''] = (request.headers.accept ?? '').toLowerCase().split(/[,;]/)
  const words = wanted.split(/[./+]/)
  const form = media.find(({ word }) => words.includes(word))
  if (form === undefined) return undefined
  const value = evaluate(form.body) ?? null
  if (typeof value !== 'string')
    return { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
  const body = form.base64 === true ? Buffer.from(value, 'base64') : value
  return { headers: { 'Content-Type': `${wanted.trim()}; charset=utf-8` }, body }
}

/** The page of a list that the query asks for, and the `Link` header (RFC 8288) that leads to the others. */
function pageOf(
  call: ApiCall,
  names: PagingNames,
  { page: place = true, each }: AnswerRow,
  whole: Json,
  evaluate: Evaluate,
): { body: Json; link: string | undefined } {
  const list = place === true ? whole : isJsonObject(whole) ? whole[place] : undefined
  if (!Array.isArray(list)) return { body: whole, link: undefined }
  const declared = call.operation.parameters.find(({ name }) => name === names.size)?.schema
  const size = numberOf(call, names.size) || Number(declared?.default ?? USUAL_SIZE)
  const limit = Math.max(1, Math.min(size, names.most))
  const page = Math.max(1, numberOf(call, names.number))
  const cut = list.slice((page - 1) * limit, page * limit)
  const items = each === undefined ? cut : cut.flatMap((item) => evaluate(each, { item }) ?? [])
  const body = place === true || !isJsonObject(whole) ? items : { ...whole, [place]: items }
  return { body, link: linkHeader(call, names.number, page, Math.max(1, Math.ceil(list.length / limit))) }
}

const numberOf = ({ query }: ApiCall, name: string): number => {
  const text = paramValue(query, name)
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0
}

function linkHeader({ request }: ApiCall, name: string, page: number, last: number): string | undefined {
  const to = (number: number) => {
    const query = new URLSearchParams(request.query)
    query.set(name, String(number))
    return `<${request.origin}${request.path}?${query}>`
  }
  const back = page > 1 ? [`${to(Math.min(page - 1, last))}; rel="prev"`] : []
  const on = page < last ? [`${to(page + 1)}; rel="next"`, `${to(last)}; rel="last"`] : []
  const first = page > 1 ? [`${to(1)}; rel="first"`] : []
  const links = [...back, ...on, ...first]
  return links.length === 0 ? undefined : links.join(', ')
}
