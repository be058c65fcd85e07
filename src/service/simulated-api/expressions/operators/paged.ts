import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json.ts'

/** The content of a cursor: the first item of a page, and its position at that time. */
const CURSOR = /^next:(\d{1,15}):(.*)$/s

/**
 * A page of a list: `items`, `next` if there is more, `total`, and `invalid` for an invalid `after`. `as: offset`
 * counts the items before the page, `as: number` numbers pages from 1; else `after` is a cursor.
 */
export function paged({
  of,
  after = null,
  size = null,
  usual = 10,
  most = 100,
  as = 'cursor',
}: JsonObject): JsonObject {
  const list = Array.isArray(of) ? of : []
  const wanted = Math.trunc(Number(size ?? usual))
  const limit = Math.max(1, Math.min(wanted > 0 ? wanted : Number(usual), Number(most)))
  const text = after === null ? '' : String(after)
  const start = startOf(text, String(as), list, limit)
  if (start === undefined) return { items: [], total: list.length, size: limit, invalid: true }
  const end = start + limit
  const following = list[end]
  const pages = Math.max(1, Math.ceil(list.length / limit))
  const page = Math.floor(start / limit) + 1
  const facts = { items: list.slice(start, end), total: list.length, size: limit, page, pages }
  if (following === undefined) return facts
  const next = as === 'offset' ? String(end) : as === 'number' ? page + 1 : cursorOf(following, end)
  return { ...facts, next }
}

function startOf(text: string, as: string, list: readonly Json[], limit: number): number | undefined {
  if (text === '') return 0
  if (as === 'cursor') return cursorPlace(text, list)
  if (!/^\d{1,15}$/.test(text)) return undefined
  return as === 'offset' ? Number(text) : Math.max(0, Number(text) - 1) * limit
}

/** The position of a cursor; undefined for an invalid one. */
export function cursorPlace(text: string, list: readonly Json[]): number | undefined {
  const [, place, id] = CURSOR.exec(Buffer.from(text, 'base64').toString('utf8')) ?? []
  if (place === undefined) return undefined
  const found = list.findIndex((item) => idOf(item) === id)
  return found === -1 ? Number(place) : found
}

/** The cursor of the page that begins with an item. */
export const cursorOf = (following: Json, place: number): string =>
  Buffer.from(`next:${place}:${idOf(following)}`).toString('base64')

const idOf = (item: Json): string => String((isJsonObject(item) ? item.id : item) ?? '')
