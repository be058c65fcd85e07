import type { JsonObject } from '../../../protocol/json.ts'

const canonicals = new Map<string, string>()

/** A name without its manner of writing: `createdAt`, `created_at` and `Created-At` are one. */
export function toCanonical(name: string): string {
  const known = canonicals.get(name)
  if (known !== undefined) return known
  if (canonicals.size > 50_000) canonicals.clear()
  const canonical = name.replace(/[_\-.\s]/g, '').toLowerCase() || name
  canonicals.set(name, canonical)
  return canonical
}

/** The name in `names` that means the same field as `name`: itself, or the same in another manner of writing. */
export function findName(names: Iterable<string>, name: string): string | undefined {
  const wanted = toCanonical(name)
  let found: string | undefined
  for (const candidate of names) {
    if (candidate === name) return candidate
    if (found === undefined && toCanonical(candidate) === wanted) found = candidate
  }
  return found
}

/** The value of a field of `object`, whatever manner its name is written in. */
export function ownValue(object: JsonObject, name: string) {
  if (Object.hasOwn(object, name)) return object[name]
  const found = findName(Object.keys(object), name)
  return found === undefined ? undefined : object[found]
}
