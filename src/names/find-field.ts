import { foldName } from './words.ts'

/** The name in `names` for the same field as `name`: itself, else the first in another spelling. */
export function findField(names: Iterable<string>, name: string): string | undefined {
  const wanted = foldName(name)
  let found: string | undefined
  for (const candidate of names) {
    if (candidate === name) return candidate
    if (found === undefined && foldName(candidate) === wanted) found = candidate
  }
  return found
}

/** The value of a field of `object`, whatever the spelling of its name. */
export function findValue<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  if (Object.hasOwn(object, name)) return object[name]
  const found = findField(Object.keys(object), name)
  return found === undefined ? undefined : object[found]
}
