import type { EffectRow, PageCut } from '../../../protocol/conduct.ts'
import { faultOfOpenRedirect } from '../../sign-in/redirect-address.ts'
import type { ApiCall } from '../calls/call.ts'
import type { ApiResponse } from '../exchange.ts'
import { isCurrent } from '../operations/item.ts'
import { hashesOf, toTag } from '../presentation/record-tag.ts'
import { Refusal } from '../refusal.ts'
import { cutPage, type Evaluate } from './cut-page.ts'

type AnswerRow = Pick<EffectRow, 'answer' | 'status' | 'headers' | 'page' | 'each' | 'media'>
/** Statuses without a body. */
const EMPTY_STATUSES = new Set([204, 205, 304])

/** The answer of an entry's row: a page of a list, another format by `Accept`, nothing, or JSON. */
export function writeAnswer(call: ApiCall, row: AnswerRow, paging: PageCut, evaluate: Evaluate): ApiResponse {
  const status = Number((row.status === undefined ? undefined : evaluate(row.status)) ?? call.operation.success.status)
  const headers = headersOf(row, evaluate)
  if (status === 302) refuseForeign(headers.Location ?? '')
  if (EMPTY_STATUSES.has(status)) return { status, headers, body: null }
  const other = otherForm(call, row, evaluate)
  if (other !== undefined) return { status, headers: { ...other.headers, ...headers }, body: other.body }
  const whole = row.answer === undefined ? null : (evaluate(row.answer) ?? null)
  const { body, link } =
    row.page === undefined ? { body: whole, link: undefined } : cutPage(call, paging, row, whole, evaluate)
  const text = JSON.stringify(body)
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
    ...(link !== undefined && { Link: link }),
  }
  if (call.operation.method !== 'GET' || status !== 200) return { status, headers: all, body: text }
  const ETag = toTag(hashesOf(text))
  const known = call.request.headers['if-none-match']
  if (known !== undefined && isCurrent(known, ETag)) return { status: 304, headers: { ...headers, ETag }, body: null }
  return { status, headers: { ...all, ETag }, body: text }
}

/** Refuses a redirect to an address that a client gave and that is not of a test: anyone could send a link to it. */
function refuseForeign(address: string): void {
  const fault = faultOfOpenRedirect(address)
  if (fault === undefined) return
  const message = `Failed to redirect to "${address.slice(0, 200)}": ${fault}. Use an address on loopback, one such as https://app.example, or an application's own scheme.`
  throw new Refusal(400, 'invalid_redirect', message)
}

export function headersOf({ headers = {} }: AnswerRow, evaluate: Evaluate): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = evaluate(value)
    return text === undefined || text === null ? [] : [[name, String(text)]]
  })
  return Object.fromEntries(own)
}

/** The answer in a format that `Accept` requests. */
function otherForm(
  { request }: ApiCall,
  { media = [] }: AnswerRow,
  evaluate: Evaluate,
): Pick<ApiResponse, 'headers' | 'body'> | undefined {
  const [wanted = ''] = (request.headers.accept ?? '').toLowerCase().split(/[,;]/)
  const words = wanted.split(/[./+]/)
  const form = media.find(({ word }) => word === undefined || words.includes(word))
  if (form === undefined) return undefined
  const value = evaluate(form.body) ?? null
  if (typeof value !== 'string')
    return { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
  const body = form.base64 === true ? Buffer.from(value, 'base64') : value
  const type = form.type === undefined ? `${wanted.trim()}; charset=utf-8` : String(evaluate(form.type))
  return { headers: { 'Content-Type': type }, body }
}
