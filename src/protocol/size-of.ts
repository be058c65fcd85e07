import type { Json } from './json.ts'

/** Longer texts are counted in bytes of UTF-8, shorter ones in characters. */
const SHORT = 1_000

/** Estimates the bytes of a value, including field names. @param each bytes for each object, list, number and similar value */
export function sizeOf(value: Json, each = 8): number {
  if (typeof value === 'string') return value.length < SHORT ? value.length : Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return each
  let size = each
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item, each)
  else for (const name in value) size += name.length + sizeOf(value[name] as Json, each)
  return size
}

/** How many values a value holds, including itself; stops counting at `most`. */
export function valuesIn(value: Json, most = Number.POSITIVE_INFINITY): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const inner of Object.values(value)) {
    count += valuesIn(inner, most)
    if (count >= most) return count
  }
  return count
}

/** How many levels of objects and lists a value has: 0 for a text. */
export function depthOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  let depth = 0
  for (const inner of Object.values(value)) depth = Math.max(depth, depthOf(inner))
  return depth + 1
}
