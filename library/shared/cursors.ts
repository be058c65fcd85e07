import type { Fields } from './values.ts'

/** The cursor of the page that begins with an item: its id, and its place for when the item is gone. */
export const cursorOf = (place: number, id: unknown): string => Buffer.from(`next:${place}:${id}`).toString('base64')

/** Where the page of a cursor begins; undefined for a text that is no cursor. @param idOf of an item */
export function placeOf<T extends Fields>(
  cursor: string,
  items: readonly T[],
  idOf: (item: T) => unknown = ({ id }) => id,
): number | undefined {
  const [, place, id] = /^next:(\d{1,15}):(.*)$/s.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  if (place === undefined) return undefined
  const found = items.findIndex((item) => String(idOf(item)) === id)
  return found < 0 ? Number(place) : found
}
