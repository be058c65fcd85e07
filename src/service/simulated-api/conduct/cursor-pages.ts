import type { PageCut } from '../../../protocol/conduct.ts'
import { isJsonObject, type Json, readField, writeField } from '../../../protocol/json.ts'
import { paramValue } from '../listing/page.ts'
import type { ApiCall } from '../operations/call.ts'
import { Refusal } from '../refusal.ts'

/** Pages that follow a cursor. */
type CursorCut = Extract<PageCut, { readonly cursor: string }>

/** What a cursor stands for: the first item of a page, and where it stood when the cursor was given. */
const CURSOR = /^next:(\d{1,15}):(.*)$/s

/** Where the page begins that the cursor of a request asks for. An item that is gone is looked for where it stood. */
export function placeAfter(call: ApiCall, { cursor: name, error }: CursorCut, list: readonly Json[]): number {
  const text = paramValue(call.query, name) ?? ''
  if (text === '') return 0
  const [, place, id] = CURSOR.exec(Buffer.from(text, 'base64').toString('utf8')) ?? []
  if (place === undefined)
    throw new Refusal(
      400,
      error,
      `Expected \`${name}\` to be a cursor of an answer, got "${text.slice(0, 100)}".`,
      name,
    )
  const found = list.findIndex((item) => idOf(item) === id)
  return found === -1 ? Number(place) : found
}

/** An answer with the cursor of the next page, and whether there is one where the answer says so. */
export function withCursor(body: Json, { next, more }: CursorCut, list: readonly Json[], end: number): Json {
  if (!isJsonObject(body)) return body
  const following = list[end]
  const cursor = following === undefined ? '' : Buffer.from(`next:${end}:${idOf(following)}`).toString('base64')
  const whole = writeField(body, next.split('.'), cursor)
  if (more === undefined || readField(whole, more.split('.')) === undefined) return whole
  return writeField(whole, more.split('.'), following !== undefined)
}

const idOf = (item: Json): string => String((isJsonObject(item) ? item.id : item) ?? '')
