import { foldName } from './words.ts'

/** Names of fields by which people know a record, folded, the most usual first. */
export const NATURAL_KEYS = [
  'login',
  'username',
  'handle',
  'key',
  'slug',
  'code',
  'name',
  'number',
  'identifier',
  'email',
  'domain',
  'uniquename',
  'alias',
  'externalid',
  'sourceid',
  'serial',
] as const

const SHARED: ReadonlySet<string> = new Set(['code', 'name', 'number', 'domain', 'serial'])

/** The natural keys whose values no two records share. */
export const UNIQUE_KEYS = NATURAL_KEYS.filter((name) => !SHARED.has(name))

/** The natural keys whose values several records may share. */
export const SHARED_KEYS = NATURAL_KEYS.filter((name) => SHARED.has(name))

/** The names among `fields` that fold to one of `wanted`, in the order of `wanted`. */
export function namesLike(fields: Iterable<string>, wanted: readonly string[]): string[] {
  const byName = Map.groupBy(fields, foldName)
  return wanted.flatMap((name) => byName.get(name) ?? [])
}

const ALL: ReadonlySet<string> = new Set(NATURAL_KEYS)

export const isNaturalKey = (name: string): boolean => ALL.has(foldName(name))
