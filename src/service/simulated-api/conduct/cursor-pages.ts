import type { PageCut } from '../../../protocol/conduct.ts'
import { isJsonObject, type Json, readField, writeField } from '../../../protocol/json.ts'
import type { ApiCall } from '../calls/call.ts'
import { cursorOf, cursorPlace } from '../expressions/operators/paged.ts'
import { paramValue } from '../listing/page.ts'
import { Refusal } from '../refusal.ts'

/** Pages by cursor. */
type CursorCut = Extract<PageCut, { readonly cursor: string }>

/** The start of the page for a request's cursor. A deleted item is replaced by its former position. */
export function placeAfter(call: ApiCall, { cursor: name, error }: CursorCut, list: readonly Json[]): number {
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
export function withCursor(body: Json, { next, more }: CursorCut, list: readonly Json[], end: number): Json {
  if (!isJsonObject(body)) return body
  const following = list[end]
  const cursor = following === undefined ? '' : cursorOf(following, end)
  const whole = writeField(body, next.split('.'), cursor)
  if (more === undefined || readField(whole, more.split('.')) === undefined) return whole
  return writeField(whole, more.split('.'), following !== undefined)
}
